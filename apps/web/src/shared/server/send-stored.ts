import { Failure } from '@cairn/base/failure.ts';
import { ServerRefusal, type ServerCalls } from './server-calls.ts';

/** The calls of somebody who is not signed in. */
export type OutsideCalls = Pick<ServerCalls, 'call' | 'send'>;

/** A photo of theirs; its bytes are empty once it has arrived, or was refused. */
export type WaitingPhoto = {
  bytes: ArrayBuffer;
  mime: string;
  /** `refused`: the server said that it is no picture it takes. */
  state: 'waiting' | 'sent' | 'refused';
};

/** What somebody without an account said, as this phone keeps it until all of it has arrived. */
type Submission = { key: string; state: string; photos: readonly WaitingPhoto[] };

/** What is asked of the server; what it did not want to hear is an answer too. */
export async function answered<A, const B>(asked: Promise<A>, refused: B): Promise<A | B> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerRefusal) return refused;
    throw error;
  }
}

/** Whether something of it has not arrived and goes by itself. */
export const isOwed = ({ state, photos }: Submission): boolean =>
  state === 'waiting' || (state === 'sent' && photos.some(photo => photo.state === 'waiting'));

/** Brings the photos that wait to a service, one by one, and keeps after each how far it is. */
export async function sendPhotos<K extends Submission>(
  begun: K,
  { calls, service, keep }: { calls: OutsideCalls; service: string; keep: (kept: K) => Promise<void> },
): Promise<K> {
  let kept = begun;
  for (const [index, photo] of begun.photos.entries()) {
    if (photo.state !== 'waiting') continue;
    const form = new FormData();
    form.set('key', kept.key);
    form.set('number', String(index + 1));
    form.set('photo', new Blob([photo.bytes], { type: photo.mime }), 'photo');
    const isKept = await answered(
      calls.send(service, form).then(() => true),
      false,
    );
    const done: WaitingPhoto = { ...photo, bytes: new ArrayBuffer(0), state: isKept ? 'sent' : 'refused' };
    kept = { ...kept, photos: kept.photos.with(index, done) };
    await keep(kept);
  }
  return kept;
}

/**
 * Sends what is owed, in its order. Tabs take turns by the lock's name, where the browser knows how.
 *
 * @returns whether something still waits for a network
 */
export function sendInTurn<K extends Submission>(
  lock: string,
  { all, send }: { all: () => Promise<readonly K[]>; send: (kept: K) => Promise<void> },
): Promise<boolean> {
  const sendAll = async (): Promise<boolean> => {
    for (const kept of (await all()).filter(isOwed)) {
      try {
        await send(kept);
      } catch (error) {
        if (error instanceof Failure) return true;
        throw error;
      }
    }
    return false;
  };
  const { locks }: { locks?: LockManager } = navigator;
  return locks ? locks.request(lock, sendAll) : sendAll();
}
