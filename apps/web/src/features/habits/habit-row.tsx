import { useState, type ReactNode } from 'react';
import { Check, Hash, Pause } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isKept } from '@cairn/core/habits/habit.ts';
import type { HabitWeek } from '@cairn/core/habits/queries.ts';
import { DayDots } from '@cairn/ui/data/day-dots.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { formatNumber, formatWeekday } from '../../shared/format/format.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { AmountSheet } from './amount-sheet.tsx';
import { useSayDay } from './use-say-day.ts';

type Props = {
  week: HabitWeek;
  /** Wraps the name in the way to the habit. */
  renderName: (id: string, name: string) => ReactNode;
};

/** A habit of today: one tap says done, another takes it back; a numeric one asks how much. */
export function HabitRow({ week: { habit, days }, renderName }: Props) {
  const { t } = useTranslation('habits');
  const say = useSayDay();
  const saying = useAction(say);
  const [asking, setAsking] = useState(false);
  const today = days.at(-1);
  if (!today) return null;
  const done = today.status === 'done';
  const press = () => {
    if (habit.kind === 'number') return setAsking(true);
    saying.run({ habitId: habit.id, day: today.day, value: done ? 'unknown' : 'done', amount: null });
  };
  const counted = days.filter(({ status }) => status !== 'skip');
  const amount = today.amount === null ? '' : ` · ${formatNumber(today.amount, 2)} ${habit.unit ?? ''}`;
  return (
    <li className="habit-row">
      <button
        type="button"
        className="habit-tick"
        aria-pressed={done}
        aria-label={t(habit.kind === 'number' ? 'row.amount' : 'row.done', { name: habit.name })}
        onClick={press}
      >
        <Icon of={today.status === 'skip' ? Pause : habit.kind === 'number' && !done ? Hash : Check} />
      </button>
      <div className="grow">
        {renderName(habit.id, habit.name)}
        <p className="muted xs habit-today">
          {t(`status.${today.status}`)}
          {amount}
        </p>
        <DayDots
          label={t('row.week', { name: habit.name })}
          days={days.map(({ day, status }) => ({
            day,
            status,
            words: `${formatWeekday(day)}: ${t(`status.${status}`)}`,
          }))}
        />
        <FailureLine failure={saying.failure} />
      </div>
      <span className="muted sm figure">
        {t('row.of', { done: counted.filter(isKept).length, days: counted.length })}
      </span>
      {asking && (
        <AmountSheet
          habit={habit}
          day={today}
          onClose={() => setAsking(false)}
          onSay={(value, written) => saying.run({ habitId: habit.id, day: today.day, value, amount: written })}
        />
      )}
    </li>
  );
}
