import { getFixedT } from 'i18next';
import { toast } from '@cairn/ui/toast.ts';

/**
 * Keeps the app on this device for offline use, and offers a new version when one has arrived. It is never forced:
 * somebody may be in the middle of an inspection.
 */
export function offerUpdates(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}

async function register(): Promise<void> {
  const t = getFixedT(null, 'shell');
  const { Workbox } = await import('workbox-window');
  const worker = new Workbox('/sw.js');
  worker.addEventListener('waiting', () =>
    toast({
      title: t('update.ready'),
      sticky: true,
      action: {
        label: t('update.now'),
        onPress: () => {
          worker.addEventListener('controlling', () => location.reload());
          worker.messageSkipWaiting();
        },
      },
    }),
  );
  await worker.register();
}
