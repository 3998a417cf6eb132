import { expect, test } from 'vitest';
import type { Conflict, OutboxItem, PendingWrite } from '@cairn/sync/outbox/outbox-item.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { copyOf, refusedCopy } from './own-copy.ts';

const INSPECTION = '00000000-0000-4000-8000-0000000000c1';
const ORG = '00000000-0000-4000-8000-0000000000a1';

const conflict: Conflict = {
  id: 'c',
  table: 'inspections',
  recordId: INSPECTION,
  title: 'Forklift 3',
  kind: 'deleted_remotely',
  fields: [],
  mine: { status: 'completed', signed_by: 'sam' },
  at: 0,
  resolved: false,
  resolution: null,
  resolvedAt: null,
  written: null,
};

test('the copy of a deleted inspection holds what was written here, and the answers still on the phone', async () => {
  const of = { organization_id: ORG, outcome: 'fail' as const, value: 'bent' };
  const store = memoryStore({
    inspection_answers: [
      { id: '00000000-0000-4000-8000-0000000000d1', ...of, inspection_id: INSPECTION, question: 'fork' },
      { id: '00000000-0000-4000-8000-0000000000d2', ...of, inspection_id: ORG, question: 'other' },
    ],
  });
  const { name, text } = await copyOf(store, conflict);
  expect(name).toBe(`inspections-${INSPECTION}.json`);
  expect(JSON.parse(text)).toMatchObject({
    title: 'Forklift 3',
    mine: { status: 'completed', signed_by: 'sam' },
    answers: [{ question: 'fork', value: 'bent', outcome: 'fail' }],
  });
});

test('the copy of what was refused holds the words of this phone, and nothing that somebody else wrote at the same place', async () => {
  const [PASSED, FAILED] = ['00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000d2'];
  const of = { organization_id: ORG, inspection_id: INSPECTION };
  // What another phone brought first lies under what was written here.
  const store = memoryStore({
    inspection_answers: [
      { id: PASSED, ...of, question: 'brake', value: 'pass', note: 'their lever is loose' },
      { id: FAILED, ...of, question: 'fork', value: 'bent' },
    ],
  });
  const wrote = async (keys: readonly string[]): Promise<PendingWrite[]> =>
    keys.map(key =>
      key === 'check'
        ? { table: 'inspections', recordId: INSPECTION, fields: { status: 'finalised', signed_by: 'Sam' } }
        : { table: 'inspection_answers', recordId: key, fields: { value: key === PASSED ? 'pass' : 'bent' } },
    );
  const item = (key: string, recordId: string) =>
    ({ key, recordId, aggregateKey: `inspections/${INSPECTION}`, title: 'Forklift 3' }) as OutboxItem;
  const items = [item('check', INSPECTION), item(PASSED, PASSED), item(FAILED, FAILED)] as const;
  const { name, text } = await refusedCopy({ store, wrote }, [...items]);
  expect(name).toBe(`inspections-${INSPECTION}.json`);
  expect(JSON.parse(text)).toEqual({
    table: 'inspections',
    id: INSPECTION,
    title: 'Forklift 3',
    mine: { status: 'finalised', signed_by: 'Sam' },
    parts: [
      { table: 'inspection_answers', id: PASSED, question: 'brake', value: 'pass' },
      { table: 'inspection_answers', id: FAILED, question: 'fork', value: 'bent' },
    ],
  });
});
