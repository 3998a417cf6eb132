import { expect, test } from 'vitest';
import type { SubmittedEdit } from '@cairn/sync/push/submitted-edits.ts';
import { submittedByOrganization, type QueuedEdit } from './submitted-groups.ts';

const edit = (mid: string, aggregateKey: string, more: Partial<SubmittedEdit> = {}): SubmittedEdit => ({
  mid,
  organizationId: 'o1',
  organization: 'Northfield',
  aggregateKey,
  at: 1000,
  ...more,
});
const queued = (mid: string, state: QueuedEdit['state'], organizationId = 'o1'): QueuedEdit => ({
  mid,
  organization_id: organizationId,
  state,
});
const stateOf = (...states: QueuedEdit['state'][]) => {
  const pieces = states.map((_, index) => edit(`m${index}`, 'inspections/i'));
  return submittedByOrganization(
    pieces,
    states.map((state, index) => queued(`m${index}`, state)),
  )[0]?.things[0]?.state;
};

test('an inspection with its answers is one thing, with when the last of it was submitted', () => {
  const pieces = [edit('a', 'inspections/i'), edit('b', 'inspections/i', { at: 2000 })];
  expect(submittedByOrganization(pieces, null)).toEqual([
    {
      organizationId: 'o1',
      name: 'Northfield',
      things: [{ aggregateKey: 'inspections/i', at: 2000, state: 'unknown' }],
      elsewhere: [],
    },
  ]);
});

test('while any of it is undecided all of it is; decided both ways it was accepted in part', () => {
  expect(stateOf('accepted', 'accepted')).toBe('accepted');
  expect(stateOf('accepted', 'waiting')).toBe('waiting');
  expect(stateOf('declined', 'refused')).toBe('refused');
  expect(stateOf('accepted', 'declined')).toBe('partly');
});

test('what the server does not know of is not said to wait', () => {
  const pieces = [edit('a', 'inspections/i'), edit('b', 'inspections/i')];
  expect(submittedByOrganization(pieces, [queued('a', 'accepted')])[0]?.things).toMatchObject([{ state: 'unknown' }]);
});

test('what another device submitted is counted by what became of it, each organisation by itself', () => {
  const given = submittedByOrganization(
    [edit('a', 'tasks/t')],
    [queued('a', 'accepted'), queued('x', 'declined'), queued('y', 'declined'), queued('z', 'waiting', 'o2')],
  );
  expect(given).toMatchObject([
    { organizationId: 'o1', things: [{ state: 'accepted' }], elsewhere: [{ state: 'declined', count: 2 }] },
    { organizationId: 'o2', name: null, things: [], elsewhere: [{ state: 'waiting', count: 1 }] },
  ]);
});

test('where nothing was submitted there is nothing', () => {
  expect(submittedByOrganization([], [])).toEqual([]);
  expect(submittedByOrganization([], null)).toEqual([]);
});
