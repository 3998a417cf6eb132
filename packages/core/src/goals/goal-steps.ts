import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { createActionItem } from '../action-items/create-action-item.ts';
import { privateSpace } from '../spaces/private-space.ts';
import { hasEnded, type Goal, type GoalLink } from './goal.ts';

async function ownGoal(tx: WriteTx, id: string): Promise<Goal> {
  const goal = await tx.get('goals', id);
  if (!goal || goal.deleted_at !== null) throw new Failure('not_found', `goal ${id}`);
  return goal;
}

export type SaveMilestone = {
  /** A fresh id, or that of the milestone to change. */
  id: string;
  goalId: string;
  title: string;
  /** YYYY-MM-DD, or null without a date. */
  dueOn: string | null;
  /** Order on the screen, of a new one. */
  position: number;
};

/** Adds a milestone, or changes one. @throws {Failure} `invalid` without a title; `not_found` */
export async function saveMilestone(tx: WriteTx, { id, goalId, title, dueOn, position }: SaveMilestone): Promise<void> {
  const { user_id } = await ownGoal(tx, goalId);
  const words = title.trim();
  if (words === '' || words.length > 300) throw new Failure('invalid', `saveMilestone: ${id}`);
  if (await tx.get('goal_milestones', id)) await tx.change('goal_milestones', id, { title: words, due_on: dueOn });
  else await tx.put('goal_milestones', { id, user_id, goal_id: goalId, title: words, due_on: dueOn, position });
}

/** Says when a milestone was reached; null takes it back. @param day YYYY-MM-DD */
export async function reachMilestone(tx: WriteTx, id: string, day: string | null): Promise<void> {
  if (!(await tx.get('goal_milestones', id))) throw new Failure('not_found', `reachMilestone: ${id}`);
  await tx.change('goal_milestones', id, { done_on: day });
}

/** Takes a milestone away. */
export const removeMilestone = (tx: WriteTx, id: string): Promise<void> => tx.remove('goal_milestones', id);

export type LinkGoal = { goalId: string; kind: GoalLink['kind']; itemId: string; linked: boolean };

/** Ties a habit or an action item to a goal, or unties it; on every device the same record. */
export async function linkGoal(tx: WriteTx, { goalId, kind, itemId, linked }: LinkGoal): Promise<void> {
  const { user_id } = await ownGoal(tx, goalId);
  const id = derivedId(goalId, `link/${itemId}`);
  if (linked) await tx.put('goal_links', { id, user_id, goal_id: goalId, kind, item_id: itemId });
  else if (await tx.get('goal_links', id)) await tx.remove('goal_links', id);
}

export type GoalAnswers = {
  /** In the goal's unit. */
  value: number | null;
  /** Per cent, of a goal that nothing else measures. */
  progress: number | null;
  /** 1 not at all … 5 sure to reach it. */
  confidence: number | null;
  obstacle: string;
  nextStep: string;
};

export type CheckGoal = {
  id: string;
  goalId: string;
  /** The local day it is about (YYYY-MM-DD). */
  day: string;
  /** The present instant, ISO 8601. */
  at: string;
  answers: GoalAnswers;
};

const isWhole = (value: number | null, least: number, most: number): boolean =>
  value === null || (Number.isInteger(value) && value >= least && value <= most);

/** Whether anything was said at all. */
export const isAnswered = ({ value, progress, confidence, obstacle, nextStep }: GoalAnswers): boolean =>
  value !== null || progress !== null || confidence !== null || obstacle.trim() !== '' || nextStep.trim() !== '';

/**
 * Says how a goal goes.
 *
 * @throws {Failure} `invalid` when nothing was said or a number is outside its scale; `stale_version` for one that has ended
 */
export async function checkGoal(tx: WriteTx, { id, goalId, day, at, answers }: CheckGoal): Promise<void> {
  const goal = await ownGoal(tx, goalId);
  if (hasEnded(goal)) throw new Failure('stale_version', `checkGoal: ${goalId} has ended`);
  const { value, progress, confidence, obstacle, nextStep } = answers;
  const fits = isWhole(progress, 0, 100) && isWhole(confidence, 1, 5) && (value === null || Math.abs(value) <= 1e12);
  if (!isAnswered(answers) || !fits) throw new Failure('invalid', `checkGoal: ${id}`);
  await tx.put('goal_check_ins', {
    id,
    user_id: goal.user_id,
    goal_id: goalId,
    day,
    at,
    value: goal.metric === null ? null : value,
    progress: goal.metric === null ? progress : null,
    confidence,
    obstacle: obstacle.trim() || null,
    next_step: nextStep.trim() || null,
  });
}

/** Takes back what was said. */
export const removeGoalCheckIn = (tx: WriteTx, id: string): Promise<void> => tx.remove('goal_check_ins', id);

/** The action item that a next step becomes, the same on every device. */
export const stepActionId = (checkInId: string): string => derivedId(checkInId, 'next-step');

/**
 * Makes the next step that was said an action item of the person's private space, tied to the goal. One that was made
 * already stays as it is.
 *
 * @throws {Failure} `not_found` for the check-in or its goal, or while the private space is not on this device; `invalid`
 *   where no next step was said
 */
export async function takeNextStep(tx: WriteTx, checkInId: string): Promise<void> {
  const checkIn = await tx.get('goal_check_ins', checkInId);
  if (!checkIn || checkIn.deleted_at !== null) throw new Failure('not_found', `takeNextStep: ${checkInId}`);
  if (checkIn.next_step === null) throw new Failure('invalid', `takeNextStep: ${checkInId} has none`);
  const { user_id: by, goal_id: goalId } = checkIn;
  const id = stepActionId(checkInId);
  if (!(await tx.get('action_items', id))) {
    const { id: organizationId } = await privateSpace(tx, by);
    await createActionItem(tx, { id, organizationId, playbookId: null, title: checkIn.next_step, assigneeId: by, by });
  }
  await linkGoal(tx, { goalId, kind: 'action', itemId: id, linked: true });
}
