import type { QueuedEntry } from '../store/stored.ts';

/** Fields in which a record itself says when its person did it, by their device's clock. */
const ACT_FIELDS = ['signed_at', 'finished_at', 'decided_at', 'written_at', 'reported_at', 'opened_at'] as const;

/** ms; pressing and saving are one act. What is further off was typed, or is of an act before. */
const ONE_ACT = 60_000;

/** The instant an edit says of itself; null where it says none. */
function actTimeIn({ data, timestamp }: Pick<QueuedEntry, 'data' | 'timestamp'>): number | null {
  const instants = ACT_FIELDS.flatMap(field => {
    const value = data[field];
    const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return at <= timestamp && timestamp - at <= ONE_ACT ? [at] : [];
  });
  return instants.length === 0 ? null : Math.max(...instants);
}

/**
 * When a person did what these edits say, by the `timestamp` of an edit: what was saved together was done at one instant, the
 * one that its records show ("finished 10:15:07"); where they show none, it is when it was saved. In ms since 1970.
 */
export function actedAt(entries: readonly Pick<QueuedEntry, 'data' | 'timestamp'>[]): ReadonlyMap<number, number> {
  const acts = new Map<number, number>();
  for (const entry of entries) {
    const stated = actTimeIn(entry);
    if (stated !== null) acts.set(entry.timestamp, Math.max(stated, acts.get(entry.timestamp) ?? stated));
  }
  return acts;
}
