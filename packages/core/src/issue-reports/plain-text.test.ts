import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test('what the database cannot hold is not in it: no NUL, no half of a character', () => {
  expect(plainText('Oil\0 on \ud83dthe \udc00stairs')).toBe('Oil on the stairs');
  expect(plainText('Oil 😀')).toBe('Oil 😀');
});

test('a text of characters that show nothing is no text', () => {
  for (const nothing of ['\u200b', '\u2060\u00ad\ufe0f', '\u3164 \u2800\n', '\ud800', '\0', '\u{e0041}'])
    expect(plainText(nothing)).toBe('');
});

test('characters that join others stay where they join', () => {
  expect(plainText('\u200b👩‍🚒 ❤️ ')).toBe('👩‍🚒 ❤️');
});
