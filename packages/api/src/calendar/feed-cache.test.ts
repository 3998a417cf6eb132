import { expect, test } from 'vitest';
import { FeedCache } from './feed-cache.ts';

const clock = { now: 0 };
const feeds = () => new FeedCache({ maxBytes: 10, maxFeeds: 3, ttlMs: 1000 }, () => clock.now);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textsOf = (cache: FeedCache, ...tokens: string[]) =>
  tokens.map(token => {
    const text = cache.of(token)?.text;
    return text ? new TextDecoder().decode(text) : null;
  });

test('of a token the latest text is kept, for a time; what is forgotten is gone', () => {
  const cache = feeds();
  cache.keep('a', 'one', bytesOf('aa'));
  cache.keep('a', 'two', bytesOf('bb'));
  cache.keep('b', 'one', bytesOf('cc'));
  expect([cache.of('a')?.tag, ...textsOf(cache, 'a', 'x')]).toEqual(['two', 'bb', null]);
  cache.forget('b');
  expect(textsOf(cache, 'a', 'b')).toEqual(['bb', null]);
  clock.now += 1000;
  expect(textsOf(cache, 'a')).toEqual([null]);
});

test('the oldest go where there are too many, or too much text; one that is larger than all may be is not kept', () => {
  const cache = feeds();
  for (const token of ['a', 'b', 'c', 'd']) cache.keep(token, 't', bytesOf('x'));
  expect(textsOf(cache, 'a', 'b', 'c', 'd')).toEqual([null, 'x', 'x', 'x']);
  cache.keep('e', 't', bytesOf('yyyyyyyyy'));
  expect(textsOf(cache, 'c', 'd', 'e')).toEqual([null, 'x', 'yyyyyyyyy']);
  cache.keep('e', 't', bytesOf('z'.repeat(11)));
  cache.keep('f', 't', bytesOf('yyyyyyyyy'));
  expect(textsOf(cache, 'd', 'e', 'f')).toEqual(['x', null, 'yyyyyyyyy']);
});
