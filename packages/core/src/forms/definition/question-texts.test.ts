import { expect, test } from 'vitest';
import { questionTexts } from './question-texts.ts';

const form = {
  format: 1,
  title: 'Check',
  languages: ['en', 'de'],
  items: [
    { type: 'text', name: 'q1', label: { en: 'Which wheel?', de: 'Welches Rad?' } },
    { type: 'text', name: 'no_label' },
    { type: 'repeat', name: 'tyres', label: 'Tyre', items: [{ type: 'integer', name: 'pressure', label: 'Pressure' }] },
  ],
};

test('an answer is called what its question is called, in the language asked for', () => {
  expect(questionTexts(form, 'q1', 'de')).toBe('Welches Rad?');
  expect(questionTexts(form, 'no_label', 'en')).toBe('no label');
});

test('an answer in an entry of a repeat is found by the form’s own path', () => {
  expect(questionTexts(form, 'tyres[k3f9].pressure', 'en')).toBe('Pressure');
});

test('a question the form does not have, or a form that cannot be read, has no name', () => {
  expect(questionTexts(form, 'q1.deeper', 'en')).toBeNull();
  expect(questionTexts(form, 'gone', 'en')).toBeNull();
  expect(questionTexts({ format: 99 }, 'q1', 'en')).toBeNull();
});
