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
  const answer = await fetch(`${server.url}/dev/mail.json`);
  const mails: { to: string; text?: string; html?: string }[] = await answer.json();
  expect(mails.map(mail => mail.to)).toEqual(['person1@example.test']);
  expect(`${mails[0]?.text}${mails[0]?.html}`).toMatch(/verify\?/);
});
