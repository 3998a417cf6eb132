import { Failure } from '@cairn/base/failure.ts';
import type { GuestAnswer } from '@cairn/core/action-items/guest-word.ts';
import { ServerRefusal, type ServerCalls } from '../../shared/server-calls.ts';
import { waitingWords, type WaitingWord } from './waiting-words.ts';

/** The calls of somebody who is not signed in. */
export type GuestCalls = Pick<ServerCalls, 'call' | 'send'>;

/** What is asked of the server; what it did not want to hear is an answer too. */
async function answered<A, const B>(asked: Promise<A>, refused: B): Promise<A | B> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerRefusal) return refused;
    throw error;
  }
}

type Taken = (NonNullable<GuestAnswer> & { taken: boolean }) | null;

async function sendWord(calls: GuestCalls, word: WaitingWord): Promise<WaitingWord> {
  const args = { p_token: word.token, p_key: word.key, p_word: word.body };
  const answer = await answered(calls.call<Taken>('submit_guest_word', args), 'refused');
  if (answer === 'refused') return { ...word, state: 'refused' };
  return { ...word, state: answer?.taken ? 'sent' : 'closed' };
}

async function sendPhotos(calls: GuestCalls, begun: WaitingWord): Promise<WaitingWord> {
  let word = begun;
  for (const [index, photo] of begun.photos.entries()) {
    if (photo.state !== 'waiting') continue;
    const form = new FormData();
    form.set('key', word.key);
    form.set('number', String(index + 1));
    form.set('photo', new Blob([photo.bytes], { type: photo.mime }), 'photo');
    const isKept = await answered(
      calls.send('guests/photo', form).then(() => true),
      false,
    );
    const done = { ...photo, bytes: new ArrayBuffer(0), state: isKept ? ('sent' as const) : ('refused' as const) };
    word = { ...word, photos: word.photos.with(index, done) };
    await waitingWords.keep(word);
  }
  return word;
}

/** Whether something of it has not arrived and goes by itself. */
export const isOwed = ({ state, photos }: WaitingWord): boolean =>
  state === 'waiting' || (state === 'sent' && photos.some(photo => photo.state === 'waiting'));

async function sendOne(calls: GuestCalls, waiting: WaitingWord): Promise<void> {
  const word = waiting.state === 'waiting' ? await sendWord(calls, waiting) : waiting;
  await waitingWords.keep(word);
  if (word.state !== 'sent') return;
  const whole = await sendPhotos(calls, word);
  // What was said is the organisation's now; only what it did not take is still told here.
  if (whole.photos.every(photo => photo.state === 'sent')) await waitingWords.forget(whole.key);
}

async function sendAll(calls: GuestCalls): Promise<boolean> {
  for (const word of (await waitingWords.all()).filter(isOwed)) {
    try {
      await sendOne(calls, word);
    } catch (error) {
      if (error instanceof Failure) return true;
      throw error;
    }
  }
  return false;
}

/**
 * Sends what waits on this phone in the order it was said, each word once: its key makes a repeated call the same one. Tabs take
 * turns where the browser knows how.
 *
 * @returns whether something still waits for a network
 */
export function sendWords(calls: GuestCalls): Promise<boolean> {
  const { locks }: { locks?: LockManager } = navigator;
  return locks ? locks.request('cairn.guest', () => sendAll(calls)) : sendAll(calls);
}
