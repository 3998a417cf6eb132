import { localDay } from '@cairn/base/local-day.ts';

/** The day (YYYY-MM-DD, the device's zone) an instant falls on, for a date field; empty for none. */
export const dayOf = (iso: string | null): string => (iso === null ? '' : localDay(new Date(iso)));

/** The last second of a local day: due "on Friday" is late from Saturday on. Null for an empty field. */
export function endOfDay(day: string): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return null;
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
