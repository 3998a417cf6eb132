import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import { whileMoving, withDeadline } from './deadline.ts';

const outer = new AbortController();

test('signs of life after the end change nothing', async () => {
  const clock = virtualClock();
  let signal: AbortSignal | null = null;
  let late = () => {};
  await whileMoving(clock, outer.signal, 1000, async (inner, moved) => {
    signal = inner;
    late = moved;
  });
  late();
  clock.advance(2000);
  expect(signal).toMatchObject({ aborted: false });
});

test('a request that ignores its signal is given up all the same', async () => {
  const clock = virtualClock();
  const answer = withDeadline(clock, outer.signal, 1000, () => new Promise<never>(() => undefined));
  clock.advance(1000);
  await expect(answer).rejects.toMatchObject({ kind: 'network', code: 'timeout' });
});

test('who has stopped already asks nothing', async () => {
  let asked = 0;
  const answer = withDeadline(virtualClock(), AbortSignal.abort(new Error('stopped')), 1000, async () => (asked += 1));
  await expect(answer).rejects.toThrow('stopped');
  expect(asked).toBe(0);
});
