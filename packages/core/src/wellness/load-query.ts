import { addDays } from '@cairn/base/local-day.ts';
import type { Query } from '@cairn/sync/store.ts';
import { openActionsOf } from '../action-items/queries.ts';
import type { LoadItem } from './load.ts';

/**
 * What a person has open with a date, and what they finished since `from`, in every space they work in. It is read on their
 * device and goes nowhere.
 *
 * @param from YYYY-MM-DD
 */
export function ownWork(userId: string, from: string): Query<LoadItem[]> {
  return {
    key: `wellness/ownWork/${userId}/${from}`,
    tables: ['action_items', 'inspections'],
    async read(tx) {
      const open = (await openActionsOf(tx, userId)).filter(row => row.assignee_id === userId);
      // A day before: a local day begins earlier or later than that of UTC.
      const since = addDays(from, -1);
      const closed = await tx.range('action_items', 'closed', `${userId}/${since}`, `${userId}/\uffff`);
      const finished = (await tx.range('inspections', 'arrived', since, '\uffff')).filter(
        row => row.conducted_by === userId,
      );
      return [
        ...[...open, ...closed]
          .filter(row => row.deleted_at === null)
          .map(row => ({ dueAt: row.due_at, doneAt: row.closed_at })),
        ...finished
          .filter(row => row.deleted_at === null && row.finished_at !== null)
          .map(row => ({ dueAt: null, doneAt: row.finished_at })),
      ];
    },
  };
}
