/** The local day of an instant, YYYY-MM-DD. @param instant ISO 8601 */
export function dayOf(instant: string | null): string {
  if (instant === null) return '';
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The end of a local day as an instant, null for none. @param day YYYY-MM-DD or '' */
export const endOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString();

/** Today, the earliest end there can be. */
export const today = (): string => dayOf(new Date().toISOString());
