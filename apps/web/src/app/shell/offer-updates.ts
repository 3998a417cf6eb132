import i18n from 'i18next';
import { toast } from '@cairn/ui/toast.ts';

/**
 * Keeps the app on this device for offline use, and offers a new version when one has arrived. It is never forced:
 * somebody may be in the middle of an inspection.
 */
export function offerUpdates(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const begin = () => void register();
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}

async function register(): Promise<void> {
  const { Workbox } = await import('workbox-window');
  const worker = new Workbox('/sw.js');
  worker.addEventListener('waiting', () =>
    toast({
      title: i18n.t('update.ready', { ns: 'shell' }),
      sticky: true,
      action: {
        label: i18n.t('update.now', { ns: 'shell' }),
        onPress: () => {
          worker.addEventListener('controlling', () => location.reload());
          worker.messageSkipWaiting();
        },
      },
    }),
  );
  await worker.register();
}
