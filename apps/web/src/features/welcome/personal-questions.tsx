import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Lock } from 'lucide-react';
import type { Row } from '@cairn/schema';
import { personalPlan } from '@cairn/core/onboarding/first-run.ts';
import { growthCategories, type GrowthCategory } from '@cairn/core/goals/growth-areas.ts';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useAnswerPersonal, useChooseReminder } from './use-set-up.ts';

const GOAL_LENGTH = 200;
const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

type Props = StepProps & { playbook: Row<'playbooks'>; reminder: string };

/** The area of life, one goal, and when to be reminded. */
export function PersonalQuestions({ playbook, reminder, onSkip, onDone }: Props) {
  const { t } = useTranslation('welcome');
  const [plan] = useState(() => personalPlan(playbook.settings));
  const [focus, setFocus] = useState<GrowthCategory | null>(
    () => growthCategories.find(each => each === plan.focus) ?? null,
  );
  const [goal, setGoal] = useState(plan.goal ?? '');
  const [time, setTime] = useState(reminder);
  const [tried, setTried] = useState(false);
  const answering = useAnswerPersonal(playbook.id, onDone);
  const answer = () =>
    focus !== null && isTime(time) ? answering.run({ focus, goal, reminder: time }) : setTried(true);
  return (
    <StepFrame
      title={t('personal.title')}
      go={t('next')}
      onGo={answer}
      onSkip={onSkip}
      busy={answering.busy}
      failure={answering.failure}
    >
      <div>
        <Pill icon={Lock}>{t('personal.private')}</Pill>
      </div>
      <RadioCards
        label={t('personal.focus')}
        value={focus}
        onChange={value => setFocus(growthCategories.find(each => each === value) ?? null)}
        error={tried && focus === null ? t('company.needed') : undefined}
        options={growthCategories.map(value => ({ value, label: t(`categories.${value}`) }))}
      />
      <Input
        label={t('personal.goal')}
        hint={t('personal.goalHint')}
        value={goal}
        maxLength={GOAL_LENGTH}
        onChange={event => setGoal(event.target.value)}
      />
      <ReminderInput value={time} onChange={setTime} tried={tried} />
    </StepFrame>
  );
}

type ReminderProps = { value: string; onChange: (time: string) => void; tried: boolean };

function ReminderInput({ value, onChange, tried }: ReminderProps) {
  const { t } = useTranslation('welcome');
  return (
    <Input
      type="time"
      label={t('personal.reminder')}
      value={value}
      error={tried && !isTime(value) ? t('personal.reminderBad') : undefined}
      onChange={event => onChange(event.target.value)}
    />
  );
}

/** For somebody whose company is set up already: only their own reminder. */
export function GuestQuestion({ reminder, onSkip, onDone }: StepProps & { reminder: string }) {
  const { t } = useTranslation('welcome');
  const [time, setTime] = useState(reminder);
  const [tried, setTried] = useState(false);
  const choosing = useChooseReminder(onDone);
  return (
    <StepFrame
      title={t('guest.title')}
      text={t('guest.text')}
      go={t('next')}
      onGo={() => (isTime(time) ? choosing.run(time) : setTried(true))}
      onSkip={onSkip}
      busy={choosing.busy}
      failure={choosing.failure}
    >
      <ReminderInput value={time} onChange={setTime} tried={tried} />
    </StepFrame>
  );
}
