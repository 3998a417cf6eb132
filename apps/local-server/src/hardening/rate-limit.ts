/** At most `count` tries within `windowMs` milliseconds. */
export type Rule = { count: number; windowMs: number };

/** What became of a try: too many went before it, or it may go on. */
export type Attempt = { waitMs: number } | { takeBack(): void };

/** A guesser who changes the key with each try must not fill the memory. */
const KEYS = 10_000;

/**
 * Tries by key within a sliding window. A try counts from its start, so that many at once do not slip past; one that
 * turns out well is taken back.
 *
 * @param now milliseconds, any steady clock
 */
export function createRateLimit({ count, windowMs }: Rule, now: () => number) {
  const triesOf = new Map<string, number[]>();

  /** The key that was used longest ago stands first, and goes first. */
  function keep(key: string, tries: number[]): void {
    triesOf.delete(key);
    if (tries.length > 0) triesOf.set(key, tries);
    const [oldest] = triesOf.keys();
    if (triesOf.size > KEYS && oldest !== undefined) triesOf.delete(oldest);
  }

  return function attempt(key: string): Attempt {
    const at = now();
    const recent = (triesOf.get(key) ?? []).filter(time => time > at - windowMs);
    const [first = at] = recent;
    if (recent.length >= count) return { waitMs: first + windowMs - at };
    keep(key, [...recent, at]);
    return {
      takeBack() {
        const tries = triesOf.get(key) ?? [];
        keep(key, tries.toSpliced(tries.indexOf(at), tries.includes(at) ? 1 : 0));
      },
    };
  };
}
