import { expect, test } from 'vitest';
import { KeptFeeds } from './kept-feeds.ts';

const clock = { now: 0 };
const feeds = () => new KeptFeeds({ maxLength: 10, maxFeeds: 3, keptMs: 1000 }, () => clock.now);
const textsOf = (kept: KeptFeeds, ...tokens: string[]) => tokens.map(token => kept.of(token)?.text ?? null);

test('of a token the latest text is kept, for a time; what is forgotten is gone', () => {
  const kept = feeds();
  kept.keep('a', 'one', 'aa');
  kept.keep('a', 'two', 'bb');
  kept.keep('b', 'one', 'cc');
  expect([kept.of('a'), kept.of('x')]).toEqual([expect.objectContaining({ tag: 'two', text: 'bb' }), null]);
  kept.forget('b');
  expect(textsOf(kept, 'a', 'b')).toEqual(['bb', null]);
  clock.now += 1000;
  expect(textsOf(kept, 'a')).toEqual([null]);
});

test('the oldest go where there are too many, or too much text; one that is larger than all may be is not kept', () => {
  const kept = feeds();
  for (const token of ['a', 'b', 'c', 'd']) kept.keep(token, 't', 'x');
  expect(textsOf(kept, 'a', 'b', 'c', 'd')).toEqual([null, 'x', 'x', 'x']);
  kept.keep('e', 't', 'yyyyyyyyy');
  expect(textsOf(kept, 'c', 'd', 'e')).toEqual([null, 'x', 'yyyyyyyyy']);
  kept.keep('e', 't', 'z'.repeat(11));
  kept.keep('f', 't', 'yyyyyyyyy');
  expect(textsOf(kept, 'd', 'e', 'f')).toEqual(['x', null, 'yyyyyyyyy']);
});
