import { constants, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { compressAnswers, type AnswerVariables } from './compress.ts';

const asked = (body: string, headers: Record<string, string> = { 'Accept-Encoding': 'gzip' }) => {
  const app = new Hono();
  app.use(compressAnswers());
  app.get('/', c => c.body(body, 200, { 'Content-Type': 'application/json' }));
  return app.request('/', { headers });
};
const page = JSON.stringify({
  scopes: {},
  more: true,
  rows: Array.from({ length: 50_000 }, (_, n) => `Row ${n * 7919}`),
});

async function unpacked(answer: Response): Promise<string> {
  return gunzipSync(await answer.arrayBuffer()).toString();
}

test('a large answer comes whole, compressed, without a length that is not its own', async () => {
  const answer = await asked(page);
  expect(answer.headers.get('Content-Encoding')).toBe('gzip');
  expect(answer.headers.get('Content-Length')).toBeNull();
  expect(await unpacked(answer)).toBe(page);
});

test('its head can be read before the rest is there', async () => {
  const body = (await asked(page)).body?.getReader();
  let packed = Buffer.alloc(0);
  let head = '';
  // It may come in pieces.
  while (head.length < 32 * 1024) {
    const { value, done } = (await body?.read()) ?? {};
    expect(done).toBe(false);
    packed = Buffer.concat([packed, value ?? new Uint8Array()]);
    // The beginning of a stream is ten bytes that hold nothing yet.
    if (packed.length > 10) head = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  }
  expect(head.startsWith('{"scopes":{},"more":true,')).toBe(true);
  expect(page.startsWith(head)).toBe(true);
  expect(head.length).toBeLessThan(64 * 1024);
  await body?.cancel();
});

test('an answer of any length comes as it is', async () => {
  for (const length of [1100, 32 * 1024 - 2, 32 * 1024, 32 * 1024 + 1, 700_000]) {
    const body = JSON.stringify('ä'.repeat(Math.floor(length / 2)));
    expect(await unpacked(await asked(body))).toBe(body);
  }
});

test('what is small, or not asked for packed, is not packed', async () => {
  for (const answer of [await asked('{"a":1}'), await asked(page, {})]) {
    expect(answer.headers.get('Content-Encoding')).toBeNull();
    expect(JSON.parse(await answer.text())).toBeTruthy();
  }
});

test('what was answered as bytes comes the same, packed or not', async () => {
  for (const headers of [{ 'Accept-Encoding': 'gzip' }, {}]) {
    const app = new Hono<AnswerVariables>();
    app.use(compressAnswers());
    app.get('/', c => {
      // A part of something larger, as a database's driver hands it out.
      const bytes = new Uint8Array(Buffer.from(`before${page}`)).subarray('before'.length);
      c.set('answered', bytes);
      return new Response(bytes, { headers: { 'Content-Type': 'application/json' } });
    });
    const answer = await app.request('/', { headers });
    expect('Accept-Encoding' in headers ? await unpacked(answer) : await answer.text()).toBe(page);
  }
});

/** An answer of many pieces, and how many of them were asked for. */
function pieces(count: number) {
  const asked = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        asked.pieces += 1;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x61));
        if (asked.pieces === count) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { asked, body };
}

test.each([
  ['/storage/v1/object/media/one.txt', 0],
  ['/storage/v1/object/sign/media/one.txt', 0],
  ['/functions/v1/report', 17],
])('a long text of %s is not held and not packed: it passes on as it is asked for', async (path, most) => {
  const { asked, body } = pieces(100);
  const app = new Hono();
  app.use(compressAnswers());
  app.get('*', c => c.body(body, 200, { 'Content-Type': 'text/plain' }));
  const answer = await app.request(path, { headers: { 'Accept-Encoding': 'gzip' } });
  expect(answer.headers.get('Content-Encoding')).toBeNull();
  expect(asked.pieces).toBeLessThanOrEqual(most);
  expect((await answer.text()).length).toBe(100 * 64 * 1024);
});
