import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReaderTime } from './reader-time.ts';

const limits = { stallMs: 100, graceMs: 300, bytesPerSecond: 1000, openMs: 2000 };
const late: number[] = [];
const start = () => new ReaderTime(limits, () => late.push(performance.now()));

beforeEach(() => {
  vi.useFakeTimers();
  late.length = 0;
});
afterEach(() => void vi.useRealTimers());

/** Waits so long for the reader before each piece. */
function reads(time: ReaderTime, { chunks, waitMs, bytes }: { chunks: number; waitMs: number; bytes: number }): number {
  time.expect();
  for (let n = 0; n < chunks; n += 1) {
    vi.advanceTimersByTime(waitMs);
    if (late.length > 0) return n;
    time.came();
    time.took(bytes);
    time.expect();
  }
  return chunks;
}

test('who asks for nothing is late after a while; who ends is never late', () => {
  expect(reads(start(), { chunks: 3, waitMs: 101, bytes: 1000 })).toBe(0);
  late.length = 0;
  const time = start();
  time.expect();
  time.end();
  vi.advanceTimersByTime(5000);
  expect(late).toEqual([]);
});

test('who takes each piece just in time, but little, is late once the grace is used up; who takes enough is not', () => {
  expect(reads(start(), { chunks: 50, waitMs: 90, bytes: 10 })).toBeLessThan(5);
  late.length = 0;
  expect(reads(start(), { chunks: 20, waitMs: 90, bytes: 90 })).toBe(20);
});

test('nobody has longer than there is in all', () => {
  expect(reads(start(), { chunks: 100, waitMs: 90, bytes: 10_000 })).toBe(22);
});
