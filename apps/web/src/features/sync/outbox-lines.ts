import type { SyncedTable } from '@cairn/schema/synced-table.ts';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { Row, TableName } from '@cairn/schema';
import type { OutboxItem, OutboxState } from '@cairn/sync/engine.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** Which record an outbox item is counted under: an answer and a photo's row under their inspection. */
export type Parent<T extends TableName = TableName> = { table: T; id: string; title: string | null };

/** One line of the outbox: a record with all that waits under it, or one file. */
export type OutboxLine = {
  key: string;
  table: TableName;
  kind: 'record' | 'file';
  title: string | null;
  state: OutboxState;
  attempts: number;
  /** Records under it by table, itself left out. */
  parts: Partial<Record<TableName, number>>;
  bytes: number | null;
  sentBytes: number | null;
  items: OutboxItem[];
  /** What is let go with it bears the same. */
  whole: string;
};

/** Reads, for each item, what it stands under. Items whose record is gone stand alone. */
export function parentsOf(items: readonly OutboxItem[]): Query<Map<string, Parent>> {
  const keys = items.map(item => item.key);
  return {
    key: `sync/parents/${keys.join(',')}`,
    // A read names at least one table, also while nothing waits.
    tables: [...new Set<TableName>(['inspections', ...items.map(item => item.table)])],
    async read(tx) {
      const found = await Promise.all(items.map(item => parentOf(tx, item.table, item.recordId)));
      return new Map(found.flatMap((parent, index) => (parent && keys[index] ? [[keys[index], parent]] : [])));
    },
  };
}

async function parentOf<T extends TableName>(tx: Tx, table: T, id: string): Promise<Parent | null> {
  const { countsUnder }: SyncedTable<T> = syncedTables[table];
  const row = countsUnder && (await tx.get(table, id));
  const parentId = row && countsUnder?.id(row);
  if (!countsUnder || !parentId) return null;
  return titled(tx, countsUnder.table, parentId);
}

async function titled<T extends TableName>(tx: Tx, table: T, id: string): Promise<Parent<T>> {
  const row: Row<T> | undefined = await tx.get(table, id);
  return { table, id, title: row ? syncedTables[table].title(row) : null };
}

/** Joins items into lines, in the order they are sent; failed ones are left out: they stand under "Needs you". */
export function linesOf(items: readonly OutboxItem[], parents: ReadonlyMap<string, Parent>): OutboxLine[] {
  const lines = new Map<string, OutboxLine>();
  for (const item of items.filter(each => each.state !== 'failed')) {
    const parent = parents.get(item.key);
    const alone = item.kind === 'file' || !parent;
    const key = alone ? item.key : `record/${parent.table}/${parent.id}`;
    const line = lines.get(key) ?? emptyLine(key, item, alone ? null : parent);
    lines.set(key, joined(line, item, alone && item.kind === 'record', parent));
  }
  return [...lines.values()];
}

function emptyLine(key: string, item: OutboxItem, parent: Parent | null): OutboxLine {
  return {
    key,
    table: parent?.table ?? item.table,
    kind: item.kind,
    title: parent?.title ?? item.title,
    state: 'waiting',
    attempts: 0,
    parts: {},
    bytes: null,
    sentBytes: null,
    items: [],
    whole: item.whole,
  };
}

const URGENCY: Record<OutboxState, number> = { waiting: 0, retrying: 1, failed: 2, sending: 3 };

function joined(line: OutboxLine, item: OutboxItem, isItself: boolean, parent: Parent | undefined): OutboxLine {
  const parts = isItself || item.kind === 'file' ? line.parts : plusOne(line.parts, item.table);
  return {
    ...line,
    parts,
    title: line.title ?? item.title ?? parent?.title ?? null,
    state: URGENCY[item.state] > URGENCY[line.state] ? item.state : line.state,
    attempts: Math.max(line.attempts, item.attempts),
    bytes: item.kind === 'file' ? item.bytes : line.bytes,
    sentBytes: item.kind === 'file' ? item.sentBytes : line.sentBytes,
    items: [...line.items, item],
  };
}

const plusOne = (parts: OutboxLine['parts'], table: TableName) => ({ ...parts, [table]: (parts[table] ?? 0) + 1 });
