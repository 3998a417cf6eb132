import type { Query } from '@cairn/sync/store.ts';
import type { Reminder } from './reminders.ts';

const HOUR_MS = 3_600_000;

/**
 * An hour before each planned session on this device, in a relationship that is active: what `circle.sweep_sessions` tells with a
 * network.
 */
export function sessionReminders(userId: string): Query<Reminder[]> {
  return {
    key: `notifications/sessionReminders/${userId}`,
    tables: ['circle_sessions', 'circle_relationships', 'notifications'],
    async read(tx) {
      const pairs = (await tx.all('circle_relationships')).filter(row => row.state === 'active' && !row.deleted_at);
      const told: Reminder[] = [];
      for (const { id: pair, subject_id, subject_name, helper_name } of pairs) {
        const name = subject_id === userId ? helper_name : subject_name;
        for (const row of await tx.range('circle_sessions', 'relationship', `${pair}/`, `${pair}/\uffff`)) {
          const at = Date.parse(row.at) - HOUR_MS;
          if (row.state !== 'planned' || row.deleted_at !== null || Date.parse(row.created_at) >= at) continue;
          const key = `${row.id}/circle.session_soon`;
          const known = await tx.range('notifications', 'subject', key, key);
          if (known.some(each => Date.parse(each.created_at) >= at)) continue;
          const path = `/support-circle/${pair}`;
          const by = name === null ? {} : { by: name };
          const type = 'circle.session_soon' as const;
          told.push({ key: `${key}/${at}`, type, subjectId: row.id, title: '', ...by, path, at });
        }
      }
      return told.toSorted((a, b) => a.at - b.at);
    },
  };
}
