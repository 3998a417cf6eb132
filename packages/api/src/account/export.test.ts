import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { exportPerson } from './export.ts';

const PERSON = `x.${btoa(JSON.stringify({ sub: '00000000-0000-4000-8000-000000000003' })).replaceAll('=', '')}.x`;
const encoder = new TextEncoder();

/** A database whose rows come when the test says so. */
function openExport() {
  let rows: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: controller => void (rows = controller),
    cancel: () => void (isCancelled = true),
  });
  const answer = (url: string): Response =>
    url.includes('/rpc/export_person') ? new Response(body) : Response.json([]);
  const app = new Hono();
  app.get('/account/export', c =>
    exportPerson(c, {
      url: 'https://database.test',
      publishableKey: 'key',
      secretKey: 'none of it is used',
      fetch: async input => answer(input instanceof Request ? input.url : String(input)),
    }),
  );
  return {
    ask: () => app.request('/account/export', { headers: { authorization: `Bearer ${PERSON}` } }),
    arrive: (text: string) => rows?.enqueue(encoder.encode(text)),
    isCancelled: () => isCancelled,
  };
}

const turnOfOthers = () => new Promise<'came'>(resolve => setTimeout(() => resolve('came'), 0));

test('whoever goes away while rows are on their way stops nobody: the rows are let go, and others have their turn', async () => {
  const { ask, arrive, isCancelled } = openExport();
  const answer = await ask();
  expect(answer.status).toBe(200);
  const reader = answer.body?.getReader();
  const first = reader?.read();
  await turnOfOthers();
  const gone = reader?.cancel();
  arrive('{"tasks":[');
  expect(await turnOfOthers()).toBe('came');
  await Promise.all([gone, first]);
  expect(isCancelled()).toBe(true);
});
