import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useToday } from '../../shared/format/use-today.ts';
import { GoalFace } from './goal-face.tsx';
import { useGoalsAtAGlance } from './use-goals-at-a-glance.ts';
import './goals.css';

type Props = {
  title: string;
  renderTitle: (id: string, title: string) => ReactNode;
  renderAll: (text: string) => ReactNode;
};

/** Running goals on the dashboard, with what they ask for today. */
export function GoalsCard({ title, renderTitle, renderAll }: Props) {
  const { t } = useTranslation('goals');
  const today = useToday();
  const found = useGoalsAtAGlance();
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} rows={2} />;
  const running = found.answer.filter(({ goal }) => goal.state === 'active');
  return (
    <section className="parts" aria-label={title}>
      <div className="row between">
        <h2 className="h2">{title}</h2>
        {renderAll(found.answer.length > 0 ? t('count', { count: found.answer.length }) : t('all'))}
      </div>
      {running.length === 0 ? (
        <EmptyState level={3} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
      ) : (
        <ul className="goal-faces">
          {running.map(summary => (
            <GoalFace key={summary.goal.id} summary={summary} today={today} renderTitle={renderTitle} />
          ))}
        </ul>
      )}
    </section>
  );
}
