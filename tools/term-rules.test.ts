import { expect, test } from 'vitest';
import { termFaults } from './term-rules.ts';

const namesIn = (text: string) => termFaults(text).map(({ name }) => name);

test('terms: a type is a noun', () => {
  expect(namesIn('type Asked = string;\nexport type SaidAt = number;\n  class Kept {}\ninterface Place {}')).toEqual([
    'Asked',
    'SaidAt',
    'Kept',
    'Place',
  ]);
  expect(
    namesIn('type Finding = string;\nexport type DeviceScope = number;\ntype PlaceRow = { place: string };'),
  ).toEqual([]);
});

test('terms: a limit is MAX_ or MIN_, its unit a length or chars', () => {
  expect(namesIn('const MOST_ROWS = 1, x = 2;\nexport const LONGEST = 3;\nconst MAX_NAME_LETTERS = 4;')).toEqual([
    'MOST_ROWS',
    'LONGEST',
    'MAX_NAME_LETTERS',
  ]);
  expect(namesIn('const MAX_ROWS = 1;\nconst HIGHEST_FIRST = 2;\n// the MOST_ one can have')).toEqual([]);
});
