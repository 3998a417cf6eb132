import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { reportError } from '../../shared/errors/report-error.ts';

/** Says that something is saved, with the way back; call it once the device has it. */
export function useSavedProfileToast(): (undo: () => Promise<unknown>) => void {
  const { t } = useTranslation('profile');
  return useCallback(
    undo => {
      const back = () => void undo().catch((error: unknown) => reportError(t('undo'), error));
      toast({ title: t('saved'), action: { label: t('undo'), onPress: back } });
    },
    [t],
  );
}
