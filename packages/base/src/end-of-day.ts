/** The last second of a local day (YYYY-MM-DD): due "on Friday" is late from Saturday on. Null where it is no day. */
export function endOfDay(day: string): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return null;
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
