import { finish } from '../transport/abandon.ts';
import { PHASE } from './changes.ts';
import type { LocalDatabase } from './database.ts';
import type { Fault, FaultCode } from '../transport/fault.ts';
import { ownerRange } from './read-tx.ts';
import { fenced, metaOf, type Session } from './session.ts';

export const PULLED = 'pulled';
export type PullState = { lastPullAt: number };

/** The next round compares digests. */
export const DIGEST_DUE = 'digest_due';
/** At once: a person asked, or something here may be wrong. */
export const DIGEST_ASKED = 'asked';
type DigestRequest = true | typeof DIGEST_ASKED;
const DIGEST = 'digest';
const FAULTS = 'faults';
const MAX_FAULTS = 20;

export type DigestState = {
  /** ms since 1970 */
  at: number;
  /** Whether every scope that was compared is now as on the server. */
  ok: boolean;
  /** Scopes compared. */
  compared: number;
  /** Records put right. */
  repaired: number;
};

/** How sync is, in facts from the device's database alone. Instants in ms since 1970. */
export type Health = {
  oldestPendingAt: number | null;
  lastPullAt: number | null;
  lastDigest: DigestState | null;
  /** Entries set aside for a person to decide. */
  quarantined: number;
  conflicts: number;
  /** The latest first, at most 20. */
  faults: Fault[];
};

export async function healthOf({ db, owner }: { db: LocalDatabase; owner: string }): Promise<Health> {
  const tx = await db.transaction(['sync_queue', 'conflicts', 'meta'], 'readonly');
  const asked = Promise.all([
    tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner)),
    tx.objectStore('conflicts').getAll(ownerRange(owner)),
    metaOf<PullState>(tx, owner, PULLED),
    metaOf<DigestState>(tx, owner, DIGEST),
    metaOf<Fault[]>(tx, owner, FAULTS),
  ]);
  finish(tx);
  const [entries, conflicts, pulled, digest, faults] = await asked;
  return {
    oldestPendingAt: entries.length > 0 ? Math.min(...entries.map(({ timestamp }) => timestamp)) : null,
    lastPullAt: pulled?.lastPullAt ?? null,
    lastDigest: digest ?? null,
    quarantined: entries.filter(({ state }) => state === 'failed').length,
    conflicts: conflicts.filter(({ resolved }) => !resolved).length,
    faults: faults ?? [],
  };
}

/** Keeps a fault on the device and tells whoever listens. */
export async function noteFault(session: Session, code: FaultCode, count: number): Promise<void> {
  const { owner, platform, changes } = session;
  const fault = { code, count, at: platform.clock.now() };
  await fenced(session, { stores: [] }, async tx => {
    const before = (await metaOf<Fault[]>(tx, owner, FAULTS)) ?? [];
    await tx.objectStore('meta').put({ owner, name: FAULTS, value: [fault, ...before].slice(0, MAX_FAULTS) });
  });
  session.report(fault);
  changes.emit([PHASE]);
}

/** ms between two comparisons of digests. */
const DAY = 24 * 60 * 60 * 1000;

/** Whether digests are to be compared: after a reset or a sign-in, and once a day by a clock that may have been set. */
export async function digestDue({ db, owner, platform }: Session): Promise<DigestRequest | false> {
  const tx = await db.transaction(['meta'], 'readonly');
  const [due, last] = await Promise.all([
    metaOf<DigestRequest>(tx, owner, DIGEST_DUE),
    metaOf<DigestState>(tx, owner, DIGEST),
  ]);
  return due ?? (!last || Math.abs(platform.clock.now() - last.at) >= DAY);
}

type DeviceScope = { db: LocalDatabase; owner: string };

export async function askForDigest({ db, owner }: DeviceScope, due: DigestRequest = true): Promise<void> {
  const tx = await db.transaction(['meta'], 'readwrite');
  await tx.objectStore('meta').put({ owner, name: DIGEST_DUE, value: due });
  await tx.done;
}

export async function keepDigest(session: Session, state: DigestState): Promise<void> {
  const { owner } = session;
  await fenced(session, { stores: [] }, async tx => {
    await tx.objectStore('meta').put({ owner, name: DIGEST, value: state });
    await tx.objectStore('meta').delete([owner, DIGEST_DUE]);
  });
  session.changes.emit([PHASE]);
}
