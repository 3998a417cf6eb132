import { expect, test } from 'vitest';
import { db, setUpWorld } from './set-up-world.ts';

/**
 * A run of edits is one statement, and what follows it sees all of it (I13, decision 14). A table whose AFTER triggers look at
 * rows of their own table is pushed edit by edit, or stands here because it ends the same in any order.
 */
setUpWorld();

const ENDS_THE_SAME: Record<string, string> = {
  action_items: 'looks at the row it was called for',
  inspection_answers: 'counts them: what is one too many is refused with its run, and then by itself',
  presence_entries: 'counts them, as of answers',
  media: 'counts them, as of answers',
  inspections: 'looks at the row it was called for',
  issue_reports: 'looks at the row it was called for',
  tasks: 'looks at the row it was called for',
  notification_choices: 'plans anew what follows from all choices of a person',
  user_preferences: 'plans anew what follows from all choices of a person',
  profiles: 'puts a person together anew',
  user_roles: 'puts the tier together anew',
};

const CALLS = /\b([a-z_]+\.[a-z_]+)\s*\(/g;
const readsOrWrites = (table: string) => new RegExp(`\\b(from|join|update|into)\\s+public\\.${table}\\b`);

async function bodies(): Promise<Map<string, string>> {
  const all = await db.asAdmin(
    `select n.nspname || '.' || p.proname as name, string_agg(coalesce(p.prosrc, '') || ' ' || coalesce(pg_get_function_sqlbody(p.oid), ''), ' ') as body
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname not in ('pg_catalog', 'information_schema') group by 1`,
  );
  return new Map(all.map(({ name, body }) => [String(name), String(body)]));
}

/** The function and all it calls, however deep. */
function reachOf(start: string, known: ReadonlyMap<string, string>): Set<string> {
  const seen = new Set([start]);
  for (const name of seen)
    for (const [, called = ''] of (known.get(name) ?? '').matchAll(CALLS)) if (known.has(called)) seen.add(called);
  return seen;
}

test('I13: a table whose AFTER triggers look at rows of its own goes alone, or ends the same', async () => {
  const known = await bodies();
  const triggers = await db.asAdmin(
    `select t.name, t.goes_alone, n.nspname || '.' || p.proname as trigger from sync.tables t
       join pg_trigger g on g.tgrelid = ('public.' || t.name)::regclass and not g.tgisinternal and (g.tgtype & 2) = 0
       join pg_proc p on p.oid = g.tgfoid join pg_namespace n on n.oid = p.pronamespace`,
  );
  const looks = triggers.filter(({ name, trigger }) =>
    [...reachOf(String(trigger), known)].some(called => readsOrWrites(String(name)).test(known.get(called) ?? '')),
  );
  const named = (isAlone: boolean) => [
    ...new Set(looks.filter(({ goes_alone: alone }) => alone === isAlone).map(({ name }) => String(name))),
  ];
  expect(named(false).toSorted()).toEqual(Object.keys(ENDS_THE_SAME).toSorted());
  expect(named(true).toSorted()).toEqual([
    'approval_decisions',
    'comments',
    'evidence',
    'organization_members',
    'organizations',
  ]);
});
