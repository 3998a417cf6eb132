import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import type { Habit } from '@cairn/core/habits/habit.ts';
import { habitProblem, saveHabit, type HabitFields, type HabitProblem } from '@cairn/core/habits/save-habit.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { TimeInput } from '@cairn/ui/controls/date-input.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = {
  /** The one to change; a new one where left out. */
  habit?: Habit;
  /** Place in the order, of a new one. */
  position: number;
  onClose: () => void;
};

const fieldsOf = (habit: Habit | undefined): HabitFields => ({
  name: habit?.name ?? '',
  question: habit?.question ?? '',
  kind: habit?.kind ?? 'yes_no',
  unit: habit?.unit ?? '',
  target: habit?.target ?? null,
  targetKind: habit?.target_kind ?? 'at_least',
  times: habit?.times ?? 1,
  perDays: habit?.per_days ?? 1,
  remindAt: habit?.remind_at ?? null,
});

/** Adds a habit, or changes one. */
export function HabitForm({ habit, position, onClose }: Props) {
  const { t } = useTranslation('habits');
  const store = useStore();
  const { user } = useSignedIn();
  const [fields, setFields] = useState(() => fieldsOf(habit));
  const [problem, setProblem] = useState<HabitProblem | null>(null);
  const set = (part: Partial<HabitFields>) => setFields({ ...fields, ...part });
  const saving = useAction(async () => {
    const wrong = habitProblem(fields);
    setProblem(wrong);
    if (wrong) return;
    const id = habit?.id ?? newId();
    const startedOn = localDay(new Date());
    await store.write('habits.save', tx => saveHabit(tx, { id, userId: user.id, fields, startedOn, position }));
    onClose();
  });
  return (
    <FormSheet
      title={t(habit ? 'form.change' : 'form.new')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t(habit ? 'save' : 'form.add')}
      busy={saving.busy}
      onSave={() => saving.run()}
    >
      <Input
        label={t('form.name')}
        value={fields.name}
        maxLength={200}
        error={problem === 'nameNeeded' ? t('problem.nameNeeded') : undefined}
        onChange={event => set({ name: event.target.value })}
      />
      <Input
        label={t('form.question')}
        hint={t('form.questionHint')}
        value={fields.question}
        maxLength={300}
        onChange={event => set({ question: event.target.value })}
      />
      <Segmented
        label={t('form.kind')}
        labelHidden={false}
        value={fields.kind}
        onChange={kind => set({ kind: kind === 'number' ? 'number' : 'yes_no' })}
        options={[
          { value: 'yes_no', label: t('form.yesNo') },
          { value: 'number', label: t('form.number') },
        ]}
      />
      {fields.kind === 'number' && <TargetFields fields={fields} set={set} problem={problem} />}
      <OftenFields fields={fields} set={set} problem={problem} />
      <TimeInput
        label={t('form.remindAt')}
        hint={t('form.remindAtHint')}
        value={fields.remindAt}
        onChange={remindAt => set({ remindAt })}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}

type PartProps = { fields: HabitFields; set: (part: Partial<HabitFields>) => void; problem: HabitProblem | null };

function TargetFields({ fields, set, problem }: PartProps) {
  const { t, i18n } = useTranslation('habits');
  return (
    <>
      <Segmented
        label={t('form.targetKind')}
        value={fields.targetKind}
        onChange={kind => set({ targetKind: kind === 'at_most' ? 'at_most' : 'at_least' })}
        options={[
          { value: 'at_least', label: t('form.atLeast') },
          { value: 'at_most', label: t('form.atMost') },
        ]}
      />
      <NumberInput
        label={t('form.target')}
        value={fields.target}
        onChange={target => set({ target })}
        locale={i18n.language}
        notANumber={t('amount.notANumber')}
        min={0}
        error={problem === 'targetNeeded' ? t('problem.targetNeeded') : undefined}
      />
      <Input
        label={t('form.unit')}
        hint={t('form.unitHint')}
        value={fields.unit}
        maxLength={40}
        onChange={event => set({ unit: event.target.value })}
      />
    </>
  );
}

function OftenFields({ fields, set, problem }: PartProps) {
  const { t, i18n } = useTranslation('habits');
  const error = problem === 'tooOften' ? t('problem.tooOften') : undefined;
  return (
    <div className="habit-often">
      {fields.kind === 'yes_no' && (
        <NumberInput
          label={t('form.times')}
          value={fields.times}
          onChange={times => set({ times: times ?? 0 })}
          locale={i18n.language}
          notANumber={t('amount.notANumber')}
          min={1}
          max={365}
          steps={{ less: t('amount.less'), more: t('amount.more') }}
        />
      )}
      <NumberInput
        label={t('form.perDays')}
        value={fields.perDays}
        onChange={perDays => set({ perDays: perDays ?? 0 })}
        locale={i18n.language}
        notANumber={t('amount.notANumber')}
        min={1}
        max={365}
        error={error}
        steps={{ less: t('amount.less'), more: t('amount.more') }}
      />
    </div>
  );
}
