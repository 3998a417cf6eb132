import { expect, test } from 'vitest';
import type { Conflict } from '@cairn/sync/engine.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { copyOf } from './own-copy.ts';

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
