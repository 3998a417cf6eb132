import type { TFunction } from 'i18next';
import type { FailActionRule } from '@cairn/core/forms/definition/form-definition.ts';

const HOURS_A_DAY = 24;

/** "due in 2 days", for an action item that an answer will make; of days and hours the earlier. */
export function dueText(
  t: TFunction<'field'>,
  { due_in_days: days, due_in_hours: hours }: Pick<FailActionRule, 'due_in_days' | 'due_in_hours'>,
): string {
  if (hours !== undefined && (days === undefined || hours <= days * HOURS_A_DAY))
    return t('runner.dueInHours', { count: hours });
  if (days === undefined) return t('runner.noDue');
  return days === 0 ? t('runner.dueToday') : t('runner.dueIn', { count: days });
}
