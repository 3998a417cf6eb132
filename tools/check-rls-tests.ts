// Every table of schema public must stand in supabase/tests/rls-expectations.ts, which tries each person on it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { withoutComments } from './rules/sql-comments.ts';
import { rlsExpectations } from '../supabase/tests/rls-expectations.ts';

const folder = join(ROOT, 'supabase/migrations');
const tables = new Set<string>();
for (const file of readdirSync(folder).toSorted()) {
  const sql = withoutComments(readFileSync(join(folder, file), 'utf8'));
  for (const [, name = ''] of sql.matchAll(/create table (?:if not exists )?(?:public\.)?(\w+)\s*\(/gi))
    tables.add(name);
  for (const [, name = ''] of sql.matchAll(/drop table (?:if exists )?(?:public\.)?(\w+)/gi)) tables.delete(name);
}
const missing = [...tables].filter(table => !Object.hasOwn(rlsExpectations, table));
for (const table of missing) console.log(`table ${table} has no row in supabase/tests/rls-expectations.ts`);
process.exitCode = missing.length > 0 ? 1 : 0;
