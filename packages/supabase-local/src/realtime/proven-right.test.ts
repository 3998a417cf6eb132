import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProvenRight } from './proven-right.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function aRight() {
  const state = { stands: true, asked: 0, lost: 0, told: [] as number[] };
  const right = new ProvenRight({
    prove: async () => {
      state.asked += 1;
      return state.stands;
    },
    onLost: () => (state.lost += 1),
    onError: () => undefined,
  });
  return { state, right, tell: (n: number) => right.whenProven(() => state.told.push(n)) };
}

test('a fresh right tells at once; an old one is asked for once, and what waits keeps its order', async () => {
  const { state, tell } = aRight();
  tell(1);
  expect([state.told, state.asked]).toEqual([[1], 0]);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const n of [2, 3, 4]) tell(n);
  expect(state.told).toEqual([1]);
  await vi.advanceTimersByTimeAsync(0);
  expect([state.told, state.asked]).toEqual([[1, 2, 3, 4], 1]);
});

test('a right that is gone tells nothing more and says so once, also when it is doubted again', async () => {
  const { state, right, tell } = aRight();
  state.stands = false;
  for (let n = 0; n < 5; n += 1) right.doubt();
  await vi.advanceTimersByTimeAsync(250);
  tell(1);
  right.doubt();
  await vi.advanceTimersByTimeAsync(120_000);
  tell(2);
  expect(state).toMatchObject({ told: [], asked: 1, lost: 1 });
});

test('doubts that come together are one question', async () => {
  const { state, right, tell } = aRight();
  for (let n = 0; n < 20; n += 1) right.doubt();
  await vi.advanceTimersByTimeAsync(1000);
  tell(1);
  expect([state.asked, state.told, state.lost]).toEqual([1, [1], 0]);
});
