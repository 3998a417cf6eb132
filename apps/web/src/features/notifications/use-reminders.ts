import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isQuiet } from '@cairn/core/notifications/quiet-hours.ts';
import { dueReminders, reminders, type Reminder } from '@cairn/core/notifications/reminders.ts';
import { sentenceOf } from '@cairn/core/notifications/sentences.ts';
import { notificationSettings } from '@cairn/core/preferences/preferences.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { toast } from '@cairn/ui/toast.ts';
import { usePreferences } from '../../shared/preferences.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useSyncStatus } from '../../shared/use-sync-status.ts';
import { hoursOf } from './hours.ts';

/** The longest a browser's timer may be set for, ms. */
const LONGEST = 2_000_000_000;

/** Beside the toast: to a person who looks at another window, if they allowed it. */
async function callOut(title: string, { key, path }: Reminder): Promise<void> {
  if (document.visibilityState === 'visible' || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.showNotification(title, { tag: key, data: { path }, icon: '/icons/cairn-192.png' });
}

/**
 * Reminds of what falls due while this device has no network, as long as the app is open: browsers wake no closed page
 * without a push service. With a network the server does it.
 */
export function useReminders(open: (path: string) => void): void {
  const { t, i18n } = useTranslation('notifications');
  const { user } = useSignedIn();
  const planned = useLive(reminders(user.id));
  const { preferences } = usePreferences();
  const isOffline = useSyncStatus()?.online === false;
  const [now, setNow] = useState(Date.now);
  const looked = useRef(now);
  const wanted = notificationSettings(preferences).task_deadlines && !isQuiet(now, hoursOf(preferences));

  useEffect(() => {
    if (planned.status === 'loading') return undefined;
    const { due, next } = dueReminders(planned.answer, { since: looked.current, now });
    looked.current = Math.max(looked.current, now);
    if (isOffline && wanted) {
      for (const each of due) {
        const title = sentenceOf(each.type, { title: each.title }, i18n.language);
        toast({ title, action: { label: t('open'), onPress: () => open(each.path) } });
        void callOut(title, each);
      }
    }
    if (next === null) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(next - Date.now(), 0) + 50, LONGEST));
    return () => clearTimeout(timer);
  }, [planned, now, isOffline, wanted, i18n.language, open, t]);
}
