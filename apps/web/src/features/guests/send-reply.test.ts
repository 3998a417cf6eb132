import 'fake-indexeddb/auto';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { guestReplyBody, type GuestAct } from '@cairn/core/guests/guest-reply.ts';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import { type OutsideCalls } from '../../shared/server/send-stored.ts';
import { sendReplies } from './send-reply.ts';
import { waitingReplies, type WaitingReply } from './waiting-replies.ts';

beforeEach(async () => {
  for (const { key } of await waitingReplies.all()) await waitingReplies.forget(key);
});

const aWord = (n: number, act: GuestAct, photos = 0): WaitingReply => {
  const madeAt = `2026-11-21T08:00:0${n}.000Z`;
  return {
    key: String(n).repeat(64),
    token: 'token',
    body: guestReplyBody({ act, text: `Word ${n}`, photos: [], at: madeAt }),
    photos: Array.from({ length: photos }, (_, at) => ({
      bytes: new Uint8Array([n, at]).buffer,
      mime: 'image/jpeg',
      state: 'waiting' as const,
    })),
    madeAt,
    state: 'waiting',
  };
};

type Fault = 'fine' | 'request lost' | 'answer lost';

/** What the database and the service do: one word per key, one photo per key and number, whatever is lost on the way. */
function aServer(faults: readonly Fault[] = [], answer: object | null = { status: 'open', accepted: true }) {
  const kept: string[] = [];
  const photos: string[] = [];
  const queue = [...faults];
  const line = async <A>(act: () => A): Promise<A> => {
    const fault = queue.shift() ?? 'fine';
    if (fault === 'request lost') throw new Failure('offline', 'lost');
    const answered = act();
    if (fault === 'answer lost') throw new Failure('offline', 'lost');
    return answered;
  };
  const once = (list: string[], key: string) => !list.includes(key) && list.push(key);
  const calls: OutsideCalls = {
    call: (_, args) =>
      line(() => {
        once(kept, String(args?.['p_key']).slice(0, 1));
        return answer as never;
      }),
    send: (_, form) =>
      line(() => {
        const [key, number] = form instanceof FormData ? [form.get('key'), form.get('number')] : [];
        if (typeof key !== 'string' || typeof number !== 'string') throw new Error('not what was announced');
        once(photos, `${key.slice(0, 1)}/${number}`);
        return {} as never;
      }),
  };
  return { calls, kept, photos };
}

test('whatever is lost on the way, each word and each photo arrives once, in the order it was said, and is then forgotten', async () => {
  const faults = fc.array(fc.constantFrom<Fault>('fine', 'request lost', 'answer lost'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(faults, async lost => {
      await waitingReplies.keep(aWord(1, 'accept'));
      await waitingReplies.keep(aWord(2, 'done', 2));
      const { calls, kept, photos } = aServer(lost);
      while (await sendReplies(calls));
      expect([kept, photos]).toEqual([
        ['1', '2'],
        ['2/1', '2/2'],
      ]);
      expect(await waitingReplies.all()).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('what a link takes no more is kept and said to be so; it is not tried again by itself', async () => {
  for (const answer of [null, { status: 'revoked', accepted: false }]) {
    await waitingReplies.keep(aWord(1, 'done', 1));
    expect(await sendReplies(aServer([], answer).calls)).toBe(false);
    expect(await waitingReplies.all()).toMatchObject([{ state: 'closed', body: { text: 'Word 1' } }]);
    const { calls, kept } = aServer();
    await sendReplies(calls);
    expect(kept).toEqual([]);
    await waitingReplies.forget('1'.repeat(64));
  }
});

test('a no that was taken is sent, though the link is over with it', async () => {
  await waitingReplies.keep(aWord(1, 'decline'));
  expect(await sendReplies(aServer([], { status: 'declined', accepted: true }).calls)).toBe(false);
  expect(await waitingReplies.all()).toEqual([]);
});

test('a photo that is none is told, and keeps no other back', async () => {
  await waitingReplies.keep(aWord(1, 'done', 2));
  const { calls, photos } = aServer();
  let isFirst = true;
  const send: OutsideCalls['send'] = (service, form) => {
    if (!isFirst) return calls.send(service, form);
    isFirst = false;
    return Promise.reject(new ServerRefusal('wrong_type', 'no picture'));
  };
  expect(await sendReplies({ ...calls, send })).toBe(false);
  expect(photos).toEqual(['1/2']);
  expect(await waitingReplies.all()).toMatchObject([
    { state: 'sent', photos: [{ state: 'refused' }, { state: 'sent' }] },
  ]);
});
