import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-for-tests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a password reset asked for through the official client stands in the outbox, with its link', async () => {
  await server.person('Ann');
  const { error } = await server.visitor().auth.resetPasswordForEmail('person1@example.test');
  expect(error).toBeNull();
  type Mail = { to: string; text?: string; html?: string };
  const mails = async (): Promise<Mail[]> => (await fetch(`${server.url}/dev/mail.json`)).json();
  // The answer does not wait for the mail: how long it takes would tell whether the address is known.
  await expect.poll(async () => (await mails()).map(mail => mail.to)).toEqual(['person1@example.test']);
  const [mail] = await mails();
  expect(`${mail?.text}${mail?.html}`).toMatch(/verify\?/);
});
