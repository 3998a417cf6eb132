import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { Failure } from '@cairn/base/failure.ts';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import { type OutsideCalls } from '../../shared/server/send-stored.ts';
import { sendWaiting } from './send-waiting.ts';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

beforeEach(async () => {
  for (const { key } of await waitingReports.all()) await waitingReports.forget(key);
});

const aReport = (n: number, photos = 0): WaitingReport => ({
  key: String(n).repeat(64),
  token: 'token',
  place: null,
  body: {
    severity: 'low',
    text: `Report ${n}`,
    name: null,
    contact: null,
    photos: [],
    look_up_hash: 'a'.repeat(64),
    reported_at: '2026-11-21T08:00:00.000Z',
  },
  photos: Array.from({ length: photos }, (_, at) => ({
    bytes: new Uint8Array([n, at]).buffer,
    mime: 'image/jpeg',
    state: 'waiting' as const,
  })),
  code: 'ABCD-EFGH-JKMN',
  madeAt: `2026-11-21T08:00:0${n}.000Z`,
  state: 'waiting',
  reference: null,
});

/** What the database and the service do: one report per key, one photo per key and number, whatever is lost on the way. */
function aServer(faults: readonly ('fine' | 'request lost' | 'answer lost')[] = []) {
  const kept = new Map<string, unknown>();
  const photos = new Map<string, number>();
  const queue = [...faults];
  const line = async <A>(act: () => A): Promise<A> => {
    const fault = queue.shift() ?? 'fine';
    if (fault === 'request lost') throw new Failure('offline', 'lost');
    const answer = act();
    if (fault === 'answer lost') throw new Failure('offline', 'lost');
    return answer;
  };
  const calls: OutsideCalls = {
    call: (_, args) =>
      line(() => {
        const key = String(args?.['p_key']);
        if (!kept.has(key)) kept.set(key, args?.['p_report']);
        return { reference: `P-${key.slice(0, 4)}-${key.slice(0, 4)}` } as never;
      }),
    send: (_, form) =>
      line(() => {
        if (!(form instanceof FormData)) throw new Error('no form');
        const [key, number] = [form.get('key'), form.get('number')];
        if (typeof key !== 'string' || typeof number !== 'string') throw new Error('not what was announced');
        if (!kept.has(key)) throw new ServerRefusal('not_found', 'no report');
        photos.set(`${key}/${number}`, (photos.get(`${key}/${number}`) ?? 0) + 1);
        return { stored: true } as never;
      }),
  };
  return { calls, kept, photos };
}

describe("what waits on a visitor's phone", () => {
  test('arrives whole and once, whichever requests and answers are lost on the way', async () => {
    const faults = fc.array(fc.constantFrom('fine', 'request lost', 'answer lost'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(faults, fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }), async (lost, photos) => {
        for (const { key } of await waitingReports.all()) await waitingReports.forget(key);
        const server = aServer(lost);
        for (const [n, count] of photos.entries()) await waitingReports.keep(aReport(n + 1, count));
        for (let round = 0; (await sendWaiting(server.calls)) && round < 20; round += 1);
        expect([...server.kept.keys()].toSorted()).toEqual(photos.map((_, n) => String(n + 1).repeat(64)));
        expect(server.photos.size).toBe(photos.reduce((sum, count) => sum + count, 0));
        const left = await waitingReports.all();
        expect(left.map(({ state, body }) => [state, body])).toEqual(photos.map(() => ['sent', null]));
        expect(
          left.flatMap(report => report.photos).every(({ state, bytes }) => state === 'sent' && bytes.byteLength === 0),
        ).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('says that something still waits as long as there is no network, and loses nothing', async () => {
    const server = aServer(['request lost']);
    await waitingReports.keep(aReport(1, 1));
    expect(await sendWaiting(server.calls)).toBe(true);
    expect(await waitingReports.all()).toEqual([aReport(1, 1)]);
    expect(await sendWaiting(server.calls)).toBe(false);
  });

  test('is kept where the code is closed or the server refuses, and is not sent again by itself', async () => {
    for (const [n, answer] of [
      [1, () => Promise.resolve(null)],
      [2, () => Promise.reject(new ServerRefusal('22023', 'no report'))],
    ] as const) {
      await waitingReports.keep(aReport(n));
      const server = aServer();
      await sendWaiting({ ...server.calls, call: answer as OutsideCalls['call'] });
      await sendWaiting(server.calls);
      expect(server.kept.size).toBe(0);
    }
    const left = await waitingReports.all();
    expect(left.map(({ state, body }) => [state, body?.text])).toEqual([
      ['closed', 'Report 1'],
      ['refused', 'Report 2'],
    ]);
  });

  test('a photo the server takes for none does not hold up the others', async () => {
    const server = aServer();
    await waitingReports.keep(aReport(1, 2));
    let first = true;
    const send: OutsideCalls['send'] = (service, form) => {
      if (!first) return server.calls.send(service, form);
      first = false;
      return Promise.reject(new ServerRefusal('wrong_type', 'no picture'));
    };
    expect(await sendWaiting({ ...server.calls, send })).toBe(false);
    const [report] = await waitingReports.all();
    expect(report?.photos.map(({ state }) => state)).toEqual(['refused', 'sent']);
  });
});
