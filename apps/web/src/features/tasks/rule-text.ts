import type { TFunction } from 'i18next';
import { parseRecurrence, weekdays, type Recurrence } from '@cairn/core/occurrences/recurrence.ts';
import { weekdayName } from '../../shared/format/weekday-name.ts';

/** The weeks of a month. */
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** "Every 2 weeks: Mon, Thu, until 31 Dec 2026" of an RRULE. @param locale BCP 47 */
export function ruleText(recurrence: string, locale: string, t: TFunction<'tasks'>): string {
  const read = parseRecurrence(recurrence);
  if (!read.ok) return recurrence;
  const { every, interval, until } = read.recurrence;
  const rule = interval === 1 ? t(`rule.single.${every}`) : t(`rule.several.${every}`, { number: interval });
  const days = daysOf(read.recurrence, locale, t).join(', ');
  const text = days === '' ? rule : t('rule.on', { rule, days });
  return until === undefined ? text : t('rule.until', { rule: text, day: dayText(until, locale) });
}

const dayText = (day: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));

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
      const ordinal = ORDINALS[nth - 1];
      return ordinal ? t(`rule.nth.${ordinal}`, { day: name(weekday) }) : t('rule.last', { day: name(weekday) });
    }),
    ...(rule.monthDays ?? []).map(day => (day < 0 ? t('rule.lastDay') : t('rule.monthDay', { day }))),
    ...shortMonths(rule, t),
    ...month,
  ];
}

/** What a rule of late days makes of months that are too short, where it has to be said. */
function shortMonths({ every, monthDays, nthWeekdays, skip }: Recurrence, t: TFunction<'tasks'>): string[] {
  if ((every !== 'month' && every !== 'year') || nthWeekdays) return [];
  if (skip === 'backward') return [t('rule.orLast')];
  const isLate = monthDays?.some(day => day > 28) ?? skip === 'omit';
  return isLate ? [t('rule.onlyWhere')] : [];
}
