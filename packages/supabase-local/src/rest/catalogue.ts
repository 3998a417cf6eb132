import type { Sql } from 'postgres';

/** What the API can be asked for in schema public, by name: columns of tables and views, arguments of functions. */
export type Catalogue = {
  relations: Map<string, Set<string>>;
  /** Of functions of one name the arguments of all; what is called together the database says. */
  functions: Map<string, Set<string>>;
};

const RELATIONS = `
  select c.relname as name, array_agg(a.attname::text) as members
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  group by c.relname`;

/** Those a trigger or an event calls are no API. */
const FUNCTIONS = `
  select p.proname as name, coalesce(array_agg(n) filter (where n <> ''), '{}') as members
  from pg_proc p
  left join lateral (
    select name::text as n from unnest(p.proargnames) with ordinality given (name, at)
    where p.proargmodes is null or p.proargmodes[given.at] in ('i', 'b', 'v')
  ) named on true
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  group by p.proname`;

type Row = { name: string; members: string[] };

const byName = (rows: readonly Row[]) => new Map(rows.map(({ name, members }) => [name, new Set(members)]));

/** Reads it with the first request and keeps it, as the library does; a failure is no answer and asks again. */
export function createCatalogue(sql: Sql): () => Promise<Catalogue> {
  let known: Promise<Catalogue> | null = null;
  const read = async () => {
    const [relations, functions] = await Promise.all([sql.unsafe<Row[]>(RELATIONS), sql.unsafe<Row[]>(FUNCTIONS)]);
    return { relations: byName(relations), functions: byName(functions) };
  };
  return () => {
    known ??= read().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}
