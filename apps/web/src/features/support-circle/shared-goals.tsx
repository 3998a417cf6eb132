import { useTranslation } from 'react-i18next';
import { progressOf } from '@cairn/core/goals/progress.ts';
import type { SharedGoal, SharedPart } from '@cairn/core/support-circle/shared-view.ts';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { formatDay, formatNumber } from '../../shared/format/format.ts';

const dayText = (day: string): string => formatDay(new Date(`${day}T12:00:00`));

/** What somebody shows of their goals, read-only: with their way, by name, or as figures. */
export function SharedGoals({ part }: { part: Extract<SharedPart, { scope: 'goals' }> }) {
  const { t } = useTranslation('circle');
  if (part.level === 'summary') {
    const { active, paused, achieved_90: achieved, moved_14: moved } = part.data;
    return <p>{t('shared.goalFigures', { active, paused, achieved, moved })}</p>;
  }
  if (part.data.length === 0) return <p className="muted sm">{t('shared.empty')}</p>;
  return (
    <ul className="shared-habits">
      {part.level === 'full'
        ? part.data.map(goal => <SharedGoalRow key={goal.id} goal={goal} />)
        : part.data.map(goal => (
            <li key={goal.id}>
              <p className="t">{goal.title}</p>
              <GoalState goal={goal} />
            </li>
          ))}
    </ul>
  );
}

function GoalState({ goal }: { goal: Pick<SharedGoal, 'state' | 'due_on'> }) {
  const { t } = useTranslation('circle');
  return (
    <p className="muted sm">
      {t(`shared.goalState.${goal.state}`)}
      {goal.due_on && ` · ${t('shared.goalDue', { day: dayText(goal.due_on) })}`}
    </p>
  );
}

function SharedGoalRow({ goal }: { goal: SharedGoal }) {
  const { t } = useTranslation('circle');
  const { milestones, check_ins: checkIns } = goal;
  const progress = progressOf(goal, milestones, checkIns);
  const done = milestones.filter(({ done_on: day }) => day !== null).length;
  const last = checkIns.findLast(({ confidence }) => confidence !== null);
  const percent = t('shared.percent', { percent: Math.round((progress?.part ?? 0) * 100) });
  const value = progress?.by === 'metric' ? formatNumber(progress.value, 2) : null;
  const figure =
    value === null
      ? percent
      : t('shared.goalFigure', { value, target: formatNumber(goal.target ?? 0, 2), unit: goal.unit ?? '' }).trim();
  return (
    <li>
      <p className="t">{goal.title}</p>
      <GoalState goal={goal} />
      {progress && <ProgressBar label={figure} figure={percent} value={progress.part} max={1} />}
      {milestones.length > 0 && <p className="muted sm">{t('shared.milestones', { done, all: milestones.length })}</p>}
      {last && (
        <p className="muted sm">{t('shared.goalSaid', { day: dayText(last.day), confidence: last.confidence ?? 0 })}</p>
      )}
    </li>
  );
}
