import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import { backOff, RetryLoop } from './retry-loop.ts';

const idle = () => new Promise<void>(resolve => setImmediate(resolve));

/** A loop whose work is counted, on a clock whose timers can be lost, as those of a frozen tab are. */
function aLoop(work: () => Promise<number>, refreshToken: () => Promise<void> = async () => undefined) {
  const clock = virtualClock();
  const state = { rounds: 0, stuck: 0, lostTimers: false, skew: 0 };
  const loop = new RetryLoop({
    clock: {
      now: () => clock.now() + state.skew,
      after: (ms, callback) => (state.lostTimers ? () => undefined : clock.after(ms, callback)),
    },
    random: () => 0.5,
    work: async (_signal, heartbeat) => {
      state.rounds += 1;
      heartbeat();
      return work();
    },
    onPhase: () => undefined,
    onStuck: () => (state.stuck += 1),
    refreshToken,
    offline: () => false,
    onFenced: () => undefined,
  });
  return { loop, clock, state };
}

test('the back-off is up to 1 s after the first failure, doubles with each, ends at 5 min, and is never less than the server asks for', () => {
  expect([1, 2, 3, 9, 10, 20].map(failures => backOff(failures, 1, null))).toEqual([
    1000, 2000, 4000, 256_000, 300_000, 300_000,
  ]);
  expect(backOff(3, 0.25, null)).toBe(1000);
  expect(backOff(1, 0, 30_000)).toBe(30_000);
});

test('no wish lengthens a rest beyond five minutes: after a day that somebody on the way asked for the loop has tried again', async () => {
  const day = 86_400_000;
  const { loop, clock, state } = aLoop(() => Promise.reject(new BackendError('busy', 'portal', '503', day)));
  for (let rounds = 1; rounds <= 3; rounds += 1) {
    await expect.poll(() => loop.isResting()).toBe(true);
    expect(state.rounds).toBe(rounds);
    clock.advance(300_000);
  }
  await loop.stop();
});

test('a rest whose timer was lost ends with the next look, also when the clock was set back meanwhile', async () => {
  for (const skew of [0, -48 * 3_600_000, 48 * 3_600_000]) {
    const { loop, clock, state } = aLoop(async () => 5000);
    state.lostTimers = true;
    await expect.poll(() => loop.isResting()).toBe(true);
    clock.advance(60_000);
    state.skew = skew;
    loop.watch();
    await expect.poll(() => state.rounds).toBe(2);
    await loop.stop();
  }
});

test('work that gives no sign of life for two minutes is begun anew, and that is told', async () => {
  const { loop, clock, state } = aLoop(() => (state.rounds === 1 ? new Promise(() => {}) : Promise.resolve(5000)));
  await expect.poll(() => state.rounds).toBe(1);
  clock.advance(119_000);
  loop.watch();
  expect(state).toMatchObject({ rounds: 1, stuck: 0 });
  clock.advance(2000);
  loop.watch();
  await expect.poll(() => state.rounds).toBe(2);
  expect(state.stuck).toBe(1);
});

test('a token that is never renewed does not keep it waiting for ever', async () => {
  const refused = () => Promise.reject(new BackendError('auth', 'expired'));
  const { loop, clock, state } = aLoop(refused, () => new Promise(() => {}));
  await expect.poll(() => state.rounds).toBe(1);
  clock.advance(121_000);
  loop.watch();
  await expect.poll(() => state.rounds).toBe(2);
  await idle();
});
