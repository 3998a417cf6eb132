import { useMemo, type ReactNode } from 'react';
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { goals, type GoalSummary } from '@cairn/core/goals/queries.ts';
import {
  goesTogether,
  insightRows,
  milestoneReview,
  steadiness,
  type InsightRows,
} from '@cairn/core/insights/insights.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { formatDate, formatNumber } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { TogetherCard } from './together-card.tsx';
import './insights.css';

type Props = { title: string; renderGoal: (id: string, title: string) => ReactNode };

/** What a person's own days say: worked out on this device, from what is there, and with how sure it is. */
export function InsightsScreen({ title, renderGoal }: Props) {
  const { t } = useTranslation('insights');
  const today = useToday();
  const found = useLive(insightRows(today));
  const summaries = useLive(goals(today));
  if (found.status === 'loading' || summaries.status === 'loading')
    return <SkeletonRows label={t('loading')} rows={6} />;
  const rows = found.answer;
  const isEmpty = rows.checkIns.length === 0 && rows.habits.length === 0 && summaries.answer.length === 0;
  return (
    <div className="parts foot-room">
      <div className="page-head">
        <div>
          <h1 className="h1">{title}</h1>
          <p className="insights-only muted sm">
            <Icon of={Lock} size="s" />
            {t('only')}
          </p>
        </div>
      </div>
      {isEmpty ? (
        <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
      ) : (
        <Cards rows={rows} summaries={summaries.answer} today={today} renderGoal={renderGoal} />
      )}
    </div>
  );
}

type CardsProps = {
  rows: InsightRows;
  summaries: readonly GoalSummary[];
  today: string;
  renderGoal: Props['renderGoal'];
};

function Cards({ rows, summaries, today, renderGoal }: CardsProps) {
  const together = useMemo(() => goesTogether(rows), [rows]);
  return (
    <div className="parts columns">
      <div className="parts">
        <MomentumCard summaries={summaries} renderGoal={renderGoal} />
        <SteadyCard rows={rows} today={today} />
      </div>
      <div className="parts">
        <TogetherCard together={together} />
        <ReviewCard summaries={summaries} today={today} />
      </div>
    </div>
  );
}

function MomentumCard({
  summaries,
  renderGoal,
}: {
  summaries: readonly GoalSummary[];
  renderGoal: Props['renderGoal'];
}) {
  const { t } = useTranslation('insights');
  const running = summaries.filter(({ goal, momentum }) => goal.state === 'active' && momentum.weeks.length > 0);
  return (
    <Card label={t('momentum.title')} className="parts">
      <CardHead title={t('momentum.title')} />
      {running.length === 0 && <p className="muted sm">{t('momentum.none')}</p>}
      <ul className="insights-list">
        {running.map(({ goal, momentum: { weeks, moved } }) => (
          <li key={goal.id}>
            {renderGoal(goal.id, goal.title)}
            <span className="figure">{t('momentum.weeks', { moved, count: weeks.length })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SteadyCard({ rows, today }: { rows: InsightRows; today: string }) {
  const { t } = useTranslation('insights');
  const steady = useMemo(() => steadiness(rows, today), [rows, today]);
  return (
    <Card label={t('steady.title')} className="parts">
      <CardHead title={t('steady.title')} />
      {steady.length === 0 && <p className="muted sm">{t('steady.none')}</p>}
      <ul className="insights-list">
        {steady.map(({ name, days, of, before }) => (
          <li key={name ?? ''}>
            <span className="t">{name ?? t('steady.checkIns')}</span>
            <span className="figure">{t('steady.days', { days, count: of })}</span>
            <span className="muted xs insights-wide">
              {before === null ? t('steady.first') : t('steady.before', { count: before })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const dayOf = (day: string): string => formatDate(new Date(`${day}T00:00:00`));

function ReviewCard({ summaries, today }: { summaries: readonly GoalSummary[]; today: string }) {
  const { t } = useTranslation('insights');
  const { reached, late } = milestoneReview(summaries, today);
  const dated = reached.filter(({ inTime }) => inTime !== null);
  return (
    <Card label={t('review.title')} className="parts">
      <CardHead title={t('review.title')} />
      {reached.length + late.length === 0 && <p className="muted sm">{t('review.none')}</p>}
      {dated.length > 0 && (
        <p className="sm">
          {t('review.inTime', {
            kept: formatNumber(dated.filter(({ inTime }) => inTime).length),
            count: dated.length,
          })}
        </p>
      )}
      <ul className="insights-list">
        {late.map(({ goal, title, due }) => (
          <li key={`${goal}/${title}`}>
            <span className="t">{title}</span>
            <span className="muted xs insights-wide">{t('review.late', { goal, date: dayOf(due) })}</span>
          </li>
        ))}
        {reached.map(({ goal, title, day }) => (
          <li key={`${goal}/${title}`}>
            <span className="t">{title}</span>
            <span className="muted xs insights-wide">{t('review.reached', { goal, date: dayOf(day) })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
