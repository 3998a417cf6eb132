import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import { keptForAll, PacedResponse } from './paced-response.ts';
import type { ReadingLimits } from './reader-time.ts';
import { oneInHand } from './requests-in-hand.ts';
import { UnsentAnswers } from './unsent-answers.ts';

const MB = 1024 * 1024;
const LARGE = new Uint8Array(2 * MB).map((_, at) => at % 251);
/** More than the system keeps of a connection nobody reads. */
const HUGE = Buffer.alloc(16 * MB);
const PATIENT: ReadingLimits = { stallMs: 15_000, graceMs: 60_000, bytesPerSecond: 32 * 1024, openMs: 3_600_000 };

let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  server?.close();
});

type ServerOptions = { limits?: ReadingLimits; most?: { network: number; all: number } };

/** Answers every request with what `answer` makes. */
async function serve(answer: () => Response, { limits = PATIENT, most }: ServerOptions = {}) {
  const unsent = new UnsentAnswers(most);
  const listener = getRequestListener(() => {
    begun.count += 1;
    return Promise.resolve(answer());
  });
  const [begun, closed] = [{ count: 0 }, { count: 0 }];
  const made = createServer({ ServerResponse: PacedResponse, keepAliveTimeout: 60_000 });
  made.on('connection', socket => socket.once('close', () => void (closed.count += 1)));
  const mayBegin = oneInHand(made);
  made.on('request', (request, response: PacedResponse) => {
    if (!mayBegin(request, response)) return;
    response.pace(unsent, limits);
    void listener(request, response);
  });
  server = made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return { port: (made.address() as AddressInfo).port, unsent, begun, closed };
}

function asks(port: number, requests = 1): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(requests));
  return socket;
}

const inPieces = () =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < LARGE.length; at += 300_000) controller.enqueue(LARGE.subarray(at, at + 300_000));
      controller.close();
    },
  });

test.each([
  ['one text', () => new Response('x'.repeat(300_000)), 300_000],
  ['bytes that are kept', () => new Response(keptForAll(LARGE)), LARGE.length],
  ['a stream', () => new Response(inPieces()), LARGE.length],
  ['nothing', () => new Response(null, { status: 204 }), 0],
  ['little', () => new Response('{}'), 2],
])('%s comes whole, one request after another on one connection', async (_, answer, length) => {
  const { port, unsent } = await serve(answer);
  for (let n = 0; n < 3; n += 1) {
    const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [AsyncIterable<Buffer>];
    const came = Buffer.concat(await Array.fromAsync(response));
    expect(came.length).toBe(length);
    expect(length !== LARGE.length || came.equals(LARGE)).toBe(true);
  }
  await expect.poll(() => unsent.bytes).toBe(0);
});

test('whoever sends a second request before the first is answered is hung up on, and no third is begun', async () => {
  const { port, begun } = await serve(() => new Response(keptForAll(LARGE)));
  const socket = asks(port, 300);
  socket.resume();
  await once(socket, 'close');
  expect(begun.count).toBe(1);
});

test('answers that nobody reads keep so much and no more: whoever has waited longest is hung up on', async () => {
  const most = { network: MB, all: 40 * MB };
  const { port, unsent, begun, closed } = await serve(() => new Response(Buffer.from(HUGE)), { most });
  for (let n = 1; n <= 6; n += 1) {
    asks(port);
    await expect.poll(() => begun.count).toBe(n);
    expect(unsent.bytes).toBeLessThanOrEqual(40 * MB);
  }
  await expect.poll(() => closed.count).toBeGreaterThan(0);
});

test('what is kept for all is not counted', async () => {
  const bytes = keptForAll(Buffer.from(HUGE));
  const { port, unsent, begun } = await serve(() => new Response(bytes));
  for (let n = 0; n < 6; n += 1) asks(port);
  await expect.poll(() => begun.count).toBe(6);
  expect(unsent.bytes).toBeLessThan(MB);
});

test('who takes nothing of a large answer is hung up on after their time; who reads it is not', async () => {
  const limits = { ...PATIENT, stallMs: 1000 };
  const { port, unsent, closed } = await serve(() => new Response(Buffer.from(HUGE)), { limits });
  asks(port);
  const reads = asks(port);
  let came = 0;
  reads.on('data', data => void (came += data.length));
  reads.resume();
  await expect.poll(() => came, { timeout: 10_000 }).toBeGreaterThan(HUGE.length);
  await expect.poll(() => closed.count, { timeout: 10_000 }).toBe(1);
  expect(unsent.bytes).toBe(0);
  expect(reads.closed).toBe(false);
});
