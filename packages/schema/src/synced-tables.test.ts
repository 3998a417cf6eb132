import { expect, test } from 'vitest';
import { columns } from './index.ts';
import { syncedTables } from './synced-tables.ts';

const version = {
  id: '00000000-0000-4000-8000-00000000000a',
  organization_id: '00000000-0000-4000-8000-00000000000b',
  form_id: 'f',
  definition: {},
  source: 'builder' as const,
  changes: null,
  created_by: null,
  created_at: '2026-11-21T08:00:00Z',
  updated_at: '2026-11-21T08:00:00Z',
  deleted_at: null,
  version: 1,
};

/** What an asset's plate says, none of it known. */
const PLATE = {
  latitude: null,
  longitude: null,
  barcode: null,
  serial_number: null,
  manufacturer: null,
  model: null,
  notes: null,
  tags: [],
};

test('every synced table has its store', () => {
  expect(Object.keys(syncedTables).toSorted()).toEqual(Object.keys(columns).toSorted());
});

test('every field group names columns of its table', () => {
  const known = Object.entries(columns).map(([table, names]) => [table, new Set(names)] as const);
  const columnsOf = new Map(known);
  for (const [table, { groups }] of Object.entries(syncedTables)) {
    for (const field of groups.flat()) expect(columnsOf.get(table)).toContain(field);
  }
});

test('form versions sort by number: it is padded to six digits', () => {
  const keys = [10, 2].map(number => syncedTables.form_versions.keys({ ...version, number })['form']);
  expect(keys).toEqual(['f/000010', 'f/000002']);
});

test('a key without a value is left out', () => {
  const place = { site_id: null, parent_id: null, location: null, submitted_at: null, submitted_by: null };
  const asset = { ...version, ...place, name: 'Lift', category: null, ...PLATE };
  expect(syncedTables.assets.keys({ ...asset, status: 'operational', code: null })).toEqual({});
  expect(syncedTables.assets.keys({ ...asset, status: 'operational', code: 'FL-1' })).toEqual({ code: 'FL-1' });
});
