import { localDay } from '@cairn/base/local-day.ts';
import { habitWeeks } from '@cairn/core/habits/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useNow } from '../../shared/format/use-now.ts';

/** The last week of each habit in use. */
export const useWeekOfHabits = () => useLive(habitWeeks(localDay(useNow()), 7));
