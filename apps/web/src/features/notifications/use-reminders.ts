import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '@cairn/base/local-day.ts';
import { growthReminders } from '@cairn/core/notifications/growth-reminders.ts';
import { isQuiet } from '@cairn/core/notifications/quiet-hours.ts';
import { dueReminders, isWanted, reminders, type Reminder } from '@cairn/core/notifications/reminders.ts';
import { sessionReminders } from '@cairn/core/notifications/session-reminders.ts';
import { sentenceOf } from '@cairn/core/notifications/sentences.ts';
import { notificationSettings } from '@cairn/core/preferences/preferences.ts';
import { isWaiting, wellnessSettings } from '@cairn/core/wellness/wellness-settings.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { usePreferences } from '../../shared/session/preferences.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { hoursOf } from './hours.ts';

/** The longest a browser's timer may be set for, ms. */
const MAX_TIMER_MS = 2_000_000_000;

/** Beside the toast: to a person who looks at another window, if they allowed it. */
async function callOut(title: string, { key, path }: Reminder): Promise<void> {
  if (document.visibilityState === 'visible' || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.showNotification(title, { tag: key, data: { path }, icon: '/icons/cairn-192.png' });
}

/** Deadlines and what a person set themselves, the earliest first; null while they are read. What quiet mode holds back is left out. */
function usePlanned(userId: string, zone: string, now: number): readonly Reminder[] | null {
  const tasks = useLive(reminders(userId));
  const growth = useLive(growthReminders(userId, localDay(new Date(now)), zone));
  const sessions = useLive(sessionReminders(userId));
  const settings = useLive(wellnessSettings(userId));
  return useMemo(() => {
    if (tasks.status === 'loading' || growth.status === 'loading') return null;
    if (sessions.status === 'loading' || settings.status === 'loading') return null;
    const rings = tasks.answer.filter(({ at }) => !isWaiting(settings.answer, at));
    return [...rings, ...growth.answer, ...sessions.answer].toSorted((a, b) => a.at - b.at);
  }, [tasks, growth, sessions, settings]);
}

/**
 * Reminds of what falls due while this device has no network, as long as the app is open: browsers wake no closed page
 * without a push service. With a network the server does it.
 */
export function useReminders(open: (path: string) => void): void {
  const { t, i18n } = useTranslation('notifications');
  const { user } = useSignedIn();
  const { preferences } = usePreferences();
  const isOffline = useSyncStatus()?.online === false;
  const [now, setNow] = useState(Date.now);
  const looked = useRef(now);
  // The browser takes a millisecond to say its time zone, and this is drawn with each step of the sync.
  const hours = useMemo(() => hoursOf(preferences), [preferences]);
  const planned = usePlanned(user.id, hours.zone, now);
  const { task_deadlines, wellness_reminders } = notificationSettings(preferences);
  const mayRing = isOffline && !isQuiet(now, hours);

  useEffect(() => {
    if (!planned) return undefined;
    const { due, next } = dueReminders(planned, { since: looked.current, now });
    looked.current = Math.max(looked.current, now);
    if (mayRing) {
      for (const each of due) {
        if (!isWanted(each, { task_deadlines, wellness_reminders })) continue;
        const title = sentenceOf(each.type, { title: each.title, by: each.by }, i18n.language);
        toast({ title, action: { label: t('open'), onPress: () => open(each.path) } });
        void callOut(title, each);
      }
    }
    if (next === null) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(next - Date.now(), 0) + 50, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  }, [planned, now, mayRing, task_deadlines, wellness_reminders, i18n.language, open, t]);
}
