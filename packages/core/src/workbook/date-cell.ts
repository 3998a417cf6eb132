const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/** Day 0 of a spreadsheet, in its two systems of days: what is before the first real day is a time and no date. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_DAY = Date.UTC(1900, 2, 1);
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);

const two = (value: number): string => String(value).padStart(2, '0');

/** "07:30", "07:30:15"; of more than a day all its hours, "36:00". */
function clockText(ms: number): string {
  const seconds = ms / SECOND_MS;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return [two(hours), two(minutes), ...(rest === 0 ? [] : [two(rest)])].join(':');
}

/**
 * A cell of a day, a time or both, as forms write them: `2026-01-15`, `07:30`, `2026-01-15T07:30`. Spreadsheets turn a typed time
 * into such a cell by themselves. Rounded to the second, as they keep parts of a day: 14:20 may be read as 14:19:59.999.
 *
 * @param cell its clocks in UTC
 */
export function dateCellText(cell: Date): string {
  const at = Math.round(cell.getTime() / SECOND_MS) * SECOND_MS;
  if (at >= DAY_ZERO && at < FIRST_DAY) return clockText(at - DAY_ZERO);
  if (at > DAY_ZERO_1904 && at < DAY_ZERO_1904 + DAY_MS) return clockText(at - DAY_ZERO_1904);
  const clock = ((at % DAY_MS) + DAY_MS) % DAY_MS;
  const day = new Date(at).toISOString().slice(0, 10);
  return clock === 0 ? day : `${day}T${clockText(clock)}`;
}

/** The reader of .xls counts what is before March 1900 from a day later. */
export const fromOldWorkbook = (cell: unknown): unknown =>
  cell instanceof Date && cell.getTime() < FIRST_DAY ? new Date(cell.getTime() - DAY_MS) : cell;
