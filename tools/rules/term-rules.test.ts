import { expect, test } from 'vitest';
import { codeFaults, fileFaults, sqlFaults, termFaults, titleFaults } from './term-rules.ts';

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

test('terms: words of our own are part of no name; texts, comments and other words are not meant', () => {
  expect(codeFaults("const inTray = f('the tray'); // the tray\nfunction stray(portray: string) {}")).toEqual([
    { name: 'inTray', instead: 'review queue' },
  ]);
  expect(codeFaults('class UnsentRow {}\nconst unsentBytes = 1;').map(({ name }) => name)).toEqual(['UnsentRow']);
});

test('terms: SQL names and keys, file names and test titles', () => {
  expect(
    sqlFaults("create table sync.unsent_row (a text); -- the tray\nselect 'standing', 'it is standing';"),
  ).toMatchObject([{ name: 'unsent_row' }, { name: 'standing' }]);
  expect(fileFaults('a/letter/auth-letters.ts').map(({ name }) => name)).toEqual(['auth-letters']);
  expect(titleFaults("test('rows that landed are read', () => {});\ntest('rows are read', () => {});")).toHaveLength(1);
});
