import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_REASON_LENGTH, sayOfSession, type Outcome } from '@cairn/core/support-circle/plan-session.ts';
import type { ShownSession } from '@cairn/core/support-circle/shown-sessions.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';

type Props = { session: ShownSession; outcome: Exclude<Outcome, 'held'>; onClose: () => void };

/** Says that a planned session was missed or is called off, and why, if one wants to. */
export function OutcomeSheet({ session: { id }, outcome, onClose }: Props) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const [reason, setReason] = useState('');
  const saving = useAction(async () => {
    await store.write('support-circle.say', tx => sayOfSession(tx, { id, by: user.id, outcome, reason }));
    onClose();
  });
  return (
    <FormSheet
      title={t(`sessions.outcome.${outcome}`)}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t(`sessions.say.${outcome}`)}
      busy={saving.busy}
      onSave={() => saving.run()}
    >
      <Textarea
        label={t('sessions.reason')}
        hint={t('sessions.reasonHint')}
        value={reason}
        maxLength={MAX_REASON_LENGTH}
        rows={3}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}
