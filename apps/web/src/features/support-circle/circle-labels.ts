import { useTranslation } from 'react-i18next';
import type { CircleRole } from '@cairn/core/roles/role-names.ts';
import { isLevel, isScope } from '@cairn/core/support-circle/visibility.ts';
import { formatDate } from '../../shared/format/format.ts';

/** What of a grant is said in words; `items` how many were picked, 0 for everything. */
export type GrantSummary = { scope: string; level: string; items: number; until: string | null };

/** The words of the circle. */
export function useCircleLabels() {
  const { t } = useTranslation('circle');
  return {
    role: (role: CircleRole): string => t(`role.${role}`),
    /** "2 habits: names, days and strength", "whether a week is all right", until when. */
    sees({ scope, level, items, until }: GrantSummary): string {
      if (!isScope(scope) || !isLevel(level)) return t('sees.unknown');
      const what =
        scope === 'goals' && level === 'full'
          ? items > 0
            ? t('sees.goals.chosen', { count: items })
            : t('sees.goals.full')
          : scope === 'habits' && level === 'full'
            ? items > 0
              ? t('sees.habits.chosen', { count: items })
              : t('sees.habits.full')
            : scope === 'tasks' && level === 'full'
              ? items > 0
                ? t('sees.tasks.chosen', { count: items })
                : t('sees.tasks.full')
              : otherLabel(t, scope, level);
      return until === null ? what : t('sees.until', { what, date: formatDate(new Date(until)) });
    },
  };
}

type T = ReturnType<typeof useTranslation<'circle'>>['t'];

function otherLabel(t: T, scope: string, level: string): string {
  if (scope === 'goals') return t(level === 'titles' ? 'sees.goals.titles' : 'sees.goals.summary');
  if (scope === 'habits') return t('sees.habits.summary');
  if (scope === 'wellness') return t(level === 'ok' ? 'sees.wellness.ok' : 'sees.wellness.summary');
  if (scope === 'principles') return t('sees.principles');
  if (scope === 'sessions') return t('sees.sessions');
  return t(level === 'act' ? 'sees.tasks.act' : 'sees.tasks.counts');
}
