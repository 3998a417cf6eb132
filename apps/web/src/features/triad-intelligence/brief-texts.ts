import { useTranslation } from 'react-i18next';
import { addDays } from '@cairn/base/local-day.ts';
import type { BriefLine, LineKind } from '@cairn/core/triad-intelligence/brief-line.ts';
import { useFormat } from '../../shared/format/format.ts';

type T = ReturnType<typeof useTranslation<'triad'>>['t'];
type Format = ReturnType<typeof useFormat>;
type Figures<Kind extends LineKind> = Extract<BriefLine, { kind: Kind }>['figures'];

const MEANS = ['mood', 'energy', 'stress'] as const;

function goals(t: T, { active, moved, paused, achieved }: Figures<'goals'>): string {
  const rest = [
    ...(paused > 0 ? [t('line.goalsPaused', { count: paused })] : []),
    ...(achieved > 0 ? [t('line.goalsAchieved', { count: achieved })] : []),
  ];
  return [active > 0 ? t('line.goals', { moved, active }) : t('line.noGoal'), ...rest].join(' ');
}

function wellness(t: T, figures: Figures<'wellness'>, formatNumber: Format['formatNumber']): string {
  const means = MEANS.flatMap(name => {
    const value = figures[name];
    if (value === null) return [];
    const before = figures[`${name}_before`];
    if (before === null) return [t(`line.${name}`, { value: formatNumber(value, 1) })];
    return [t(`line.${name}Before`, { value: formatNumber(value, 1), before: formatNumber(before, 1) })];
  });
  const text = t('line.wellness', { means: means.join(', ') });
  return figures.n === null ? text : `${text} ${t('line.answers', { count: figures.n })}`;
}

function sentence(t: T, line: BriefLine, formatNumber: Format['formatNumber']): string {
  switch (line.kind) {
    case 'goals':
      return goals(t, line.figures);
    case 'habits': {
      const { habits: count, days, days_before: before } = line.figures;
      return t('line.habits', { count, days, before });
    }
    case 'wellness':
      return wellness(t, line.figures, formatNumber);
    case 'week':
      return t(line.figures.ok ? 'line.ok' : 'line.notOk');
    default:
      return t('line.tasks', line.figures);
  }
}

/** The words of briefs: a week by its days, a line as a sentence. */
export function useBriefTexts() {
  const { t } = useTranslation('triad');
  const { formatDate, formatNumber } = useFormat();
  const day = (written: string): string => formatDate(new Date(`${written}T12:00:00`));
  return {
    /** "16 Nov 2026 to 22 Nov 2026" @param monday YYYY-MM-DD */
    week: (monday: string): string => t('week', { from: day(monday), until: day(addDays(monday, 6)) }),
    line: (line: BriefLine): string => sentence(t, line, formatNumber),
  };
}
