// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECOND_TAP_MS, useTapGuard } from './use-tap-guard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const shown = (step: string) => renderHook(({ name }) => useTapGuard(name), { initialProps: { name: step } });
const wait = (ms: number): void => {
  act(() => void vi.advanceTimersByTime(ms));
};

test('a step takes no press of a double tap, up to its last millisecond', () => {
  const { result } = shown('hours');
  wait(SECOND_TAP_MS - 1);
  expect(result.current.isSettled).toBe(false);
  wait(1);
  expect(result.current.isSettled).toBe(true);
});

test('each step begins anew, also one that was seen before', () => {
  const { result, rerender } = shown('hours');
  wait(SECOND_TAP_MS);
  rerender({ name: 'brake' });
  expect(result.current.isSettled).toBe(false);
  wait(SECOND_TAP_MS - 1);
  rerender({ name: 'hours' });
  expect(result.current.isSettled).toBe(false);
  wait(SECOND_TAP_MS - 1);
  expect(result.current.isSettled).toBe(false);
  wait(1);
  expect(result.current.isSettled).toBe(true);
});

test('whoever has answered has seen the step: they are not kept waiting', () => {
  const { result } = shown('hours');
  act(() => result.current.settle());
  expect(result.current.isSettled).toBe(true);
});
