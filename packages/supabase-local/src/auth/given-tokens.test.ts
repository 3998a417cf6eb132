import { expect, test } from 'vitest';
import { GivenTokens } from './given-tokens.ts';

test('of a session the newest two tokens are known, and of one nobody was given none', () => {
  const given = new GivenTokens();
  for (const token of ['one', 'two', 'three']) given.note(token, 'a');
  given.note('other', 'b');
  // The answer to the last renewal was lost, and is given again.
  given.note('three', 'a');
  expect(['one', 'two', 'three', 'other', 'invented'].map(token => given.sessionOf(token))).toEqual([
    null,
    'a',
    'a',
    'b',
    null,
  ]);
});

test('so many sessions are remembered, and the longest unseen is forgotten', () => {
  const given = new GivenTokens();
  given.note('first', 'seen again');
  for (let n = 1; n < 50_000; n += 1) given.note(`token ${n}`, `session ${n}`);
  given.note('second', 'seen again');
  given.note('last', 'last');
  expect(given.sessionOf('token 1')).toBeNull();
  expect([given.sessionOf('token 2'), given.sessionOf('second')]).toEqual(['session 2', 'seen again']);
});
