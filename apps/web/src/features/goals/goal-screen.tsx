import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasEnded } from '@cairn/core/goals/goal.ts';
import { weeklyPace } from '@cairn/core/goals/progress.ts';
import { goalPage, type GoalPage } from '@cairn/core/goals/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { formatNumber } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { CheckInsCard } from './check-ins-card.tsx';
import { GoalActs } from './goal-acts.tsx';
import { dayText, useGoalLabels } from './goal-labels.ts';
import { LinksCard } from './links-card.tsx';
import { MilestonesCard } from './milestones-card.tsx';
import { MomentumDots } from './momentum-dots.tsx';
import './goals.css';

type Props = {
  goalId: string;
  backLink: ReactNode;
  /** The way to another goal, a habit, an action item. */
  renderGoal: (id: string, title: string) => ReactNode;
  renderHabit: (id: string, name: string) => ReactNode;
  renderAction: (id: string, title: string) => ReactNode;
  /** After it was deleted, or another took its place. */
  onLeft: (next: string | null) => void;
};

/** One goal: how far it is, its steps, what serves it, and what was said on the way. */
export function GoalScreen({ goalId, backLink, renderGoal, renderHabit, renderAction, onLeft }: Props) {
  const { t } = useTranslation('goals');
  const today = useToday();
  const found = useLive(goalPage(goalId, today));
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const page = found.answer;
  if (!page) {
    return (
      <div className="parts foot-room goals">
        {backLink}
        <EmptyState level={1} title={t('gone.title')}>
          {t('gone.text')}
        </EmptyState>
      </div>
    );
  }
  const ended = hasEnded(page.goal);
  return (
    <div className="parts foot-room goals">
      {backLink}
      <Head page={page} renderGoal={renderGoal} />
      <div className="parts columns second-wide">
        <div className="parts">
          <ProgressCard page={page} today={today} />
          {(!ended || page.milestones.length > 0) && <MilestonesCard page={page} today={today} />}
          <GoalActs page={page} onLeft={onLeft} />
        </div>
        <div className="parts">
          {(!ended || page.checkIns.length > 0) && <CheckInsCard page={page} today={today} />}
          <LinksCard page={page} renderHabit={renderHabit} renderAction={renderAction} />
        </div>
      </div>
    </div>
  );
}

function Head({ page: { goal, before, after }, renderGoal }: { page: GoalPage; renderGoal: Props['renderGoal'] }) {
  const { t } = useTranslation('goals');
  const { t: tAreas } = useTranslation('welcome');
  return (
    <div className="page-head">
      <div className="stack">
        <h1 className="h1">{goal.title}</h1>
        <div className="row wrap">
          <Pill tone={goal.state === 'achieved' ? 'good' : 'neutral'}>{t(`state.${goal.state}`)}</Pill>
          <span className="muted sm">{tAreas(`areas.${goal.area}`)}</span>
        </div>
        {goal.why && <p className="goal-why">{goal.why}</p>}
        {goal.learned && (
          <p>
            <strong>{t('learned')}:</strong> {goal.learned}
          </p>
        )}
        {before && <p className="sm">{linked(t('before', { title: MARK }), renderGoal(before.id, before.title))}</p>}
        {after && <p className="sm">{linked(t('after', { title: MARK }), renderGoal(after.id, after.title))}</p>}
      </div>
    </div>
  );
}

/** Stands where a link comes into a sentence. */
const MARK = '\u2063';

function linked(sentence: string, link: ReactNode): ReactNode {
  const [start, end] = sentence.split(MARK);
  return (
    <>
      {start}
      {link}
      {end}
    </>
  );
}

function ProgressCard({ page: { goal, progress, momentum }, today }: { page: GoalPage; today: string }) {
  const { t } = useTranslation('goals');
  const words = useGoalLabels();
  const pace = hasEnded(goal) || progress?.by !== 'metric' ? null : weeklyPace(goal, progress.value, today);
  const figure = words.figure(goal, progress);
  return (
    <Card label={t('progress')} className="parts">
      {progress ? (
        <ProgressBar
          label={figure}
          figure={t('figure.percent', { percent: Math.round(progress.part * 100) })}
          value={progress.part}
          max={1}
        />
      ) : (
        <p className="muted">{figure}</p>
      )}
      {goal.due_on && (
        <p className="muted sm">
          {words.due(goal.due_on)}
          {pace !== null && progress !== null && progress.part < 1 && (
            <> · {t('pace', { pace: `${formatNumber(pace, 1)} ${goal.unit ?? ''}`.trim() })}</>
          )}
        </p>
      )}
      {goal.started_on && (
        <div className="stack">
          <h2 className="h3">{t('momentum.title')}</h2>
          <MomentumDots momentum={momentum} />
          <p className="muted sm">{goal.state === 'paused' ? t('momentum.paused') : <Moved {...momentum} />}</p>
        </div>
      )}
      {goal.ended_on && <p className="muted sm">{dayText(goal.ended_on)}</p>}
    </Card>
  );
}

function Moved({ weeks, moved }: GoalPage['momentum']) {
  const { t } = useTranslation('goals');
  if (weeks.length <= 1) return <>{t('momentum.first')}</>;
  if (moved === 0) return <>{t('momentum.none', { weeks: weeks.length })}</>;
  return <>{t('momentum.text', { count: moved, weeks: weeks.length })}</>;
}
