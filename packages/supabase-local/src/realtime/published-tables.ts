import type { Sql } from 'postgres';
import type { Table } from './change-filter.ts';

export type PublishedTable = Table & { key: string[] };

const PUBLICATION = 'supabase_realtime';
const TRIGGER = 'cairn_note_change';
const LOCK_PATIENCE_MS = 2000;

/** Tables of the publication that fit the names and have a key; without one nobody could be asked whether they may see a row. */
export async function publishedTables(sql: Sql, schema: string, name: string | null): Promise<PublishedTable[]> {
  const rows = await sql<PublishedTable[]>`
    select n.nspname as schema, c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname,
                'castType', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
       from pg_attribute a join pg_type t on t.oid = a.atttypid
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select jsonb_agg(a.attname order by a.attnum) from pg_index i
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where i.indrelid = c.oid and i.indisprimary) as key
    from pg_publication_tables p
    join pg_namespace n on n.nspname = p.schemaname
    join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
    where p.pubname = ${PUBLICATION} and (${schema} = '*' or p.schemaname = ${schema})
      and (${name}::text is null or p.tablename = ${name})`;
  return rows.filter(table => table.key !== null);
}

/** Lets a table tell its changes, once. Waits briefly for the table's lock. */
export async function watchTable(sql: Sql, { schema, name, key }: PublishedTable): Promise<void> {
  const place = `${schema}.${name}`;
  await sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext(${`${TRIGGER} ${place}`}))`;
    const there = await tx`
      select from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relname = ${name} and t.tgname = ${TRIGGER}`;
    if (there.length > 0) return;
    await tx`select set_config('lock_timeout', ${`${LOCK_PATIENCE_MS}`}, true)`;
    const [quoted] = await tx<{ keys: string }[]>`
      select string_agg(quote_literal(k), ', ') as keys from unnest(${key}::text[]) k`;
    await tx`create trigger ${tx(TRIGGER)} after insert or update or delete on ${tx(schema)}.${tx(name)}
      for each row execute function realtime.note_change(${tx.unsafe(quoted?.keys ?? '')})`;
  });
}
