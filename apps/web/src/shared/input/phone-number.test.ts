import { expect, test } from 'vitest';
import { phoneIn } from './phone-number.ts';

test.each([
  ['+49 151 (123) 456-78', '+4915112345678'],
  ['0049 151 12345678', '+4915112345678'],
  ['0151 12345678', null],
  ['112', null],
  ['a@b.test', null],
  ['', null],
])('%s is the number %s', (typed, phone) => expect(phoneIn(typed)).toBe(phone));
