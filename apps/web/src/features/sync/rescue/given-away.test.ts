import { expect, test } from 'vitest';
import type { HandedPiece } from '@cairn/sync/push/handed.ts';
import { givenAway, type InTray } from './given-away.ts';

const piece = (mid: string, under: string, more: Partial<HandedPiece> = {}): HandedPiece => ({
  mid,
  organizationId: 'o1',
  organization: 'Northfield',
  under,
  at: 1000,
  ...more,
});
const said = (mid: string, state: InTray['state'], home = 'o1'): InTray => ({ mid, organization_id: home, state });
const stateOf = (...states: InTray['state'][]) => {
  const pieces = states.map((_, index) => piece(`m${index}`, 'inspections/i'));
  return givenAway(
    pieces,
    states.map((state, index) => said(`m${index}`, state)),
  )[0]?.things[0]?.state;
};

test('an inspection with its answers is one thing, with when the last of it was handed over', () => {
  const pieces = [piece('a', 'inspections/i'), piece('b', 'inspections/i', { at: 2000 })];
  expect(givenAway(pieces, null)).toEqual([
    {
      organizationId: 'o1',
      name: 'Northfield',
      things: [{ under: 'inspections/i', at: 2000, state: 'unknown' }],
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
  const pieces = [piece('a', 'inspections/i'), piece('b', 'inspections/i')];
  expect(givenAway(pieces, [said('a', 'accepted')])[0]?.things).toMatchObject([{ state: 'unknown' }]);
});

test('what another device handed over is counted by what became of it, each organisation by itself', () => {
  const given = givenAway(
    [piece('a', 'tasks/t')],
    [said('a', 'accepted'), said('x', 'declined'), said('y', 'declined'), said('z', 'waiting', 'o2')],
  );
  expect(given).toMatchObject([
    { organizationId: 'o1', things: [{ state: 'accepted' }], elsewhere: [{ state: 'declined', count: 2 }] },
    { organizationId: 'o2', name: null, things: [], elsewhere: [{ state: 'waiting', count: 1 }] },
  ]);
});

test('where nothing was handed over there is nothing', () => {
  expect(givenAway([], [])).toEqual([]);
  expect(givenAway([], null)).toEqual([]);
});
