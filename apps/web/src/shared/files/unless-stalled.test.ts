import { expect, test } from 'vitest';
import type { Clock } from '@cairn/base/clock.ts';
import { MAX_SILENCE_MS, unlessStalled } from './unless-stalled.ts';

/** A clock that is moved by hand. */
function handClock(): Clock & { pass: (ms: number) => void } {
  let now = 0;
  let waiting: { at: number; callback: () => void }[] = [];
  return {
    now: () => now,
    after(ms, callback) {
      const one = { at: now + ms, callback };
      waiting.push(one);
      return () => {
        waiting = waiting.filter(each => each !== one);
      };
    },
    pass(ms) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
    },
  };
}

test('what makes no progress for 10 seconds is ended, and says so', async () => {
  const clock = handClock();
  let ended = 0;
  const reading = unlessStalled(() => new Promise<never>(() => {}), { clock, end: () => (ended += 1) });
  clock.pass(MAX_SILENCE_MS);
  await expect(reading).rejects.toMatchObject({ name: 'Failure', code: 'stalled' });
  expect(ended).toBe(1);
});

test('each step begins the time anew, and what came is never ended', async () => {
  const clock = handClock();
  let ended = 0;
  const steps: (() => void)[] = [];
  let done: (value: string) => void = () => {};
  const reading = unlessStalled(
    progress => {
      steps.push(progress);
      return new Promise<string>(resolve => (done = resolve));
    },
    { clock, end: () => (ended += 1) },
  );
  clock.pass(MAX_SILENCE_MS - 1);
  steps[0]?.();
  clock.pass(MAX_SILENCE_MS - 1);
  done('read');
  expect(await reading).toBe('read');
  clock.pass(10 * MAX_SILENCE_MS);
  expect(ended).toBe(0);
});
