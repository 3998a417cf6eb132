import type { Sql } from 'postgres';

export type CatalogueColumn = {
  name: string;
  /** e.g. `timestamp with time zone`, `uuid[]`. */
  type: string;
  nullable: boolean;
  /** Allowed values, where a check constraint lists them. */
  values: string[] | null;
  /** A constant default as JSON, `undefined` where there is none. */
  constant: unknown;
  /** The database fills it when it is left out. */
  filled: boolean;
};

export type CatalogueTable = {
  name: string;
  priority: number;
  groups: string[][];
  serverColumns: string[];
  columns: CatalogueColumn[];
};

type ColumnRow = Omit<CatalogueColumn, 'constant' | 'values'> & {
  table: string;
  expression: string | null;
  check: string | null;
};

/** `CHECK ((status = ANY (ARRAY['open'::text, …])))` → the values; anything else → null. */
export function valuesOfCheck(check: string | null): string[] | null {
  const list = check?.match(/= ANY \(ARRAY\[(.*)\]\)/)?.[1];
  if (!list) return null;
  return [...list.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value = '']) => value.replaceAll("''", "'"));
}

async function constantOf(sql: Sql, column: ColumnRow): Promise<unknown> {
  if (column.expression === null || column.expression.includes('(')) return undefined;
  const [row] = await sql.unsafe<{ value: string }[]>(
    `select to_jsonb((${column.expression})::${column.type})::text as value`,
  );
  return row ? JSON.parse(row.value) : undefined;
}

const readColumns = (sql: Sql) => sql<ColumnRow[]>`
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
    case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as expression,
    d.adbin is not null as filled,
    (select pg_get_constraintdef(k.oid) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%' limit 1) as check
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  join sync.tables t on t.name = c.relname and a.attname = any (t.columns)
  where c.relnamespace = 'public'::regnamespace
  order by c.relname, a.attnum`;

/** The synced tables of a database, in name order, with what the registry says of them. */
export async function readCatalogue(sql: Sql): Promise<CatalogueTable[]> {
  const tables = await sql<(Omit<CatalogueTable, 'columns'> & { name: string })[]>`
    select name, priority, groups, server_columns as "serverColumns" from sync.tables order by name`;
  const rows = await readColumns(sql);
  const columns = await Promise.all(
    rows.map(async row => ({ ...row, values: valuesOfCheck(row.check), constant: await constantOf(sql, row) })),
  );
  return tables.map(table => ({ ...table, columns: columns.filter(column => column.table === table.name) }));
}
