import postgres, { type Sql } from 'postgres';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { rlsExpectations } from './rls-expectations.ts';
import type { World } from './world.ts';

type Column = { name: string; type: string };

const columnsOf = (sql: Sql, table: string): Promise<Column[]> =>
  sql.unsafe<Column[]>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  );

/** Texts that must differ from row to row, because an index says so; those a check constrains stay as they are. */
const uniqueTexts = (sql: Sql, table: string): Promise<{ name: string }[]> =>
  sql.unsafe<{ name: string }[]>(
    `select distinct a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = 'public.${table}'::regclass and i.indisunique and format_type(a.atttypid, null) = 'text'`,
  );

/** `n` copies of the sample row of a table, each of people and organisations who do not exist: nobody may see them. */
async function multiply(sql: Sql, table: string, where: string, n: number): Promise<number> {
  const columns = await columnsOf(sql, table);
  const texts = new Set((await uniqueTexts(sql, table)).map(({ name }) => name));
  const valueOf = ({ name, type }: Column) => {
    if (type === 'uuid') return `case when t.${name} is null then null else gen_random_uuid() end`;
    // The audience, where no expression of the row says it.
    if (name === 'scopes') return `array['user:' || gen_random_uuid()]`;
    return texts.has(name) ? `left(t.${name} || md5(random()::text), 60)` : `t.${name}`;
  };
  const names = columns.map(({ name }) => name).join(', ');
  const [row] = await sql.unsafe<{ n: number }[]>(
    `with added as (
       insert into ${table} (${names})
       select ${columns.map(valueOf).join(', ')} from (select * from ${table} where ${where} limit 1) t, generate_series(1, ${n})
       on conflict do nothing returning 1)
     select count(*)::int as n from added`,
  );
  return row?.n ?? 0;
}

/**
 * Adds rows that nobody of the world may see, and lets the planner count them. Triggers and foreign keys are off meanwhile.
 *
 * @returns how many each table got; one whose rows cannot be copied so got none
 */
export async function addForeignRows(db: TestDatabase, world: World, n: number): Promise<Record<string, number>> {
  const added: Record<string, number> = {};
  const sql = postgres(db.url, { max: 1, onnotice: () => {} });
  try {
    await sql`set session_replication_role = replica`;
    for (const [table, { row }] of Object.entries(rlsExpectations))
      added[table] = await multiply(sql, table, row(world), n).catch(() => 0);
    await sql`analyze`;
  } finally {
    await sql.end();
  }
  return added;
}
