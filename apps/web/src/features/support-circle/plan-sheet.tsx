import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { changeSession, planSession } from '@cairn/core/support-circle/plan-session.ts';
import type { ShownSession } from '@cairn/core/support-circle/shown-sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { DateTimeInput } from '@cairn/ui/controls/date-input.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { isBadLength, LengthField } from './length-field.tsx';
import { instantOfMoment, momentOf } from './session-moment.ts';

type Props = {
  other: string;
  onClose: () => void;
  /** The person plans, and shares no sessions: the other hears nothing of it. */
  isUnshared?: boolean;
} & ({ relationshipId: string; present?: undefined } | { /** The planned one that is moved. */ present: ShownSession });

/** Plans a session by day and time, or moves one, with no signal too. */
export function PlanSheet(props: Props) {
  const { present, other, onClose, isUnshared = false } = props;
  const { t, i18n } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const [moment, setMoment] = useState<string | null>(present ? momentOf(present.at) : null);
  const [minutes, setMinutes] = useState<number | null>(present?.minutes ?? null);
  const [note, setNote] = useState(present?.note ?? '');
  const saving = useAction(async (at: string) => {
    const plan = { at, minutes, note };
    await store.write('support-circle.plan', tx =>
      props.present
        ? changeSession(tx, { id: props.present.id, by: user.id, steps: props.present.steps, ...plan })
        : planSession(tx, { id: newId(), relationshipId: props.relationshipId, authorId: user.id, ...plan }),
    );
    onClose();
  });
  return (
    <FormSheet
      title={t(present ? 'sessions.act.move' : 'sessions.plan')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t(present ? 'sessions.save' : 'sessions.planIt')}
      busy={saving.busy}
      disabled={moment === null || isBadLength(minutes)}
      onSave={() => moment !== null && saving.run(instantOfMoment(moment))}
    >
      {isUnshared && <p className="muted sm">{t('sessions.unshared', { name: other })}</p>}
      <DateTimeInput label={t('sessions.when')} value={moment} locale={i18n.language} onChange={setMoment} />
      <LengthField value={minutes} onChange={setMinutes} />
      <Textarea
        label={t('sessions.about')}
        value={note}
        maxLength={4000}
        rows={3}
        onChange={event => setNote(event.target.value)}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}
