import { groups, priorities, type Row, type TableName } from './index.ts';

/** The stores of the device's database, as the specification names them. */
export type StoreName =
  | 'tasks'
  | 'policies'
  | 'forms'
  | 'inspections'
  | 'training'
  | 'media'
  | 'scans'
  | 'users'
  | 'settings'
  | 'lifecycle_status'
  | 'issue_reports';

/** Named sort keys of one row; `Tx.range(table, name, from, to)` reads by them. Each costs on every write. */
export type Keys = Record<string, string | string[]>;

export type SyncedTable<T extends TableName> = {
  store: StoreName;
  /** Order of pull and push, lower first. */
  priority: number;
  /** Fields that conflict together. */
  groups: readonly (readonly string[])[];
  /** Columns that are null may be missing from `row`. */
  keys(row: Row<T>): Keys;
  /** A short name of the record for people, or null where it has none of its own. */
  title(row: Row<T>): string | null;
  /** The record this one is counted under in "n inspections waiting". */
  aggregateRoot?: { table: TableName; id(row: Row<T>): string | null };
  /** What its id is derived from, where it is: the id of another record and a name (packages/base/src/id.ts). */
  derived?: IdDerivation<T>;
  /** The field whose moves the server judges one by one, where it does. */
  steps?: Steps;
};

/** `fromNew`: the server lets a new record begin in one state only, so that its first move is told apart from it. */
export type Steps = { field: 'status' | 'state'; fromNew: boolean };

type IdDerivation<T extends TableName> = (row: Row<T>) => [parent: string | null, name: string];

type Entry<T extends TableName> = {
  store: StoreName;
  keys?: (row: Row<T>) => Record<string, string | null>;
  title?: (row: Row<T>) => string | null;
  aggregateRoot?: SyncedTable<T>['aggregateRoot'];
  derived?: IdDerivation<T>;
  steps?: Steps;
};

/** A column that is null may also be missing from the row, so that a key may be undefined. */
function present(keys: Record<string, string | null | undefined>): Keys {
  for (const name in keys) if (keys[name] === null || keys[name] === undefined) delete keys[name];
  return keys as Keys;
}

/** What is said of a table, with what its migration says of it. */
export function entry<T extends TableName>(
  table: T,
  { store, keys, title, aggregateRoot, derived, steps }: Entry<T>,
): SyncedTable<T> {
  return {
    store,
    priority: priorities[table],
    groups: groups[table],
    keys: row => (keys ? present(keys(row)) : {}),
    title: title ?? (() => null),
    ...(aggregateRoot && { aggregateRoot }),
    ...(derived && { derived }),
    ...(steps && { steps }),
  };
}
