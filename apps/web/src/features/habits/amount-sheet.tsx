import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryValue, Habit, HabitDay } from '@cairn/core/habits/habit.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';

type Props = {
  habit: Habit;
  day: HabitDay;
  onSay: (value: EntryValue, amount: number | null) => void;
  onClose: () => void;
};

/** How much of a numeric habit was done on a day. */
export function AmountSheet({ habit, day, onSay, onClose }: Props) {
  const { t, i18n } = useTranslation('habits');
  const [amount, setAmount] = useState(day.amount);
  const say = (value: EntryValue, written: number | null) => {
    onSay(value, written);
    onClose();
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={habit.name}
      closeLabel={t('close')}
      actions={
        <>
          <Button onClick={() => say('skip', null)}>{t('day.skip')}</Button>
          <Button
            variant="primary"
            size="lg"
            disabled={amount === null || amount < 0}
            onClick={() => say('done', amount)}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <NumberInput
        label={habit.question ?? t('amount.label')}
        value={amount}
        onChange={setAmount}
        locale={i18n.language}
        notANumber={t('amount.notANumber')}
        min={0}
        {...(habit.unit !== null && { unit: habit.unit })}
        steps={{ less: t('amount.less'), more: t('amount.more') }}
      />
    </Sheet>
  );
}
