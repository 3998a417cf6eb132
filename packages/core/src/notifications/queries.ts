import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

/** Sorts after every instant. */
const LAST = '\uffff';

export type InboxFilter = {
  /** Every module where left out. */
  module?: string;
  unreadOnly?: boolean;
};

export type Inbox = {
  /** Newest first. */
  rows: Row<'notifications'>[];
  /** How many are not read, by module, of everything that is there; modules without any stand at 0. */
  unread: ReadonlyMap<string, number>;
};

/** What this person was told, newest first, and how much of it is not read. */
export function inbox({ module, unreadOnly = false }: InboxFilter = {}): Query<Inbox> {
  return {
    key: `notifications/inbox/${module ?? 'all'}/${unreadOnly}`,
    tables: ['notifications'],
    async read(tx) {
      const all = (await tx.range('notifications', 'time', '', LAST)).filter(row => row.deleted_at === null);
      const unread = new Map(all.map(row => [row.module, 0]));
      for (const row of all) if (!row.is_read) unread.set(row.module, (unread.get(row.module) ?? 0) + 1);
      const rows = all.filter(row => (!module || row.module === module) && !(unreadOnly && row.is_read));
      return { rows: rows.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at)), unread };
    },
  };
}

/** The figure of the bell. */
export const unreadCount: Query<number> = {
  key: 'notifications/unreadCount',
  tables: ['notifications'],
  read: tx => tx.count('notifications', 'unread', '', LAST),
};

/** What is not read yet, newest first: what the app may call out. */
export const unreadNotifications: Query<Row<'notifications'>[]> = {
  key: 'notifications/unread',
  tables: ['notifications'],
  read: async tx => (await tx.range('notifications', 'unread', '', LAST)).toReversed(),
};

/** A notification as app state mirrors it (R3.29). */
export function asAppNotification(row: Row<'notifications'>) {
  return { id: row.id, timestamp: row.created_at, read: row.is_read, module: row.module };
}
