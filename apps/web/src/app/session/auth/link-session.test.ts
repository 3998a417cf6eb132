import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { lookAtCode, lookAtTokens } from './link-session.ts';

const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '');
const tokenOf = (sub: string, endsIn = 3600): string =>
  `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ sub, exp: Math.floor(Date.now() / 1000) + endsIn })}.sig`;
const userNamed = (id: string) => ({
  id,
  email: `${id}@example.test`,
  aud: 'authenticated',
  app_metadata: {},
  user_metadata: { full_name: id },
  created_at: '',
});

/** A server that knows sam and eve by their tokens, and one code by its verifier; and this device, on which sam is signed in. */
function deviceOfSam() {
  const answer = (body: object, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const sessionOf = (id: string) => ({
    access_token: tokenOf(id),
    refresh_token: `fresh-${id}`,
    expires_in: 3600,
    token_type: 'bearer',
    user: userNamed(id),
  });
  const ask = (async (input: string, init: RequestInit) => {
    const { pathname, search } = new URL(input);
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, string>) : {};
    if (pathname.endsWith('/user')) {
      const token = new Headers(init.headers).get('authorization')?.slice(7) ?? '';
      const sub = (JSON.parse(atob(token.split('.')[1] ?? '')) as { sub: string; exp: number }).sub;
      return sub === 'gone' ? answer({ error_code: 'session_not_found', msg: 'x' }, 403) : answer(userNamed(sub));
    }
    if (search.includes('refresh_token')) {
      const id = (body['refresh_token'] ?? '').replace('fresh-', '').replace('of-', '');
      return answer(sessionOf(id));
    }
    if (body['code_verifier'] === 'kept' && body['auth_code'] === 'mine') return answer(sessionOf('sam'));
    return answer({ error_code: 'bad_code_verifier', msg: 'x' }, 400);
  }) as unknown as typeof fetch;
  const kept = new Map([
    ['cairn.session', JSON.stringify({ ...sessionOf('sam'), expires_at: Math.floor(Date.now() / 1000) + 3600 })],
    ['cairn.session-code-verifier', '"kept/recovery"'],
  ]);
  const storage = {
    getItem: async (key: string) => kept.get(key) ?? null,
    setItem: async (key: string, value: string) => void kept.set(key, value),
    removeItem: async (key: string) => void kept.delete(key),
  };
  const clientOver = (over: typeof storage, storageKey: string) =>
    createClient('https://backend.example.test', 'publishable', {
      auth: { storage: over, storageKey, detectSessionInUrl: false, autoRefreshToken: false, flowType: 'pkce' },
      global: { fetch: ask },
    });
  const client = clientOver(storage, 'cairn.session');
  return { kept, parts: { client, storage, linkClient: clientOver } };
}

test('looking whose link it is changes nothing on this device, and the person is never "asked for"', async () => {
  const { kept, parts } = deviceOfSam();
  const before = [...kept];
  const guest = await lookAtTokens(parts, { accessToken: tokenOf('eve'), refreshToken: 'of-eve' });
  expect(guest).toMatchObject({ user: { id: 'eve', email: 'eve@example.test' }, isAskedFor: false });
  expect([...kept]).toEqual(before);
});

test('a link whose session is over does not end the session of this device', async () => {
  const { kept, parts } = deviceOfSam();
  const before = [...kept];
  const looking = lookAtTokens(parts, { accessToken: tokenOf('gone'), refreshToken: 'of-eve' });
  await expect(looking).rejects.toMatchObject({ refusal: { kind: 'signed_out' } });
  expect([...kept]).toEqual(before);
});

test('once agreed to, the link brings its person in; with the refresh token of another, nobody', async () => {
  const { kept, parts } = deviceOfSam();
  const before = [...kept];
  const mixed = await lookAtTokens(parts, { accessToken: tokenOf('sam'), refreshToken: 'of-eve' });
  await expect(mixed.enter()).rejects.toMatchObject({ refusal: { kind: 'link_unusable' } });
  expect([...kept]).toEqual(before);
  const eve = await lookAtTokens(parts, { accessToken: tokenOf('eve'), refreshToken: 'of-eve' });
  expect((await eve.enter()).user.id).toBe('eve');
  expect(kept.get('cairn.session')).toContain('fresh-eve');
});

test('a code this browser asked for is taken, and still brings nobody in before `enter`', async () => {
  const { kept, parts } = deviceOfSam();
  const session = kept.get('cairn.session');
  const guest = await lookAtCode(parts, 'mine');
  expect(guest).toMatchObject({ user: { id: 'sam' }, isAskedFor: true, recovery: true });
  expect(kept.get('cairn.session')).toBe(session);
  expect(kept.has('cairn.session-code-verifier')).toBe(false);
});

test("a stranger's code is refused, and does not use up what this browser keeps for its own", async () => {
  const { kept, parts } = deviceOfSam();
  const before = [...kept];
  await expect(lookAtCode(parts, 'strange')).rejects.toMatchObject({ refusal: { kind: 'other_browser' } });
  expect([...kept]).toEqual(before);
});
