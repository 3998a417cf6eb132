import { useCallback } from 'react';
import { markAllRead, markRead } from '@cairn/core/notifications/mark-read.ts';
import { inbox, unreadCount, type InboxFilter } from '@cairn/core/notifications/queries.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';

/** What the person was told, and how they keep track of it. */
export function useInbox(filter: InboxFilter) {
  const store = useStore();
  const told = useLive(inbox(filter));
  const mark = useCallback(
    (ids: readonly string[], isRead: boolean) => store.write('notifications.mark', tx => markRead(tx, ids, isRead)),
    [store],
  );
  const markAll = useCallback(
    (module?: string) => store.write('notifications.markAll', tx => markAllRead(tx, module)),
    [store],
  );
  return { told, mark, markAll };
}

/** The figure of the bell: 0 while the device is still read. */
export function useUnreadCount(): number {
  const live = useLive(unreadCount);
  return live.status === 'ready' ? live.answer : 0;
}
