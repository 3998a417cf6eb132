import { Failure } from '@cairn/base/failure.ts';
import type { Json, Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { formBoundProblems } from '../definition/form-bounds.ts';
import type { FormDefinition } from '../definition/form-definition.ts';
import { formVersions } from './form-versions.ts';

export type ImportForm = {
  /** A fresh id for a new form, or the id of a form that gets another version. */
  formId: string;
  /** A fresh id. */
  versionId: string;
  organizationId: string;
  playbookId: string | null;
  name: string;
  description?: string;
  category?: string;
  /** The form is offered for assets of this category. */
  assetCategory?: string;
  /** How long it usually takes. */
  minutes?: number;
  definition: FormDefinition;
  source: Row<'form_versions'>['source'];
  by: string;
};

/**
 * Keeps a form with one more version, as a draft: nobody is asked it before it is published. Run it in a write with
 * `together: true`.
 *
 * @throws {Failure} `invalid` when it has no name; `not_allowed` when the form is another organisation's; `too_large` when it
 *   is past a bound
 */
export async function importForm(tx: WriteTx, form: ImportForm): Promise<void> {
  const name = form.name.trim();
  if (name === '') throw new Failure('invalid', `importForm: ${form.formId} has no name`);
  const [past] = formBoundProblems(form.definition);
  if (past) throw new Failure('too_large', `importForm: ${form.formId} is past ${past.bound} at ${past.at}`);
  const present = await tx.get('forms', form.formId);
  if (present && present.organization_id !== form.organizationId) {
    throw new Failure('not_allowed', `importForm: ${form.formId} is not of ${form.organizationId}`);
  }
  // Properties that are undefined are no JSON; this leaves them out.
  const definition: Json = JSON.parse(JSON.stringify(form.definition));
  const versions = await formVersions(tx, form.formId);
  if (!present) {
    await tx.put('forms', {
      id: form.formId,
      organization_id: form.organizationId,
      playbook_id: form.playbookId,
      name,
      description: form.description ?? null,
      category: form.category ?? null,
      asset_category: form.assetCategory ?? null,
      minutes: form.minutes ?? null,
      state: 'draft',
      created_by: form.by,
    });
  }
  await tx.put('form_versions', {
    id: form.versionId,
    organization_id: form.organizationId,
    form_id: form.formId,
    number: (versions.at(-1)?.number ?? 0) + 1,
    definition,
    source: form.source,
    created_by: form.by,
  });
}
