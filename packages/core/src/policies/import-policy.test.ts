import { expect, test } from 'vitest';
import { importPolicy } from './import-policy.ts';

const read = (front: string, body = 'Rules') => {
  const result = importPolicy(`---\n${front}\n---\n${body}\n`, 'rules.md');
  if (!result.ok) throw new Error(result.problem);
  return result;
};

test('numbers in front matter stay as they are written: 5.10 is no 5.1, 1e3 no thousand, yes no truth', () => {
  const { satisfies, code } = read(
    'code: 0012\nsatisfies:\n  ISO27001:\n    - 5.1\n    - 5.10\n    - 8.20\n  CSF:\n    - 1e3\n    - yes',
  );
  expect(satisfies.map(({ framework, name }) => `${framework} ${name}`)).toEqual([
    'ISO27001 5.1',
    'ISO27001 5.10',
    'ISO27001 8.20',
    'CSF 1e3',
    'CSF yes',
  ]);
  expect(code).toBe('0012');
});

test('of several revisions the newest is told, wherever it stands', () => {
  const revisions =
    'majorRevisions:\n  - date: 2026-03-01\n    comment: Second\n  - date: 2025-03-01\n    comment: First';
  expect(read(revisions).changelog).toBe('Second, 2026-03-01');
  expect(read(revisions.replace('2026-03-01', 'March')).changelog).toBe('First, 2025-03-01');
});

test.each([
  ['+-----+-----+\n| a   | b   |\n+=====+=====+\n| c   | d   |\n+-----+-----+', 'grid_table'],
  ['One\n\n\\newpage\n\nTwo', 'page_break'],
  ['One\n\n<div style="page-break-after: always"></div>\n\nTwo', 'page_break'],
])('what Markdown here does not know is said: %j', (body, note) => {
  expect(read('title: T', body).notes).toContain(note);
});

test.each([
  ['{"catalog":{"uuid":"x"}}', 'is_catalogue'],
  ['{"plan-of-action-and-milestones":{"uuid":"x"}}', 'is_poam'],
  ['<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2002/xforms">', 'is_form'],
])('a file of another kind says what it is: %s', (file, problem) => {
  expect(importPolicy(file, 'x.md')).toEqual({ ok: false, problem });
});

test.each([
  ['satisfies: CC6.1, CC6.10', ['/CC6.1', '/CC6.10'], false],
  ['satisfies:\n  - framework: ISO27001\n    control: 5.10', ['ISO27001/5.10'], false],
  ['satisfies:\n  NIST:\n    - AC-2 (1)', ['NIST/AC-2(1)'], false],
  ['satisfies:\n  ISO27001:\n    - 5.10 Acceptable use', [], true],
])('a control is read, or it is said that it was left out: %j', (front, names, isLeft) => {
  const { satisfies, notes } = read(`title: T\n${front}`);
  expect(satisfies.map(({ framework, name }) => `${framework ?? ''}/${name}`)).toEqual(names);
  expect(notes.includes('front_matter_left')).toBe(isLeft);
});

test.each([
  ['---\ntitle: T\n...\nRules', 'T', 'Rules\n'],
  ['---\n---\nRules', 'My rules', 'Rules\n'],
  ['---\n\nRules\n\n---\n\nMore', 'My rules', '---\n\nRules\n\n---\n\nMore\n'],
  ['Words,\n\nz. B. this, and\n\ni. e. that.', 'My rules', 'Words,\n\nz. B. this, and\n\ni. e. that.\n'],
])('a text is read as Markdown and Pandoc have it: %j', (file, title, body) => {
  expect(importPolicy(file, 'my-rules.md')).toMatchObject({ ok: true, title, body });
});
