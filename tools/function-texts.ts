import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { migrationsHash } from './migrations-hash.ts';
import { ROOT } from './root.ts';

/** Where the present text of every function stands, a file for each schema. */
export const FUNCTION_TEXTS = join(ROOT, 'supabase/generated/functions');

/** Says beside them what they were made from and what they were then. */
export const FUNCTIONS_MADE_FROM = join(ROOT, 'supabase/generated/made-from.txt');

const OURS = `n.nspname not in ('pg_catalog', 'information_schema', 'auth', 'storage', 'realtime', 'extensions')
  and n.nspname not like 'pg\\_%'`;

type FunctionRow = { schema: string; name: string; text: string; comment: string | null };

/** All functions by schema; but those that `sync.refresh_table` writes for each synced table, nine a table by one pattern. */
export async function functionTexts(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql.unsafe<FunctionRow[]>(`
    select n.nspname as schema, p.proname as name, pg_get_functiondef(p.oid) as text, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${OURS} and not (n.nspname = 'sync' and exists (
      select from sync.tables t where p.proname in ('typed_' || t.name, 'see_' || t.name, 'lock_' || t.name, 'insert_' || t.name,
        'insert_all_' || t.name, 'update_' || t.name, 'lock_all_' || t.name, 'update_all_' || t.name, 'delete_' || t.name)))
    order by n.nspname collate "C", p.proname collate "C", pg_get_function_identity_arguments(p.oid)`);
  const texts = new Map<string, string>();
  for (const { schema, text, comment } of rows) {
    const begin = `-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema ${schema} as they are now. Do not edit: npm run gen.\n`;
    const said = comment === null ? '' : `-- ${comment}\n`;
    texts.set(schema, `${texts.get(schema) ?? begin}\n${said}${text.trimEnd()};\n`);
  }
  return texts;
}

/** What `FUNCTIONS_MADE_FROM` has to say of the files as they are. */
export function functionsMadeFrom(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(FUNCTION_TEXTS).toSorted()) {
    hash.update(`${file}\n`).update(readFileSync(join(FUNCTION_TEXTS, file)));
  }
  return `Migrations: ${migrationsHash()}\nFunctions: ${hash.digest('hex')}\n`;
}
