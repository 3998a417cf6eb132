import { checkIns } from '@cairn/core/wellness/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useToday } from '../../shared/format/use-today.ts';

/** The check-ins of today, the oldest first. */
export function useTodaysCheckIn() {
  const today = useToday();
  return useLive(checkIns(today, today));
}
