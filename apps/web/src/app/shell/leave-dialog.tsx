import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { Dialog } from '@cairn/ui/dialog.tsx';
import { workWords } from './sync-words.ts';

type Props = { work: { records: number; files: number }; onWait: () => void; onLeave: () => void };

/** Unsent work at sign-out: never destroyed; wait, or leave it here for one's own next sign-in (product decision 16). */
export function LeaveDialog({ work, onWait, onLeave }: Props) {
  const { t } = useTranslation('shell');
  const { t: tSync } = useTranslation('sync');
  const count = work.records + work.files;
  const what = t('leave.waits', { count, what: workWords(work.records, work.files, tSync) });
  return (
    <Dialog
      open
      onOpenChange={open => !open && onWait()}
      title={t('leave.title', { what })}
      description={t('leave.text', { count })}
      closeLabel={t('close')}
      actions={
        <>
          <Button variant="plain" onClick={onLeave}>
            {t('leave.keep')}
          </Button>
          <Button variant="primary" onClick={onWait}>
            {t('leave.wait')}
          </Button>
        </>
      }
    />
  );
}
