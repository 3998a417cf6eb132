// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { TypeAheadBuffer } from './typed-ahead.ts';

const press = (key: string, held: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key, cancelable: true, ...held });

test('letters typed while the palette is on its way are kept for it, and mean nothing else', () => {
  const ahead = new TypeAheadBuffer();
  expect(ahead.takes(press('g'))).toBe(false);
  ahead.begin();
  const keys = ['f', 'o', 'x', 'Backspace', ' ', 'ä'].map(key => press(key));
  expect(keys.map(event => ahead.takes(event))).toEqual(keys.map(() => true));
  expect(keys.every(({ defaultPrevented }) => defaultPrevented)).toBe(true);
  expect([press('Enter'), press('c', { ctrlKey: true })].map(event => ahead.takes(event))).toEqual([false, false]);
  ahead.begin();
  expect(ahead.text).toBe('fo ä');
  ahead.end();
  expect([ahead.text, ahead.takes(press('g'))]).toEqual(['', false]);
});

test('what is typed between its first drawing and its focus is told, and from there on it hears for itself', () => {
  const ahead = new TypeAheadBuffer();
  const told: string[] = [];
  ahead.begin();
  ahead.takes(press('a'));
  ahead.tell(text => told.push(text));
  ahead.takes(press('b'));
  expect(told).toEqual(['a', 'ab']);
  const field = document.createElement('input');
  const heard: boolean[] = [];
  field.addEventListener('keydown', event => heard.push(ahead.takes(event)));
  field.dispatchEvent(press('c'));
  expect([heard, told, ahead.takes(press('d'))]).toEqual([[false], ['a', 'ab'], false]);
});
