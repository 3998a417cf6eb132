import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@cairn/ui/feedback/toast.ts';

/** Says so once when the network goes (R4.28); the strip stays for as long as it is away. */
export function useConnectionWarning(): void {
  const { t } = useTranslation('shell');
  useEffect(() => {
    const warn = () => toast({ title: t('offline.lost'), description: t('offline.lostDetail') });
    addEventListener('offline', warn);
    return () => removeEventListener('offline', warn);
  }, [t]);
}
