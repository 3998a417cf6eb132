import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import type { Edit } from './device.ts';
import { change, photo, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What a device says of when something was done is believed within bounds. */
setUpWorld();

const DAY = 86_400_000;
const far = '2199-01-01T00:00:00Z';
const past = '2026-11-21T08:00:00Z';
const made = async (person: string, t: Edit['t'], patch: Record<string, unknown>, id = randomUUID()) => {
  expect(await push(person, { t, op: 'insert', id, patch })).toMatchObject([{ st: 'applied' }]);
  return id;
};
const timeOf = async (t: string, id: string, column: string) => Date.parse(String((await rowOf(t, id))[column]));

test('a time of a device in another century is the time at which it arrived; a day ahead is a clock that is wrong', async () => {
  const pair = { subject_id: world.worker, helper_id: world.stranger };
  const relationship = { ...pair, role: 'mentor_coach', state: 'active', started_at: past };
  const relationship_id = await addRow(db, 'circle_relationships', relationship);
  const message = { relationship_id, ...pair, from_id: world.worker, body: 'Hello', written_at: far };
  const series = randomUUID();
  const evidence = { organization_id: world.organization, series_id: series, title: 'Drill', collected_at: far };
  const shot = photo({ captured_at: far });
  await push(world.worker, shot);
  const check = { ...place(), form_id: world.form, form_version_id: world.formVersion, title: 'Check' };
  const rows: [Edit['t'], string, string][] = [
    ['circle_messages', await made(world.worker, 'circle_messages', message), 'written_at'],
    ['evidence', await made(world.worker, 'evidence', evidence, series), 'collected_at'],
    ['media', String(shot.id), 'captured_at'],
    [
      'inspections',
      await made(world.worker, 'inspections', { ...check, status: 'in_progress', started_at: far }),
      'started_at',
    ],
  ];
  for (const [table, id, column] of rows)
    expect([table, (await timeOf(table, id, column)) <= Date.now() + 60_000]).toEqual([table, true]);
  const inspection = rows[3]?.[1] ?? '';
  const finished = { status: 'finalised', finished_at: far, signed_at: far };
  expect(await push(world.worker, change('inspections', inspection, finished))).toMatchObject([{ st: 'applied' }]);
  for (const column of ['finished_at', 'signed_at'])
    expect(await timeOf('inspections', inspection, column)).toBeLessThan(Date.now() + 60_000);
  const soon = new Date(Date.now() + DAY / 2).toISOString();
  const fast = await made(world.worker, 'circle_messages', { ...message, written_at: soon });
  expect(await timeOf('circle_messages', fast, 'written_at')).toBe(Date.parse(soon));
});

test('a finding is dated back by no more than a year', async () => {
  const id = await made(world.auditor, 'findings', {
    organization_id: world.organization,
    subject_table: 'policies',
    subject_id: world.policy,
    title: 'No date',
    body: '',
    severity: 'major',
    state: 'open',
    raised_by: world.auditor,
    raised_at: '1971-01-01T00:00:00Z',
  });
  const answered = { state: 'answered', answer: 'Done', answered_at: '1971-01-01T00:00:00Z' };
  expect(await push(world.admin, change('findings', id, answered))).toMatchObject([{ st: 'applied' }]);
  for (const column of ['raised_at', 'answered_at'])
    expect(await timeOf('findings', id, column)).toBeGreaterThan(Date.now() - 367 * DAY);
});
