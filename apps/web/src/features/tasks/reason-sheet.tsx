import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskStatus } from '@cairn/core/tasks/task-status.ts';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

type Props = { task: Task; status: TaskStatus; onClose: () => void };

/** Asks why a task is blocked, or does not apply. */
export function ReasonSheet({ task, status, onClose }: Props) {
  const { t } = useTranslation('tasks');
  const { write } = useTaskChanges();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const isEmpty = reason.trim() === '';
  // It stands open until the device has it: what was written is not lost with a save that fails.
  const saving = useAction(async () => {
    await write(task.id, { status, reason });
    toast({ title: t('moved', { status: t(`status.${status}`) }) });
    onClose();
  });
  const save = () => {
    setTried(true);
    if (!isEmpty) saving.run();
  };
  return (
    <FormSheet
      title={t('reason.title')}
      description={task.title}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t('reason.save')}
      busy={saving.busy}
      onSave={save}
    >
      <Textarea
        label={t(status === 'blocked' ? 'reason.blocked' : 'reason.not_applicable')}
        value={reason}
        maxLength={2000}
        error={tried && isEmpty ? t('reason.needed') : undefined}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={saving.failure} />
    </FormSheet>
  );
}
