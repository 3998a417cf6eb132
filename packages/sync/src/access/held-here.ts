import { columns, type TableName } from '@cairn/schema';
import type { Digest, ScopeVersion, WireSum } from '../transport/backend.ts';
import { cursorsOf, type Cursors } from '../store/cursors.ts';
import type { LocalDatabase } from '../store/database.ts';
import { typeRange } from '../store/record-key.ts';
import { storeOf } from '../store/record.ts';
import { addRow, addSum, bucketOf, emptySum, onWire, type Sum } from '../transport/row-hash.ts';
import type { StoredRecord } from '../store/stored.ts';

/** The tables this app knows. */
export const TABLES = Object.keys(columns) as TableName[];
/** Records read at once: on a phone 500 of them held a press up for longer than a frame. */
const CHUNK = 100;
/** By scope, table and bucket. */
type ScopeSums = Map<string, Map<TableName, Map<number, Sum>>>;
/** A table of a scope in which device and server differ. */
export type Difference = { scope: string; table: TableName };

/** `orphans`: records that came through no scope and carry no work; `strays`: scopes of records that the device reads no more. */
export type DeviceHoldings = { held: ScopeSums; orphans: number; strays: ReadonlySet<string>; cursors: Cursors };

/** Once a pull has ended everything the server has acknowledged or sent stands in a scope. */
export const isOrphan = ({ scopes, isDirty, isSubmitted }: StoredRecord): boolean =>
  scopes.length === 0 && !isDirty && isSubmitted !== true;

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function count(held: ScopeSums, table: TableName, record: StoredRecord): void {
  for (const scope of record.scopes) {
    const tables = within(held, scope, () => new Map<TableName, Map<number, Sum>>());
    const buckets = within(tables, table, () => new Map<number, Sum>());
    addRow(within(buckets, bucketOf(record.id), emptySum), record.id, record.version);
  }
}

type DeviceScope = { db: LocalDatabase; owner: string };

/**
 * What this device holds, counted from its records each time: the server's word is compared with, never taken over.
 *
 * @param onHeartbeat called as it goes on, for the watchdog
 */
export async function heldHere(mine: DeviceScope, onHeartbeat: () => void): Promise<DeviceHoldings> {
  const { db, owner } = mine;
  const held: ScopeSums = new Map();
  let orphans = 0;
  for (const table of TABLES) {
    let range = typeRange(owner, table);
    for (;;) {
      onHeartbeat();
      // A transaction for each part: a save must not wait for a copy of 100,000 rows. Only this retry loop changes versions.
      const store = (await db.transaction([storeOf(table)], 'readonly')).objectStore(storeOf(table));
      const [records, keys] = await Promise.all([store.getAll(range, CHUNK), store.getAllKeys(range, CHUNK)]);
      for (const record of records) count(held, table, record);
      orphans += records.filter(isOrphan).length;
      const last = keys.at(-1);
      if (last === undefined || records.length < CHUNK) break;
      range = IDBKeyRange.bound(last, range.upper, true);
    }
  }
  const cursors = await cursorsOf(mine);
  return { held, orphans, strays: new Set([...held.keys()].filter(scope => !(scope in cursors))), cursors };
}

/** Whether the device has read the scope up to exactly there. */
export function isAtPlace(cursors: Cursors, scope: string, [epoch, v]: ScopeVersion): boolean {
  const cursor = cursors[scope];
  if (!cursor) return false;
  const [known, at, table] = cursor;
  // A scope nothing was ever in has no counter yet.
  if (at === 0 && v === 0) return true;
  return known.split('.')[0] === epoch && at === v && table === '~';
}

function totalOf(buckets: Map<number, Sum> | undefined): WireSum {
  const total = emptySum();
  for (const sum of buckets?.values() ?? []) addSum(total, sum);
  return onWire(total);
}

const isSameSum = (a: WireSum, b: WireSum): boolean => a[0] === b[0] && a[1] === b[1];
const NOTHING = onWire(emptySum());

/** Where they differ; scopes that moved between reading and asking say nothing. */
export function compare(theirs: Digest, { held, cursors }: DeviceHoldings) {
  const differences: Difference[] = [];
  const scopes = Object.entries(theirs);
  const still = scopes.filter(([scope, { at }]) => isAtPlace(cursors, scope, at));
  for (const [scope, { sums }] of still) {
    const mine = held.get(scope);
    for (const table of TABLES) {
      if (!isSameSum(totalOf(mine?.get(table)), sums[table] ?? NOTHING)) differences.push({ scope, table });
    }
  }
  return { differences, compared: still.length, moved: scopes.length - still.length };
}

/** What some records come to by bucket, empty ones left out. */
export function bucketsOf(records: readonly StoredRecord[]): Record<number, WireSum> {
  const buckets = new Map<number, Sum>();
  for (const { id, version } of records) addRow(within(buckets, bucketOf(id), emptySum), id, version);
  return Object.fromEntries([...buckets].map(([bucket, sum]) => [bucket, onWire(sum)]));
}
