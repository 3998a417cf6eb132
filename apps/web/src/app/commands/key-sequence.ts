/** ms in which the next key of a sequence must come. */
export const SEQUENCE_MS = 1500;

type KeyPresses = { keys: readonly string[]; at: number };

export const nothingPressed: KeyPresses = { keys: [], at: 0 };

/**
 * Follows single keys: which command one completes, if any, and what is pressed so far.
 *
 * @param key `event.key`
 * @param at ms
 */
export function pressKey<Bound extends { keys: readonly string[] }>(
  { keys, at: before }: KeyPresses,
  { key, at }: { key: string; at: number },
  bound: readonly Bound[],
): { pressed: KeyPresses; done: Bound | null } {
  const earlier = at - before <= SEQUENCE_MS ? keys : [];
  for (const now of [[...earlier, key], [key]]) {
    const begun = bound.filter(each => now.every((one, index) => each.keys[index] === one));
    const done = begun.find(each => each.keys.length === now.length);
    if (done) return { pressed: nothingPressed, done };
    if (begun.length > 0) return { pressed: { keys: now, at }, done: null };
  }
  return { pressed: nothingPressed, done: null };
}
