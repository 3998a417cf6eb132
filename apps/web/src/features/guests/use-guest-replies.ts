import { useCallback } from 'react';
import { guestReplyBody, type GuestAct } from '@cairn/core/guests/guest-reply.ts';
import { submissionKey } from '@cairn/core/issue-reports/public-report.ts';
import type { NewFile } from '@cairn/core/media/keep-file.ts';
import { useSending } from '../../shared/server/use-sending.ts';
import { isOwed, type OutsideCalls } from '../../shared/server/send-stored.ts';
import { sendReplies } from './send-reply.ts';
import { drafts, waitingReplies } from './waiting-replies.ts';

export type GuestEntry = { act: GuestAct; text: string; photos: readonly NewFile[] };

const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));

/** Writes the word down on this phone; from here on it is sent once, whatever happens to the page. */
async function keep(token: string, { act, text, photos }: GuestEntry): Promise<void> {
  const at = new Date().toISOString();
  const announced = photos.map(({ bytes, sha256 }) => ({ bytes: bytes.byteLength, sha256 }));
  const kept = act === 'done' ? photos : [];
  await waitingReplies.keep({
    key: submissionKey(random(32)),
    token,
    body: guestReplyBody({ act, text, photos: announced, at }),
    photos: kept.map(({ bytes, mime }) => ({ bytes, mime, state: 'waiting' })),
    madeAt: at,
    state: 'waiting',
  });
  if (act !== 'accept') await drafts.forget(token);
}

/**
 * What was said behind this link on this phone and has not arrived; sent as soon as there is a network.
 *
 * @param onSent told when something was tried to be sent: what the server shows may be another now
 */
export function useGuestReplies(token: string, calls: () => Promise<OutsideCalls>, onSent: () => void) {
  const send = useCallback(async () => {
    const owed = (await waitingReplies.all()).some(isOwed);
    // A page without a network cannot even load what it would ask with.
    const reached = owed && navigator.onLine ? await calls().catch(() => null) : null;
    if (reached === null) return owed;
    const isLeft = await sendReplies(reached);
    onSent();
    return isLeft;
  }, [calls, onSent]);
  const { rows, sendNow } = useSending(waitingReplies, send);
  const say = async (input: GuestEntry): Promise<void> => {
    await keep(token, input);
    sendNow();
  };
  return { words: rows?.filter(word => word.token === token) ?? null, say, sendNow };
}
