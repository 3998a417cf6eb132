import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenIdle } from './use-idle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('what nobody sees waits until the start of the page is over', () => {
  vi.spyOn(performance, 'now').mockReturnValue(1200);
  const begun = vi.fn<() => void>();
  whenIdle(begun);
  vi.advanceTimersByTime(1799);
  expect(begun).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(begun).toHaveBeenCalledOnce();
});

test('later it does not wait, and can be taken back', () => {
  vi.spyOn(performance, 'now').mockReturnValue(60_000);
  const [kept, takenBack] = [vi.fn<() => void>(), vi.fn<() => void>()];
  whenIdle(kept);
  whenIdle(takenBack)();
  vi.advanceTimersByTime(1);
  expect(kept).toHaveBeenCalledOnce();
  expect(takenBack).not.toHaveBeenCalled();
});
