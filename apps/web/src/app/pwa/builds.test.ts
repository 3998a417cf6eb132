import { expect, test } from 'vitest';
import { buildsToKeep, type Build } from './builds.ts';

const build = (n: number): Build => ({ name: `/start.html?${n}`, files: [`/entry-${n}.js`, '/same.js'], began: n });
const [first, second, third, fourth] = [build(1), build(2), build(3), build(4)] as const;
const kept = (running: readonly string[]) => buildsToKeep(third, [first, second, fourth], running);

test.for([
  ['windows of this build alone: former ones go', ['/entry-3.js', '/entry-3.js'], [third, fourth]],
  [
    'a window of the first: the second goes, in which no window is',
    ['/entry-3.js', '/entry-1.js'],
    [third, first, fourth],
  ],
  ['no window: nothing is needed but this one, and what is being fetched', [], [third, fourth]],
] as const)('%s', ([, running, expected]) => {
  expect(kept(running)).toEqual(expected);
});

test('a window of a build that nobody wrote down keeps everything', () => {
  expect(kept(['/entry-3.js', '/entry-0.js'])).toBeNull();
});
