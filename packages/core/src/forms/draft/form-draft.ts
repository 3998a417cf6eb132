import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Json, Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';
import { compileForm } from '../definition/compiled-form.ts';
import { canonicalJson } from '../answers/content-hash.ts';
import { formBoundProblems } from '../definition/form-bounds.ts';
import { type FormDefinition, readFormShape, shapeProblems } from '../definition/form-definition.ts';
import { formVersions } from './form-versions.ts';
import { publishForm } from './publish-form.ts';
import { tidyForm } from './tidy-form.ts';
import { inLanguage } from '../definition/words.ts';

/** The id of a form's one draft, the same on every device: two people who begin to edit it edit the same. */
export const draftId = (formId: string): string => derivedId(formId, 'draft');

/** A form while it is built. */
export type FormInProgress = {
  form: Row<'forms'>;
  /** Oldest first. */
  versions: Row<'form_versions'>[];
  /** What is edited: the draft, else the newest version, else an empty form. Null where this build cannot read it. */
  definition: FormDefinition | null;
  /** Whether there is something that is not published. */
  isDraft: boolean;
  /** Who edited the draft last; null where nobody has, or it is not known yet. */
  editedBy: string | null;
};

/** A form with what is edited of it; null where it is not on this device. */
export function formBuilt(formId: string): Query<FormInProgress | null> {
  return {
    key: `field-ops/form-built/${formId}`,
    tables: ['forms', 'form_versions', 'form_drafts'],
    async read(tx) {
      const form = await tx.get('forms', formId);
      if (!form || form.deleted_at !== null) return null;
      const versions = await formVersions(tx, formId);
      const draft = await draftRow(tx, formId);
      const newest = versions.at(-1);
      const json = draft?.definition ?? newest?.definition ?? emptyForm(form.name);
      const isAhead = newest !== undefined && newest.id !== form.current_version_id;
      return {
        form,
        versions,
        definition: readFormShape(json),
        isDraft: Boolean(draft?.definition) || newest === undefined || isAhead,
        editedBy: draft?.definition ? draft.edited_by : null,
      };
    },
  };
}

async function draftRow(tx: Tx, formId: string): Promise<Row<'form_drafts'> | undefined> {
  const row = await tx.get('form_drafts', draftId(formId));
  return row?.deleted_at === null ? row : undefined;
}

/** A form with nothing in it yet. */
export const emptyForm = (title: string): FormDefinition => ({
  format: 1,
  title,
  languages: [],
  choice_lists: {},
  pass_percent: 100,
  sign: false,
  items: [],
});

/** Properties that are undefined are no JSON; this leaves them out. */
const jsonOf = (definition: FormDefinition): Json => JSON.parse(JSON.stringify(definition));

/** Whether two definitions say the same, whatever the order of their fields. */
export const sameForm = (a: FormDefinition, b: FormDefinition): boolean =>
  canonicalJson(jsonOf(a)) === canonicalJson(jsonOf(b));

export type BuildForm = {
  /** A fresh id. */
  formId: string;
  organizationId: string;
  playbookId: string | null;
  /** What it begins as: empty, or a copy of another. Its title names the form. */
  definition: FormDefinition;
  /** Taken from the form it is a copy of. */
  category?: string | null;
  assetCategory?: string | null;
  minutes?: number | null;
  by: string;
};

/**
 * Begins a form that is built here. Nobody is asked it before it is published. Run it in a write with `together: true`.
 *
 * @throws {Failure} `invalid` when it has no name; `too_large` when it is past a bound
 */
export async function buildForm(tx: WriteTx, build: BuildForm): Promise<void> {
  withinBounds(build.definition, 'buildForm');
  await tx.put('forms', {
    id: build.formId,
    organization_id: build.organizationId,
    playbook_id: build.playbookId,
    name: titleOf(build.definition, 'buildForm'),
    category: build.category ?? null,
    asset_category: build.assetCategory ?? null,
    minutes: build.minutes ?? null,
    state: 'draft',
    created_by: build.by,
  });
  await tx.put('form_drafts', {
    id: draftId(build.formId),
    organization_id: build.organizationId,
    form_id: build.formId,
    definition: jsonOf(build.definition),
  });
}

function titleOf({ title, languages }: FormDefinition, operation: string): string {
  const name = inLanguage(title, languages[0]).trim();
  if (name === '') throw new Failure('invalid', `${operation}: the form has no name`);
  return name;
}

/** The server takes nothing past its bounds: it is said here, before anything waits to be sent. */
function withinBounds(definition: FormDefinition, operation: string): void {
  const [problem] = formBoundProblems(definition);
  if (problem) throw new Failure('too_large', `${operation}: ${problem.bound} ${problem.at}`);
}

/** The form of this id. @throws {Failure} `not_found` */
async function presentForm(tx: Tx, formId: string, operation: string): Promise<Row<'forms'>> {
  const form = await tx.get('forms', formId);
  if (!form || form.deleted_at !== null) throw new Failure('not_found', `${operation}: no form ${formId}`);
  return form;
}

