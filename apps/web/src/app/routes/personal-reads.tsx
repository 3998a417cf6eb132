import { useGoalsAtAGlance } from '../../features/goals/goals-card.tsx';
import { useWeekOfHabits } from '../../features/habits/habits-card.tsx';
import { useSaidToday } from '../../features/wellness/mood-card.tsx';

/** Reads what the personal dashboard's cards show beside everything else, not after it, so that they are drawn once. */
export function PersonalReads() {
  useSaidToday();
  useWeekOfHabits();
  useGoalsAtAGlance();
  return null;
}
