import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';

/** Versions of one form, oldest first. */
export async function formVersions(tx: Tx, formId: string): Promise<Row<'form_versions'>[]> {
  const versions = await tx.range('form_versions', 'form', `${formId}/`, `${formId}/\uffff`);
  return versions.filter(version => version.deleted_at === null);
}
