import type { GuestAnswer } from '@cairn/core/guests/guest-reply.ts';
import { answered, sendInTurn, sendPhotos, type OutsideCalls } from '../../shared/server/send-stored.ts';
import { waitingReplies, type WaitingReply } from './waiting-replies.ts';

type SubmitAnswer = (NonNullable<GuestAnswer> & { accepted: boolean }) | null;

async function sendReply(calls: OutsideCalls, word: WaitingReply): Promise<WaitingReply> {
  const args = { p_token: word.token, p_key: word.key, p_reply: word.body };
  const answer = await answered(calls.call<SubmitAnswer>('submit_guest_reply', args), 'refused');
  if (answer === 'refused') return { ...word, state: 'refused' };
  return { ...word, state: answer?.accepted ? 'sent' : 'closed' };
}

async function sendOne(calls: OutsideCalls, waiting: WaitingReply): Promise<void> {
  const word = waiting.state === 'waiting' ? await sendReply(calls, waiting) : waiting;
  await waitingReplies.keep(word);
  if (word.state !== 'sent') return;
  const whole = await sendPhotos(word, { calls, service: 'guests/photo', keep: kept => waitingReplies.keep(kept) });
  // What was said is the organisation's now; only what it did not take is still told here.
  if (whole.photos.every(photo => photo.state === 'sent')) await waitingReplies.forget(whole.key);
}

/**
 * Sends what waits on this phone in the order it was said, each word once: its key makes a repeated call the same one. Tabs take
 * turns where the browser knows how.
 *
 * @returns whether something still waits for a network
 */
export function sendReplies(calls: OutsideCalls): Promise<boolean> {
  return sendInTurn('cairn.guest', { all: () => waitingReplies.all(), send: word => sendOne(calls, word) });
}
