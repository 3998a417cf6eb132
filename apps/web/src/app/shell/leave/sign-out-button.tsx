import { useState } from 'react';
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { keepError } from '../../../shared/errors/recent-errors.ts';
import { useSessionController } from '../../session/session-context.tsx';
import { useLeaveQuestion } from './use-leave-question.tsx';

/** Signs out at once when everything has arrived; otherwise the person is told what waits, and chooses. */
export function SignOutButton() {
  const { t } = useTranslation('shell');
  const controller = useSessionController();
  const [busy, setBusy] = useState(false);
  const { ask, question } = useLeaveQuestion();

  const leave = async () => {
    const leaving = await ask();
    if (!leaving) return;
    setBusy(true);
    try {
      await controller.signOut(leaving.words);
      toast({ title: t('leave.succeeded') });
    } catch (error) {
      keepError(error, t('profile.signOut'), new Date());
      toast({ title: t('leave.failedTitle'), description: t('leave.failed'), tone: 'bad' });
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon={LogOut} busy={busy} onClick={() => void leave()}>
        {t('profile.signOut')}
      </Button>
      {question}
    </>
  );
}
