import type { SealedStorage } from '@cairn/sync/crypto/sealed-storage.ts';

/** ms for which this browser remembers that it asked for a link: as long as the code of a letter works. */
export const VERIFIER_LIFE_MS = 3_600_000;

/** Whether the library keeps under this key what shows that this browser asked for a link. */
export const isVerifier = (key: string): boolean => key.endsWith('-code-verifier');

/**
 * The same storage, in which what shows that this browser asked for a link runs out: a browser that asked once would else take
 * what comes back for ever.
 * @param now ms
 */
export function agingVerifiers(storage: SealedStorage, now: () => number = Date.now): SealedStorage {
  return {
    ...storage,
    async getItem(key) {
      const kept = await storage.getItem(key);
      if (kept === null || !isVerifier(key)) return kept;
      const [, at, value] = /^(\d+) (.*)$/s.exec(kept) ?? [];
      const age = now() - Number(at);
      if (value !== undefined && age >= 0 && age < VERIFIER_LIFE_MS) return value;
      await storage.removeItem(key);
      return null;
    },
    setItem: (key, value) => storage.setItem(key, isVerifier(key) ? `${now()} ${value}` : value),
  };
}
