import { Suspense, lazy, useCallback, useState } from 'react';
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/button.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { keepError } from '../../shared/recent-errors.ts';
import { useSessionController } from '../session/session-context.tsx';

const LeaveDialog = lazy(async () => {
  const { LeaveDialog, texts } = await import('./leave-dialog.tsx');
  await texts;
  return { default: LeaveDialog };
});

/** Signs out at once when everything has arrived; otherwise the person is told what waits, and chooses. */
export function SignOutButton() {
  const { t } = useTranslation('shell');
  const controller = useSessionController();
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<{ records: number; files: number } | null>(null);

  const leave = async (words: string | null = null) => {
    setBusy(true);
    try {
      await controller.signOut(words);
      toast({ title: t('leave.succeeded') });
    } catch (error) {
      keepError(error, t('profile.signOut'), new Date());
      toast({ title: t('leave.failedTitle'), description: t('leave.failed'), tone: 'bad' });
      setBusy(false);
    }
  };
  const hasPassword = useCallback(async () => {
    const state = controller.snapshot();
    return state.status === 'signed_in' && (await controller.opened().dataKeys.held(state.user.id)) !== null;
  }, [controller]);
  const ask = async () => {
    const work = await controller.pendingWork();
    if (work.records + work.files > 0) setWaiting(work);
    else await leave();
  };

  return (
    <>
      <Button icon={LogOut} busy={busy} onClick={() => void ask()}>
        {t('profile.signOut')}
      </Button>
      {waiting && (
        <Suspense fallback={null}>
          <LeaveDialog
            work={waiting}
            hasPassword={hasPassword}
            busy={busy}
            onWait={() => setWaiting(null)}
            onLeave={words => void leave(words)}
          />
        </Suspense>
      )}
    </>
  );
}
