import { localDay } from '@cairn/base/local-day.ts';

/** The day (YYYY-MM-DD, the device's zone) an instant falls on, for a date field; empty for none. */
export const dayOf = (iso: string | null): string => (iso === null ? '' : localDay(new Date(iso)));
