import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import { checkGoal, isAnswered, type GoalAnswers } from '@cairn/core/goals/goal-steps.ts';
import type { GoalPage } from '@cairn/core/goals/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

const LEVELS = ['1', '2', '3', '4', '5'] as const;

/** How a goal goes: how far, how sure, what stands in the way, what comes next. Every answer may be left out. */
export function CheckInSheet({ page: { goal, progress }, onClose }: { page: GoalPage; onClose: () => void }) {
  const { t } = useTranslation('goals');
  const store = useStore();
  const [answers, setAnswers] = useState<GoalAnswers>({
    value: progress?.by === 'metric' ? progress.value : null,
    progress: null,
    confidence: null,
    obstacle: '',
    nextStep: '',
  });
  const set = (part: Partial<GoalAnswers>) => setAnswers({ ...answers, ...part });
  const saving = useAction(async () => {
    const now = new Date();
    const check = { id: newId(), goalId: goal.id, day: localDay(now), at: now.toISOString(), answers };
    await store.write('goals.check', tx => checkGoal(tx, check));
    onClose();
  });
  return (
    <FormSheet
      title={t('checkIn.open')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('checkIn.save')}
      busy={saving.busy}
      disabled={!isAnswered(answers)}
      onSave={() => saving.run()}
    >
      <HowFar unit={goal.unit} measured={goal.metric !== null} answers={answers} set={set} />
      <div className="stack">
        <Segmented
          label={t('checkIn.confidence')}
          labelHidden={false}
          block
          value={answers.confidence === null ? null : String(answers.confidence)}
          onChange={value => set({ confidence: Number(value) })}
          options={LEVELS.map(value => ({ value, label: value }))}
        />
        <p className="hint">{t('checkIn.confidenceEnds')}</p>
      </div>
      <Textarea
        label={t('checkIn.obstacle')}
        rows={2}
        value={answers.obstacle}
        maxLength={1000}
        onChange={event => set({ obstacle: event.target.value })}
      />
      <Input
        label={t('checkIn.nextStep')}
        value={answers.nextStep}
        maxLength={300}
        onChange={event => set({ nextStep: event.target.value })}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}

type FarProps = {
  unit: string | null;
  measured: boolean;
  answers: GoalAnswers;
  set: (part: Partial<GoalAnswers>) => void;
};

function HowFar({ unit, measured, answers, set }: FarProps) {
  const { t, i18n } = useTranslation('goals');
  const number = { locale: i18n.language, notANumber: t('form.notANumber') };
  if (measured) {
    return (
      <NumberInput
        {...number}
        label={t('checkIn.value')}
        value={answers.value}
        onChange={value => set({ value })}
        {...(unit !== null && { unit })}
      />
    );
  }
  return (
    <NumberInput
      {...number}
      label={t('checkIn.progress')}
      value={answers.progress}
      onChange={progress => set({ progress: progress === null ? null : Math.round(progress) })}
      min={0}
      max={100}
      unit="%"
    />
  );
}
