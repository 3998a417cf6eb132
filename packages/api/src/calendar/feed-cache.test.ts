import { expect, test } from 'vitest';
import { FeedCache } from './feed-cache.ts';

const clock = { now: 0 };
const feeds = () => new FeedCache({ maxLength: 10, maxFeeds: 3, ttlMs: 1000 }, () => clock.now);
const textsOf = (cache: FeedCache, ...tokens: string[]) => tokens.map(token => cache.of(token)?.text ?? null);

test('of a token the latest text is kept, for a time; what is forgotten is gone', () => {
  const cache = feeds();
  cache.keep('a', 'one', 'aa');
  cache.keep('a', 'two', 'bb');
  cache.keep('b', 'one', 'cc');
  expect([cache.of('a'), cache.of('x')]).toEqual([expect.objectContaining({ tag: 'two', text: 'bb' }), null]);
  cache.forget('b');
  expect(textsOf(cache, 'a', 'b')).toEqual(['bb', null]);
  clock.now += 1000;
  expect(textsOf(cache, 'a')).toEqual([null]);
});

test('the oldest go where there are too many, or too much text; one that is larger than all may be is not kept', () => {
  const cache = feeds();
  for (const token of ['a', 'b', 'c', 'd']) cache.keep(token, 't', 'x');
  expect(textsOf(cache, 'a', 'b', 'c', 'd')).toEqual([null, 'x', 'x', 'x']);
  cache.keep('e', 't', 'yyyyyyyyy');
  expect(textsOf(cache, 'c', 'd', 'e')).toEqual([null, 'x', 'yyyyyyyyy']);
  cache.keep('e', 't', 'z'.repeat(11));
  cache.keep('f', 't', 'yyyyyyyyy');
  expect(textsOf(cache, 'd', 'e', 'f')).toEqual(['x', null, 'yyyyyyyyy']);
});
