import { describe, expect, test } from 'vitest';
import { nothingPressed, pressKey, SEQUENCE_MS } from './key-sequence.ts';

const bound = [{ keys: ['g', 'd'] }, { keys: ['g', 't'] }, { keys: ['?'] }];

/** What each key completes, pressed at these instants (ms). */
function completed(...presses: [key: string, at: number][]): (string | null)[] {
  let pressed = nothingPressed;
  return presses.map(([key, at]) => {
    const next = pressKey(pressed, { key, at }, bound);
    pressed = next.pressed;
    return next.done?.keys.join(' ') ?? null;
  });
}

describe('keys pressed one after the other', () => {
  test('the second key of a sequence completes it, a single one at once', () => {
    expect(completed(['g', 1], ['d', 2], ['?', 3])).toEqual([null, 'g d', '?']);
  });

  test('a pause forgets the first key', () => {
    expect(completed(['g', 0], ['d', SEQUENCE_MS + 1])).toEqual([null, null]);
    expect(completed(['g', 0], ['d', SEQUENCE_MS])).toEqual([null, 'g d']);
  });

  test('a wrong second key may begin anew', () => {
    expect(completed(['g', 1], ['g', 2], ['t', 3])).toEqual([null, null, 'g t']);
    expect(completed(['g', 1], ['?', 2])).toEqual([null, '?']);
    expect(completed(['g', 1], ['x', 2], ['d', 3])).toEqual([null, null, null]);
  });
});
