import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import type { PushResult } from '../transport/backend.ts';
import { newEntry } from '../store/queue-edit.ts';
import { emptyRecord, rebuildRecord } from '../store/record.ts';
import { applyPushResult } from './apply-push-result.ts';
import type { QueuedEntry } from '../store/stored.ts';

const OWNER = actionId(3);
const ROW = { id: actionId(1), title: 'as the server said last' };

/** A record at version 7 with one thing done to it that the server has answered. */
function done(operation: 'update' | 'delete', scopes = ['org:1']) {
  const record = { ...emptyRecord(OWNER, 'action_items', actionId(1)), version: 7, scopes, data: ROW };
  const patch = operation === 'update' ? { title: 'mine' } : {};
  const entry = { ...newEntry(record, { operation, patch, seen: {}, now: 1, group: null }), seq: 1 } as QueuedEntry;
  return { record: rebuildRecord(record, ROW, [entry]), entry, rest: [], now: 2 };
}
const clean = { data: ROW, version: 7, isDirty: false, scopes: ['org:1'] };
const conflict = (v: number, row: Record<string, unknown> | null): PushResult => ({
  st: 'conflict',
  mid: '',
  v,
  row,
  cid: actionId(9),
  kind: 'missing_or_hidden',
  fields: [],
});

test('a record no row is shown of stands as the server said last, until a pull takes it; one no pull brought goes', () => {
  expect(applyPushResult(done('update'), conflict(0, null)).record).toMatchObject(clean);
  expect(applyPushResult(done('update', []), conflict(0, null)).record).toBeNull();
});

test.for([
  [6, clean],
  [8, null],
] as const)('a row deleted at version %i, where 7 is here', ([v, left]) => {
  const { record, conflict: kept } = applyPushResult(done('update'), conflict(v, { ...ROW, deleted_at: '2026-11-21' }));
  expect(left && record ? { ...record, ...left } : left).toEqual(record);
  expect(kept?.conflict.fields).toMatchObject([{ f: 'title', mine: 'mine' }]);
});

test.for([
  [6, clean],
  [8, null],
] as const)('a delete done as version %i, where 7 is here', ([v, left]) => {
  const { record } = applyPushResult(done('delete'), { st: 'applied', mid: '', v, d: {} });
  expect(left && record ? { ...record, ...left } : left).toEqual(record);
});
