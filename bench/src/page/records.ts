/** One record as every peer stores it; times in any ISO 8601 spelling, null where there is none. */
export type BenchRecord = Record<string, unknown> & { id: string };

/** How many records a device holds and a figure that is equal only for equal content, whatever the order. */
export type Digest = { count: number; sum: number };

/** What a mutation or a pull can change; `media_ids` and server-owned columns differ in form between the peers. */
const FIELDS = [
  'id',
  'organization_id',
  'site_id',
  'title',
  'description',
  'status',
  'priority',
  'due_at',
  'assignee_id',
  'source_type',
  'source_question',
  'closed_at',
] as const;

const TIMES = new Set<string>(['due_at', 'closed_at']);

function spelled(record: BenchRecord, field: string): string {
  const value = (record[field] ?? '') as string | Date;
  return value !== '' && TIMES.has(field) ? new Date(value).toISOString() : String(value);
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** Sums stay exact: 32 bits times a few ten thousand records is far below 2^53. */
export function digestOf(records: Iterable<BenchRecord>): Digest {
  let count = 0;
  let sum = 0;
  for (const record of records) {
    count += 1;
    sum += hash(FIELDS.map(field => spelled(record, field)).join('\u0001'));
  }
  return { count, sum };
}
