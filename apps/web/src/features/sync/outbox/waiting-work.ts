import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';

export type WaitingWork = {
  /** Records, as the badge counts them: answers and photos' rows under their inspection, or with their file. */
  items: number;
  /** How many of them are issue reports. */
  reports: number;
  files: number;
};

/** What goes out by itself: what was refused waits for a person and is not among it. */
export function waitingWork(outbox: readonly OutboxItem[]): WaitingWork {
  const waiting = outbox.filter(({ state }) => state !== 'failed');
  const files = waiting.filter(({ kind }) => kind === 'file');
  const withFile = new Set(files.map(({ recordId }) => `media/${recordId}`));
  const records = waiting.filter(({ kind }) => kind === 'record').map(({ aggregateKey }) => aggregateKey);
  const items = [...new Set(records)].filter(aggregateKey => !withFile.has(aggregateKey));
  return {
    items: items.length,
    reports: items.filter(aggregateKey => aggregateKey.startsWith('issue_reports/')).length,
    files: files.length,
  };
}

export type RefusedGroup = [OutboxItem, ...OutboxItem[]];

/** What was refused, together what belongs to one record: one decision each. */
export function refusedWork(outbox: readonly OutboxItem[]): RefusedGroup[] {
  const groups = new Map<string, RefusedGroup>();
  for (const item of outbox.filter(({ state }) => state === 'failed')) {
    const group = groups.get(item.aggregateKey);
    if (group) group.push(item);
    else groups.set(item.aggregateKey, [item]);
  }
  return [...groups.values()];
}
