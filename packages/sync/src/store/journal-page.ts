import type { PushResult } from '../transport/backend.ts';
import type { Data, MetaEntry, QueuedEntry } from './stored.ts';

/**
 * What the server has acknowledged lately, as it was sent. A server that was restored from a backup has lost some of it,
 * and the devices are the only ones that still know.
 */
export const JOURNAL = 'journal/';
/** ms an acknowledged edit is kept: longer than any backup lies back. The server's ledger keeps twice as long. */
export const KEPT = 14 * 24 * 60 * 60 * 1000;

/** What of an edit took effect; a disputed field is kept with its conflict, not here. */
function journaledOf(entry: QueuedEntry, result: PushResult | undefined): QueuedEntry | null {
  if (!result || result.st === 'rejected') return null;
  const { unchanged: _same, ...sent } = entry;
  const known: QueuedEntry = { ...sent, acked: result.v, ...(result.unchanged && { unchanged: true }) };
  if (result.st !== 'conflict') return known;
  const conflicted = new Set(result.fields.map(({ f }) => f));
  const kept = (fields: Data) => Object.fromEntries(Object.entries(fields).filter(([name]) => !conflicted.has(name)));
  const data = kept(entry.data);
  if (result.kind !== 'fields' || Object.keys(data).length === 0) return null;
  const taken = { ...known, data, base: kept(entry.base) };
  // The row was somebody else's insert: what was added to it waits for that.
  return entry.operation === 'insert' ? { ...taken, operation: 'update', bv: Math.max(1, result.v - 1) } : taken;
}

/** The journal's page for one answered batch; null when nothing of it was stored by the server. */
export function journalPage(
  batch: readonly QueuedEntry[],
  results: readonly PushResult[],
  { owner, now }: { owner: string; now: number },
): MetaEntry | null {
  const value = batch.flatMap((entry, at) => journaledOf(entry, results[at]) ?? []);
  const [first] = value;
  if (!first) return null;
  const size = JSON.stringify(value.map(({ data, base }) => [data, base])).length;
  return { owner, name: `${JOURNAL}${String(now).padStart(15, '0')}/${size}/${first.mid}`, value };
}
