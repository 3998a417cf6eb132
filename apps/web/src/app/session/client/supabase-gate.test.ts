import { afterEach, expect, test, vi } from 'vitest';
import type { Device } from '@cairn/sync/device.ts';
import { AuthRefused } from '../../../shared/auth/auth-flows.ts';
import { SESSION_PLACE } from '../auth/auth-gate.ts';
import { supabaseGate } from './supabase-gate.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type RecordedRequest = { path: string; authorization: string | null; bounded: boolean };
const bodies: unknown[] = [];
/** Method, path and parameters of each. */
const calls: string[] = [];

const SOON = () => Date.now() / 1000 + 3600;
const silence = (_path: string): Promise<Response> => new Promise(() => undefined);

/** A gate for somebody signed in, on a network that never answers unless told what. */
function onSilentNetwork(expiresAt: number, { token = 'a.b.c', factors = [] as object[], answer = silence } = {}) {
  const asked: RecordedRequest[] = [];
  bodies.length = calls.length = 0;
  vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
    const authorization = new Headers(init.headers).get('authorization');
    const { pathname, search } = new URL(input);
    calls.push(`${init.method} ${pathname}${search}`);
    asked.push({ path: pathname, authorization, bounded: init.signal instanceof AbortSignal });
    bodies.push(JSON.parse(typeof init.body === 'string' ? init.body : 'null'));
    return answer(pathname);
  });
  const user = { id: 'sam', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '', factors };
  const session = { access_token: token, refresh_token: 'r', expires_at: expiresAt, expires_in: 3600, user };
  const kept = new Map([[SESSION_PLACE.key as string, JSON.stringify(session)]]);
  const sealedStorage: Device['sealedStorage'] = () => ({
    getItem: async key => kept.get(key) ?? null,
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async key => void kept.delete(key),
  });
  const events = { renewed: () => undefined, lost: () => undefined, updated: () => undefined, ended: () => undefined };
  const config = { backendUrl: 'https://backend.example.test', publishableKey: 'publishable' };
  const gate = supabaseGate({ sealedStorage } as Device, config, events);
  return { gate, kept, asked };
}

test('R7.08 signing out on a silent network takes the session away here and gives the server three seconds', async () => {
  const { gate, kept, asked } = onSilentNetwork(Date.now() / 1000 + 3600);
  await gate.signOut();
  expect([...kept.keys()]).toEqual([]);
  expect(asked).toEqual([{ path: '/auth/v1/logout', authorization: 'Bearer a.b.c', bounded: true }]);
  expect(calls).toEqual(['POST /auth/v1/logout?scope=local']);
});

test('a session that has run out, being renewed over a silent network, is taken away too', async () => {
  const { gate, kept } = onSilentNetwork(1);
  await gate.signOut();
  expect([...kept.keys()]).toEqual([]);
});

test('a kept session that still owes its second step lets nobody in; one that has taken it does', async () => {
  const tokenOf = (aal: string) => `a.${btoa(JSON.stringify({ aal }))}.c`;
  const factors = [{ id: 'f', status: 'verified', factor_type: 'totp' }];
  const soon = Date.now() / 1000 + 3600;
  const half = onSilentNetwork(soon, { token: tokenOf('aal1'), factors });
  expect(await half.gate.verify()).toEqual({ status: 'refused' });
  const whole = onSilentNetwork(soon, { token: tokenOf('aal2'), factors });
  expect(await whole.gate.verify()).toMatchObject({ status: 'valid' });
  const without = onSilentNetwork(soon, { token: tokenOf('aal1') });
  expect(await without.gate.verify()).toMatchObject({ status: 'valid' });
});

test('R7.02 the app signs up with a code challenge: the answer of its email is worth nothing in another browser', async () => {
  const { gate, asked } = onSilentNetwork(Date.now() / 1000 + 3600);
  const given = { fullName: 'Sam', email: 'sam@example.test', password: 'long enough', language: 'en' };
  void gate.flows.signUp({ ...given, returnTo: 'https://app.test/auth/return' });
  await expect.poll(() => asked.map(({ path }) => path)).toContain('/auth/v1/signup');
  expect(bodies[asked.findIndex(({ path }) => path === '/auth/v1/signup')]).toEqual({
    email: 'sam@example.test',
    password: 'long enough',
    data: { full_name: 'Sam', locale: 'en' },
    gotrue_meta_security: {},
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 's256',
  });
});

test('R9.04 the line for news is tried again after 1, 2, 5, then every 10 s', async () => {
  const made: number[] = [];
  /** Nobody answers. */
  class Line extends EventTarget {
    readyState = 0;
    onclose: ((event: unknown) => void) | null = null;
    constructor() {
      super();
      made.push(Date.now());
      queueMicrotask(() => {
        this.readyState = 3;
        this.onclose?.({ code: 1006, reason: '', wasClean: false });
      });
    }
    close(): void {}
    send(): void {}
  }
  vi.useFakeTimers();
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined);
  vi.stubGlobal('WebSocket', Object.assign(Line, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }));
  const { gate } = onSilentNetwork(Date.now() / 1000 + 3600);
  const stop = gate.backendOf('sam').onNudge(['user:sam'], () => undefined);
  await vi.advanceTimersByTimeAsync(40_000);
  stop();
  const pauses = made.slice(1).map((at, n) => at - (made[n] ?? 0));
  expect(pauses).toEqual([1000, 2000, 5000, 10_000, 10_000, 10_000]);
});

