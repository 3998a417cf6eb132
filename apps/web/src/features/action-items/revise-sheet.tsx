import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { sendActionBack } from '@cairn/core/action-items/send-back.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import type { Action } from './action-screen-queries.ts';

/** Asks what is missing before an action item goes back to whoever has it. */
export function ReviseSheet({ item, onClose }: { item: Action; onClose: () => void }) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { userId } = useSpace();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const isEmpty = reason.trim() === '';
  const sending = useAction(async () => {
    const back = { id: item.id, reason, commentId: newId(), by: userId, at: new Date().toISOString() };
    await store.write('action-items.send-back', tx => sendActionBack(tx, back), { together: true });
    toast({ title: t('moved', { status: t('status.needs_revision') }) });
    onClose();
  });
  const save = () => {
    setTried(true);
    if (!isEmpty) sending.run();
  };
  return (
    <FormSheet
      title={t('revise.title')}
      description={t('revise.text')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('revise.send')}
      busy={sending.busy}
      onSave={save}
    >
      <Textarea
        label={t('revise.reason')}
        value={reason}
        maxLength={4000}
        error={tried && isEmpty ? t('revise.reasonNeeded') : undefined}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={sending.failure} />
    </FormSheet>
  );
}
