import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';

export type AddStep = { id: string; taskId: string; title: string; required: boolean; by: string };

/** Puts a step at the end of a task's list. @throws {Failure} `not_found`; `invalid` without words */
export async function addStep(tx: WriteTx, { id, taskId, title, required, by }: AddStep): Promise<void> {
  const task = await tx.get('tasks', taskId);
  if (!task || task.deleted_at !== null) throw new Failure('not_found', `addStep: no task ${taskId}`);
  const words = title.trim().slice(0, 300);
  if (words === '') throw new Failure('invalid', `addStep: ${id} has no words`);
  const steps = await tx.range('task_items', 'task', `${taskId}/`, `${taskId}/\uffff`);
  await tx.put('task_items', {
    id,
    organization_id: task.organization_id,
    task_id: taskId,
    title: words,
    required,
    position: Math.max(-1, ...steps.map(step => step.position)) + 1,
    created_by: by,
  });
}

/** Ticks a step or takes the tick back. `at`: ISO 8601. @throws {Failure} `not_found` */
export async function tickStep(
  tx: WriteTx,
  step: { id: string; done: boolean; by: string; at: string },
): Promise<void> {
  const { id, done, by, at } = step;
  await tx.change('task_items', id, { done_at: done ? at : null, done_by: done ? by : null });
}
