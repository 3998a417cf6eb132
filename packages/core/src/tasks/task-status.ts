import type { Row } from '@cairn/schema';

export type TaskStatus = Row<'tasks'>['status'];
export type TaskPriority = Row<'tasks'>['priority'];

/** From a state to those a person may move it to. */
export const transitions: Record<TaskStatus, readonly TaskStatus[]> = {
  todo: ['in_progress', 'done', 'blocked', 'in_review', 'not_applicable', 'cancelled'],
  in_progress: ['done', 'in_review', 'blocked', 'todo', 'not_applicable', 'cancelled'],
  blocked: ['in_progress', 'todo', 'not_applicable', 'cancelled'],
  in_review: ['done', 'reopened', 'in_progress', 'blocked'],
  done: ['reopened'],
  reopened: ['in_progress', 'done', 'blocked', 'in_review', 'not_applicable', 'cancelled'],
  not_applicable: ['reopened'],
  cancelled: ['reopened'],
};

export const taskStatuses = Object.keys(transitions).filter((status): status is TaskStatus => status in transitions);

const ENDED: ReadonlySet<TaskStatus> = new Set(['done', 'not_applicable', 'cancelled']);
const WITH_REASON: ReadonlySet<TaskStatus> = new Set(['blocked', 'not_applicable']);

/** Whether nothing is left to do. */
export const isEnded = (status: TaskStatus): boolean => ENDED.has(status);

/** Whether a state has to say why. */
export const needsReason = (status: TaskStatus): boolean => WITH_REASON.has(status);

/** Whether a person may move a task so; staying is always allowed. */
export const mayMove = (from: TaskStatus, to: TaskStatus): boolean => from === to || transitions[from].includes(to);

/** From the least to the most urgent. */
export const taskPriorities: readonly TaskPriority[] = ['none', 'low', 'medium', 'high', 'urgent'];

/** What keeps a task from being done. */
export type DoneRequirement = 'evidence' | 'steps' | 'review';

type CompletionFields = Pick<Row<'tasks'>, 'evidence_required' | 'media_ids' | 'reviewer_id'>;
type Step = Pick<Row<'task_items'>, 'required' | 'done_at' | 'deleted_at'>;

/**
 * What is missing before a task may be called done: its evidence, a step that is asked for, the word of its reviewer.
 *
 * @param by who would call it done; `manages`: holds `task.manage`, and may stand in for the reviewer
 */
export function missingForDone(
  task: CompletionFields,
  steps: readonly Step[],
  { by, manages }: { by: string; manages: boolean },
): DoneRequirement[] {
  const hasFile = Array.isArray(task.media_ids) && task.media_ids.length > 0;
  const missing: DoneRequirement[] = [];
  if (task.evidence_required && !hasFile) missing.push('evidence');
  if (steps.some(step => step.required && step.done_at === null && step.deleted_at === null)) missing.push('steps');
  if (!mayEnd(task, by, manages)) missing.push('review');
  return missing;
}

type ReviewFields = Pick<Row<'tasks'>, 'reviewer_id' | 'created_by'>;

/**
 * Whether a person may end a task, in whatever way: one with a reviewer is ended by them, or by who holds `task.manage`.
 */
export const mayEnd = (task: Pick<ReviewFields, 'reviewer_id'>, by: string, manages: boolean): boolean =>
  manages || task.reviewer_id === null || task.reviewer_id === by;

/**
 * Whether a person may say who reviews a task: its maker until work begins, then its reviewer, and who holds `task.manage`. Who named a
 * reviewer, and whether there once was one, knows the server alone.
 */
export const mayNameReviewer = (
  task: ReviewFields & Pick<Row<'tasks'>, 'status'>,
  by: string,
  manages: boolean,
): boolean =>
  manages ||
  (task.created_by === by && (task.reviewer_id === null || task.reviewer_id === by || task.status === 'todo'));

/** Whether a person may say when a task is due: of one with a reviewer they, who made it, and who holds `task.manage`. */
export const maySetDue = (task: ReviewFields, by: string, manages: boolean): boolean =>
  mayEnd(task, by, manages) || task.created_by === by;

/**
 * Whether a person may add, change or take away steps of a task: of an ended one whoever reviews it, without a reviewer whoever made
 * it, and who holds `task.manage`.
 */
export const mayChangeSteps = (
  task: ReviewFields & Pick<Row<'tasks'>, 'status'>,
  by: string,
  manages: boolean,
): boolean => manages || !isEnded(task.status) || (task.reviewer_id ?? task.created_by) === by;

/** Whether a person may tick a step or take its tick back: also one that is asked for of an ended task, which opens it again. */
export const mayTick = (
  task: ReviewFields & Pick<Row<'tasks'>, 'status'>,
  step: Pick<Row<'task_items'>, 'required' | 'done_at'>,
  { by, manages }: { by: string; manages: boolean },
): boolean => mayChangeSteps(task, by, manages) || (step.required && step.done_at !== null);
