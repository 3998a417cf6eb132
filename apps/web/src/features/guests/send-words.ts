import type { GuestAnswer } from '@cairn/core/guests/guest-word.ts';
import { answered, sendInTurn, sendPhotos, type OutsideCalls } from '../../shared/server/send-kept.ts';
import { waitingWords, type WaitingWord } from './waiting-words.ts';

type SubmitAnswer = (NonNullable<GuestAnswer> & { taken: boolean }) | null;

async function sendWord(calls: OutsideCalls, word: WaitingWord): Promise<WaitingWord> {
  const args = { p_token: word.token, p_key: word.key, p_word: word.body };
  const answer = await answered(calls.call<SubmitAnswer>('submit_guest_word', args), 'refused');
  if (answer === 'refused') return { ...word, state: 'refused' };
  return { ...word, state: answer?.taken ? 'sent' : 'closed' };
}

async function sendOne(calls: OutsideCalls, waiting: WaitingWord): Promise<void> {
  const word = waiting.state === 'waiting' ? await sendWord(calls, waiting) : waiting;
  await waitingWords.keep(word);
  if (word.state !== 'sent') return;
  const whole = await sendPhotos(word, { calls, service: 'guests/photo', keep: kept => waitingWords.keep(kept) });
  // What was said is the organisation's now; only what it did not take is still told here.
  if (whole.photos.every(photo => photo.state === 'sent')) await waitingWords.forget(whole.key);
}

/**
 * Sends what waits on this phone in the order it was said, each word once: its key makes a repeated call the same one. Tabs take
 * turns where the browser knows how.
 *
 * @returns whether something still waits for a network
 */
export function sendWords(calls: OutsideCalls): Promise<boolean> {
  return sendInTurn('cairn.guest', { all: () => waitingWords.all(), send: word => sendOne(calls, word) });
}
