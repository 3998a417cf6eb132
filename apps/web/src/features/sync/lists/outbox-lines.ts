import type { SyncedTable } from '@cairn/schema/synced-table.ts';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { Row, TableName } from '@cairn/schema';
import type { OutboxItem, OutboxState } from '@cairn/sync/outbox/outbox-item.ts';
import type { Query, Tx } from '@cairn/sync/store.ts';

/** Which record an outbox item is counted under: an answer and a photo's row under their inspection. */
export type Parent<T extends TableName = TableName> = { table: T; id: string; title: string | null };

/** Whether all that waits of it is what somebody chose between two versions; an edit behind it is work of its own. */
export const isChoice = ({ operation, edits }: Pick<OutboxItem, 'operation' | 'edits'>): boolean =>
  operation === 'resolve' && edits === 1;

/** Whether the server has never had it: new, and no part of another record. */
export const isNeverSynced = ({ operation, aggregateKey, recordId }: Partial<OutboxItem>): boolean =>
  operation === 'insert' && aggregateKey?.endsWith(`/${recordId}`) === true;

/** How much of what a line or a receipt holds. */
export type Contents = Partial<Record<TableName | 'choices', number>>;

/** One line of the outbox: a record with all that waits under it, or one file. */
export type OutboxLine = {
  key: string;
  table: TableName;
  kind: 'record' | 'file';
  title: string | null;
  state: OutboxState;
  attempts: number;
  /** Records under it by table, itself left out; choices by that word, whatever they are about. */
  parts: Contents;
  bytes: number | null;
  sentBytes: number | null;
  items: OutboxItem[];
  /** What is let go with it bears the same. */
  whole: string;
};

/** What items stand under, by their keys; null for one that stands alone. */
export type Parents = ReadonlyMap<string, Parent | null>;

/** Reads, for each item, what it stands under. Items whose record is gone stand alone. */
export function parentsOf(items: readonly OutboxItem[]): Query<Parents> {
  const keys = items.map(item => item.key);
  return {
    key: `sync/parents/${keys.join(',')}`,
    // A read names at least one table, also while nothing waits.
    tables: [...new Set<TableName>(['inspections', ...items.map(item => item.table)])],
    async read(tx) {
      const found = items.map(async ({ key, table, recordId }): Promise<[string, Parent | null]> => {
        return [key, await parentOf(tx, table, recordId)];
      });
      return new Map(await Promise.all(found));
    },
  };
}

/**
 * Reads, for each comment, what it is on: a thing of its own there, unless that is an inspection, so that it is no part of that
 * line, but it is read and changed there.
 */
export function subjectsOf(items: readonly OutboxItem[]): Query<Parents> {
  const comments = items.filter(({ table }) => table === 'comments');
  return {
    key: `sync/subjects/${comments.map(({ key }) => key).join(',')}`,
    tables: [
      'comments',
      'inspections',
      'action_items',
      'tasks',
      'issue_reports',
      'findings',
      'policy_versions',
      'policies',
    ],
    async read(tx) {
      const found = comments.map(async ({ key, recordId }): Promise<[string, Parent | null]> => {
        return [key, await subjectOf(tx, recordId)];
      });
      return new Map(await Promise.all(found));
    },
  };
}

/** A version of a policy is opened with its policy. */
async function subjectOf(tx: Tx, id: string): Promise<Parent | null> {
  const comment = await tx.get('comments', id);
  if (!comment) return null;
  const { subject_table: table, subject_id: subject } = comment;
  return (await parentOf(tx, table, subject)) ?? titled(tx, table, subject);
}

async function parentOf<T extends TableName>(tx: Tx, table: T, id: string): Promise<Parent | null> {
  const { aggregateRoot }: SyncedTable<T> = syncedTables[table];
  const row = aggregateRoot && (await tx.get(table, id));
  const parentId = row && aggregateRoot?.id(row);
  if (!aggregateRoot || !parentId) return null;
  return titled(tx, aggregateRoot.table, parentId);
}

async function titled<T extends TableName>(tx: Tx, table: T, id: string): Promise<Parent<T>> {
  const row: Row<T> | undefined = await tx.get(table, id);
  return { table, id, title: row ? syncedTables[table].title(row) : null };
}

/** One that came a moment ago is not read yet: it goes where the badge counts it, and its row need not move then. */
function aggregateKeyOf({ aggregateKey, table, recordId }: OutboxItem): Parent | null {
  const [rootTable, id] = aggregateKey.split('/') as [TableName, string];
  return rootTable === table && id === recordId ? null : { table: rootTable, id, title: null };
}

/** Joins items into lines, in the order they are sent; failed ones are left out: they stand under "Needs you". */
export function linesOf(items: readonly OutboxItem[], parents: Parents): OutboxLine[] {
  const lines = new Map<string, OutboxLine>();
  for (const item of items) {
    if (item.state === 'failed') continue;
    const read = parents.get(item.key);
    const parent = read === undefined ? aggregateKeyOf(item) : read;
    const alone = item.kind === 'file' || !parent;
    const key = alone ? item.key : `record/${parent.table}/${parent.id}`;
    const line = lines.get(key) ?? emptyLine(key, item, alone ? null : parent);
    lines.set(key, line);
    join(line, item, { isItself: alone && item.kind === 'record', parent });
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
    whole: item.discardGroup,
  };
}

const URGENCY: Record<OutboxState, number> = { waiting: 0, retrying: 1, failed: 2, sending: 3 };

type LinePosition = { isItself: boolean; parent: Parent | null };

/** Into a line nobody has seen yet. */
function join(line: OutboxLine, item: OutboxItem, { isItself, parent }: LinePosition): void {
  const part = isChoice(item) ? 'choices' : isItself || item.kind === 'file' ? null : item.table;
  if (part) line.parts[part] = (line.parts[part] ?? 0) + 1;
  line.title ??= item.title ?? parent?.title ?? null;
  if (URGENCY[item.state] > URGENCY[line.state]) line.state = item.state;
  line.attempts = Math.max(line.attempts, item.attempts);
  if (item.kind === 'file') {
    line.bytes = item.bytes;
    line.sentBytes = item.sentBytes;
  }
  line.items.push(item);
}

/** The lines that are let go together, by what they bear in common. */
export const togetherIn = (lines: readonly OutboxLine[]): ReadonlyMap<string, OutboxLine[]> =>
  Map.groupBy(lines, ({ whole }) => whole);
