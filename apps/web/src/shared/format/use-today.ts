import { localDay } from '@cairn/base/local-day.ts';
import { useNow } from './use-now.ts';

/** The local day (YYYY-MM-DD) on an open screen; it moves on at midnight. */
export const useToday = (): string => localDay(useNow());
