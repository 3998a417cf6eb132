import { Hono, type Context } from 'hono';
import { expect, test } from 'vitest';
import { placeUntilRead } from './open-answers.ts';

const MB = 1024 * 1024;

type Answer = (c: Context) => Response;

/** Asks for an answer from one address, where the visitors of a network have four places; nobody reads what comes. */
function openApp(answer: Answer) {
  const app = new Hono();
  app.use(placeUntilRead());
  app.get('/', answer);
  let settled: Response[] = [];
  const asked = (count: number, address = '10.0.0.1') =>
    Array.from({ length: count }, async () => {
      const response = await app.request('/', {}, { incoming: { socket: { remoteAddress: address } } });
      settled.push(response);
      return response;
    });
  const giveUp = async () => {
    while (settled.length > 0) {
      const all = settled;
      settled = [];
      await Promise.all(all.map(async ({ body }) => body?.cancel()));
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  return { asked, settled: () => settled.map(({ status }) => status), giveUp };
}

const countOf = (statuses: number[], status: number) => statuses.filter(each => each === status).length;

const servedOf = async (asked: Promise<Response>[]): Promise<number> =>
  countOf(
    (await Promise.all(asked)).map(({ status }) => status),
    200,
  );

test('answers that were made in one piece wait with eight megabytes of a network; whoever comes then is told later', async () => {
  const { asked, settled, giveUp } = openApp(() => new Response(new Uint8Array(MB)));
  const all = asked(20);
  await expect.poll(settled).toHaveLength(12);
  expect([countOf(settled(), 200), countOf(settled(), 429)]).toEqual([4, 8]);
  // Of another network, and once those before were given up.
  expect((await asked(1, '10.0.0.2')[0])?.status).toBe(200);
  await giveUp();
  expect(await servedOf(all)).toBe(12);
  const again = asked(12);
  await giveUp();
  await expect.poll(settled).toHaveLength(4);
  await giveUp();
  expect(await servedOf(again)).toBe(12);
});

test('what many wait for and is kept once for all counts once', async () => {
  const kept = new Uint8Array(6 * MB);
  const pieces = () => {
    let at = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(kept.subarray(at, at + 65_536));
      at += 65_536;
      if (at >= kept.length) controller.close();
    };
    return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  };
  const { asked, settled, giveUp } = openApp(() => new Response(pieces()));
  const all = asked(20);
  await expect.poll(settled).toHaveLength(4);
  await giveUp();
  expect(await servedOf(all)).toBe(20);
});

test('an answer that is made as it is read is not begun before it has its place', async () => {
  const seen = { begun: 0 };
  const { asked, settled, giveUp } = openApp(() => {
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      seen.begun += 1;
      controller.enqueue(new Uint8Array(1024));
      controller.close();
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    return new Response(body, { headers: { 'X-Cairn-Bytes': '1024' } });
  });
  const all = asked(20);
  await expect.poll(settled).toHaveLength(4);
  expect(seen.begun).toBe(0);
  await giveUp();
  expect(await servedOf(all)).toBe(20);
});
