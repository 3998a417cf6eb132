import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { HabitRow } from './habit-row.tsx';
import { useWeekOfHabits } from './use-week-of-habits.ts';
import './habits.css';

type Props = { renderName: (id: string, name: string) => ReactNode; allLink: ReactNode };

/** Today's habits on the dashboard. */
export function HabitsCard({ renderName, allLink }: Props) {
  const { t } = useTranslation('habits');
  const found = useWeekOfHabits();
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} rows={3} />;
  const weeks = found.answer;
  const kept = weeks.filter(({ days }) => ['done', 'rule', 'skip'].includes(days.at(-1)?.status ?? '')).length;
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
