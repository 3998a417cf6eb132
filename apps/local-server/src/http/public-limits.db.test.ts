import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-for-tests.ts';
import { PUBLIC_RULES } from './public-limits.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ auth: { confirmEmail: false, limitFactor: 1 } });
});
afterAll(() => server.stop());

test('the running server counts what visitors ask by their address, before it looks at what they sent', async () => {
  const path = '/rest/v1/rpc/submit_public_report';
  const ask = () =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { apikey: server.secrets.publishableKey, 'Content-Type': 'application/json' },
      body: '{}',
    });
  const count = PUBLIC_RULES[path]?.count ?? 0;
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await ask()).status);
  expect(statuses).not.toContain(429);
  const refused = await ask();
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true]);
  // Whoever has an account goes on.
  const { client } = await server.person('Ann');
  expect((await client.from('notes').select()).error).toBeNull();
});
