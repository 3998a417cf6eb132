/** `day` (YYYY-MM-DD, no time zone) plus whole days. Months and leap years roll over. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The calendar day (YYYY-MM-DD) of `instant` in the device's own time zone. */
export function localDay(instant: Date): string {
  const month = String(instant.getMonth() + 1).padStart(2, '0');
  const day = String(instant.getDate()).padStart(2, '0');
  return `${instant.getFullYear()}-${month}-${day}`;
}

/** A moment as the device's clock shows it, with its offset: `2026-11-28T18:00:00.000-08:00`. */
export function localInstant(instant: Date): string {
  // Minutes the clock is behind UTC; of a whole minute everywhere today.
  const behind = Math.round(instant.getTimezoneOffset());
  const clock = new Date(instant.getTime() - behind * 60_000).toISOString().slice(0, -1);
  const two = (part: number) => String(part).padStart(2, '0');
  const away = Math.abs(behind);
  return `${clock}${behind > 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}
