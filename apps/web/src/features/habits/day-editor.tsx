import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryValue, Habit, HabitDay } from '@cairn/core/habits/habit.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSayDay } from './use-say-day.ts';

const VALUES = ['done', 'no', 'skip', 'unknown'] as const satisfies readonly EntryValue[];

/** What was said of a day, whatever its target makes of it. */
function valueOf(day: HabitDay | undefined): EntryValue {
  if (day === undefined) return 'unknown';
  if (day.amount !== null) return 'done';
  return day.status === 'rule' || day.status === 'missed' ? 'unknown' : day.status;
}

type Props = {
  habit: Habit;
  /** The days known so far, the oldest first, up to today. */
  days: readonly HabitDay[];
  /** No day before them is still to be read. */
  isWhole: boolean;
};

/** Says how any day was, today or long ago. A day that is still to be read cannot be written over. */
export function DayEditor({ habit, days, isWhole }: Props) {
  const { t, i18n } = useTranslation('habits');
  const today = useToday();
  const [day, setDay] = useState(today);
  const saying = useAction(useSayDay());
  const present = days.find(each => each.day === day);
  const isKnown = isWhole || present !== undefined;
  const say = (value: EntryValue, amount: number | null) =>
    saying.run({ habitId: habit.id, day, value, amount: habit.kind === 'number' && value === 'done' ? amount : null });
  return (
    <Card label={t('day.title')} className="parts">
      <h2 className="h2">{t('day.title')}</h2>
      <DateInput
        label={t('day.day')}
        value={day}
        max={today}
        locale={i18n.language}
        onChange={chosen => chosen !== null && chosen <= today && setDay(chosen)}
      />
      {isKnown && habit.kind === 'number' && (
        <NumberInput
          key={day}
          label={habit.question ?? t('amount.label')}
          value={present?.amount ?? null}
          onChange={amount => amount !== null && amount >= 0 && say('done', amount)}
          locale={i18n.language}
          notANumber={t('amount.notANumber')}
          min={0}
          {...(habit.unit !== null && { unit: habit.unit })}
        />
      )}
      {isKnown && (
        <Segmented
          label={t('day.how')}
          block
          value={valueOf(present)}
          onChange={value => say(VALUES.find(each => each === value) ?? 'unknown', present?.amount ?? habit.target)}
          options={VALUES.map(value => ({ value, label: t(`day.${value}`) }))}
        />
      )}
      {present?.status === 'rule' && <p className="muted sm">{t('day.byRule')}</p>}
      <FailureLine failure={saying.failure} />
    </Card>
  );
}
