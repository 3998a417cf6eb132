import { describe, expect, test } from 'vitest';
import { retryGatewayFaults } from './gateway-retry.ts';

const BACKEND = 'https://backend.example.test';
const SIGN_IN = '/auth/v1/token?grant_type=password';

/** A network that answers these one after the other, the last for good; what was asked, and how long was waited. */
function network(...answers: readonly (number | Response)[]) {
  const waited: number[] = [];
  let asked = 0;
  const ask = retryGatewayFaults(
    async () => {
      const answer = answers[Math.min(asked, answers.length - 1)] ?? 200;
      asked += 1;
      return typeof answer === 'number' ? new Response('{}', { status: answer }) : answer;
    },
    async ms => void waited.push(ms),
  );
  const call = async (path: string, method = 'POST') => (await ask(`${BACKEND}${path}`, { method })).status;
  return { call, waited, asked: () => asked };
}

const later = (seconds: number) => new Response('', { status: 503, headers: { 'retry-after': String(seconds) } });

describe('R8.23 an auth call that a gateway answered', () => {
  test('is tried again on 502, 503 and 504, with longer waits, until the server is back', async () => {
    const { call, waited, asked } = network(502, 503, 504, 200);
    expect(await call(SIGN_IN)).toBe(200);
    expect([asked(), waited]).toEqual([4, [200, 400, 800]]);
  });

  test('is handed on as it is after the fourth time, and at once on any other status', async () => {
    const gone = network(504);
    expect([await gone.call(SIGN_IN), gone.asked()]).toEqual([504, 4]);
    for (const status of [200, 400, 429, 500, 501]) {
      const answered = network(status);
      expect([await answered.call(SIGN_IN), answered.asked()]).toEqual([status, 1]);
    }
  });

  test('waits as long as it is asked to, but for five seconds at most', async () => {
    const soon = network(later(2), 200);
    expect([await soon.call(SIGN_IN), soon.waited]).toEqual([200, [2000]]);
    const long = network(later(60));
    expect([await long.call(SIGN_IN), long.asked()]).toEqual([503, 1]);
  });

  test('is asked once where a second time would spend something, or the library tries again itself', async () => {
    for (const path of [
      '/auth/v1/signup',
      '/auth/v1/otp',
      '/auth/v1/verify',
      '/auth/v1/token?grant_type=refresh_token',
      '/rest/v1/x',
    ]) {
      const { call, asked } = network(503);
      expect([await call(path), asked()]).toEqual([503, 1]);
    }
    const read = network(503, 200);
    expect([await read.call('/auth/v1/user', 'GET'), read.asked()]).toEqual([200, 2]);
  });
});
