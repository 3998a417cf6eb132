import type { WriteTx } from '@cairn/sync/store.ts';

/**
 * Marks notifications read, or unread again; one that is gone or stands so already is passed over. What was read is not
 * mailed any more, once the server hears of it.
 */
export async function markRead(tx: WriteTx, ids: readonly string[], isRead: boolean): Promise<void> {
  for (const id of ids) {
    const row = await tx.get('notifications', id);
    if (row && row.deleted_at === null && row.is_read !== isRead)
      await tx.change('notifications', id, { is_read: isRead });
  }
}

/** Marks everything of a module read, or of every module. Returns the ids it marked, for undo. */
export async function markAllRead(tx: WriteTx, module?: string): Promise<string[]> {
  const unread = await tx.range('notifications', 'unread', '', '\uffff');
  const ids = unread.filter(row => row.deleted_at === null && (!module || row.module === module)).map(row => row.id);
  await markRead(tx, ids, true);
  return ids;
}
