import { expect, test } from 'vitest';
import { onlyOnline } from './only-online.ts';

test('with no network sync is not tried, and fails as a fetch does; all else is left to the browser', async () => {
  const asked: string[] = [];
  let isOnline = false;
  const ask = onlyOnline(
    input => {
      asked.push(typeof input === 'string' ? input : 'other');
      return Promise.resolve(new Response('{}'));
    },
    () => isOnline,
  );
  const digest = 'http://cairn.test/rest/v1/rpc/sync_digest';
  for (const input of [digest, new URL(digest), new Request(digest)])
    await expect(ask(input)).rejects.toBeInstanceOf(TypeError);
  await ask('http://cairn.test/auth/v1/token');
  await ask('http://cairn.test/rest/v1/rpc/read_circle');
  isOnline = true;
  await ask(digest);
  expect(asked).toEqual(['http://cairn.test/auth/v1/token', 'http://cairn.test/rest/v1/rpc/read_circle', digest]);
});
