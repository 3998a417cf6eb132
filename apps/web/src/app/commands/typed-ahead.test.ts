// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { TypedAhead } from './typed-ahead.ts';

const press = (key: string, held: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key, cancelable: true, ...held });

test('letters typed while the palette is on its way are kept for it, and mean nothing else', () => {
  const ahead = new TypedAhead();
  expect(ahead.takes(press('g'))).toBe(false);
  ahead.begin();
  const letters = ['f', 'o', 'x', 'Backspace', ' ', 'ä'].map(key => press(key));
  expect(letters.map(event => ahead.takes(event))).toEqual(letters.map(() => true));
  expect(letters.every(({ defaultPrevented }) => defaultPrevented)).toBe(true);
  expect([press('Enter'), press('c', { ctrlKey: true })].map(event => ahead.takes(event))).toEqual([false, false]);
  ahead.begin();
  expect(ahead.text).toBe('fo ä');
  ahead.end();
  expect([ahead.text, ahead.takes(press('g'))]).toEqual(['', false]);
});
