import { isDrawn } from '../forms/question-types/question-types.ts';
import { Failure } from '@cairn/base/failure.ts';
import { oneLine } from '@cairn/base/one-line.ts';
import type { Json, Row } from '@cairn/schema';
import type { Tx, WriteTx } from '@cairn/sync/store.ts';
import { isAboutOneself } from './about-oneself.ts';
import { newAnswer } from './answer-question.ts';
import type { CompiledForm } from '../forms/definition/compiled-form.ts';
import { canonicalJson, contentHash } from '../forms/answers/content-hash.ts';
import { presenceLacks } from '../on-site/presence.ts';
import { textHash } from '../on-site/presence-chain.ts';
import { presenceRows, witness, type WitnessedEvent } from '../on-site/witness.ts';
import { type FormState, formState, type QuestionState } from '../forms/answers/form-state.ts';
import { answersOf } from '../forms/answers/answers.ts';
import type { Moment } from '../forms/answers/place-scope.ts';
import { raiseAction } from './raise-action.ts';
import { entryOf } from '../forms/definition/repeat-path.ts';
import { answerRows, openInspection } from './inspection-rows.ts';
import type { FormScore } from '../forms/answers/score.ts';
import { withStaleSignatures } from '../forms/answers/signed-over.ts';

export type FinishInspection = {
  id: string;
  form: CompiledForm;
  /** A `Signature` as drawn, with the name it was signed as; where left out, a signature question's drawing stands for it. */
  signature: { drawing: Json; name: string } | null;
  by: string;
  /** The name of `by`, for a signature drawn in a question. */
  byName: string;
  /** Device time, ISO 8601. */
  at: string;
  moment: Moment;
};

export type FinishedInspection = { score: FormScore; actionIds: string[] };

/**
 * Finishes an inspection: its score, signature and the hash of what was signed, and one action item for each answer
 * that asks for one, by failing or by a rule. Run it in a write with `together: true`: the server takes all of it or nothing.
 *
 * @throws {Failure} `not_found`; `stale_version` when it is finished already; `invalid` while questions block it, answers changed
 *   after a signature that stands for them, or the form asks for a signature and there is none, or for a proof of presence that is
 *   neither given nor said to be impossible; or while the form takes too much to be worked out
 */
export async function finishInspection(tx: WriteTx, finish: FinishInspection): Promise<FinishedInspection> {
  const inspection = await openInspection(tx, finish.id, 'finishInspection');
  const rows = await answerRows(tx, finish.id);
  const state = withStaleSignatures(formState(finish.form, answersOf(rows), finish.moment));
  if (state.isHalted)
    throw new Failure('invalid', `finishInspection: the form of ${finish.id} takes too much to work out`);
  if (state.blocking.length > 0) {
    const paths = state.blocking.map(({ path }) => path).join(', ');
    throw new Failure('invalid', `finishInspection: ${finish.id} is blocked by ${paths}`);
  }
  if (finish.form.form.presence === 'required') await checkPresence(tx, inspection, finish.by);
  const given = finish.signature && { ...finish.signature, name: oneLine(finish.signature.name) };
  const signature = given ?? drawnInForm(state, oneLine(finish.byName));
  if (finish.form.form.sign && !signature) throw new Failure('invalid', `finishInspection: ${finish.id} is not signed`);

  await finalizeAnswers(tx, { inspection, rows, state });
  const hash = contentHash(inspection.form_version_id, state.questions);
  await tx.change('inspections', finish.id, {
    status: 'finalised',
    // What was sent back was finished when it first was; the signature says when it was finished anew.
    finished_at: inspection.status === 'has_issues' ? (inspection.finished_at ?? finish.at) : finish.at,
    conducted_by: finish.by,
    score: state.score.max > 0 ? state.score.points : null,
    score_max: state.score.max > 0 ? state.score.max : null,
    result: (await ofOneself(tx, inspection)) ? null : state.score.result,
    signature: signature?.drawing ?? null,
    signed_by: signature?.name ?? null,
    signed_at: signature ? finish.at : null,
    content_hash: hash,
  });
  if (finish.form.form.presence) await witness(tx, inspection, finish, theEnd(signature, hash));
  const actionIds: string[] = [];
  for (const asking of state.questions.filter(({ followUp }) => followUp?.action))
    actionIds.push(await raiseAction(tx, { inspection, asking, by: finish.by, at: finish.at, moment: finish.moment }));
  return { score: state.score, actionIds };
}

/** @throws {Failure} `invalid` while neither a proof nor a reason why there is none was given */
async function checkPresence(tx: Tx, { id, asset_id: assetId }: Row<'inspections'>, by: string): Promise<void> {
  const asset = assetId === null ? undefined : await tx.get('assets', assetId);
  const lacking = presenceLacks(await presenceRows(tx, id), asset, by);
  if (lacking.length > 0) throw new Failure('invalid', `finishInspection: ${id} lacks ${lacking.join(', ')}`);
}

/** What is witnessed last: the signature, and the hash of what was signed. */
function theEnd(signature: FinishInspection['signature'], hash: string): WitnessedEvent[] {
  const finished = { kind: 'finished', facts: { content_hash: hash } } as const;
  if (!signature) return [finished];
  const facts = { name: signature.name, sha256: textHash(canonicalJson(signature.drawing)) };
  return [{ kind: 'signature', facts }, finished];
}

async function ofOneself(
  tx: Tx,
  { form_id: form, organization_id: organization }: Row<'inspections'>,
): Promise<boolean> {
  return isAboutOneself(...(await Promise.all([tx.get('forms', form), tx.get('organizations', organization)])));
}

function drawnInForm(state: FormState, name: string): FinishInspection['signature'] {
  const signed = state.questions.find(({ question, answered }) => isDrawn(question.type) && answered);
  return signed ? { drawing: signed.value, name } : null;
}

type FinalAnswers = {
  inspection: Row<'inspections'>;
  rows: Row<'inspection_answers'>[];
  state: FormState;
};

/** Defaults and calculations become answers, and what is hidden in the end counts for nothing. */
async function finalizeAnswers(tx: WriteTx, { inspection, rows, state }: FinalAnswers): Promise<void> {
  const before = new Map(rows.map(row => [row.question, row]));
  for (const { path, value } of state.calculated) {
    if (value === null) continue;
    await tx.put('inspection_answers', { ...newAnswer(inspection, path), value });
  }
  for (const shown of state.questions) {
    const row = before.get(shown.path);
    if (!row && !shown.answered) continue;
    await tx.put('inspection_answers', { ...(row ?? newAnswer(inspection, shown.path)), ...finalAnswer(shown) });
  }
  const kept = new Set([...state.questions.map(({ path }) => path), ...state.calculated.map(({ path }) => path)]);
  for (const row of rows.filter(({ question }) => !kept.has(question) && entryOf(question) === null)) {
    await tx.change('inspection_answers', row.id, { outcome: null, score: null, score_max: null });
  }
}

function finalAnswer({ value, score }: QuestionState) {
  const scored = score.outcome !== null;
  return {
    value,
    outcome: score.outcome,
    score: scored ? score.points : null,
    score_max: scored ? score.max : null,
  };
}
