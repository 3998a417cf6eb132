import { dropOldest } from './drop-oldest.ts';

/** At most `count` tries within `windowMs` milliseconds. */
export type Rule = { count: number; windowMs: number };

/** What became of a try: too many went before it, or it may go on. */
export type Attempt = { waitMs: number } | { takeBack(): void };

/** A guesser who changes the key with each try must not fill the memory. */
const KEYS = 10_000;
/** So many wait at most; whoever would fill this within one window needs thousands of networks. */
const WAITING_KEYS = 100_000;

/**
 * Tries by key within a sliding window. A try counts from its start, so that many at once do not slip past; one that
 * turns out well is taken back.
 *
 * @param now milliseconds, any steady clock
 */
export function createRateLimit({ count, windowMs }: Rule, now: () => number) {
  const open = new Map<string, number[]>();
  /** At their limit: a flood of other keys makes nobody forget these before their window is over. */
  const waiting = new Map<string, number[]>();
  const triesOf = (key: string): number[] => waiting.get(key) ?? open.get(key) ?? [];

  function dropOver(at: number): void {
    for (const [key, tries] of waiting) {
      if ((tries.at(-1) ?? 0) > at - windowMs) return;
      waiting.delete(key);
    }
  }

  /** The key that was used longest ago stands first, and goes first. */
  function keep(key: string, tries: number[]): void {
    open.delete(key);
    waiting.delete(key);
    if (tries.length > 0) (tries.length >= count ? waiting : open).set(key, tries);
    dropOldest(open, KEYS);
    dropOldest(waiting, WAITING_KEYS);
  }

  return function attempt(key: string): Attempt {
    const at = now();
    dropOver(at);
    const recent = triesOf(key).filter(time => time > at - windowMs);
    const [first = at] = recent;
    if (recent.length >= count) return { waitMs: first + windowMs - at };
    keep(key, [...recent, at]);
    return {
      takeBack() {
        const tries = triesOf(key);
        keep(key, tries.toSpliced(tries.indexOf(at), tries.includes(at) ? 1 : 0));
      },
    };
  };
}
