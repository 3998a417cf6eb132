import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { choiceMatrix } from '@cairn/core/notifications/choices.ts';
import { unreadNotifications } from '@cairn/core/notifications/queries.ts';
import { isQuiet } from '@cairn/core/notifications/quiet-hours.ts';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAppState } from '../../shared/app-state/app-state-store.ts';
import { usePreferences } from '../../shared/session/preferences.ts';
import { useSyncStatus } from '../../shared/sync/use-sync-status.ts';
import { hoursOf } from './hours.ts';
import { useSentence } from './notification-row.tsx';

/** More than this many at once (after hours without signal) are told as a number. */
const ONE_BY_ONE = 2;

/**
 * Calls out what arrives while the app is open: not what was there before, not in quiet hours but for safety and
 * security, and not what the person switched off.
 */
export function useIncomingNotifications(open: (path: string) => void): void {
  const { t } = useTranslation('notifications');
  const unread = useLive(unreadNotifications);
  const matrix = useLive(choiceMatrix);
  const { preferences } = usePreferences();
  const sentence = useSentence();
  const isInApp = useAppState(state => state.systemSettings.notifications.inApp);
  const isFirstPull = useSyncStatus()?.firstPull ?? true;
  const known = useRef<Set<string> | null>(null);

  useEffect(() => {
    if (unread.status === 'loading' || matrix.status === 'loading') return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...unread.answer.map(row => row.id)]);
    // The first read is what was there; the first pull brings the past.
    if (before === null || isFirstPull) return;
    const lines = new Map(matrix.answer.map(line => [line.type.key, line]));
    const quiet = isQuiet(Date.now(), hoursOf(preferences));
    const isHeard = ({ type }: Row<'notifications'>) => {
      const line = lines.get(type);
      return line?.fixed === true || (isInApp && !quiet && line?.cadence.app === 'immediate');
    };
    const arrived = unread.answer.filter(row => !before.has(row.id) && isHeard(row));
    const way = (path: string) => ({ label: t('open'), onPress: () => open(path) });
    if (arrived.length > ONE_BY_ONE) {
      toast({ title: t('arrived', { count: arrived.length }), action: way('/notifications') });
    } else for (const row of arrived) toast({ title: sentence(row), action: way(row.path) });
  }, [unread, matrix, preferences, isInApp, isFirstPull, sentence, open, t]);
}
