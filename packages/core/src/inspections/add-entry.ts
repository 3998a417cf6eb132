import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { newAnswer } from './answer-question.ts';
import type { CompiledForm } from '../forms/definition/compiled-form.ts';
import { answerId, answerRows, openInspection } from './inspection-rows.ts';
import { entryOf, entryPath, formPath } from '../forms/definition/repeat-path.ts';

export type AddEntry = {
  inspectionId: string;
  form: CompiledForm;
  /** The repeat's path; in a repeat in a repeat with the outer entry's key. */
  repeat: string;
  /** A fresh id: entries added on two devices stay two. */
  id: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Adds an empty entry at the end of a repeat.
 *
 * @returns the entry's path, with which the paths of its answers begin
 * @throws {Failure} `not_found` for the inspection or repeat; `invalid` where the form counts the entries itself;
 *   `stale_version` when the inspection is finished
 */
export async function addEntry(tx: WriteTx, { inspectionId, form, repeat, id, by, at }: AddEntry): Promise<string> {
  const inspection = await openInspection(tx, inspectionId, 'addEntry');
  const item = form.byPath.get(formPath(repeat));
  if (item?.kind !== 'group' || item.group.type !== 'repeat') {
    throw new Failure('not_found', `addEntry: no repeat at ${repeat}`);
  }
  if (item.group.count !== undefined) throw new Failure('invalid', `addEntry: the entries of ${repeat} are counted`);
  const rows = await answerRows(tx, inspectionId);
  const positions = rows.map(({ question, value }) =>
    entryOf(question)?.repeat === repeat && typeof value === 'number' ? value : 0,
  );
  const path = entryPath(repeat, id);
  await tx.put('inspection_answers', {
    ...newAnswer(inspection, path),
    value: Math.max(0, ...positions) + 1,
    answered_by: by,
    answered_at: at,
  });
  return path;
}

/**
 * Takes an entry away. What was answered in it is kept, counts for nothing, and is back with `restoreEntry`.
 *
 * @returns where it stood, for `restoreEntry`
 * @throws {Failure} `not_found` for the inspection or entry; `stale_version` when the inspection is finished
 */
export async function removeEntry(tx: WriteTx, inspectionId: string, entry: string): Promise<number> {
  await openInspection(tx, inspectionId, 'removeEntry');
  const row = await tx.get('inspection_answers', answerId(inspectionId, entry));
  if (!row || typeof row.value !== 'number') throw new Failure('not_found', `removeEntry: no entry ${entry}`);
  await tx.change('inspection_answers', row.id, { value: null });
  return row.value;
}

/**
 * Puts an entry back where it stood.
 *
 * @throws {Failure} `not_found` for the inspection or entry; `stale_version` when the inspection is finished
 */
export async function restoreEntry(tx: WriteTx, inspectionId: string, entry: string, position: number): Promise<void> {
  await openInspection(tx, inspectionId, 'restoreEntry');
  const row = await tx.get('inspection_answers', answerId(inspectionId, entry));
  if (!row) throw new Failure('not_found', `restoreEntry: no entry ${entry}`);
  await tx.change('inspection_answers', row.id, { value: position });
}
