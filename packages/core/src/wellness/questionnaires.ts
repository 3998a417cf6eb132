import { Failure } from '@cairn/base/failure.ts';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';
import { ABOUT_ONESELF } from '../inspections/about-oneself.ts';
import { importForm } from '../forms/draft/import-form.ts';
import { isDone } from '../inspections/inspection-states.ts';
import { publishForm } from '../forms/draft/publish-form.ts';
import { startInspection } from '../inspections/start-inspection.ts';
import { inLanguage } from '../forms/definition/words.ts';
import type { StarterLanguage } from '../onboarding/text.ts';
import { privateSpace } from '../spaces/private-space.ts';
import { longerLookForm } from './longer-look.ts';

/** Days after which it is asked again. */
export const ASKED_EVERY = 14;

type Form = Pick<Row<'forms'>, 'id' | 'name'>;
/** One answered questionnaire; `percent` 0 to 100, null for a form without points. */
export type LookResult = { id: string; day: string; percent: number | null };
export type Questionnaire = {
  form: Form;
  /** One that was begun and is not finished. */
  open: string | null;
  /** The newest first. */
  results: LookResult[];
  /** YYYY-MM-DD from which it is asked again; null before the first. */
  dueFrom: string | null;
};
/** Questionnaires of a person, and their other forms, any of which may become one. */
export type Questionnaires = { asked: Questionnaire[]; others: Form[] };

const NOTHING: Questionnaires = { asked: [], others: [] };

/** A person's longer questionnaires: forms of their private space, which no company reads. */
export function questionnaires(userId: string): Query<Questionnaires> {
  return {
    key: `wellness/questionnaires/${userId}`,
    tables: ['organizations', 'forms', 'inspections'],
    async read(tx) {
      const spaces = (await tx.all('organizations')).filter(row => row.kind === 'private' && row.created_by === userId);
      const own = new Set(spaces.filter(row => row.deleted_at === null).map(({ id }) => id));
      if (own.size === 0) return NOTHING;
      const forms = (await tx.all('forms')).filter(
        form => own.has(form.organization_id) && form.state === 'published' && form.deleted_at === null,
      );
      const asked = forms.filter(({ category }) => category === ABOUT_ONESELF);
      // A company's device holds thousands; whoever asks themselves nothing need not read them.
      const answered = asked.length === 0 ? [] : await tx.all('inspections');
      const held = answered.filter(row => row.deleted_at === null);
      return {
        asked: asked
          .map(form => questionnaireOf(form, held))
          .toSorted((a, b) => a.form.name.localeCompare(b.form.name)),
        others: forms.filter(({ category }) => category !== ABOUT_ONESELF).map(({ id, name }) => ({ id, name })),
      };
    },
  };
}

function questionnaireOf({ id, name }: Row<'forms'>, all: readonly Row<'inspections'>[]): Questionnaire {
  const rows = all.filter(row => row.form_id === id);
  const results = rows
    .flatMap(row => (isDone(row.status) && row.finished_at !== null ? [resultOf(row, row.finished_at)] : []))
    .toSorted((a, b) => b.day.localeCompare(a.day));
  const [newest] = results;
  return {
    form: { id, name },
    open: rows.find(({ status }) => status === 'in_progress')?.id ?? null,
    results,
    dueFrom: newest ? addDays(newest.day, ASKED_EVERY) : null,
  };
}

function resultOf({ id, score, score_max }: Row<'inspections'>, finishedAt: string): LookResult {
  const percent = score === null || score_max === null || score_max <= 0 ? null : Math.round((score * 100) / score_max);
  return { id, day: localDay(new Date(finishedAt)), percent };
}

export type BringLongerLook = {
  /** Fresh ids. */
  formId: string;
  versionId: string;
  userId: string;
  language: StarterLanguage;
};

/**
 * Puts the questionnaire that comes along among the person's own forms. Run it in a write with `together: true`.
 *
 * @throws {Failure} `not_found` while their private space is not on this device
 */
export async function bringLongerLook(tx: WriteTx, { formId, versionId, userId, language }: BringLongerLook) {
  const { id: organizationId } = await privateSpace(tx, userId);
  const definition = longerLookForm(language);
  const name = inLanguage(definition.title, undefined);
  const form = { formId, versionId, organizationId, playbookId: null, name, category: ABOUT_ONESELF, minutes: 1 };
  await importForm(tx, { ...form, definition, source: 'seed', by: userId });
  await publishForm(tx, { formId, versionId });
}

/** Makes one of the person's own forms, imported or built, one of their questionnaires. @throws {Failure} `not_found` */
export async function askNowAndThen(tx: WriteTx, formId: string, userId: string): Promise<void> {
  await ownFormRow(tx, formId, userId);
  await tx.change('forms', formId, { category: ABOUT_ONESELF });
}

/** Asks a form no longer; it and what was answered stay. @throws {Failure} `not_found` */
export async function askNoMore(tx: WriteTx, formId: string, userId: string): Promise<void> {
  await ownFormRow(tx, formId, userId);
  await tx.change('forms', formId, { category: null });
}

export type BeginLook = { /** A fresh id. */ id: string; formId: string; by: string; /** ISO 8601. */ at: string };

/** Begins a questionnaire, or takes up the one that was begun. @returns the id of what is answered */
export async function beginLook(tx: WriteTx, { id, formId, by, at }: BeginLook): Promise<string> {
  await ownFormRow(tx, formId, by);
  const underWay = await tx.range('inspections', 'status', 'in_progress/', 'in_progress/\uffff');
  const begun = underWay.find(row => row.form_id === formId && row.deleted_at === null);
  if (begun) return begun.id;
  await startInspection(tx, { id, formId, playbookId: null, by, at });
  return id;
}

/** A form of the person's private space: only what is answered there is theirs alone. */
async function ownFormRow(tx: Tx, formId: string, userId: string): Promise<Row<'forms'>> {
  const { id } = await privateSpace(tx, userId);
  const form = await tx.get('forms', formId);
  if (!form || form.deleted_at !== null || form.organization_id !== id) {
    throw new Failure('not_found', `questionnaires: no form ${formId} of one's own`);
  }
  return form;
}
