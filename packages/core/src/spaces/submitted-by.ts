import type { Query, Tx } from '@cairn/sync/store.ts';

/** Of a record: when and by whom it was brought in its author's name, out of a rescue file. A row from before may lack both. */
export type ImporterColumns = { submitted_at?: string | null; submitted_by?: string | null };

/**
 * Who brought a record that stands in its author's name; `null` where its author's own device sent it, `former` where the account is gone.
 * Every screen, list and file that names an author says this beside it.
 */
export type Importer = { name: string } | 'former' | null;

/** Reads it from this device, with no signal too. */
export async function readSubmittedBy(
  tx: Tx,
  { submitted_at: at, submitted_by: by }: ImporterColumns,
): Promise<Importer> {
  if (!at) return null;
  const name = by ? (await tx.get('people', by))?.display_name : null;
  return name ? { name } : 'former';
}

export const submittedBy = (row: ImporterColumns): Query<Importer> => ({
  key: `spaces/broughtBy/${row.submitted_at ?? ''}/${row.submitted_by ?? ''}`,
  tables: ['people'],
  read: tx => readSubmittedBy(tx, row),
});
