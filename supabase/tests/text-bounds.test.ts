import { expect, test } from 'vitest';
import { db, setUpWorld } from './set-up-world.ts';

setUpWorld();

/** Written by the server alone, of what it knows itself; nobody's words. */
const SERVERS_OWN = new Set(['comments.scopes', 'people.scopes', 'task_items.scopes']);

type Column = { table: string; name: string; checks: string | null };

/** A check that holds its size: characters, bytes, a closed list of words, or a pattern that ends. */
function isBounded({ name, checks }: Column): boolean {
  const own = `\\(*"?${name}"?\\)*(::text)?\\)*`;
  const sized = new RegExp(`(\\b(char_length|length)|octet_length|pg_column_size)\\(${own}[^<]*<`);
  const listed = new RegExp(`${own} = (ANY|'|\\()|${own}::text = `);
  const patterns = [...(checks ?? '').matchAll(new RegExp(`${own} ~ '((?:[^']|'')*)'`, 'g'))].map(
    found => found[2] ?? '',
  );
  const ends = patterns.some(
    each => /^\^.*\$$/.test(each) && !/(?<![\\[(])[+*](?!\])|\{\d+,\}/.test(each.replaceAll(/\[[^\]]*\]/g, 'x')),
  );
  return sized.test(checks ?? '') || listed.test(checks ?? '') || ends;
}

async function columns(): Promise<Column[]> {
  const rows = await db.asAdmin(
    `select c.relname as table, a.attname as name,
       (select string_agg(pg_get_constraintdef(k.oid), ' && ') from pg_constraint k
         where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)) as checks
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attgenerated = ''
       and a.atttypid in ('text'::regtype, 'jsonb'::regtype, 'json'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'uuid[]'::regtype)
       and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
     order by 1, 2`,
  );
  return rows.map(row => ({
    table: String(row['table']),
    name: String(row['name']),
    checks: typeof row['checks'] === 'string' ? row['checks'] : null,
  }));
}

test('every text, list and JSON column of every table that a person can reach has a size', async () => {
  const open = (await columns()).filter(each => !isBounded(each) && !SERVERS_OWN.has(`${each.table}.${each.name}`));
  expect(open.map(({ table, name, checks }) => `${table}.${name} ${checks ?? ''}`)).toEqual([]);
});
