import { Failure } from '@cairn/base/failure.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';

/**
 * Keeps a photo or file with a task, and queues it for the server. `at`: device time, ISO 8601.
 *
 * @throws {Failure} `not_found`; `invalid` for an empty file, and for one the server would not take
 */
export async function attachEvidence(
  tx: WriteTx,
  { taskId, file, by, at }: { taskId: string; file: NewFile; by: string; at: string },
): Promise<void> {
  const task = await tx.get('tasks', taskId);
  if (!task || task.deleted_at !== null) throw new Failure('not_found', `attachEvidence: no task ${taskId}`);
  const { organization_id, site_id } = task;
  await keepFile(tx, file, { organization_id, site_id, captured_at: at, captured_by: by });
  await tx.change('tasks', taskId, { media_ids: [...textsIn(task.media_ids), file.id] });
}
