import { finish } from '../transport/abandon.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { KEPT } from '../store/journal-page.ts';
import { LAST } from '../store/read-tx.ts';
import { keyAt } from '../store/record-key.ts';
import { storeOf } from '../store/record.ts';
import { openSeal } from '../crypto/seal.ts';
import type { QueuedEntry } from '../store/stored.ts';

/**
 * One piece of work that lies in the review queue of an organisation this person was removed from. Not what it was called: nothing of what the
 * organisation holds stays on the device of somebody it let go.
 */
export type SubmittedEdit = {
  /** The mutation, as the server knows it. */
  mid: string;
  organizationId: string;
  /** Its name; null where it had left this device before. */
  organization: string | null;
  /** What it belongs to, as `table/id`. */
  aggregateKey: string;
  /** ms since 1970, when the server had it. */
  at: number;
  /** The whole of it, closed by this browser's own key: a server restored from a backup may have lost it. */
  sealed?: string;
};

/** Begins the names under which `meta` keeps them: nothing else is left of them on this device. */
const NOTES = 'submitted/';
const notesOf = (owner: string) => IDBKeyRange.bound([owner, NOTES], [owner, NOTES + LAST]);

type DeviceScope = { db: LocalDatabase; owner: string };

type HandoverContext = { owner: string; organizationId: string; now: number; sealed: ReadonlyMap<string, string> };

/** The words of these entries, by mutation, as nobody but this browser reads them. */
export async function sealedEntries(db: LocalDatabase, entries: readonly QueuedEntry[]): Promise<Map<string, string>> {
  const seal = openSeal(db);
  const sealed = entries.map(async entry => [entry.mid, await seal.close(JSON.stringify(entry))] as const);
  return new Map(await Promise.all(sealed));
}

/** Notes what was handed over, and to whom, while that is still known here. */
export async function noteSubmitted(
  tx: DatabaseTx,
  handing: HandoverContext,
  entries: readonly QueuedEntry[],
): Promise<void> {
  const { owner, organizationId, now, sealed } = handing;
  const organization = await tx
    .objectStore(storeOf('organizations'))
    .get(keyAt(owner, 'organizations', organizationId));
  const name = organization?.data['name'];
  for (const { mid, aggregateKey } of entries) {
    const words = sealed.get(mid);
    const value: SubmittedEdit = {
      mid,
      organizationId,
      organization: typeof name === 'string' ? name : null,
      aggregateKey,
      at: now,
      ...(words !== undefined && { sealed: words }),
    };
    await tx.objectStore('meta').put({ owner, name: NOTES + mid, value });
  }
}

/** What this device has handed over, oldest first. */
export async function submittedEdits({ db, owner }: DeviceScope): Promise<SubmittedEdit[]> {
  const tx = await db.transaction(['meta'], 'readonly');
  const asked = tx.objectStore('meta').getAll(notesOf(owner));
  finish(tx);
  const notes = (await asked).map(({ value }) => value as SubmittedEdit);
  return notes.toSorted((a, b) => a.at - b.at);
}

/** What was handed over of late, whole, with the organisation it is work for. */
export async function submittedEntries(place: DeviceScope, now: number): Promise<QueuedEntry[]> {
  const seal = openSeal(place.db);
  const found: QueuedEntry[] = [];
  for (const { sealed, organizationId, at } of await submittedEdits(place)) {
    const words = sealed === undefined || at < now - KEPT ? null : await seal.open(sealed);
    if (words === null) continue;
    const entry = JSON.parse(words) as QueuedEntry;
    // A key is bytes, which no text carries.
    found.push({ ...entry, record: keyAt(entry.owner, entry.dataType, entry.dataId), organization: organizationId });
  }
  return found;
}

/** Forgets the words of what was handed over long ago, not that it was. */
export async function pruneSubmitted(tx: DatabaseTx, owner: string, now: number): Promise<void> {
  const meta = tx.objectStore('meta');
  for (const note of await meta.getAll(notesOf(owner))) {
    const { sealed, ...edit } = note.value as SubmittedEdit;
    if (sealed !== undefined && edit.at < now - KEPT) await meta.put({ ...note, value: edit });
  }
}
