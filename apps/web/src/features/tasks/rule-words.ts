import type { TFunction } from 'i18next';
import { parseRecurrence, weekdays, type Recurrence } from '@cairn/core/occurrences/recurrence.ts';
import { weekdayName } from '../../shared/weekday-name.ts';

/** "Every 2 weeks: Mon, Thu" of an RRULE. @param locale BCP 47 */
export function ruleWords(recurrence: string, locale: string, t: TFunction<'tasks'>): string {
  const read = parseRecurrence(recurrence);
  if (!read.ok) return recurrence;
  const { every, interval } = read.recurrence;
  const rule = interval === 1 ? t(`rule.single.${every}`) : t(`rule.several.${every}`, { number: interval });
  const days = daysOf(read.recurrence, locale, t).join(', ');
  return days === '' ? rule : t('rule.on', { rule, days });
}

function daysOf(rule: Recurrence, locale: string, t: TFunction<'tasks'>): string[] {
  // Monday is the first of `weekdays` and 1 for weekdayName.
  const name = (day: (typeof weekdays)[number]) => weekdayName(weekdays.indexOf(day) + 1, locale, 'short');
  const month = (rule.months ?? []).map(each =>
    new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, each - 1, 1)),
  );
  return [
    ...(rule.weekdays ?? []).map(name),
    ...(rule.nthWeekdays ?? []).map(({ nth, weekday }) => {
      if (nth === null) return name(weekday);
      return nth < 0 ? t('rule.last', { day: name(weekday) }) : t('rule.nth', { nth, day: name(weekday) });
    }),
    ...(rule.monthDays ?? []).map(day => (day < 0 ? t('rule.lastDay') : t('rule.monthDay', { day }))),
    ...month,
  ];
}
