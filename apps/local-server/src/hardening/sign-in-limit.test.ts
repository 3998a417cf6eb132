import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { createSignInLimit, FAILURES, limitSignIns, WINDOW_MS } from './sign-in-limit.ts';

function limitAt(start: number) {
  const clock = { now: start };
  return { clock, attempt: createSignInLimit(() => clock.now) };
}

type Limit = ReturnType<typeof limitAt>['attempt'];

const fail = (attempt: Limit, key: string, times = FAILURES) => {
  for (let n = 0; n < times; n += 1) expect(attempt(key)).toHaveProperty('takeBack');
};

describe('createSignInLimit', () => {
  test('the failure after the last allowed one waits until the first is old, whatever was tried meanwhile', () => {
    const { clock, attempt } = limitAt(1_000);
    fail(attempt, 'a', 1);
    clock.now += 60_000;
    fail(attempt, 'a', FAILURES - 1);
    expect(attempt('a')).toEqual({ waitMs: WINDOW_MS - 60_000 });
    clock.now = 1_000 + WINDOW_MS - 1;
    expect(attempt('a')).toEqual({ waitMs: 1 });
    clock.now += 1;
    fail(attempt, 'a', 1);
    expect(attempt('a')).toEqual({ waitMs: 60_000 });
  });

  test('one key does not slow another', () => {
    const { attempt } = limitAt(0);
    fail(attempt, 'a');
    fail(attempt, 'b', 1);
  });

  test('sign-ins that go well never add up, not even all in one instant', () => {
    const { attempt } = limitAt(0);
    for (let n = 0; n < FAILURES * 3; n += 1) {
      const tried = attempt('a');
      if ('takeBack' in tried) tried.takeBack();
    }
    fail(attempt, 'a');
    expect(attempt('a')).toHaveProperty('waitMs');
  });

  test('a success takes back itself, not the failures before it', () => {
    const { attempt } = limitAt(0);
    fail(attempt, 'a', FAILURES - 1);
    const good = attempt('a');
    if ('takeBack' in good) good.takeBack();
    fail(attempt, 'a', 1);
    expect(attempt('a')).toHaveProperty('waitMs');
  });

  test('tries that have not been answered yet count', () => {
    const { attempt } = limitAt(0);
    const open = Array.from({ length: FAILURES + 5 }, () => attempt('a'));
    expect(open.filter(tried => 'waitMs' in tried)).toHaveLength(5);
  });

  test('of a flood of keys the one used last is still known', () => {
    const { attempt } = limitAt(0);
    fail(attempt, 'first');
    for (let n = 0; n < 20_000; n += 1) attempt(`flood ${n}`);
    fail(attempt, 'last');
    expect(attempt('last')).toHaveProperty('waitMs');
    expect(attempt('first')).toHaveProperty('takeBack');
  });
});

describe('limitSignIns', () => {
  /** Answers with the status that the request's password names. */
  function app() {
    const hono = new Hono()
      .use(
        '*',
        limitSignIns(() => 0),
      )
      .all('*', async c => {
        const { password } = await c.req.json<{ password: string }>();
        return new Response(null, { status: Number(password) });
      });
    return async (account: object, status: number, path = 'token?grant_type=password', times = 1) => {
      const body = JSON.stringify({ ...account, password: String(status) });
      const statuses: number[] = [];
      for (let n = 0; n < times; n += 1)
        statuses.push((await hono.request(`/auth/v1/${path}`, { method: 'POST', body })).status);
      return new Set(statuses);
    };
  }
  const ann = { email: 'ann@example.test' };

  test('a success and a fault of the server are not counted, however many there are', async () => {
    const ask = app();
    expect(await ask(ann, 200, undefined, FAILURES * 2)).toEqual(new Set([200]));
    expect(await ask(ann, 503, undefined, FAILURES * 2)).toEqual(new Set([503]));
    expect(await ask(ann, 400, undefined, FAILURES)).toEqual(new Set([400]));
    expect(await ask(ann, 200)).toEqual(new Set([429]));
  });

  test('an address written otherwise is the same account, a phone number is an account too', async () => {
    const ask = app();
    await ask(ann, 400, undefined, FAILURES);
    expect(await ask({ email: ' Ann@EXAMPLE.test ' }, 200)).toEqual(new Set([429]));
    expect(await ask({ phone: '+100' }, 400, undefined, FAILURES)).toEqual(new Set([400]));
    expect(await ask({ phone: '+100' }, 200)).toEqual(new Set([429]));
    expect(await ask({ phone: '+200' }, 200)).toEqual(new Set([200]));
  });

  test('another grant, or another call, is neither counted nor held up', async () => {
    const ask = app();
    expect(await ask(ann, 400, 'token?grant_type=refresh_token', FAILURES + 1)).toEqual(new Set([400]));
    expect(await ask(ann, 400, 'recover', FAILURES + 1)).toEqual(new Set([400]));
    await ask(ann, 400, undefined, FAILURES);
    expect(await ask(ann, 200, 'token?grant_type=refresh_token')).toEqual(new Set([200]));
  });
});
