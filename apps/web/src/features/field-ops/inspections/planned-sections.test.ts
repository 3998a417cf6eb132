import { expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import { plannedSections } from './planned-sections.ts';

const now = new Date(2026, 10, 21, 9, 0);
const due = (id: string, day: number, hour: number) =>
  ({
    id,
    due_at: new Date(2026, 10, day, hour).toISOString(),
    started_at: null,
    missed_at: null,
  }) as Row<'inspections'>;

test('what is late comes before what is due today, and that before what comes later', () => {
  const planned = [due('later', 23, 8), due('tonight', 21, 22), due('this morning', 21, 7), due('long ago', 2, 7)];
  const sections = plannedSections({ planned, inProgress: [] }, now);
  expect(sections.map(({ key, rows }) => [key, rows.map(row => row.id)])).toEqual([
    ['overdue', ['long ago', 'this morning']],
    ['today', ['tonight']],
    ['later', ['later']],
  ]);
});

test('what was begun leads, and nothing empty is shown', () => {
  const begun = { id: 'begun', due_at: null, started_at: now.toISOString() } as Row<'inspections'>;
  const sections = plannedSections({ planned: [], inProgress: [begun] }, now);
  expect(sections.map(section => section.key)).toEqual(['in_progress']);
});

test('what was missed lately comes last, out of what is late', () => {
  const missed = (id: string, day: number) => ({
    ...due(id, day, 8),
    missed_at: new Date(2026, 10, day, 12).toISOString(),
  });
  const planned = [missed('yesterday', 20), missed('last month', 1), missed('this morning', 21), due('late', 20, 8)];
  const sections = plannedSections({ planned, inProgress: [] }, now);
  expect(sections.map(({ key, rows }) => [key, rows.map(row => row.id)])).toEqual([
    ['overdue', ['late']],
    ['missed', ['this morning', 'yesterday']],
  ]);
});
