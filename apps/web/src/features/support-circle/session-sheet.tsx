import { useState } from 'react';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { changeSession } from '@cairn/core/support-circle/plan-session.ts';
import { MAX_STEPS, writeSession, type NextStep } from '@cairn/core/support-circle/sessions.ts';
import type { ShownSession } from '@cairn/core/support-circle/shown-sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { DateInput, DateTimeInput } from '@cairn/ui/controls/date-input.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { isBadLength, LengthField } from './length-field.tsx';
import { instantOfMoment, momentOf } from './session-moment.ts';

type Props = { other: string; onClose: () => void } & (
  | { relationshipId: string; present?: undefined }
  | { /** One that was planned or written down. */ present: ShownSession }
);

const emptyStep = (): NextStep => ({ id: newId(), title: '', due_on: null });

/** Noon of the day it was, unless that is today: then now. */
const instantOfDay = (day: string, today: string): string =>
  (day === today ? new Date() : new Date(`${day}T12:00:00`)).toISOString();

/** Keeps what is written: a new session, or the present one as one that was held. */
function useKeepSession(props: Props, written: { minutes: number | null; note: string; steps: readonly NextStep[] }) {
  const store = useStore();
  const { user } = useSignedIn();
  return useAction(async (at: string) => {
    await store.write('support-circle.session', tx =>
      props.present
        ? changeSession(tx, { id: props.present.id, by: user.id, state: 'held', at, ...written })
        : writeSession(tx, { id: newId(), relationshipId: props.relationshipId, authorId: user.id, at, ...written }),
    );
    props.onClose();
  });
}

/** Writes down a session, one that was planned too, or mends what was written; with no signal too. */
export function SessionSheet(props: Props) {
  const { present, other, onClose } = props;
  const { t, i18n } = useTranslation('circle');
  const today = useToday();
  const [when, setWhen] = useState<string | null>(present ? momentOf(present.at) : today);
  const [minutes, setMinutes] = useState<number | null>(present?.minutes ?? null);
  const [note, setNote] = useState(present?.note ?? '');
  const [steps, setSteps] = useState<NextStep[]>(() => (present?.steps.length ? present.steps : [emptyStep()]));
  const saving = useKeepSession(props, { minutes, note, steps });
  // One that was planned may have been held without a word.
  const isEmpty = !present && note.trim() === '' && steps.every(({ title }) => title.trim() === '');
  const at = { label: t(present ? 'sessions.when' : 'sessions.day'), value: when, locale: i18n.language };
  const save = () => saving.run(present && when !== null ? instantOfMoment(when) : instantOfDay(when ?? today, today));
  return (
    <FormSheet
      title={t(present?.state === 'held' ? 'sessions.act.edit' : 'sessions.write')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('sessions.save')}
      busy={saving.busy}
      disabled={isEmpty || isBadLength(minutes) || (present !== undefined && when === null)}
      onSave={save}
    >
      {present ? (
        <DateTimeInput {...at} disabled={present.isSaidByOther} onChange={setWhen} />
      ) : (
        <DateInput {...at} onChange={setWhen} />
      )}
      <LengthField value={minutes} onChange={setMinutes} />
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
      {steps.length < MAX_STEPS && (
        <Button icon={Plus} onClick={() => onChange([...steps, emptyStep()])}>
          {t('sessions.addStep')}
        </Button>
      )}
    </>
  );
}
