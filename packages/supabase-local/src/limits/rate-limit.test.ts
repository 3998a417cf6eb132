import { describe, expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

const RULE = { count: 30, windowMs: 300_000 };

function limitAt(start: number) {
  const clock = { now: start };
  return { clock, attempt: createRateLimit(RULE, () => clock.now) };
}

type Limit = ReturnType<typeof limitAt>['attempt'];

const fail = (attempt: Limit, key: string, times = RULE.count) => {
  for (let n = 0; n < times; n += 1) expect(attempt(key)).toHaveProperty('takeBack');
};

describe('createRateLimit', () => {
  test('the try after the last allowed one waits until the first is old, whatever was tried meanwhile', () => {
    const { clock, attempt } = limitAt(1_000);
    fail(attempt, 'a', 1);
    clock.now += 60_000;
    fail(attempt, 'a', RULE.count - 1);
    expect(attempt('a')).toEqual({ waitMs: RULE.windowMs - 60_000 });
    clock.now = 1_000 + RULE.windowMs - 1;
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

  test('tries that are taken back never add up, not even all in one instant', () => {
    const { attempt } = limitAt(0);
    for (let n = 0; n < RULE.count * 3; n += 1) {
      const tried = attempt('a');
      if ('takeBack' in tried) tried.takeBack();
    }
    fail(attempt, 'a');
    expect(attempt('a')).toHaveProperty('waitMs');
  });

  test('a try takes back itself, not those before it', () => {
    const { attempt } = limitAt(0);
    fail(attempt, 'a', RULE.count - 1);
    const good = attempt('a');
    if ('takeBack' in good) good.takeBack();
    fail(attempt, 'a', 1);
    expect(attempt('a')).toHaveProperty('waitMs');
  });

  test('tries that have not been answered yet count', () => {
    const { attempt } = limitAt(0);
    const open = Array.from({ length: RULE.count + 5 }, () => attempt('a'));
    expect(open.filter(tried => 'waitMs' in tried)).toHaveLength(5);
  });

  test('of a flood of keys the one that waits, and the one used last, are still known', () => {
    const { attempt } = limitAt(0);
    fail(attempt, 'first');
    for (let n = 0; n < 20_000; n += 1) attempt(`flood ${n}`);
    fail(attempt, 'last');
    expect(attempt('last')).toHaveProperty('waitMs');
    expect(attempt('first')).toHaveProperty('waitMs');
  });
});
