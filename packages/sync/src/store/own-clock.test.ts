import { expect, test } from 'vitest';
import { endsByOwnClock } from './own-clock.ts';

const answering = (body: unknown, status = 200) =>
  endsByOwnClock(async () => Response.json(body, { status, headers: { 'x-sent': 'kept' } }));
const session = { access_token: 'a.b.c', refresh_token: 'r', expires_in: 3600, expires_at: 1_795_000_000 };

test.each(['token?grant_type=password', 'token?grant_type=refresh_token', 'verify', 'signup', 'factors/f1/verify'])(
  'a session of %s comes without the instant of its end, whole otherwise',
  async path => {
    const answer = await answering(session)(`https://b.test/auth/v1/${path}`, { method: 'POST' });
    const { expires_at: _, ...rest } = session;
    expect(await answer.json()).toEqual(rest);
    expect([answer.status, answer.headers.get('x-sent')]).toEqual([200, 'kept']);
  },
);

test('a refusal, another answer of auth and every other service pass as they are', async () => {
  const refusal = await answering(session, 400)('https://b.test/auth/v1/token', {});
  expect(await refusal.json()).toEqual(session);
  const user = await answering({ id: 'u', expires_at: 5 })(new URL('https://b.test/auth/v1/signup'));
  expect(await user.json()).toEqual({ id: 'u', expires_at: 5 });
  const row = await answering([session])('https://b.test/rest/v1/token');
  expect(await row.json()).toEqual([session]);
});
