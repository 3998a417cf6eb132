import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { LOCK_TOASTS, type LockToast } from './lock-toasts.ts';

/** Says something about the lock. */
export function useLockToast(): (which: LockToast) => void {
  const { t } = useTranslation('lock');
  return useCallback(
    which => {
      const [title, text] = LOCK_TOASTS[which];
      const tone = which === 'success' ? 'plain' : 'bad';
      toast({ title: t(title), tone, ...(text && { description: t(text) }) });
    },
    [t],
  );
}
