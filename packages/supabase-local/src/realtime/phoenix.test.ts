import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, encode, type Message } from './phoenix.ts';

const anyMessage: fc.Arbitrary<Message> = fc.record({
  joinRef: fc.option(fc.string(), { nil: null }),
  ref: fc.option(fc.string(), { nil: null }),
  topic: fc.string(),
  event: fc.string(),
  payload: fc.dictionary(fc.string(), fc.jsonValue()).map(value => JSON.parse(JSON.stringify(value))),
});

/** The client's own writer of a broadcast in version 2. */
function frame(parts: { joinRef: string; ref: string; topic: string; event: string }, payload: unknown): Buffer {
  const words = [parts.joinRef, parts.ref, parts.topic, parts.event, ''].map(word => Buffer.from(word));
  const head = Buffer.from([3, ...words.map(word => word.length), 1]);
  return Buffer.concat([head, ...words, Buffer.from(JSON.stringify(payload))]);
}

describe('the Phoenix protocol', () => {
  test.each([1, 2] as const)('what is written in version %s is read back', version => {
    fc.assert(
      fc.property(anyMessage, message => {
        expect(decode(Buffer.from(encode(version, message) ?? ''), false)).toEqual(message);
      }),
    );
  });

  test('a binary broadcast is read, also with letters of more than one byte', () => {
    const parts = { joinRef: '1', ref: '2', topic: 'realtime:größe', event: 'geändert' };
    expect(decode(frame(parts, { ü: ['😀'] }), true)).toEqual({
      joinRef: '1',
      ref: '2',
      topic: 'realtime:größe',
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'geändert', payload: { ü: ['😀'] } },
    });
  });

  test('what is nested without end is no message', () => {
    const deep = '['.repeat(65);
    expect(decode(Buffer.from(`[null,"1","t","e",${deep}`), false)).toBeNull();
    const ended = `["1","1","t","e",{"a":${deep}${']'.repeat(65)}}]`;
    expect(decode(Buffer.from(ended), false)).toBeNull();
  });

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.boolean(), (bytes, isBinary) => {
        expect(() => decode(Buffer.from(bytes), isBinary)).not.toThrow();
        expect(() => decode(Buffer.from([3, ...bytes]), isBinary)).not.toThrow();
      }),
    );
  });
});
