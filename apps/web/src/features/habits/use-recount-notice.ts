import { withProgress } from '@cairn/core/app-state/changes.ts';
import type { Habit } from '@cairn/core/habits/habit.ts';
import { appState, useAppState } from '../../shared/app-state/app-state-store.ts';
import { useSignedIn } from '../../shared/session/session.ts';

const PROGRESS = 'habits.recounted';

/** When targets of a period, and days that are skipped or paused, began to be counted as they are now. */
const SINCE = '2026-12-02T00:00:00Z';

/** Habits of before whose strength and streaks may be other figures now: with an amount, or wanted less than daily. */
const isAffected = ({ kind, per_days, created_at }: Habit): boolean =>
  (kind === 'number' || per_days > 1) && Date.parse(created_at) < Date.parse(SINCE);

/** Says once that strength and streaks were counted anew; null where nothing changed or it was read. */
export function useRecountNotice(habits: readonly Habit[]): { dismiss: () => void } | null {
  const { user } = useSignedIn();
  const isRead = useAppState(state => state.userProgress[user.id]?.[PROGRESS] === true);
  if (isRead || !habits.some(isAffected)) return null;
  return { dismiss: () => appState.change(withProgress(user.id, PROGRESS, true)) };
}
