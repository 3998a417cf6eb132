import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { habitWeeks } from '@cairn/core/habits/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { Card, CardHead } from '@cairn/ui/surface.tsx';
import { useNow } from '../../shared/use-now.ts';
import { HabitRow } from './habit-row.tsx';
import './habits.css';

type Props = { renderName: (id: string, name: string) => ReactNode; allLink: ReactNode };

/** What the card shows: the last week of each habit. */
export const useWeekOfHabits = () => useLive(habitWeeks(localDay(useNow()), 7));

/** Today's habits on the dashboard. */
export function HabitsCard({ renderName, allLink }: Props) {
  const { t } = useTranslation('habits');
  const found = useWeekOfHabits();
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} rows={3} />;
  const weeks = found.answer;
  const kept = weeks.filter(({ days }) => ['done', 'rule', 'skip'].includes(days.at(-1)?.standing ?? '')).length;
  return (
    <Card flush label={t('today')}>
      <CardHead
        title={t('today')}
        count={weeks.length > 0 && <span className="count">{t('row.of', { done: kept, days: weeks.length })}</span>}
      />
      {weeks.length === 0 ? (
        <EmptyState level={3} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
      ) : (
        <ul className="habit-rows">
          {weeks.map(week => (
            <HabitRow key={week.habit.id} week={week} renderName={renderName} />
          ))}
        </ul>
      )}
      <div className="card-foot">{allLink}</div>
    </Card>
  );
}