test('R7.18 the line for news says every 25 s that it is there, and goes on once that is answered', async () => {
  const beats: number[] = [];
  /** Answers every heartbeat, and takes whatever else it is told. */
  class Line extends EventTarget {
    readyState = 0;
    onopen: (() => void) | null = null;
    onmessage: ((message: { data: string }) => void) | null = null;
    onclose: ((event: unknown) => void) | null = null;
    constructor() {
      super();
      queueMicrotask(() => {
        this.readyState = 1;
        this.onopen?.();
      });
    }
    close(): void {
      this.readyState = 3;
    }
    send(text: string): void {
      const [join, ref, topic, event] = JSON.parse(text) as unknown[];
      if (event !== 'heartbeat') return;
      expect(topic).toBe('phoenix');
      beats.push(Date.now());
      queueMicrotask(() =>
        this.onmessage?.({ data: JSON.stringify([join, ref, topic, 'phx_reply', { status: 'ok' }]) }),
      );
    }
  }
  vi.useFakeTimers();
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined);
  vi.stubGlobal('WebSocket', Object.assign(Line, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }));
  const begun = Date.now();
  const { gate } = onSilentNetwork(SOON());
  const stop = gate.backendOf('sam').onNudge(['user:sam'], () => undefined);
  await vi.advanceTimersByTimeAsync(110_000);
  stop();
  expect(beats.map(at => Math.round((at - begun) / 1000))).toEqual([25, 50, 75, 100]);
});

test.each([401, 403, 404, 500])(
  'R7.08 R8.24 of a sign-out elsewhere, or everywhere, answered %i the app says nothing where the session is gone already, and tells a fault',
  async status => {
    const answer = async () => Response.json({ code: 'session_not_found', message: 'gone' }, { status });
    for (const scope of ['others', 'global'] as const) {
      const { gate } = onSilentNetwork(SOON(), { answer });
      const told = await gate.flows.endSessions(scope).then(
        () => null,
        (error: unknown) => error,
      );
      expect(calls).toEqual([`POST /auth/v1/logout?scope=${scope}`]);
      // A session that is gone already has been signed out; of one that may not be, it is said.
      expect([told === null, told instanceof AuthRefused]).toEqual([status !== 500, status === 500]);
    }
  },
);

test('R7.07 the app asks for a code before an old session changes a password, and sends the change with it', async () => {
  const user = { id: 'sam', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' };
  const { gate } = onSilentNetwork(SOON(), { answer: async () => Response.json(user) });
  await gate.flows.reauthenticate();
  await gate.flows.setPassword('a-long-walk-uphill', ' 123 456 ');
  await gate.flows.changeEmail(' New@Example.test ', 'https://app.test/auth/return');
  expect(calls.filter(call => call !== 'GET /auth/v1/user')).toEqual([
    'GET /auth/v1/reauthenticate',
    'PUT /auth/v1/user',
    'PUT /auth/v1/user?redirect_to=https%3A%2F%2Fapp.test%2Fauth%2Freturn',
  ]);
  expect(bodies.filter(body => body !== null)).toMatchObject([
    { password: 'a-long-walk-uphill', nonce: '123456' },
    { email: 'new@example.test' },
  ]);
});

test('R7.05 R7.10 the app asks for an email anew and for a recovery, links a way in and takes one out', async () => {
  const identity = { identity_id: 'i7', id: '7', provider: 'keycloak', identity_data: { email: 'sam@work.test' } };
  const user = { id: 'sam', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' };
  const body = { ...user, identities: [identity], url: 'https://elsewhere.test' };
  const { gate } = onSilentNetwork(SOON(), { answer: async () => Response.json(body) });
  const [email, back] = ['sam@example.test', 'https://app.test/auth/return'];
  await gate.flows.recover(` Sam@Example.test `, back);
  await gate.flows.resend('signup', email, back);
  await gate.flows.resend('email_change', email, back);
  const where = `redirect_to=${encodeURIComponent(back)}`;
  expect(calls).toEqual([
    `POST /auth/v1/recover?${where}`,
    `POST /auth/v1/resend?${where}`,
    `POST /auth/v1/resend?${where}`,
  ]);
  expect(bodies).toMatchObject([
    { email, code_challenge_method: 's256', gotrue_meta_security: {} },
    { email, type: 'signup' },
    { email, type: 'email_change' },
  ]);

  calls.length = 0;
  await gate.flows.linkIdentity('keycloak', back);
  expect(await gate.flows.identities()).toEqual([{ id: 'i7', provider: 'keycloak', email: 'sam@work.test' }]);
  await gate.flows.unlinkIdentity('i7');
  await gate.flows.unlinkIdentity('somebody else’s');
  expect(calls[0]).toMatch(/^GET \/auth\/v1\/user\/identities\/authorize\?provider=keycloak&redirect_to=/);
  expect(calls.filter(call => !call.startsWith('GET'))).toEqual(['DELETE /auth/v1/user/identities/i7']);
});
