import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { type FormDefinition, parseFormDefinition } from '../forms/definition/form-definition.ts';
import { answerRows, mediaRows } from './inspection-rows.ts';

export type OpenedInspection = {
  inspection: Row<'inspections'>;
  form: Row<'forms'> | null;
  /** What was or is to be answered; null while the version is not on this device, or is of a newer kind. */
  definition: FormDefinition | null;
  answers: Row<'inspection_answers'>[];
  media: Row<'media'>[];
  asset: Row<'assets'> | null;
  site: Row<'sites'> | null;
  /** Action items its failed questions made. */
  actions: Row<'action_items'>[];
};

/** One inspection with everything its screen shows; null when it is not on this device. */
export function inspection(id: string): Query<OpenedInspection | null> {
  return {
    key: `field-ops/inspection/${id}`,
    tables: ['inspections', 'forms', 'form_versions', 'inspection_answers', 'media', 'assets', 'sites', 'action_items'],
    async read(tx) {
      const row = await tx.get('inspections', id);
      if (!row || row.deleted_at !== null) return null;
      const version = await tx.get('form_versions', row.form_version_id);
      const parsed = version ? parseFormDefinition(version.definition) : null;
      return {
        inspection: row,
        form: (await tx.get('forms', row.form_id)) ?? null,
        definition: parsed?.ok ? parsed.form : null,
        answers: await answerRows(tx, id),
        media: await mediaRows(tx, id),
        asset: row.asset_id === null ? null : ((await tx.get('assets', row.asset_id)) ?? null),
        site: row.site_id === null ? null : ((await tx.get('sites', row.site_id)) ?? null),
        actions: await tx.range('action_items', 'source', id, id),
      };
    },
  };
}
