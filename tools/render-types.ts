import type { CatalogueColumn, CatalogueTable } from './read-catalogue.ts';

const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  'timestamp with time zone': 'string',
  date: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  'double precision': 'number',
  jsonb: 'Json',
};

function typeOf(column: CatalogueColumn): string {
  if (column.values) return column.values.map(value => `'${value}'`).join(' | ');
  const element = column.type.replace('[]', '');
  const type = TYPES[element];
  if (!type) throw new Error(`gen-types knows no TypeScript type for ${column.type} (column ${column.name})`);
  return element === column.type ? type : `${type}[]`;
}

const rowField = (column: CatalogueColumn): string =>
  `    ${column.name}: ${typeOf(column)}${column.nullable && column.type !== 'jsonb' ? ' | null' : ''};`;

function draftField(table: CatalogueTable, column: CatalogueColumn): string {
  const optional =
    column.name !== 'id' && (column.nullable || column.filled || table.serverColumns.includes(column.name));
  return optional ? rowField(column).replace(':', '?:') : rowField(column);
}

function block(
  kind: string,
  tables: CatalogueTable[],
  field: (t: CatalogueTable, c: CatalogueColumn) => string,
): string {
  const body = tables.map(t => `  ${t.name}: {\n${t.columns.map(c => field(t, c)).join('\n')}\n  };`).join('\n');
  return `export type ${kind} = {\n${body}\n};`;
}

function constant(
  name: string,
  type: string,
  tables: CatalogueTable[],
  of: (table: CatalogueTable) => unknown,
): string {
  const body = tables.map(table => `  ${table.name}: ${JSON.stringify(of(table))},`).join('\n');
  return `export const ${name}: ${type} = {\n${body}\n};`;
}

const constantsOf = (table: CatalogueTable): Record<string, unknown> =>
  Object.fromEntries(
    table.columns
      .filter(column => column.constant !== undefined && column.name !== 'version')
      .map(column => [column.name, column.constant]),
  );

/**
 * The TypeScript of packages/schema/src/generated/database.ts; the same catalogue always gives the same text.
 *
 * @throws {Error} when a column has a type that is not in the list above
 */
export function renderTypes(tables: CatalogueTable[]): string {
  const parts = [
    '// Made by tools/gen-types.ts from supabase/migrations. Do not edit: npm run gen.',
    'export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };',
    `/** A row as the database has it; instants as ISO text, days as YYYY-MM-DD. */\n${block('Tables', tables, (_, c) => rowField(c))}`,
    `/** What a client writes: what the database fills or owns may be left out. */\n${block('Drafts', tables, draftField)}`,
    'export type TableName = keyof Tables;',
    `/** Every column a device gets. */\n${constant('columns', 'Record<TableName, readonly string[]>', tables, t => t.columns.map(c => c.name))}`,
    `/** Columns whose value the server decides; ignored in what a device sends. */\n${constant('serverColumns', 'Record<TableName, readonly string[]>', tables, t => t.serverColumns)}`,
    `/** What the database puts into a column that is left out, where that is a constant. */\n${constant('defaults', 'Record<TableName, Readonly<Record<string, Json>>>', tables, constantsOf)}`,
    `/** Fields that conflict together. */\n${constant('groups', 'Record<TableName, readonly (readonly string[])[]>', tables, t => t.groups)}`,
    `/** Order of pull and push, lower first: parents before children. */\n${constant('priorities', 'Record<TableName, number>', tables, t => t.priority)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
