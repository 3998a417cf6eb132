import { Failure } from '@cairn/base/failure.ts';
import { defaults, serverColumns, type Draft, type Row, type TableName } from '@cairn/schema';
import { hydrate, keysOf, writable } from '@cairn/sync/store/record.ts';
import { stringStart } from '@cairn/sync/store/string-start.ts';
import type { Query, Store, Tx, WriteTx } from '@cairn/sync/store.ts';

/** Rows to begin with, by table. */
export type MemoryRows = { [T in TableName]?: (Row<T> | Draft<T>)[] };

type Data = Record<string, unknown>;
type Copy = { rows: Map<string, Map<string, Data>>; files: Map<string, ArrayBuffer> };

const MADE_AT = '2026-11-21T08:00:00.000Z';

/** The row as a device shows it before any server has seen it. */
function draftRow(table: TableName, owner: string, row: Data): Data {
  const made: Data = { ...defaults[table], version: 0 };
  for (const column of serverColumns[table]) {
    if (column === 'created_at' || column === 'updated_at') made[column] = MADE_AT;
    if (column === 'created_by') made[column] = owner;
  }
  return { ...made, ...row };
}

const copyOf = ({ rows, files }: Copy): Copy => ({
  rows: new Map([...rows].map(([table, held]) => [table, new Map(held)])),
  files: new Map(files),
});

function reads(copy: Copy, owner: string): Tx {
  const held = (table: TableName) => [...(copy.rows.get(table)?.values() ?? [])];
  const inRange = (table: TableName, [key, from, to]: [string, string, string]) => {
    const prefix = stringStart(owner, table, key);
    const named = held(table).flatMap(row =>
      keysOf(owner, table, row)
        .filter(value => value >= prefix + from && value <= prefix + to && value.startsWith(prefix))
        .map(value => ({ value, row })),
    );
    return named.toSorted((a, b) => (a.value < b.value ? -1 : Number(a.value > b.value))).map(({ row }) => row);
  };
  return {
    async get(table, id) {
      const row = copy.rows.get(table)?.get(id);
      return row && hydrate(table, structuredClone(row));
    },
    all: async table => held(table).map(row => hydrate(table, structuredClone(row))),
    range: async (table, key, from, to, limit) =>
      inRange(table, [key, from, to])
        .slice(0, limit)
        .map(row => hydrate(table, structuredClone(row))),
    latest: async (table, key, limit, keep) =>
      inRange(table, [key, '', '\uffff'])
        .toReversed()
        .map(row => hydrate(table, structuredClone(row)))
        .filter(keep)
        .slice(0, limit),
    count: async (table, key, from, to) => inRange(table, [key, from, to]).length,
    bytes: async id => copy.files.get(id),
  };
}

function writes(copy: Copy, owner: string, changed: Set<TableName>): WriteTx {
  const set = (table: TableName, id: string, row: Data | null) => {
    const rows = copy.rows.get(table) ?? new Map<string, Data>();
    copy.rows.set(table, rows);
    changed.add(table);
    if (row) rows.set(id, row);
    else rows.delete(id);
  };
  const read = reads(copy, owner);
  const rowOf = (table: TableName, id: string) => copy.rows.get(table)?.get(id);
  return {
    ...read,
    device: 'device-of-memory',
    getToChange: read.get,
    async put(table, row) {
      const given = structuredClone(row) as Data & { id: string };
      const fields = writable(table, given);
      const present = rowOf(table, given.id);
      set(table, given.id, present ? { ...present, ...fields } : draftRow(table, owner, { ...fields, id: given.id }));
    },
    async change(table, id, fields) {
      const present = rowOf(table, id);
      if (!present) throw new Failure('not_found', `change: no ${table} ${id} on this device`);
      set(table, id, { ...present, ...writable(table, structuredClone(fields) as Data) });
    },
    remove: async (table, id) => set(table, id, null),
    async putBytes(id, bytes) {
      copy.files.set(id, bytes);
      changed.add('media');
    },
  };
}

/** A Store in memory for tests of operations and screens; keeps the same contract as the one on IndexedDB. */
export function memoryStore(rows: MemoryRows = {}, owner = '00000000-0000-4000-8000-000000000003'): Store {
  let copy: Copy = { rows: new Map(), files: new Map() };
  for (const [table, seeded] of Object.entries(rows) as [TableName, Data[]][]) {
    copy.rows.set(table, new Map(seeded.map(row => [String(row['id']), draftRow(table, owner, row)])));
  }
  const watchers = new Set<{ tables: readonly TableName[]; run: () => void }>();
  let turn: Promise<unknown> = Promise.resolve();
  const read = <A>(query: Query<A>) => query.read(reads(copy, owner));

  async function write<A>(change: (tx: WriteTx) => Promise<A>): Promise<A> {
    const next = copyOf(copy);
    const changed = new Set<TableName>();
    const answer = await change(writes(next, owner, changed));
    copy = next;
    for (const { tables, run } of watchers) if (tables.some(table => changed.has(table))) run();
    return answer;
  }

  return {
    owner,
    read,
    write(_name, change) {
      const done = turn.then(() => write(change));
      turn = done.catch(() => undefined);
      return done;
    },
    watch(query, onAnswer, onError) {
      let asked = 0;
      const run = () => {
        asked += 1;
        const mine = asked;
        const heard = (tell: () => void) => mine === asked && watchers.has(watcher) && tell();
        read(query).then(
          answer => heard(() => onAnswer(answer)),
          (error: unknown) =>
            heard(() => {
              watchers.delete(watcher);
              onError(error);
            }),
        );
      };
      const watcher = { tables: query.tables, run };
      watchers.add(watcher);
      run();
      return () => void watchers.delete(watcher);
    },
  };
}
