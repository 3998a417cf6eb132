import { isDrawn } from '../forms/question-types/question-types.ts';
import { Failure } from '@cairn/base/failure.ts';
import type { Json, Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import type { CompiledForm, CompiledQuestion } from '../forms/definition/compiled-form.ts';
import { type Answers, answersOf } from '../forms/answers/answers.ts';
import { formState } from '../forms/answers/form-state.ts';
import { formValues, valueAt } from '../forms/answers/form-values.ts';
import { type Moment, scopeAt } from '../forms/answers/place-scope.ts';
import { answerId, answerRows, openInspection } from './inspection-rows.ts';
import { canonicalJson } from '../forms/answers/content-hash.ts';
import { putValues } from './keep-values.ts';
import { valuesSetBy } from '../forms/answers/stored-values.ts';
import { plainValue } from '../forms/definition/plain-value.ts';
import { entriesOf, formPath } from '../forms/definition/repeat-path.ts';
import { type AnswerScore, scoreAnswer } from '../forms/answers/score.ts';
import { signedOver } from '../forms/answers/signed-over.ts';

export type AnswerQuestion = {
  inspectionId: string;
  /** The version the inspection is on, compiled. */
  form: CompiledForm;
  /** The question's path. */
  question: string;
  /** The new value as `questionTypes` says, null to clear; left out: stays. */
  value?: Json;
  /** The new note, null to clear; left out: stays. */
  note?: string | null;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
  moment: Moment;
};

/**
 * Keeps one answer, with its outcome and points. Called on every change: nothing waits for a "save".
 *
 * A value that does not fit is kept too, for nothing a person entered may be lost; it blocks finishing.
 *
 * @throws {Failure} `not_found` for the inspection or question; `stale_version` when the inspection is finished
 */
export async function answerQuestion(tx: WriteTx, answer: AnswerQuestion): Promise<void> {
  const item = questionAt(answer.form, answer.question);
  const id = answerId(answer.inspectionId, answer.question);
  const [inspection, before] = await Promise.all([
    openInspection(tx, answer.inspectionId, 'answerQuestion'),
    tx.getToChange('inspection_answers', id),
  ]);
  const value =
    answer.value === undefined ? (before?.value ?? null) : await withWhatItSigns(tx, answer, item, answer.value);
  const note = answer.note === undefined ? (before?.note ?? null) : answer.note;
  const score = await scoreOf(tx, answer, item, value);
  await tx.put('inspection_answers', {
    ...newAnswer(inspection, answer.question),
    value,
    outcome: score.outcome,
    score: score.outcome === null ? null : score.points,
    score_max: score.outcome === null ? null : score.max,
    note: note === '' ? null : note,
    media_ids: before?.media_ids ?? [],
    voice_ids: before?.voice_ids ?? [],
    answered_by: answer.by,
    answered_at: answer.at,
  });
  if (answer.form.kept.length > 0 && canonicalJson(value) !== canonicalJson(before?.value ?? null)) {
    await keepWhatItSets(tx, inspection, { ...answer, value, was: before?.value ?? null });
  }
}

/** What has this answer as its trigger, or reads it in once(), is set in the same write. */
async function keepWhatItSets(
  tx: WriteTx,
  inspection: Row<'inspections'>,
  { form, question, value, was, moment, by, at }: AnswerQuestion & { value: Json; was: Json },
): Promise<void> {
  const rows = answersOf(await answerRows(tx, inspection.id));
  const own = rows.get(question) ?? { value: null, note: null, mediaIds: [] };
  const given = (answer: Json): Answers => new Map(rows).set(question, { ...own, value: answer });
  const values = valuesSetBy({ compiled: form, before: given(was), after: given(value), path: question, moment });
  await putValues(tx, inspection, { values, by, at });
}

/** A drawing keeps what it was drawn over, so that a later change of those answers is seen. */
async function withWhatItSigns(
  tx: Tx,
  answer: AnswerQuestion,
  { question }: CompiledQuestion,
  value: Json,
): Promise<Json> {
  if (!isDrawn(question.type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const answers = answersOf(await answerRows(tx, answer.inspectionId));
  const { questions } = formState(answer.form, answers, answer.moment);
  return { ...value, over: signedOver(questions, answer.question) };
}

/** What every answer of this inspection carries. */
export const newAnswer = (inspection: Row<'inspections'>, question: string) => ({
  id: answerId(inspection.id, question),
  organization_id: inspection.organization_id,
  site_id: inspection.site_id,
  inspection_id: inspection.id,
  question,
});

/** @throws {Failure} `not_found` when the form has no such question */
export function questionAt(form: CompiledForm, path: string): CompiledQuestion {
  const item = form.byPath.get(formPath(path));
  if (item?.kind !== 'question') throw new Failure('not_found', `no question at ${path}`);
  return item;
}

const NO_ANSWERS: Answers = new Map();

/** Other answers are read only where the rule that fails this one names them: most questions need none. */
async function scoreOf(tx: Tx, answer: AnswerQuestion, item: CompiledQuestion, value: Json): Promise<AnswerScore> {
  const failWhen = item.expressions.fail_when;
  const rows = failWhen && failWhen.reads.length > 0 ? await answerRows(tx, answer.inspectionId) : [];
  const answers = new Map(rows.length > 0 ? answersOf(rows) : NO_ANSWERS);
  answers.set(answer.question, { value, note: null, mediaIds: [] });
  return scoreAnswer(item, value, () => {
    const values = formValues(answer.form, answers, answer.moment);
    const place = valueAt(values, answer.question)?.place ?? { entries: entriesOf(answer.question), positions: [] };
    return scopeAt(values, place, plainValue(value));
  });
}
