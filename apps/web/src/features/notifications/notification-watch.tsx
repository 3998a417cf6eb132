import { useEffect } from 'react';
import { useSignedIn } from '../../shared/session/session.ts';
import { usePushServer } from '../../shared/server/push-server.ts';
import { keepPush } from './browser-push.ts';
import { useIncomingNotifications } from './use-incoming-notifications.ts';
import { useReminders } from './use-reminders.ts';

/**
 * Calls out what arrives and what falls due while somebody is signed in. Shows nothing itself; mount it once.
 *
 * @param open goes to a path of the app; the same function on every render
 */
export function NotificationWatch({ open }: { open: (path: string) => void }) {
  const server = usePushServer();
  const { user } = useSignedIn();
  useIncomingNotifications(open);
  useReminders(open);
  useEffect(() => {
    void keepPush(server);
  }, [server, user.id]);
  useEffect(() => {
    const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    if (!worker) return undefined;
    // A message of push-worker.js: somebody pressed a notification outside the page.
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'object' || data === null || !('type' in data) || !('path' in data)) return;
      if (data.type === 'cairn.open' && typeof data.path === 'string') open(data.path);
    };
    worker.addEventListener('message', hear);
    return () => worker.removeEventListener('message', hear);
  }, [open]);
  return null;
}
