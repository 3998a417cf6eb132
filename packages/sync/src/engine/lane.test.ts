import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import { Lane } from './lane.ts';

const idle = () => new Promise<void>(resolve => setImmediate(resolve));

/** A lane whose work is counted, on a clock whose timers can be lost, as those of a frozen tab are. */
function aLane(work: () => Promise<number>, refreshToken: () => Promise<void> = async () => undefined) {
  const clock = virtualClock();
  const state = { rounds: 0, stuck: 0, lostTimers: false, skew: 0 };
  const lane = new Lane({
    clock: {
      now: () => clock.now() + state.skew,
      after: (ms, callback) => (state.lostTimers ? () => undefined : clock.after(ms, callback)),
    },
    random: () => 0.5,
    work: async (_signal, beat) => {
      state.rounds += 1;
      beat();
      return work();
    },
    onPhase: () => undefined,
    onStuck: () => (state.stuck += 1),
    refreshToken,
    offline: () => false,
    onFenced: () => undefined,
  });
  return { lane, clock, state };
}

test('a rest whose timer was lost ends with the next look, also when the clock was set back meanwhile', async () => {
  for (const skew of [0, -48 * 3_600_000, 48 * 3_600_000]) {
    const { lane, clock, state } = aLane(async () => 5000);
    state.lostTimers = true;
    await expect.poll(() => lane.isResting()).toBe(true);
    clock.advance(60_000);
    state.skew = skew;
    lane.watch();
    await expect.poll(() => state.rounds).toBe(2);
    await lane.stop();
  }
});

test('work that gives no sign of life for two minutes is begun anew, and that is told', async () => {
  const { lane, clock, state } = aLane(() => (state.rounds === 1 ? new Promise(() => {}) : Promise.resolve(5000)));
  await expect.poll(() => state.rounds).toBe(1);
  clock.advance(119_000);
  lane.watch();
  expect(state).toMatchObject({ rounds: 1, stuck: 0 });
  clock.advance(2000);
  lane.watch();
  await expect.poll(() => state.rounds).toBe(2);
  expect(state.stuck).toBe(1);
});

test('a token that is never renewed does not keep it waiting for ever', async () => {
  const refused = () => Promise.reject(new BackendError('auth', 'expired'));
  const { lane, clock, state } = aLane(refused, () => new Promise(() => {}));
  await expect.poll(() => state.rounds).toBe(1);
  clock.advance(121_000);
  lane.watch();
  await expect.poll(() => state.rounds).toBe(2);
  await idle();
});
