import { useTranslation } from 'react-i18next';
import type { GoalFields, GoalProblem } from '@cairn/core/goals/save-goal.ts';
import { growthArea, growthAreas } from '@cairn/core/goals/growth-areas.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { DateInput } from '@cairn/ui/controls/date-input.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';

const DIFFICULTIES = ['easy', 'steady', 'hard'] as const;

type Props = { fields: GoalFields; onChange: (fields: GoalFields) => void; problem: GoalProblem | null };

/** What a goal consists of, as questions. */
export function GoalFormFields({ fields, onChange, problem }: Props) {
  const { t, i18n } = useTranslation('goals');
  const { t: tAreas } = useTranslation('welcome');
  const set = (part: Partial<GoalFields>) => onChange({ ...fields, ...part });
  return (
    <>
      <Textarea
        label={t('form.title')}
        hint={t('form.titleHint')}
        rows={2}
        value={fields.title}
        maxLength={300}
        error={problem === 'titleNeeded' ? t('problem.titleNeeded') : undefined}
        onChange={event => set({ title: event.target.value })}
      />
      <Select
        label={t('form.area')}
        value={fields.area}
        choices={growthAreas.map(({ id }) => ({ value: id, label: tAreas(`areas.${id}`) }))}
        onChange={event => set({ area: growthArea(event.target.value)?.id ?? fields.area })}
      />
      <MeasureFields fields={fields} set={set} problem={problem} />
      <DateInput
        label={t('form.due')}
        hint={t('form.dueHint')}
        value={fields.dueOn}
        locale={i18n.language}
        onChange={dueOn => set({ dueOn })}
      />
      <Segmented
        label={t('form.difficulty')}
        labelHidden={false}
        block
        value={fields.difficulty}
        onChange={value => set({ difficulty: DIFFICULTIES.find(each => each === value) ?? null })}
        options={DIFFICULTIES.map(value => ({ value, label: t(`form.${value}`) }))}
      />
      <Textarea
        label={t('form.why')}
        rows={2}
        value={fields.why}
        maxLength={1000}
        onChange={event => set({ why: event.target.value })}
      />
    </>
  );
}

type PartProps = { fields: GoalFields; set: (part: Partial<GoalFields>) => void; problem: GoalProblem | null };

function MeasureFields({ fields, set, problem }: PartProps) {
  const { t, i18n } = useTranslation('goals');
  const number = { locale: i18n.language, notANumber: t('form.notANumber') };
  return (
    <>
      <Input
        label={t('form.metric')}
        hint={t('form.metricHint')}
        value={fields.metric}
        maxLength={100}
        onChange={event => set({ metric: event.target.value })}
      />
      {fields.metric.trim() !== '' && (
        <div className="goal-measure">
          <NumberInput
            {...number}
            label={t('form.baseline')}
            value={fields.baseline}
            onChange={baseline => set({ baseline })}
            error={problem === 'numbersNeeded' ? t('problem.numbersNeeded') : undefined}
          />
          <NumberInput
            {...number}
            label={t('form.target')}
            value={fields.target}
            onChange={target => set({ target })}
          />
          <Input
            label={t('form.unit')}
            value={fields.unit}
            maxLength={40}
            onChange={event => set({ unit: event.target.value })}
          />
        </div>
      )}
    </>
  );
}
