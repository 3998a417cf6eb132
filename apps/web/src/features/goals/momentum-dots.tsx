import { useTranslation } from 'react-i18next';
import type { Momentum } from '@cairn/core/goals/momentum.ts';
import { DayDots } from '@cairn/ui/data/day-dots.tsx';

/** The last weeks as pebbles, the newest last: filled where something moved. */
export function MomentumDots({ momentum: { weeks } }: { momentum: Momentum }) {
  const { t } = useTranslation('goals');
  const pebbles = weeks.map((moved, index) => ({
    day: String(index),
    status: moved ? 'done' : 'still',
    words: t(moved ? 'momentum.moved' : 'momentum.still', { number: index + 1 }),
  }));
  return <DayDots label={t('momentum.title')} days={pebbles} />;
}
