import { addDays } from '@cairn/base/local-day.ts';
import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Draft } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import type { GrowthAreaId } from './growth-areas.ts';
import { hasEnded, moves, type Goal, type GoalState } from './goal.ts';
import { isMeasured, type GoalText } from './smart.ts';

/** What a person writes about a goal; `baseline` and `target` in `unit`, `dueOn` YYYY-MM-DD. */
export type GoalFields = Omit<GoalText, 'milestones'> & { area: GrowthAreaId };

export type GoalProblem = 'titleNeeded' | 'numbersNeeded';

const MAX_VALUE = 1e12;
const isNumber = (value: number | null): boolean =>
  value === null || (Number.isFinite(value) && Math.abs(value) <= MAX_VALUE);

/** What keeps a goal from being saved; null when nothing does. */
export function goalProblem(fields: GoalFields): GoalProblem | null {
  if (fields.title.trim() === '') return 'titleNeeded';
  if (!isNumber(fields.baseline) || !isNumber(fields.target)) return 'numbersNeeded';
  return fields.metric.trim() !== '' && !isMeasured(fields) ? 'numbersNeeded' : null;
}

export type SaveGoal = {
  /** A fresh id, or that of the goal to change. */
  id: string;
  userId: string;
  fields: GoalFields;
  /** The goal a new one takes the place of. */
  followsId?: string;
};

function columnsOf(fields: GoalFields): Omit<Draft<'goals'>, 'id' | 'user_id'> {
  const measured = isMeasured(fields);
  return {
    area: fields.area,
    title: fields.title.trim(),
    why: fields.why.trim() || null,
    metric: measured ? fields.metric.trim() : null,
    unit: measured ? fields.unit.trim() || null : null,
    baseline: measured ? fields.baseline : null,
    target: measured ? fields.target : null,
    due_on: fields.dueOn,
    difficulty: fields.difficulty,
  };
}

/**
 * Writes a new goal as a draft, or changes one.
 *
 * @throws {Failure} `invalid` for what `goalProblem` names; `stale_version` for one that has ended
 */
export async function saveGoal(tx: WriteTx, { id, userId, fields, followsId }: SaveGoal): Promise<void> {
  const problem = goalProblem(fields);
  if (problem) throw new Failure('invalid', `saveGoal: ${id} ${problem}`);
  const present = await tx.get('goals', id);
  if (present && hasEnded(present)) throw new Failure('stale_version', `saveGoal: ${id} has ended`);
  if (present) await tx.change('goals', id, columnsOf(fields));
  else await tx.put('goals', { id, user_id: userId, ...columnsOf(fields), follows_id: followsId ?? null });
}

export type MoveGoal = {
  id: string;
  to: GoalState;
  /** The local day, YYYY-MM-DD. */
  today: string;
  /** What was learnt, at its end; may be empty. */
  learned?: string;
};

/**
 * Begins, pauses, takes up again or ends a goal. A pause keeps its days out of the momentum.
 *
 * @throws {Failure} `not_found`; `stale_version` for a move its state does not allow
 */
export async function moveGoal(tx: WriteTx, { id, to, today, learned = '' }: MoveGoal): Promise<void> {
  const goal = await tx.get('goals', id);
  if (!goal || goal.deleted_at !== null) throw new Failure('not_found', `moveGoal: ${id}`);
  if (!moves[goal.state].includes(to)) throw new Failure('stale_version', `moveGoal: ${id} ${goal.state} to ${to}`);
  const ends = moves[to].length === 0;
  await tx.change('goals', id, {
    state: to,
    ...(goal.started_on === null && !ends && { started_on: today }),
    ...(ends && { ended_on: today, learned: learned.trim() || null }),
  });
  if (to === 'paused') await beginPause(tx, goal, today);
  if (goal.state === 'paused') await endPauses(tx, id, today);
}

async function beginPause(tx: WriteTx, goal: Goal, today: string): Promise<void> {
  const id = derivedId(goal.id, `pause/${today}`);
  await tx.put('goal_pauses', { id, user_id: goal.user_id, goal_id: goal.id, from_day: today, until_day: null });
}

/** Today counts again: a pause ends with yesterday, and one that began today is none. */
async function endPauses(tx: WriteTx, goalId: string, today: string): Promise<void> {
  const open = (await tx.range('goal_pauses', 'goal', goalId, goalId)).filter(
    pause => pause.deleted_at === null && pause.until_day === null,
  );
  for (const pause of open) {
    if (pause.from_day >= today) await tx.remove('goal_pauses', pause.id);
    else await tx.change('goal_pauses', pause.id, { until_day: addDays(today, -1) });
  }
}

export type ReviseGoal = { id: string; newId: string; fields: GoalFields; today: string; learned: string };

/**
 * Ends a goal as revised and begins the one that takes its place, with the milestones that are still open and what is linked.
 *
 * @throws {Failure} `not_found`; `invalid`; `stale_version` for one that has ended or never began
 */
export async function reviseGoal(tx: WriteTx, { id, newId, fields, today, learned }: ReviseGoal): Promise<void> {
  const goal = await tx.get('goals', id);
  if (!goal) throw new Failure('not_found', `reviseGoal: ${id}`);
  const userId = goal.user_id;
  await moveGoal(tx, { id, to: 'revised', today, learned });
  await saveGoal(tx, { id: newId, userId, fields, followsId: id });
  await moveGoal(tx, { id: newId, to: 'active', today });
  const milestones = await tx.range('goal_milestones', 'goal', id, id);
  for (const { title, due_on, done_on, position, deleted_at } of milestones) {
    if (done_on !== null || deleted_at !== null) continue;
    const milestone = derivedId(newId, `milestone/${position}/${title}`);
    await tx.put('goal_milestones', { id: milestone, user_id: userId, goal_id: newId, title, due_on, position });
  }
  for (const { kind, item_id, deleted_at } of await tx.range('goal_links', 'goal', id, id)) {
    if (deleted_at !== null) continue;
    const link = derivedId(newId, `link/${item_id}`);
    await tx.put('goal_links', { id: link, user_id: userId, goal_id: newId, kind, item_id });
  }
}

/** Takes a goal away with everything that was said about it; what was linked stays. */
export async function removeGoal(tx: WriteTx, id: string): Promise<void> {
  for (const table of ['goal_milestones', 'goal_links', 'goal_pauses'] as const) {
    for (const row of await tx.range(table, 'goal', id, id)) await tx.remove(table, row.id);
  }
  for (const row of await tx.range('goal_check_ins', 'goal', `${id}/`, `${id}/\uffff`)) {
    await tx.remove('goal_check_ins', row.id);
  }
  await tx.remove('goals', id);
}
