import { expect, test } from 'vitest';
import { orphanedGroups, type OrphanedEditRow } from './orphaned-groups.ts';

const edit = (
  mid: string,
  mutation: Partial<OrphanedEditRow['mutation']>,
  rest: Partial<OrphanedEditRow> = {},
): OrphanedEditRow => ({
  n: 1,
  user_id: 'u',
  name: 'Ada',
  submitted_at: '2026-11-21T08:00:00Z',
  mutation: { mid, t: 'action_items', id: mid, op: 'insert', patch: {}, ...mutation },
  state: 'waiting',
  result: null,
  submitted_by: null,
  ...rest,
});

test('what was saved together is one thing, with its answers, and says which edit was at fault and why', () => {
  const group = 'g';
  const refused = { state: 'refused', result: { code: '23514', with_group: true } };
  const things = orphanedGroups([
    edit('1', { t: 'inspections', id: 'i', patch: { title: 'Check' }, group }, refused),
    edit('2', { t: 'inspection_answers', id: 'a', patch: { inspection_id: 'i', question: 'brakes' }, group }, refused),
    edit('3', { patch: { title: 'Mend it' }, group }, { state: 'refused', result: { code: '42501' } }),
    edit('4', { patch: { title: 'Alone' } }),
  ]);
  expect(things.map(({ title, mids, refused: why }) => ({ title, mids, why }))).toEqual([
    { title: 'Check', mids: ['1', '2', '3'], why: { what: 'Mend it', why: 'not_allowed' } },
    { title: 'Alone', mids: ['4'], why: null },
  ]);
});

test('what met somebody else’s work says so, and whether that is still there', () => {
  const conflict = (kind: string) => ({ state: 'refused', result: { st: 'conflict', kind } });
  const kinds = ['fields', 'edited_remotely', 'deleted_remotely', 'missing_or_hidden'];
  const things = orphanedGroups(
    kinds.map(kind => edit(kind, { op: 'update', patch: { title: kind } }, conflict(kind))),
  );
  expect(things.map(({ refused }) => refused?.why)).toEqual(['changed', 'changed', 'gone', 'gone']);
});
