import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';

/**
 * Makes a version the one that new inspections start with. Drafts on an older version stay on it.
 *
 * @throws {Failure} `not_found` for the form or the version
 */
export async function publishForm(
  tx: WriteTx,
  { formId, versionId }: { formId: string; versionId: string },
): Promise<void> {
  const form = await tx.get('forms', formId);
  if (!form || form.deleted_at !== null) throw new Failure('not_found', `publishForm: no form ${formId}`);
  const version = await tx.get('form_versions', versionId);
  if (!version || version.form_id !== formId) throw new Failure('not_found', `publishForm: no version ${versionId}`);
  await tx.change('forms', formId, { state: 'published', current_version_id: versionId });
}
