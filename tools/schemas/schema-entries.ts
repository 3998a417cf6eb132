import type { Sql } from 'postgres';

/** Every object of a database by kind and name, with what it is as text: two databases are alike where these are. */
export type SchemaEntries = Map<string, string>;

/** Rows that migrations write, as far as they are the same in every database made from them: no ids, no times. */
const REGISTRIES: Record<string, string> = {
  'sync.tables': '*',
  'sync.sweep_cursor': 'what',
  'public.permissions': '*',
  'public.role_permissions': 'role_kind, role, permission, version, deleted_at',
  'public.notification_types': 'key, module, class, private, setting, app, push, email, version, deleted_at',
  'public.circle_visibility': '*',
  'public.subscription_tiers':
    'tier, can_create_content, can_access_marketplace, can_earn_revenue, has_subscription, media_search_quota, media_sources, auto_recommendations, video_generation, monthly_video_credits, can_buy_credits, can_enhance_videos, auto_transcribe, version, deleted_at',
  'storage.buckets': 'id, name, public, file_size_limit, allowed_mime_types',
  'sync.zones': '*',
};

const OURS = `n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'supabase_migrations')`;

/** A list of grants, whatever the order in which they were made. */
const acl = (list: string): string =>
  `coalesce((select string_agg(format('%s=%s', case x.grantee when 0 then 'public' else x.grantee::regrole::text end,
    x.privilege_type || case when x.is_grantable then '*' else '' end), ', ' order by x.grantee::regrole::text, x.privilege_type)
    from aclexplode(${list}) x), 'none')`;