export type SaveDraft = {
  formId: string;
  definition: FormDefinition;
  /** What the person who edits saw before: what somebody else wrote since is not written over. */
  seen: FormDefinition;
};

/**
 * Keeps what is being built, finished or not. Called while somebody edits: nothing waits for a "save".
 *
 * @throws {Failure} `not_found`; `stale_version` when the draft is not what the person saw (edited elsewhere, or published);
 *   `too_large` when it is past a bound
 */
export async function saveDraft(tx: WriteTx, { formId, definition, seen }: SaveDraft): Promise<void> {
  withinBounds(definition, 'saveDraft');
  const form = await presentForm(tx, formId, 'saveDraft');
  const versions = await formVersions(tx, formId);
  const draft = await draftRow(tx, formId);
  const present = readFormShape(draft?.definition ?? versions.at(-1)?.definition ?? emptyForm(form.name));
  if (!present || !sameForm(present, seen)) {
    throw new Failure('stale_version', `saveDraft: the draft of ${formId} was edited elsewhere`);
  }
  await tx.put('form_drafts', {
    id: draftId(formId),
    organization_id: form.organization_id,
    form_id: formId,
    definition: jsonOf(definition),
  });
  // A form that was never published is called what its draft says; afterwards the name changes with the version.
  const name = inLanguage(definition.title, definition.languages[0]).trim();
  if (form.current_version_id === null && name !== '' && name !== form.name) await tx.change('forms', formId, { name });
}

export type PublishDraft = {
  formId: string;
  /** A fresh id. */
  versionId: string;
  /** As the person who publishes sees it. */
  definition: FormDefinition;
  /** One line on what is different, for whoever looks back. */
  changes: string;
  by: string;
};

/**
 * Makes a version of what was built, for good, and new inspections start with it. Inspections that are under way keep the
 * version they began on. Run it in a write with `together: true`.
 *
 * @returns the number of the version
 * @throws {Failure} `not_found`; `invalid` when the form cannot be answered as it is, or has no name; `too_large` when it is past a
 *   bound
 */
export async function publishDraft(tx: WriteTx, publish: PublishDraft): Promise<number> {
  const { formId, versionId } = publish;
  const form = await presentForm(tx, formId, 'publishDraft');
  const definition = tidyForm(publish.definition);
  const name = titleOf(definition, 'publishDraft');
  withinBounds(definition, 'publishDraft');
  if (shapeProblems(definition).length > 0 || !compileForm(definition).ok) {
    throw new Failure('invalid', `publishDraft: ${formId} cannot be answered as it is`);
  }
  const newest = (await formVersions(tx, formId)).at(-1);
  if (newest && newest.id !== form.current_version_id && isThis(newest, definition)) {
    // An imported form that nobody changed is published as it came.
    await publishForm(tx, { formId, versionId: newest.id });
    await clearDraft(tx, formId);
    return newest.number;
  }
  const number = (newest?.number ?? 0) + 1;
  await tx.put('form_versions', {
    id: versionId,
    organization_id: form.organization_id,
    form_id: formId,
    number,
    definition: jsonOf(definition),
    source: 'builder',
    changes: publish.changes.trim() || null,
    created_by: publish.by,
  });
  await tx.change('forms', formId, { name, state: 'published', current_version_id: versionId });
  await clearDraft(tx, formId);
  return number;
}

function isThis({ definition }: Row<'form_versions'>, other: FormDefinition): boolean {
  const own = readFormShape(definition);
  return own !== null && sameForm(tidyForm(own), other);
}

async function clearDraft(tx: WriteTx, formId: string): Promise<void> {
  if (await draftRow(tx, formId)) await tx.change('form_drafts', draftId(formId), { definition: null });
}

/**
 * Throws away what was not published: the form is its newest version again. One that never had a version goes as a whole.
 *
 * @returns `form` when the form is gone
 * @throws {Failure} `not_found`
 */
export async function discardDraft(tx: WriteTx, formId: string): Promise<'draft' | 'form'> {
  await presentForm(tx, formId, 'discardDraft');
  if ((await formVersions(tx, formId)).length > 0) {
    await clearDraft(tx, formId);
    return 'draft';
  }
  if (await draftRow(tx, formId)) await tx.remove('form_drafts', draftId(formId));
  await tx.remove('forms', formId);
  return 'form';
}

/**
 * Takes a form out of use: nothing new starts with it, what is under way or done stays as it is.
 *
 * @throws {Failure} `not_found`
 */
export async function archiveForm(tx: WriteTx, formId: string): Promise<void> {
  await presentForm(tx, formId, 'archiveForm');
  await tx.change('forms', formId, { state: 'archived' });
}

/**
 * Takes an archived form into use again, as it was.
 *
 * @throws {Failure} `not_found`
 */
export async function restoreForm(tx: WriteTx, formId: string): Promise<void> {
  const form = await presentForm(tx, formId, 'restoreForm');
  await tx.change('forms', formId, { state: form.current_version_id === null ? 'draft' : 'published' });
}
