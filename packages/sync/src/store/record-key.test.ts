import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idIn, keyAt, recordsOf, typeRange } from './record-key.ts';

const text = fc.stringMatching(/^[ -~äß🙂]{0,20}$/u);
const part = fc.oneof(fc.uuid(), text);
const place = fc.tuple(part, text, part);
const bytes = (key: Uint8Array): string => Array.from(key).join(' ');

test('two records share a key only when owner, type and id are the same, whatever the texts', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      expect(bytes(keyAt(...one)) === bytes(keyAt(...other))).toBe(one.join('\0') === other.join('\0'));
    }),
  );
});

test("the ranges of a person and of a type hold their keys and nobody else's; the id reads back", () => {
  fc.assert(
    fc.property(place, place, ([owner, type, id], [otherOwner, otherType, otherId]) => {
      const mine = keyAt(owner, type, id);
      const other = keyAt(otherOwner, otherType, otherId);
      expect(recordsOf(owner).includes(mine)).toBe(true);
      expect(typeRange(owner, type).includes(mine)).toBe(true);
      expect(recordsOf(owner).includes(other)).toBe(owner === otherOwner);
      expect(typeRange(owner, type).includes(other)).toBe(owner === otherOwner && type === otherType);
      expect(idIn(mine.buffer, owner, type)).toBe(id);
    }),
  );
});
