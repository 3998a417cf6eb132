import { expect, test } from 'vitest';
import { agingVerifiers, VERIFIER_LIFE_MS } from './verifier-age.ts';

function aging() {
  const kept = new Map<string, string>();
  const clock = { now: 1_000_000 };
  const storage = {
    getItem: async (key: string) => kept.get(key) ?? null,
    setItem: async (key: string, value: string) => void kept.set(key, value),
    removeItem: async (key: string) => void kept.delete(key),
  };
  return { kept, clock, storage: agingVerifiers(storage, () => clock.now) };
}

test('that this browser asked for a link is remembered for an hour, and forgotten after it', async () => {
  const { kept, clock, storage } = aging();
  await storage.setItem('s-code-verifier', '"v/recovery"');
  clock.now += VERIFIER_LIFE_MS - 1;
  expect(await storage.getItem('s-code-verifier')).toBe('"v/recovery"');
  clock.now += 1;
  expect(await storage.getItem('s-code-verifier')).toBeNull();
  expect([...kept.keys()]).toEqual([]);
});

test('one from before, without a time, or from a clock that was set back, counts for nothing', async () => {
  const { kept, clock, storage } = aging();
  kept.set('s-code-verifier', '"old"');
  expect(await storage.getItem('s-code-verifier')).toBeNull();
  await storage.setItem('s-code-verifier', '"later"');
  clock.now -= 1;
  expect(await storage.getItem('s-code-verifier')).toBeNull();
});

test('what else is kept is kept as it is, for as long as it likes', async () => {
  const { kept, clock, storage } = aging();
  await storage.setItem('session', '{}');
  clock.now += 10 * VERIFIER_LIFE_MS;
  expect(await storage.getItem('session')).toBe('{}');
  expect(kept.get('session')).toBe('{}');
});
