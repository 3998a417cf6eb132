import type { TestDatabase } from '@cairn/testing/database.ts';

/** Gives the columns of a copy that would otherwise collide with the sample row. */
const COPY: Record<string, Record<string, unknown>> = { playbooks: { name: 'A copy' } };

export type SampleRow = { columns: string[]; row: Record<string, unknown> };

/** A copy of the sample row, the way a client would send it: without what is generated, with an id of its own. */
export async function copyOf(db: TestDatabase, table: string, where: string): Promise<SampleRow> {
  const names = await db.asAdmin(
    `select attname from pg_attribute where attrelid = 'public.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('id', 'version', 'created_at', 'updated_at') order by attnum`,
  );
  const columns = names.map(name => String(name['attname']));
  const [sample] = await db.asAdmin(`select to_jsonb(t) as row from ${table} t where ${where} limit 1`);
  if (!sample) throw new Error(`no sample row in ${table}`);
  const all: Record<string, unknown> = { ...Object(sample['row']), ...COPY[table] };
  return { columns, row: Object.fromEntries(columns.map(name => [name, all[name]])) };
}

/** Tables and views of the catalogue that the API serves. */
export async function servedTables(db: TestDatabase): Promise<string[]> {
  const rows = await db.asAdmin(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  );
  return rows.map(row => String(row['relname']));
}
