import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { dismissRecurrence } from '@cairn/core/action-items/decide-recurrence.ts';
import type { Proposal } from '@cairn/core/action-items/recurrence-queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';

/** Asks why nothing is done about what recurs. */
export function DismissSheet({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const { t } = useTranslation('actions');
  const store = useStore();
  const { organization, userId } = useSpace();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const isEmpty = reason.trim() === '';
  const dismissing = useAction(async () => {
    await store.write('action-items.dismiss', tx =>
      dismissRecurrence(tx, {
        id: newId(),
        organizationId: organization.id,
        recurrence: proposal,
        reason,
        by: userId,
        at: new Date().toISOString(),
      }),
    );
    toast({ title: t('again.dismissed') });
    onClose();
  });
  const save = () => {
    setTried(true);
    if (!isEmpty) dismissing.run();
  };
  return (
    <FormSheet
      title={t('again.dismissTitle')}
      description={t('again.dismissText')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('again.dismiss')}
      busy={dismissing.busy}
      onSave={save}
    >
      <Textarea
        label={t('again.reason')}
        value={reason}
        maxLength={2000}
        error={tried && isEmpty ? t('again.reasonNeeded') : undefined}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={dismissing.failure} />
    </FormSheet>
  );
}
