import { expect, test } from 'vitest';
import { numberFrom } from './number-from.ts';

const decimal = { isWhole: false, group: ',' };
const whole = { isWhole: true, group: ',' };
const german = { isWhole: false, group: '.' };

test.each([
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['1.234', 1.234],
  ['0,125', 0.125],
  ['1234,567', 1234.567],
  [' -3 ', -3],
  ['', null],
])('a decimal is read with a point or a comma: %s', (typed, value) => {
  expect(numberFrom(typed, decimal)).toBe(value);
});

test('what may mean a thousand times as much is no number: it stays as it was typed, and the question says so', () => {
  expect(numberFrom('1,000', decimal)).toBe('1,000');
  expect(numberFrom('-12,345', decimal)).toBe('-12,345');
  expect(numberFrom('1.000', german)).toBe('1.000');
  expect(numberFrom('1,000', german)).toBe(1);
});

test('a whole number has neither point nor comma', () => {
  expect(numberFrom('1000', whole)).toBe(1000);
  for (const typed of ['1,000', '1.000', '1,5', '1,', '12.']) expect(numberFrom(typed, whole)).toBe(typed);
});

test.each(['1,234.5', '1 000', '1e3', 'Infinity', '--1', '1..2', 'a'])('nor is this a number: %s', typed => {
  expect(numberFrom(typed, decimal)).toBe(typed);
});
