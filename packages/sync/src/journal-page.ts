import type { PushResult } from './backend.ts';
import type { MetaEntry, QueuedEntry } from './stored.ts';

/**
 * What the server has acknowledged lately, as it was sent. A server that was restored from a backup has lost some of it,
 * and the devices are the only ones that still know.
 */
export const JOURNAL = 'journal/';

/** The journal's page for one answered batch; null when nothing of it was stored by the server. */
export function journalPage(
  batch: readonly QueuedEntry[],
  results: readonly PushResult[],
  { owner, now }: { owner: string; now: number },
): MetaEntry | null {
  const value = batch.filter((_entry, at) => results[at] && results[at].st !== 'rejected');
  const [first] = value;
  if (!first) return null;
  const size = JSON.stringify(value.map(({ data, base }) => [data, base])).length;
  return { owner, name: `${JOURNAL}${String(now).padStart(15, '0')}/${size}/${first.mid}`, value };
}
