import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { type FormDefinition, parseFormDefinition } from './form-definition.ts';
import { answerRows, byStatus, mediaRows } from './inspection-rows.ts';
import type { InspectionStatus } from './inspection-states.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';
import { formVersions } from './form-versions.ts';

export type ListedInspection = { inspection: Row<'inspections'>; assetName: string | null; formName: string | null };

export type InspectionFilter = {
  /** All states where left out. */
  statuses?: readonly InspectionStatus[];
  /** Words that must all be in the title, the form's or the asset's name; letter case does not matter. */
  search?: string;
};

/** Inspections of a space, the latest first: by when they were finished, else started, else are due. */
export function inspections(space: Space, filter: InspectionFilter = {}): Query<ListedInspection[]> {
  const { statuses, search = '' } = filter;
  return {
    key: `field-ops/inspections/${spaceKey(space)}/${statuses?.join(',') ?? 'all'}/${search}`,
    tables: ['inspections', 'assets', 'forms'],
    async read(tx) {
      const rows = statuses ? await byStatus(tx, statuses) : await tx.all('inspections');
      const assets = await namesOf(tx, 'assets');
      const forms = await namesOf(tx, 'forms');
      return rows
        .filter(row => inSpace(row, space))
        .map(inspection => ({
          inspection,
          assetName: assets.get(inspection.asset_id ?? '') ?? null,
          formName: forms.get(inspection.form_id) ?? null,
        }))
        .filter(listed => matches(listed, search))
        .toSorted((a, b) => whenOf(b.inspection).localeCompare(whenOf(a.inspection)));
    },
  };
}

async function namesOf(tx: Tx, table: 'assets' | 'forms'): Promise<Map<string, string>> {
  const rows = await tx.all(table);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const whenOf = (row: Row<'inspections'>): string => row.finished_at ?? row.started_at ?? row.due_at ?? row.created_at;

function matches({ inspection, assetName, formName }: ListedInspection, search: string): boolean {
  const text = `${inspection.title} ${assetName ?? ''} ${formName ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

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

export type ListedForm = { form: Row<'forms'>; versions: number };

/** Forms of a space by name; `state` where given. */
export function forms(space: Space, state?: Row<'forms'>['state']): Query<ListedForm[]> {
  return {
    key: `field-ops/forms/${spaceKey(space)}/${state ?? 'all'}`,
    tables: ['forms', 'form_versions'],
    async read(tx) {
      const rows = state ? await tx.range('forms', 'state', `${state}/`, `${state}/\uffff`) : await tx.all('forms');
      const listed: ListedForm[] = [];
      for (const form of rows.filter(row => inSpace(row, space))) {
        listed.push({ form, versions: (await formVersions(tx, form.id)).length });
      }
      return listed.toSorted((a, b) => a.form.name.localeCompare(b.form.name));
    },
  };
}

export type OpenedForm = { form: Row<'forms'>; versions: Row<'form_versions'>[] };

/** One form with its versions, oldest first; null when it is not on this device. */
export function form(id: string): Query<OpenedForm | null> {
  return {
    key: `field-ops/form/${id}`,
    tables: ['forms', 'form_versions'],
    async read(tx) {
      const row = await tx.get('forms', id);
      return row && row.deleted_at === null ? { form: row, versions: await formVersions(tx, id) } : null;
    },
  };
}
