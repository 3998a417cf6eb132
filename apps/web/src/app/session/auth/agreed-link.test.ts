import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { agreeToLink, forgetAgreedLink, hasAgreedToLink } from './agreed-link.ts';

const MINUTE = 60_000;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('an agreement is one to this link, for a quarter of an hour, until it is forgotten', () => {
  expect(hasAgreedToLink('abc', 0)).toBe(false);
  agreeToLink('abc', 0);
  expect([hasAgreedToLink('abc', 14 * MINUTE), hasAgreedToLink('abd', MINUTE)]).toEqual([true, false]);
  expect([hasAgreedToLink('abc', 15 * MINUTE), hasAgreedToLink('abc', -1)]).toEqual([false, false]);
  agreeToLink('abc', 0);
  forgetAgreedLink();
  expect(hasAgreedToLink('abc', MINUTE)).toBe(false);
});

test('a page without a link was not agreed to', () => {
  agreeToLink('', 0);
  expect(hasAgreedToLink('', 1)).toBe(false);
});
