import type { TFunction } from 'i18next';

/** "due in 2 days", for an action item that an answer will make. */
export function dueWords(t: TFunction<'field'>, days: number | undefined): string {
  if (days === undefined) return t('runner.noDue');
  return days === 0 ? t('runner.dueToday') : t('runner.dueIn', { count: days });
}
