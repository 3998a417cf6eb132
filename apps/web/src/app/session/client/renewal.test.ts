import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Device } from '@cairn/sync/device.ts';
import { SESSION_PLACE, type GateEvents } from '../auth/auth-gate.ts';
import { supabaseGate } from './supabase-gate.ts';

const START = Date.UTC(2026, 10, 21, 9);
const DAY_MS = 24 * 3600 * 1000;
const user = {
  id: 'sam',
  email: 'sam@example.test',
  aud: 'authenticated',
  app_metadata: {},
  user_metadata: { full_name: 'Sam Reed' },
  created_at: '',
};

/** Some token with three parts, told apart by its number. */
const token = (n: number): string =>
  [{ alg: 'ES256' }, { sub: 'sam', n }, 'x'].map(part => btoa(JSON.stringify(part)).replaceAll('=', '')).join('.');

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type GateSetup = {
  /** s until the stored token runs out; null: nobody is stored. */
  left: number | null;
  /** ms by which the device's clock is ahead of the server's. */
  ahead?: number;
  /** Statuses the server answers a renewal with before it renews. */
  troubles?: number[];
};

/** A gate over the real client library, and a server that answers as GoTrue does, by its own clock. */
function gateWith({ left, ahead = 0, troubles = [] }: GateSetup) {
  const asked: { at: number; path: string; body: Record<string, unknown>; bearer: string | null }[] = [];
  const waiting = [...troubles];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const { pathname, search } = new URL(input);
    asked.push({
      at: Date.now() - START,
      path: pathname + search,
      body: JSON.parse(typeof init.body === 'string' ? init.body : '{}'),
      bearer: new Headers(init.headers).get('authorization'),
    });
    const trouble = waiting.shift();
    if (trouble !== undefined) return Response.json({ code: 'unexpected_failure', msg: 'down' }, { status: trouble });
    return Response.json({
      access_token: token(asked.length),
      refresh_token: `r${asked.length}`,
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: Math.floor((Date.now() - ahead) / 1000) + 3600,
      user,
    });
  });
  const kept = new Map<string, string>();
  if (left !== null) {
    const stored = { access_token: token(0), refresh_token: 'r0', expires_in: 3600, token_type: 'bearer', user };
    kept.set(SESSION_PLACE.key, JSON.stringify({ ...stored, expires_at: START / 1000 + left }));
  }
  const sealedStorage: Device['sealedStorage'] = () => ({
    getItem: async key => kept.get(key) ?? null,
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async key => void kept.delete(key),
  });
  const heard: string[] = [];
  const events: GateEvents = {
    renewed: ({ sessionToken }) => void heard.push(sessionToken),
    lost: () => void heard.push('lost'),
    updated: () => undefined,
    ended: () => undefined,
  };
  const config = { backendUrl: 'https://backend.example.test', publishableKey: 'publishable' };
  return { gate: supabaseGate({ sealedStorage } as Device, config, events), asked, heard };
}

const RENEWAL = '/auth/v1/token?grant_type=refresh_token';

describe('the token renews itself', () => {
  test('R4.02 near its end, with nobody asking; the new one is kept', async () => {
    const { asked, heard } = gateWith({ left: 600 });
    await vi.advanceTimersByTimeAsync(400_000);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(asked.map(({ path, body }) => [path, body['refresh_token']])).toEqual([[RENEWAL, 'r0']]);
    expect(heard.at(-1)).toBe(token(1));
  });

  test('R9.01 a tick every 30 s renews once no more than 3 ticks remain', async () => {
    // 205 s: the ticks at 30, 60 and 90 s see 5, 4 and 3 whole ticks left.
    const { asked } = gateWith({ left: 205 });
    await vi.advanceTimersByTimeAsync(89_900);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked.map(({ at }) => Math.round(at / 1000))).toEqual([90]);
  });

  test('R9.01 a caller gets a token with 91 s left as it is, one with 89 s renewed', async () => {
    const fresh = gateWith({ left: 91 });
    expect(await fresh.gate.verify()).toMatchObject({ status: 'valid', session: { sessionToken: token(0) } });
    expect(fresh.asked).toEqual([]);
    const old = gateWith({ left: 89 });
    expect(await old.gate.verify()).toMatchObject({ status: 'valid', session: { sessionToken: token(1) } });
    expect(old.asked.map(({ path }) => path)).toEqual([RENEWAL]);
  });

  test('R9.02 a server in trouble is asked again after 200 ms, each time twice as late, for 30 s', async () => {
    const { gate, asked } = gateWith({ left: -60, troubles: Array.from({ length: 20 }, () => 503) });
    const verdict = gate.verify();
    await vi.advanceTimersByTimeAsync(29_900);
    expect(await verdict).toEqual({ status: 'unreachable' });
    const delays = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(delays).toEqual([200, 400, 800, 1600, 3200, 6400, 12_800]);
  });

  test('R9.02 and is heard as soon as it answers', async () => {
    const { gate, asked } = gateWith({ left: -60, troubles: [502, 504] });
    const verdict = gate.verify();
    await vi.advanceTimersByTimeAsync(700);
    expect(await verdict).toMatchObject({ status: 'valid', session: { sessionToken: token(3) } });
    expect(asked).toHaveLength(3);
  });
});

test('R9.11 no request carries a token that was held for more than an hour, however much time is left on it', async () => {
  const { gate, asked } = gateWith({ left: 4 * 3600 });
  const ask = () => gate.calls.call('get_subscription_info', {}).catch(() => null);
  const sent = () => asked.filter(({ path }) => path.startsWith('/rest/')).map(({ bearer }) => bearer);
  await ask();
  await vi.advanceTimersByTimeAsync(3600_000);
  await ask();
  expect(sent()).toEqual([`Bearer ${token(0)}`, `Bearer ${token(0)}`]);
  await vi.advanceTimersByTimeAsync(1);
  await ask();
  expect(sent().slice(2)).not.toContain(`Bearer ${token(0)}`);
});

describe('a device whose clock is wrong', () => {
  test.each([
    ['two days ahead', 2 * DAY_MS],
    ['two days behind', -2 * DAY_MS],
  ])('%s keeps a token for its hour, and renews it then', async (_, ahead) => {
    const { gate, asked } = gateWith({ left: null, ahead });
    await gate.signIn('sam@example.test', 'secret');
    for (let call = 0; call < 5; call++) await gate.verify();
    expect(asked.map(({ path }) => path)).toEqual(['/auth/v1/token?grant_type=password']);
    await vi.advanceTimersByTimeAsync(3600_000);
    expect(asked.map(({ path }) => path)).toEqual(['/auth/v1/token?grant_type=password', RENEWAL]);
  });
});

test('R7.13 the native app signs in at the auth service; session (access token) and user come from its answer', async () => {
  const { gate, asked } = gateWith({ left: null });
  const answer = await gate.signIn('sam@example.test', ' Secret ');
  expect(asked).toMatchObject([
    { path: '/auth/v1/token?grant_type=password', body: { email: 'sam@example.test', password: ' Secret ' } },
  ]);
  expect(answer).toEqual({
    ok: true,
    user: { id: 'sam', email: 'sam@example.test', fullName: 'Sam Reed' },
    session: { sessionToken: token(1), expiresAt: START + DAY_MS, tokenEndsAt: START + 3600_000 },
  });
});
