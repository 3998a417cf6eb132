import type { ReactNode } from 'react';
import { Pause } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asksToday, type GoalSummary } from '@cairn/core/goals/queries.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { areaIcon, dayText, useGoalLabels } from './goal-labels.ts';
import { MomentumDots } from './momentum-dots.tsx';

type Props = {
  summary: GoalSummary;
  today: string;
  /** Wraps the title in the way to the goal. */
  renderTitle: (id: string, title: string) => ReactNode;
};

/** A goal at a glance: what, how far, whether it moves, and what it asks for today. */
export function GoalFace({ summary, today, renderTitle }: Props) {
  const { t } = useTranslation('goals');
  const words = useGoalLabels();
  const { goal, progress, momentum } = summary;
  const figure = words.figure(goal, progress);
  return (
    <li className="card goal-face">
      <div className="row between">
        <Icon of={areaIcon(goal.area)} />
        {goal.state === 'paused' && <Pill icon={Pause}>{t('state.paused')}</Pill>}
      </div>
      <div>
        {renderTitle(goal.id, goal.title)}
        <p className="muted sm">
          {figure}
          {goal.due_on && ` · ${words.due(goal.due_on)}`}
        </p>
      </div>
      <div className="goal-face-foot">
        {progress && <ProgressBar bare label={t('progress')} figure={figure} value={progress.part} max={1} />}
        {goal.state === 'active' && <MomentumDots momentum={momentum} />}
        {goal.state === 'active' && <Asks summary={summary} today={today} />}
      </div>
    </li>
  );
}

function Asks({ summary, today }: { summary: GoalSummary; today: string }) {
  const { t } = useTranslation('goals');
  const { next } = summary;
  if (asksToday(summary, today)) return <p className="sm">{t('today.ask')}</p>;
  if (!next) return null;
  const { title, due_on: due } = next;
  if (due === null) return <p className="muted sm">{t('today.next', { title })}</p>;
  return <p className="muted sm">{t(due < today ? 'today.late' : 'today.nextDue', { title, date: dayText(due) })}</p>;
}
