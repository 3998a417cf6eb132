import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query } from '@cairn/sync/store.ts';

type FieldValues = Readonly<Record<string, unknown>>;

/** What the record of a conflict says at this moment, of the fields in question; null where it is not here. */
export function recordNow({ id, table, recordId, fields }: Conflict): Query<FieldValues | null> {
  return {
    key: `sync/conflictNow/${id}`,
    tables: [table],
    async read(tx) {
      const row = new Map(Object.entries((await tx.get(table, recordId)) ?? {}));
      return row.size === 0 ? null : Object.fromEntries(fields.map(({ f }) => [f, row.get(f) ?? null]));
    },
  };
}

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
const instantOf = (value: unknown): number =>
  typeof value === 'string' && INSTANT.test(value) ? Date.parse(value) : Number.NaN;

/** The same value, also where the server writes an instant otherwise than this device. */
const isSame = (one: unknown, two: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(two ?? null) || instantOf(one) === instantOf(two);

/** The conflict with theirs as it stands now: somebody may have gone on since it was found. */
export function asItStands(conflict: Conflict, now: FieldValues | null): Conflict {
  if (now === null) return conflict;
  const fields = conflict.fields.map(field =>
    field.f in now && !isSame(field.theirs, now[field.f]) ? { ...field, theirs: now[field.f] } : field,
  );
  return { ...conflict, fields };
}
