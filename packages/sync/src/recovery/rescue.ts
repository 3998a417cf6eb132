import type { Clock } from '@cairn/base/clock.ts';
import type { Backend, SubmissionAnswer } from '../transport/backend.ts';
import { BackendError } from '../transport/backend.ts';
import { NUDGE, type Changes } from '../store/changes.ts';
import type { LocalDatabase } from '../store/database.ts';
import { saysNothing } from '../store/queue-edit.ts';
import { sealSnapshot, unsealSnapshot } from './sealed-snapshot.ts';
import type { CarriedFile } from './snapshot-contents.ts';
import { takeSnapshot, type SnapshotImport } from './snapshot-take.ts';
import { filesIn, type Snapshot } from './snapshot.ts';
import { toReviewMutation } from '../access/review-mutation.ts';

/** The server takes at most this many pieces of work a call. */
const MAX_ON_BEHALF = 50;
/** By which the server says something of one file. */
const SAID: ReadonlySet<string> = new Set(['refused', 'mismatch', 'too_large']);

/** Unsent work as one file that only its passphrase opens (docs/rescue-file.md). */
export interface Rescue {
  /** Closes everything unsent of this person into a file; it stays in the outbox as well. */
  pack(passphrase: string, given: { email: string; withPrivate: boolean }): Promise<Blob>;
  /** @throws {RescueRefused} when it is no such file, not whole, or the passphrase is another */
  unlock(file: Blob, passphrase: string): Promise<Snapshot>;
  /**
   * Puts the person's own file into this outbox.
   * @throws {RescueRefused} `foreign` for somebody else's
   */
  take(snapshot: Snapshot): Promise<SnapshotImport>;
  /**
   * Brings somebody's work for one organisation into its review queue, in their name, with its files.
   * @throws {BackendError} `refused` for who may not review that queue; `network` without an answer: doing it again is safe
   */
  submitOnBehalf(snapshot: Snapshot, organizationId: string): Promise<SubmissionAnswer & { files: number }>;
}

type DeviceScope = {
  db: LocalDatabase;
  owner: string;
  device: string;
  backend: Backend;
  clock: Clock;
  changes: Changes;
};

/** The rescue file of one person on this device. */
export function openRescueOf({ db, owner, device, backend, clock, changes }: DeviceScope): Rescue {
  return {
    pack: (passphrase, { email, withPrivate }) =>
      sealSnapshot(db, { owner: { id: owner, email }, device, now: clock.now(), withPrivate }, passphrase),
    unlock: (file, passphrase) => unsealSnapshot(file, passphrase),
    take: async snapshot => {
      const taken = await takeSnapshot({ db, owner, emit: names => changes.emit(names) }, snapshot);
      changes.emit([NUDGE]);
      return taken;
    },
    submitOnBehalf: (snapshot, organizationId) => submitOnBehalf(backend, snapshot, organizationId),
  };
}

async function submitOnBehalf(backend: Backend, snapshot: Snapshot, organizationId: string) {
  const { owner, device, entries } = snapshot.contents;
  const { signal } = new AbortController();
  const mutations = entries
    .filter(entry => entry.organizationId === organizationId && entry.operation !== 'upload' && !saysNothing(entry))
    .map(entry => toReviewMutation(entry));
  const all: SubmissionAnswer & { files: number } = { accepted: 0, known: [], refused: [], files: 0 };
  for (let at = 0; at < mutations.length; at += MAX_ON_BEHALF) {
    const part = mutations.slice(at, at + MAX_ON_BEHALF);
    const answer = await backend.submitOnBehalf({ organizationId, author: owner.id, device, mutations: part }, signal);
    all.accepted += answer.accepted;
    all.known.push(...answer.known);
    all.refused.push(...answer.refused);
  }
  for await (const { file, bytes } of filesIn(snapshot, ({ organizationId: of }) => of === organizationId))
    if (await sent(backend, file, bytes)) all.files += 1;
  return all;
}

/** @returns whether the server has it whole now, also from before; not where it does not want it, or has something else under its name */
async function sent(backend: Backend, file: CarriedFile, section: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (section.byteLength !== file.bytes) return false;
  const { signal } = new AbortController();
  // A word about this one file: those behind it go all the same.
  const unlessRefused = (error: unknown) => {
    if (error instanceof BackendError && (SAID.has(error.kind) || error.code === 'not_uploaded')) return false;
    throw error;
  };
  await backend.upload({ ...file, bytes: section.buffer }, () => undefined, signal).catch(unlessRefused);
  // Its record is there already where only the bytes were missing; else it is complete with the acceptance of the work. What the
  // server has whole it takes no second time, and confirms.
  return backend.confirmUpload(file.id, signal).then(({ sha256 }) => sha256 === file.sha256, unlessRefused);
}
