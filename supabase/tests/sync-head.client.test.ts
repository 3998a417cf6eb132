import { randomUUID } from 'node:crypto';
import type { PageHead, PullRequest } from '@cairn/sync/transport/backend.ts';
import { onlyOurAnswers } from '@cairn/sync/transport/our-answers.ts';
import { supabaseBackend } from '@cairn/sync/transport/supabase-backend.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveWorld, type Client, type ServedWorld } from './people-by-client.ts';

/** A page of changes as it comes, the whole way: client, local server, session, database. */
let served: ServedWorld;
let publishableKey: string;
beforeAll(async () => {
  served = await serveWorld();
  const config = (await (await fetch(`${served.url}/config.json`)).json()) as { publishableKey: string };
  publishableKey = config.publishableKey;
});
afterAll(() => served.stop());

const { signal } = new AbortController();
const request = (part: Partial<PullRequest> = {}): PullRequest => ({
  cursors: {},
  device: randomUUID(),
  limit: 1000,
  ...part,
});

const backendOf = (client: Client, ask: typeof fetch = fetch) =>
  supabaseBackend(client, { url: served.url, publishableKey, ask: onlyOurAnswers(ask) });

test.each([1, 1000])('the head of a page of at most %i changes is told, and is that of the page', async limit => {
  const heads: PageHead[] = [];
  let moves = 0;
  const told = { onHead: (head: PageHead) => heads.push(head), onMoved: () => (moves += 1) };
  const page = await backendOf(served.clients.owner).pull(request({ limit, ...told }), signal);
  expect(heads).toEqual([{ scopes: page.scopes, more: page.more }]);
  expect(page.more).toBe(limit === 1);
  expect(moves).toBeGreaterThan(0);
  // Without a line of its own the same page comes, untold.
  const through = await supabaseBackend(served.clients.owner).pull(request({ limit }), signal);
  expect({ ...through, now: '' }).toEqual({ ...page, now: '' });
});

test('refusals keep their kind and code; nobody who is signed out asks', async () => {
  const owner = backendOf(served.clients.owner);
  await expect(owner.pull(request({ limit: 0 }), signal)).rejects.toMatchObject({ kind: 'refused', code: '22023' });
  await expect(backendOf(served.clients.visitor).pull(request(), signal)).rejects.toMatchObject({ kind: 'auth' });
});

test.each<[string, typeof fetch, string]>([
  ['no network', () => Promise.reject(new TypeError('fetch failed')), 'network'],
  ['a portal', async () => new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html' } }), 'network'],
  ['half a page', async () => Response.json({ scopes: {} }).text().then(brokenOff), 'network'],
  ['a text that is no page', async () => Response.json('a word'), 'network'],
  ['a busy gateway', async () => new Response('wait', { status: 503 }), 'busy'],
])('%s is told apart', async (_, ask, kind) => {
  const line = backendOf(served.clients.owner, ask);
  await expect(line.pull(request(), signal)).rejects.toMatchObject({ name: 'BackendError', kind });
});

const brokenOff = (text: string) =>
  new Response(text.slice(0, -1), { headers: { 'content-type': 'application/json' } });

test('a session that has ended on the server, and a limit it names, are heard as through the client', async () => {
  const ended = { code: 'PGRST303', message: 'JWT expired', details: null, hint: null };
  const ends = backendOf(served.clients.owner, async () => Response.json(ended, { status: 401 }));
  await expect(ends.pull(request(), signal)).rejects.toMatchObject({ kind: 'auth', code: 'PGRST303' });
  const many = { code: 'PT429', message: 'Too many requests at once', details: null, hint: null };
  const waits = backendOf(served.clients.owner, async () => Response.json(many, { status: 429 }));
  await expect(waits.pull(request(), signal)).rejects.toMatchObject({ kind: 'busy', code: 'PT429' });
});

test.each(['before it is answered', 'while it comes'])(
  'who stops %s is not told that the network failed',
  async when => {
    const controller = new AbortController();
    const stop = () => controller.abort(new Error('stopped'));
    const stops = backendOf(served.clients.owner, async (input, init) => {
      if (when !== 'while it comes') stop();
      return fetch(input, init);
    });
    await expect(stops.pull(request({ onMoved: stop }), controller.signal)).rejects.toThrow('stopped');
  },
);
