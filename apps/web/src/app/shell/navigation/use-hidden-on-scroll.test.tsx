// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SCROLL_IDLE_MS, useHiddenOnScroll } from './use-hidden-on-scroll.ts';

/** A page of 4,000 px on a screen of 800. */
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('innerHeight', 800);
  vi.stubGlobal('scrollY', 0);
  vi.stubGlobal('innerWidth', 767);
  Object.defineProperty(document.documentElement, 'scrollHeight', { value: 4000, configurable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const scrollTo = (y: number) =>
  act(() => {
    vi.stubGlobal('scrollY', y);
    dispatchEvent(new Event('scroll'));
  });
const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test('R2.19 it hides on the way down, and comes back on the way up and at both ends', () => {
  const { result } = renderHook(() => useHiddenOnScroll());
  scrollTo(300);
  expect(result.current).toBe(true);
  scrollTo(250);
  expect(result.current).toBe(false);
  scrollTo(600);
  scrollTo(3198);
  expect(result.current).toBe(false);
});

test('R2.19 on wider screens it never hides', () => {
  vi.stubGlobal('innerWidth', 768);
  const { result } = renderHook(() => useHiddenOnScroll());
  scrollTo(300);
  expect(result.current).toBe(false);
});

test('R9.23 small steps within 150 ms are one movement, after 150 ms of rest a new one begins', () => {
  expect(SCROLL_IDLE_MS).toBe(150);
  const { result } = renderHook(() => useHiddenOnScroll());
  scrollTo(300);
  wait(200);
  scrollTo(295);
  wait(149);
  scrollTo(290);
  expect(result.current).toBe(false);

  scrollTo(400);
  wait(200);
  scrollTo(395);
  wait(150);
  scrollTo(390);
  expect(result.current).toBe(true);
});
