import type { Clock } from '@cairn/base/clock.ts';
import type { Backend, HandOver } from '../transport/backend.ts';
import { BackendError } from '../transport/backend.ts';
import { NUDGE, type Changes } from '../store/changes.ts';
import type { LocalDatabase } from '../store/database.ts';
import {
  bytesHeld,
  contentsFrom,
  contentsOf,
  gatherRescue,
  type CarriedFile,
  type Gathering,
  type RescueContents,
} from './rescue-contents.ts';
import { openRescue, sealRescue, type OpenRescue } from './rescue-format.ts';
import { saysNothing } from '../store/queue-edit.ts';
import { takeRescue, type Taken } from './rescue-take.ts';
import { toPiece } from '../access/tray-piece.ts';

/** A rescue file whose passphrase was given: what it says it holds, and the way to its files. */
export type UnlockedRescue = { contents: RescueContents; file: OpenRescue };

/** The server takes at most this many pieces of work a call. */
const MAX_BROUGHT = 50;
/** By which the server says something of one file. */
const SAID: ReadonlySet<string> = new Set(['refused', 'mismatch', 'too_large']);

/** Unsent work as one file that only its passphrase opens (docs/rescue-file.md). */
export interface Rescue {
  /** Closes everything unsent of this person into a file; it stays in the outbox as well. */
  pack(passphrase: string, given: { email: string; withPrivate: boolean }): Promise<Blob>;
  /** @throws {RescueRefused} when it is no such file, not whole, or the passphrase is another */
  unlock(file: Blob, passphrase: string): Promise<UnlockedRescue>;
  /**
   * Puts the person's own file into this outbox.
   * @throws {RescueRefused} `foreign` for somebody else's
   */
  take(unlocked: UnlockedRescue): Promise<Taken>;
  /**
   * Brings somebody's work for one organisation into its tray, in their name, with its files.
   * @throws {BackendError} `refused` for who may not review that tray; `network` without an answer: doing it again is safe
   */
  bring(unlocked: UnlockedRescue, organizationId: string): Promise<HandOver & { files: number }>;
}

type Place = { db: LocalDatabase; owner: string; device: string; backend: Backend; clock: Clock; changes: Changes };

async function* sectionsOf(db: LocalDatabase, contents: RescueContents): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(JSON.stringify(contents));
  for (const { id } of contents.files) {
    const bytes = await bytesHeld(db, contents.owner.id, id);
    yield bytes ? new Uint8Array(bytes) : new Uint8Array();
  }
}

/** Everything unsent of one person as a file. */
export async function packRescue(db: LocalDatabase, given: Gathering, passphrase: string): Promise<Blob> {
  return sealRescue(passphrase, sectionsOf(db, await gatherRescue(db, given)));
}

/**
 * @param read `wholeContentsFrom` for a file that goes once it was taken
 * @throws {RescueRefused}
 */
export async function unlockRescue(file: Blob, passphrase: string, read = contentsFrom): Promise<UnlockedRescue> {
  const opened = await openRescue(file, passphrase);
  return { file: opened, contents: await contentsOf(opened, read) };
}

/** The rescue file of one person on this device. */
export function openRescueOf({ db, owner, device, backend, clock, changes }: Place): Rescue {
  return {
    pack: (passphrase, { email, withPrivate }) =>
      packRescue(db, { owner: { id: owner, email }, device, now: clock.now(), withPrivate }, passphrase),
    unlock: (file, passphrase) => unlockRescue(file, passphrase),
    take: async ({ file, contents }) => {
      const taken = await takeRescue({ db, owner, emit: names => changes.emit(names) }, file, contents);
      changes.emit([NUDGE]);
      return taken;
    },
    bring: (unlocked, organizationId) => bring(backend, unlocked, organizationId),
  };
}

async function bring(backend: Backend, unlocked: UnlockedRescue, organizationId: string) {
  const { owner, device, entries, files } = unlocked.contents;
  const { signal } = new AbortController();
  const mutations = entries
    .filter(entry => entry.organizationId === organizationId && entry.operation !== 'upload' && !saysNothing(entry))
    .map(entry => toPiece(entry));
  const all: HandOver & { files: number } = { taken: 0, known: [], refused: [], files: 0 };
  for (let at = 0; at < mutations.length; at += MAX_BROUGHT) {
    const part = mutations.slice(at, at + MAX_BROUGHT);
    const answer = await backend.bringWork({ organizationId, author: owner.id, device, mutations: part }, signal);
    all.taken += answer.taken;
    all.known.push(...answer.known);
    all.refused.push(...answer.refused);
  }
  for (const [index, file] of files.entries())
    if (file.organizationId === organizationId && (await sent(backend, file, await unlocked.file.section(index + 1))))
      all.files += 1;
  return all;
}

/** @returns whether the server has it whole now, also from before; not where it does not want it, or has something else under its name */
async function sent(backend: Backend, file: CarriedFile, section: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (section.byteLength !== file.bytes) return false;
  const { signal } = new AbortController();
  // A word about this one file: those behind it go all the same.
  const unlessSaid = (error: unknown) => {
    if (error instanceof BackendError && (SAID.has(error.kind) || error.code === 'not_uploaded')) return false;
    throw error;
  };
  await backend.upload({ ...file, bytes: section.buffer }, () => undefined, signal).catch(unlessSaid);
  // Its record is there already where only the bytes were missing; else it is complete with the acceptance of the work. What the
  // server has whole it takes no second time, and confirms.
  return backend.confirmUpload(file.id, signal).then(({ sha256 }) => sha256 === file.sha256, unlessSaid);
}
