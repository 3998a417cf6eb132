import { useState } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { MOST_STEPS, writeSession, type NextStep } from '@cairn/core/support-circle/sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/button.tsx';
import { DateInput } from '@cairn/ui/date-input.tsx';
import { Input, Textarea } from '@cairn/ui/field.tsx';
import { FormSheet } from '@cairn/ui/form-sheet.tsx';
import { NumberInput } from '@cairn/ui/number-input.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { useToday } from '../../shared/use-today.ts';
import { FailureLine } from '../../shared/failure-line.tsx';

type Props = { relationshipId: string; other: string; onClose: () => void };

const emptyStep = (): NextStep => ({ id: newId(), title: '', due_on: null });

/** Noon of the day it was, unless that is today: then now. */
const instantOf = (day: string, today: string): string =>
  (day === today ? new Date() : new Date(`${day}T12:00:00`)).toISOString();

/** Writes down a session, with no signal too. */
export function SessionSheet({ relationshipId, other, onClose }: Props) {
  const { t, i18n } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const today = useToday();
  const [day, setDay] = useState<string | null>(today);
  const [minutes, setMinutes] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const [steps, setSteps] = useState<NextStep[]>(() => [emptyStep()]);
  const saving = useAction(async () => {
    const session = { id: newId(), relationshipId, authorId: user.id, at: instantOf(day ?? today, today) };
    await store.write('support-circle.session', tx => writeSession(tx, { ...session, minutes, note, steps }));
    onClose();
  });
  const isEmpty = note.trim() === '' && steps.every(({ title }) => title.trim() === '');
  const isBadLength = minutes !== null && (!Number.isInteger(minutes) || minutes < 1 || minutes > 1440);
  return (
    <FormSheet
      title={t('sessions.write')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('sessions.save')}
      busy={saving.busy}
      disabled={isEmpty || isBadLength}
      onSave={() => saving.run()}
    >
      <DateInput label={t('sessions.day')} value={day} locale={i18n.language} onChange={setDay} />
      <NumberInput
        label={t('sessions.length')}
        locale={i18n.language}
        notANumber={t('sessions.badLength')}
        error={isBadLength ? t('sessions.badLength') : undefined}
        value={minutes}
        onChange={setMinutes}
      />
      <Textarea
        label={t('sessions.note')}
        hint={t('sessions.noteHint', { name: other })}
        value={note}
        maxLength={4000}
        rows={5}
        onChange={event => setNote(event.target.value)}
      />
      <StepFields steps={steps} onChange={setSteps} />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}

type StepProps = { steps: readonly NextStep[]; onChange: (steps: NextStep[]) => void };

function StepFields({ steps, onChange }: StepProps) {
  const { t, i18n } = useTranslation('circle');
  const change = (id: string, part: Partial<NextStep>) =>
    onChange(steps.map(step => (step.id === id ? { ...step, ...part } : step)));
  return (
    <>
      {steps.map((step, index) => (
        <fieldset key={step.id} className="circle-step">
          <legend className="label">{t('sessions.step', { number: index + 1 })}</legend>
          <Input
            label={t('sessions.stepTitle')}
            value={step.title}
            maxLength={200}
            onChange={event => change(step.id, { title: event.target.value })}
          />
          <DateInput
            label={t('sessions.stepDue')}
            value={step.due_on}
            locale={i18n.language}
            onChange={due_on => change(step.id, { due_on })}
          />
        </fieldset>
      ))}
      {steps.length < MOST_STEPS && (
        <Button icon={Plus} onClick={() => onChange([...steps, emptyStep()])}>
          {t('sessions.addStep')}
        </Button>
      )}
    </>
  );
}
