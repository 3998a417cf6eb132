import type { TFunction } from 'i18next';
import { parseRecurrence, weekdays, type Weekday } from '@cairn/core/occurrences/recurrence.ts';
import type { Row } from '@cairn/schema';

/** A Monday: names of weekdays are written from it on. */
const MONDAY = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;

/** "Mon" in a language (BCP 47). */
export const weekdayName = (day: Weekday, locale: string): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(
    MONDAY + weekdays.indexOf(day) * DAY_MS,
  );

/** "Every 2 weeks: Mon, Thu at 09:00" */
export function ruleText(
  { recurrence, due_time: time }: Pick<Row<'schedules'>, 'recurrence' | 'due_time'>,
  locale: string,
  t: TFunction<'schedules'>,
): string {
  const read = parseRecurrence(recurrence);
  if (!read.ok) return recurrence;
  const { every, interval, weekdays: on } = read.recurrence;
  const rule = interval === 1 ? t(`rule.single.${every}`) : t(`rule.several.${every}`, { number: interval });
  const days = on?.map(day => weekdayName(day, locale)).join(', ');
  return t('rule.at', { rule: days ? t('rule.on', { rule, days }) : rule, time });
}
