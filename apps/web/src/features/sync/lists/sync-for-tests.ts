import type { TableName } from '@cairn/schema';
import type { Conflict, OutboxItem, SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';

/** A record that waits, new and not tried yet. */
export const waitingItem = (table: TableName, id: string, more: Partial<OutboxItem> = {}): OutboxItem => ({
  key: `record/${table}/${id}`,
  table,
  recordId: id,
  kind: 'record',
  aggregateKey: `${table}/${id}`,
  discardGroup: `${table}/${id}`,
  title: null,
  operation: 'insert',
  edits: 1,
  at: 0,
  state: 'waiting',
  attempts: 0,
  lastError: null,
  bytes: null,
  sentBytes: null,
  detail: null,
  ...more,
});

/** A conflict that is open, of what `of` says. */
export const openConflict = (of: Pick<Conflict, 'id' | 'table' | 'recordId'> & Partial<Conflict>): Conflict => ({
  title: null,
  kind: 'fields',
  fields: [],
  mine: {},
  at: 0,
  resolved: false,
  resolution: null,
  resolvedAt: null,
  written: null,
  ...of,
});

/** With a network, and nothing to say. */
export const quiet: SyncStatus = {
  online: true,
  offlineByChoice: false,
  phase: 'idle',
  pendingItems: 1,
  pendingReports: 0,
  pendingFiles: 0,
  failed: 0,
  conflicts: 0,
  lockedOutbox: false,
  oldestPendingAt: 0,
  lastPullAt: 0,
  firstPull: false,
};

/** What an engine watches, told once. */
export const tells =
  <T>(word: T) =>
  (tell: (word: T) => void) => {
    tell(word);
    return () => {};
  };
