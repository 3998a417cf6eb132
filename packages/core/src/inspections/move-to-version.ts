import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { newAnswer } from './answer-question.ts';
import { answersOf } from '../forms/answers/answers.ts';
import type { CompiledForm } from '../forms/definition/compiled-form.ts';
import { answerId, answerRows, openInspection } from './inspection-rows.ts';
import { planVersionMove, type VersionMove } from './version-move.ts';

export type MoveToVersion = {
  inspectionId: string;
  /** The version the draft is on, and the one it is to go on with, compiled. */
  from: CompiledForm;
  to: CompiledForm;
  /** The id of `to`: the version the form is published in now. */
  versionId: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Goes on with the newest version of the form. Answers that have a place there go along; what has none stays stored and is
 * shown no more, or is cleared where something else is asked at its place. Show the person `planVersionMove` first. Run it
 * in a write with `together: true`.
 *
 * @returns what became of the answers, as they stood in this very transaction
 * @throws {Failure} `not_found`; `stale_version` when it is not under way any more, or the form has a newer version yet
 */
export async function moveToVersion(tx: WriteTx, move: MoveToVersion): Promise<VersionMove> {
  const inspection = await openInspection(tx, move.inspectionId, 'moveToVersion');
  const form = await tx.get('forms', inspection.form_id);
  if (inspection.status !== 'in_progress' || form?.current_version_id !== move.versionId) {
    throw new Failure('stale_version', `moveToVersion: ${inspection.id} cannot go on with ${move.versionId}`);
  }
  const rows = await answerRows(tx, inspection.id);
  const plan = planVersionMove(move.from, move.to, answersOf(rows));
  const byPath = new Map(rows.map(row => [row.question, row]));
  const moved = plan.carried.filter(({ from, to }) => from !== to);
  for (const { from } of moved) await clear(tx, byPath.get(from));
  for (const { from, why } of plan.lost) {
    if (why === 'other_kind') await clear(tx, byPath.get(from));
    if (why === 'other_answers')
      await tx.change('inspection_answers', answerId(inspection.id, from), { value: null, ...UNSCORED });
  }
  for (const { to, answer } of moved) {
    await tx.put('inspection_answers', {
      ...newAnswer(inspection, to),
      value: answer.value,
      note: answer.note,
      media_ids: [...answer.mediaIds],
      answered_by: move.by,
      answered_at: move.at,
    });
  }
  await tx.change('inspections', inspection.id, { form_version_id: move.versionId });
  return plan;
}

const UNSCORED = { outcome: null, score: null, score_max: null } as const;

async function clear(tx: WriteTx, row: Row<'inspection_answers'> | undefined): Promise<void> {
  if (row) await tx.change('inspection_answers', row.id, { value: null, note: null, media_ids: [], ...UNSCORED });
}
