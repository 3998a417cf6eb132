import { createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { columns, type TableName } from '@cairn/schema';
import type { SyncedTable } from '@cairn/schema/synced-table.ts';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { wholeTree } from '../signed-in-routes.ts';
import { addressOf } from './sync-addresses.ts';

const ID = '00000000-0000-4000-8000-0000000000c1';
const tables = Object.keys(columns) as TableName[];
const router = createRouter({ routeTree: wholeTree(), context: {} as never });

/** The route an address opens, and what it takes from it. */
function matched(address: string) {
  const [routes, params] = router.getMatchedRoutes(address);
  return { path: routes.at(-1)?.fullPath ?? null, params: Object.values(params) };
}

test('every address is a screen of its own, and one with an id hands it to that screen', () => {
  const wrong = tables.filter(table => {
    const address = addressOf(table, ID);
    if (address === null) return false;
    const { path, params } = matched(address);
    const takesId = address.includes(ID);
    return path === null || path === '/$' || path === '/' || params.includes(ID) !== takesId;
  });
  expect(wrong).toEqual([]);
});

test('an address that no screen has is told apart', () => {
  expect(matched('/no/such/page').path).toBe('/$');
});

/** Whether what a record is part of has a screen. */
function isWithin<T extends TableName>(table: T): boolean {
  const { aggregateRoot }: SyncedTable<T> = syncedTables[table];
  return aggregateRoot !== undefined && addressOf(aggregateRoot.table, ID) !== null;
}

test('what has no screen is part of something that has one, or is written by the app itself', () => {
  const alone = tables.filter(table => addressOf(table, ID) === null && !isWithin(table));
  expect(alone.toSorted()).toEqual([
    'inspection_events',
    'note_keys',
    'notification_types',
    'organization_activations',
    'record_follows',
    'role_permissions',
  ]);
});
