import { dateCellText } from './date-cell.ts';

/** A cell as a text: trimmed, a boolean as `true` or `false`, a date as `2026-11-21`, a time as `07:30`. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell.replaceAll('\u00a0', ' ').trim();
  if (typeof cell === 'boolean') return cell ? 'true' : 'false';
  if (cell instanceof Date) return dateCellText(cell);
  return typeof cell === 'number' ? String(cell) : '';
}

/** Number formats of time that has passed: `[h]:mm`, `[mm]:ss`. */
export const isElapsed = (format: string): boolean => /\[(h+|m+|s+)\]/i.test(format);

const HOURS_PER_DAY = 24;
const SECONDS_PER_HOUR = 3600;

/** A number of days as hours and minutes, with seconds where there are any: 1.25 is 30:00. */
export function elapsedClock(days: number): string {
  const seconds = Math.round(days * HOURS_PER_DAY * SECONDS_PER_HOUR);
  const two = (part: number) => String(part).padStart(2, '0');
  const rest = seconds % 60;
  const hours = Math.floor(seconds / SECONDS_PER_HOUR);
  return `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** A cell of an older workbook that holds time that has passed becomes that text. */
export function elapsedText(cell: unknown): void {
  if (typeof cell !== 'object' || cell === null || !('z' in cell) || typeof cell.z !== 'string') return;
  if (!isElapsed(cell.z) || !('v' in cell)) return;
  const days = cell.v instanceof Date ? (cell.v.getTime() - OLD_DAY_ZERO) / MS_PER_DAY : cell.v;
  if (typeof days === 'number' && Number.isFinite(days))
    Object.assign(cell, { t: 's', v: elapsedClock(days), z: 'General' });
}

/** Where the reader of older workbooks counts days from. */
const OLD_DAY_ZERO = Date.UTC(1899, 11, 31);
const MS_PER_DAY = 86_400_000;
