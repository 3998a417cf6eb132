import type { Row } from '@cairn/schema';

export type Goal = Row<'goals'>;
export type Milestone = Row<'goal_milestones'>;
export type GoalLink = Row<'goal_links'>;
export type GoalCheckIn = Row<'goal_check_ins'>;
export type GoalPause = Row<'goal_pauses'>;
export type GoalState = Goal['state'];

/** What is measured of a goal; `baseline` and `target` in `unit`. */
export type GoalMeasure = Pick<Goal, 'metric' | 'unit' | 'baseline' | 'target'>;

/** What was said of a goal's way; `value` in its unit, `progress` in per cent. */
export type GoalProgress = Pick<GoalCheckIn, 'day' | 'value' | 'progress'>;

/** Where each state may lead; what has ended stays so, and another goal follows it. */
export const moves: Readonly<Record<GoalState, readonly GoalState[]>> = {
  draft: ['active', 'dropped'],
  active: ['paused', 'achieved', 'revised', 'dropped'],
  paused: ['active', 'achieved', 'revised', 'dropped'],
  achieved: [],
  revised: [],
  dropped: [],
};

export const hasEnded = ({ state }: Pick<Goal, 'state'>): boolean => moves[state].length === 0;
