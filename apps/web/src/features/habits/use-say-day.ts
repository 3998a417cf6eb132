import { useCallback } from 'react';
import type { EntryValue } from '@cairn/core/habits/habit.ts';
import { sayDay } from '@cairn/core/habits/save-habit.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useSignedIn } from '../../shared/session/session.ts';

export type DayInput = { habitId: string; day: string; value: EntryValue; amount: number | null };

/** Says how one day of a habit was; saved on this device when it resolves. */
export function useSayDay(): (entry: DayInput) => Promise<void> {
  const store = useStore();
  const { user } = useSignedIn();
  return useCallback(
    entry => store.write('habits.sayDay', tx => sayDay(tx, { ...entry, userId: user.id })),
    [store, user.id],
  );
}