const QUERIES: string[] = [
  `select 'schema ' || n.nspname as key, concat_ws(E'\\n', n.nspowner::regrole, ${acl('n.nspacl')}, obj_description(n.oid, 'pg_namespace')) as value
    from pg_namespace n where ${OURS}`,
  `select 'extension ' || e.extname as key, e.extnamespace::regnamespace::text as value from pg_extension e`,
  `select format('default grants %s %s %s', d.defaclrole::regrole, d.defaclnamespace::regnamespace, d.defaclobjtype) as key, ${acl('d.defaclacl')} as value from pg_default_acl d`,
  `select format('relation %s.%s', n.nspname, c.relname) as key,
      concat_ws(E'\\n', c.relkind::text || c.relpersistence::text, c.relowner::regrole, 'rls ' || c.relrowsecurity::text || c.relforcerowsecurity::text, c.reloptions::text,
        'identity ' || c.relreplident::text, ${acl("coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's'::\"char\" else 'r'::\"char\" end, c.relowner))")}, obj_description(c.oid, 'pg_class'),
        case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end) as value
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'c', 'f')`,
  `select format('columns %s.%s', n.nspname, c.relname) as key, string_agg(a.attname, ', ' order by a.attnum) as value
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'c') and a.attnum > 0 and not a.attisdropped and a.attname <> 'scopes' group by 1`,
  `select format('column %s.%s.%s', n.nspname, c.relname, a.attname) as key,
      concat_ws(' | ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end, 'identity ' || nullif(a.attidentity::text, ''),
        'generated ' || nullif(a.attgenerated::text, ''), pg_get_expr(d.adbin, d.adrelid), 'statistics ' || nullif(a.attstattarget, -1), 'storage ' || a.attstorage::text,
        'compression ' || nullif(a.attcompression::text, ''), 'collate ' || case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end,
        a.attoptions::text, case when a.attacl is not null then ${acl('a.attacl')} end, col_description(c.oid, a.attnum)) as value
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'c') and a.attnum > 0 and not a.attisdropped`,
  // Whether a check looked at rows that were there before it is of no account: there are none.
  `select format('constraint %s on %s', k.conname, k.conrelid::regclass) as key,
      concat_ws(E'\\n', replace(pg_get_constraintdef(k.oid), ' NOT VALID', ''), obj_description(k.oid, 'pg_constraint')) as value
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace where ${OURS} and k.conrelid <> 0 and k.contype <> 't'`,
  `select format('index %s', i.indexrelid::regclass) as key,
      concat_ws(E'\\n', pg_get_indexdef(i.indexrelid), obj_description(i.indexrelid, 'pg_class'), i.indisvalid, i.indisclustered) as value
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  `select format('statistics %s.%s', n.nspname, s.stxname) as key, pg_get_statisticsobjdef(s.oid) as value from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace where ${OURS}`,
  `select format('function %s', p.oid::regprocedure) as key,
      concat_ws(E'\\n', p.prokind, p.proowner::regrole, l.lanname, 'definer ' || p.prosecdef::text, p.provolatile, 'parallel ' || p.proparallel::text, 'strict ' || p.proisstrict,
        'leakproof ' || p.proleakproof, 'cost ' || p.procost, 'rows ' || p.prorows, p.proconfig::text, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
        ${acl("coalesce(p.proacl, acldefault('f', p.proowner))")}, obj_description(p.oid, 'pg_proc'), coalesce(pg_get_function_sqlbody(p.oid), p.prosrc)) as value
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
    where ${OURS} and not exists (select from pg_depend x where x.objid = p.oid and x.deptype = 'e')`,
  `select format('trigger %s on %s', t.tgname, t.tgrelid::regclass) as key,
      concat_ws(E'\\n', t.tgenabled, pg_get_triggerdef(t.oid), obj_description(t.oid, 'pg_trigger')) as value
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS} and not t.tgisinternal`,
  // Triggers of one table fire in the order of their names.
  `select format('triggers of %s', t.tgrelid::regclass) as key, string_agg(t.tgname, ', ' order by t.tgname collate "C") as value
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS} and not t.tgisinternal group by 1`,
  `select format('policy %I on %I.%I', p.policyname, p.schemaname, p.tablename) as key,
      concat_ws(E'\\n', p.permissive, p.cmd, p.roles::text, 'using ' || p.qual, 'check ' || p.with_check) as value from pg_policies p`,
  `select format('type %s.%s', n.nspname, t.typname) as key,
      concat_ws(E'\\n', t.typtype, format_type(t.typbasetype, t.typtypmod), (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), ${acl('t.typacl')}) as value
    from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${OURS} and t.typtype in ('e', 'd', 'r', 'c') and (t.typrelid = 0 or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))`,
  `select format('publication %s of %s.%s', pubname, schemaname, tablename) as key, concat_ws(' ', attnames::text, rowfilter) as value from pg_publication_tables`,
  `select 'event trigger ' || evtname as key, concat_ws(' ', evtevent, evtfoid::regprocedure, evtenabled, evttags::text) as value from pg_event_trigger`,
  `select format('setting of %s', r.rolname) as key, string_agg(s, ', ' order by s) as value from pg_db_role_setting d join pg_roles r on r.oid = d.setrole, unnest(d.setconfig) s group by 1`,
];

async function registryRows(sql: Sql, table: string, columns: string): Promise<[string, string][]> {
  const rows = await sql.unsafe<{ row: string }[]>(
    `select to_jsonb(x)::text as row from (select ${columns} from ${table}) x order by 1`,
  );
  return rows.map(({ row }) => [`row of ${table} ${row}`, '']);
}

/** Where `scopes` stands among the columns is of no account, and where a function takes whole rows its print lists them. */
const inOneOrder = (text: string): string =>
  text.replaceAll(
    /\(([a-z_]+(?:, [a-z_]+)*, scopes(?:, [a-z_]+)*)\)/g,
    (_, list: string) => `(${list.split(', ').toSorted().join(', ')})`,
  );

/** How many rows each table begins with. */
async function rowCounts(sql: Sql): Promise<[string, string][]> {
  const tables = await sql.unsafe<{ name: string }[]>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind = 'r'`,
  );
  const counts: [string, string][] = [];
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ n: string }[]>(`select count(*)::text as n from ${name}`);
    counts.push([`rows of ${name}`, row?.n ?? '']);
  }
  return counts;
}

/** What a database is made of. */
export async function schemaEntries(sql: Sql): Promise<SchemaEntries> {
  await sql.unsafe(`set search_path = ''; set datestyle = 'ISO'`);
  const entries: SchemaEntries = new Map();
  for (const query of QUERIES) {
    for (const { key, value } of await sql.unsafe<{ key: string; value: string | null }[]>(query))
      entries.set(key, inOneOrder(value ?? ''));
  }
  for (const [key, value] of await rowCounts(sql)) entries.set(key, value);
  for (const [table, columns] of Object.entries(REGISTRIES)) {
    for (const [key, value] of await registryRows(sql, table, columns)) entries.set(key, value);
  }
  return entries;
}
