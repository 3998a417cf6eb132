import { expect, test } from 'vitest';
import { fitting } from './fitting.ts';

const commands = ['New goal', 'Check in mood', 'Language: Deutsch german', 'Habits Gewohnheiten', 'Sign out', 'Prüfung beginnen'];
const found = (typed: string) => fitting(commands, text => text, typed);

test.each([
  ['goal new', ['New goal']],
  ['mood', ['Check in mood']],
  ['german', ['Language: Deutsch german']],
  ['gewohnheit', ['Habits Gewohnheiten']],
  ['prufung', ['Prüfung beginnen']],
  ['', commands],
])('%j begins words of %j', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});

test.each([
  ['gaol', []],
  ['langauge', ['Language: Deutsch german']],
  ['habbits', ['Habits Gewohnheiten']],
  ['gernan', ['Language: Deutsch german']],
  ['sgin out', []],
  ['xyz', []],
])('%j, which begins no word, is forgiven a letter where it is long enough: %j', (typed, expected) => {
  expect(found(typed)).toEqual(expected);
});
