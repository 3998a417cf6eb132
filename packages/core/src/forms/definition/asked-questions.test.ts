import { expect, test } from 'vitest';
import { checkedForm } from '../../odk/checked-form.ts';
import { askedQuestions } from './asked-questions.ts';
import { compileForm } from './compiled-form.ts';

const draft = {
  format: 1,
  title: 'Check',
  items: [
    { type: 'note', name: 'hello', label: 'Read this first' },
    { type: 'text', name: 'a', label: 'A' },
    { type: 'group', name: 'g', items: [{ type: 'integer', name: 'b', label: 'B' }] },
    { type: 'calculate', name: 'c', calculation: '1 + 1' },
  ],
};

test('a list of forms counts the questions of a form as its import did: notes and what is worked out are none', () => {
  const origin = { source: 'json' as const, sheet: '', notUnderstood: [], formId: null, formVersion: null };
  const imported = checkedForm(draft, {
    ...origin,
    placed: ({ message }) => ({ sheet: '', row: null, column: null, message }),
  });
  if (!imported.ok) throw new Error(JSON.stringify(imported.problems));
  const compiled = compileForm(imported.form);
  if (!compiled.ok) throw new Error('no form');
  expect(imported.questions).toBe(2);
  expect(askedQuestions(compiled.compiled)).toBe(2);
  expect(compiled.compiled.questions).toHaveLength(4);
});
