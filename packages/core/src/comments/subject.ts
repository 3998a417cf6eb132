import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';

/** A record that people speak about. */
export type Subject = { table: Row<'comments'>['subject_table']; id: string };

/** The organisation and place of a record; null when it is not on this device. */
type SubjectPlace = {
  organizationId: string;
  /** Where its files belong. */
  siteId: string | null;
  /** Of an inspection: how often it was finished. */
  round: number | null;
  /** Who stands on it, and so hears of it without asking. */
  people: (string | null)[];
  /** Of its row. */
  version: number;
};

/** Where a record is at home; null when it is not on this device, or gone. */
export async function subjectPlace(tx: Tx, { table, id }: Subject): Promise<SubjectPlace | null> {
  const row = await tx.get(table, id);
  if (!row || row.deleted_at !== null) return null;
  return {
    organizationId: row.organization_id,
    siteId: 'site_id' in row ? row.site_id : null,
    round: 'round' in row ? row.round : null,
    version: row.version,
    people: PEOPLE.flatMap(name =>
      name in row ? ((row as Partial<Record<PersonColumn, string | null>>)[name] ?? null) : [],
    ),
  };
}

const PEOPLE = [
  'assignee_id',
  'reviewer_id',
  'created_by',
  'conducted_by',
  'assigned_to',
  'reported_by',
  'raised_by',
  'owner_id',
] as const;
type PersonColumn = (typeof PEOPLE)[number];
