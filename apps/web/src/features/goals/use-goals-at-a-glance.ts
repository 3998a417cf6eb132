import { goals } from '@cairn/core/goals/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useToday } from '../../shared/format/use-today.ts';

/** Every goal as it stands today. */
export const useGoalsAtAGlance = () => useLive(goals(useToday()));
