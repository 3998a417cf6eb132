import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { resolveComment, writeComment } from '../comments/write-comment.ts';
import { discardInspection } from './discard-inspection.ts';
import { openInspection } from './inspection-rows.ts';
import { type Decision, type InspectionStatus, nextStates, shownState } from './inspection-states.ts';
import { closeInspection, decideOnInspection } from './review-inspection.ts';
import { changedSinceReview, reviewQueue, reviewTrail } from './review-queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organizationId, reviewer, worker] = [uuid(1), uuid(2), uuid(3)];
const at = '2026-11-21T09:00:00.000Z';
let store: Store;

const inspection = (n: number, status: InspectionStatus, more: Partial<Row<'inspections'>> = {}) => ({
  id: uuid(n),
  organization_id: organizationId,
  form_id: uuid(90),
  form_version_id: uuid(91),
  title: `Check ${n}`,
  status,
  conducted_by: worker,
  finished_at: `2026-11-${n}T08:00:00.000Z`,
  round: 1,
  ...more,
});

beforeEach(() => {
  store = memoryStore({ inspections: [inspection(10, 'finalised'), inspection(11, 'in_progress')] }, reviewer);
});

const decide = (decision: Decision, word = '', id = uuid(10)) =>
  store.write('t', tx => decideOnInspection(tx, { id, decision, word, commentId: uuid(50), by: reviewer, at }));
const statusOf = (id: string) =>
  store.read({ key: id, tables: ['inspections'], read: async tx => (await tx.get('inspections', id))?.status });
const trail = () => store.read(reviewTrail(uuid(10)));

describe('a decision', () => {
  test('sends back with its reason, kept as a comment on the whole', async () => {
    await decide('has_issues', ' The photo is blurred. ');
    expect(await statusOf(uuid(10))).toBe('has_issues');
    expect((await trail()).comments).toMatchObject([
      { question: null, body: 'The photo is blurred.', author_id: reviewer, round: 1 },
    ]);
  });

  test('never goes back or is rejected without a reason; an open comment at a question is one', async () => {
    await expect(decide('has_issues')).rejects.toMatchObject({ code: 'invalid' });
    await expect(decide('rejected', '   ')).rejects.toBeInstanceOf(Failure);
    const note = {
      subject: { table: 'inspections', id: uuid(10) } as const,
      question: 'brakes',
      body: 'Which brake?',
      by: reviewer,
      at,
    };
    await store.write('t', tx => writeComment(tx, { id: uuid(51), ...note }));
    await store.write('t', tx => resolveComment(tx, { id: uuid(51), by: worker, at }));
    await expect(decide('has_issues')).rejects.toMatchObject({ code: 'invalid' });
    await store.write('t', tx => resolveComment(tx, { id: uuid(51), by: worker, at: null }));
    await decide('has_issues');
    expect(await statusOf(uuid(10))).toBe('has_issues');
  });

  test('is made only on what was finished, and closes only what was decided', async () => {
    await expect(decide('approved', '', uuid(11))).rejects.toMatchObject({ code: 'stale_version' });
    const close = () => store.write('t', tx => closeInspection(tx, uuid(10)));
    await expect(close()).rejects.toMatchObject({ code: 'stale_version' });
    await decide('approved');
    await expect(decide('rejected', 'No')).rejects.toMatchObject({ code: 'stale_version' });
    await close();
    expect(await statusOf(uuid(10))).toBe('closed');
  });

  test('sent back, it is open to be corrected, and not to be thrown away', async () => {
    await decide('has_issues', 'Again, please');
    await expect(store.write('t', tx => openInspection(tx, uuid(10), 't'))).resolves.toMatchObject({ id: uuid(10) });
    await expect(store.write('t', tx => discardInspection(tx, uuid(10)))).rejects.toMatchObject({
      code: 'stale_version',
    });
  });
});

test('every state can be reached from the start, and only closed leads nowhere', () => {
  const reached = new Set<InspectionStatus>(['scheduled']);
  for (const from of reached) for (const next of nextStates[from]) reached.add(next);
  expect([...reached].toSorted()).toEqual(Object.keys(nextStates).toSorted());
  expect(Object.entries(nextStates).filter(([, next]) => next.length === 0)).toEqual([['closed', []]]);
});

test('received is said only of what the server has seen as it stands', () => {
  const facts = { status: 'finalised', received_at: at, missed_at: null } as const;
  expect(shownState(facts, false)).toBe('received');
  expect(shownState(facts, true)).toBe('finalised');
  expect(shownState({ ...facts, received_at: null }, false)).toBe('finalised');
  expect(shownState({ status: 'scheduled', received_at: null, missed_at: at }, false)).toBe('missed');
});

test('the queue shows what waits longest first, what was sent back, and what was decided last', async () => {
  const rows = [inspection(14, 'finalised'), inspection(12, 'finalised'), inspection(13, 'has_issues')];
  const decided = [
    inspection(15, 'approved', { reviewed_at: '2026-11-20T08:00:00Z' }),
    inspection(16, 'rejected', { reviewed_at: at }),
  ];
  store = memoryStore({ inspections: [...rows, ...decided, inspection(17, 'in_progress')] }, reviewer);
  const queue = await store.read(reviewQueue({ organizationId, playbookId: null }));
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  expect(ids(queue.waiting)).toEqual([uuid(12), uuid(14)]);
  expect(ids(queue.sentBack)).toEqual([uuid(13)]);
  expect(ids(queue.decided)).toEqual([uuid(16), uuid(15)]);
});

test('only answers changed after the last sending back count as changed since the review', () => {
  const event = (kind: 'state' | 'answer', of: string) =>
    ({ kind, question: kind === 'answer' ? of : null, after: kind === 'state' ? of : {} }) as Row<'inspection_events'>;
  const log = [
    event('answer', 'early'),
    event('state', 'has_issues'),
    event('answer', 'brakes'),
    event('state', 'finalised'),
  ];
  expect([...changedSinceReview(log)]).toEqual(['brakes']);
  expect([...changedSinceReview(log.slice(0, 1))]).toEqual([]);
});
