import { useGoalsAtAGlance } from '../../features/goals/use-goals-at-a-glance.ts';
import { useWeekOfHabits } from '../../features/habits/use-week-of-habits.ts';
import { useTodaysCheckIn } from '../../features/wellness/use-todays-check-in.ts';

/** Reads what the personal dashboard's cards show beside everything else, not after it, so that they are drawn once. */
export function PersonalReads() {
  useTodaysCheckIn();
  useWeekOfHabits();
  useGoalsAtAGlance();
  return null;
}
