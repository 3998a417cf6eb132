import type { Drafts, TableName, Tables } from './generated/database.ts';

export { columns, defaults, groups, priorities, serverColumns } from './generated/database.ts';
export type { Json, TableName } from './generated/database.ts';

/** A row of a synced table as the device keeps it: every column but `scopes`, nulls as null. */
export type Row<T extends TableName> = Tables[T];

/** What a client writes: `id` always; what the database fills, owns or lets be null may be left out. */
export type Draft<T extends TableName> = Drafts[T];
