// What a database has in the end: the part of the truth that replayed text cannot tell.
const OURS = `n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'supabase_migrations', 'auth', 'storage', 'realtime', 'extensions')`;
const ACL = list => `(select coalesce(jsonb_object_agg(g, p), '{}') from (
  select case x.grantee when 0 then 'public' else x.grantee::regrole::text end g, jsonb_agg(x.privilege_type order by x.privilege_type) p
  from aclexplode(${list}) x group by 1) y)`;

const QUERIES = {
  schemas: `select n.nspname as name, ${ACL("coalesce(n.nspacl, acldefault('n', n.nspowner))")} as acl, obj_description(n.oid, 'pg_namespace') as comment from pg_namespace n where ${OURS} and n.nspname <> 'public'`,
  tables: `select n.nspname || '.' || c.relname as name, c.relrowsecurity as rls, c.relforcerowsecurity as force, ${ACL("coalesce(c.relacl, acldefault('r', c.relowner))")} as acl,
      c.reloptions as options from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind = 'r' order by c.oid`,
  columns: `select n.nspname || '.' || c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required, a.attgenerated as generated,
      pg_get_expr(d.adbin, d.adrelid) as expression, a.attstattarget as statistics, a.attstorage::text as storage, t.typstorage::text as type_storage, a.attacl::text as acl, a.attnum as n
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by c.oid, a.attnum`,
  constraints: `select n.nspname || '.' || c.relname as table, k.conname as name, k.contype as type, pg_get_constraintdef(k.oid) as def,
      (select fn.nspname || '.' || f.relname from pg_class f join pg_namespace fn on fn.oid = f.relnamespace where f.oid = nullif(k.confrelid, 0)) as target,
      (select array_agg(a.attname order by x.n) from unnest(k.conkey) with ordinality x (num, n) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = x.num) as columns
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS} and k.contype in ('c', 'f', 'p', 'u', 'x') order by k.oid`,
  indexes: `select n.nspname || '.' || c.relname as name, tn.nspname || '.' || t.relname as table, pg_get_indexdef(c.oid) as def
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace join pg_namespace tn on tn.oid = t.relnamespace
    where ${OURS} and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x')) order by c.oid`,
  functions: `select n.nspname || '.' || p.proname as name, p.oid::regprocedure::text as signature, pg_get_function_identity_arguments(p.oid) as arguments,
      (select string_agg(format_type(t, null), ', ' order by i) from unnest(p.proargtypes) with ordinality a (t, i)) as types, p.prokind as kind,
      p.prosrc as body, p.prosqlbody is not null as standard, p.prosecdef as definer, p.provolatile as volatility, p.proparallel as parallel, p.proisstrict as strict, p.proconfig as config,
      p.prorettype = 'trigger'::regtype as is_trigger, pg_get_functiondef(p.oid) as def, ${ACL("coalesce(p.proacl, acldefault('f', p.proowner))")} as acl, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS} and not exists (select from pg_depend x where x.objid = p.oid and x.deptype = 'e') order by p.oid`,
  triggers: `select n.nspname || '.' || c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid) as def, t.tgenabled as enabled,
      (select fn.nspname || '.' || f.proname from pg_proc f join pg_namespace fn on fn.oid = f.pronamespace where f.oid = t.tgfoid) as function
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and (${OURS} or n.nspname in ('auth', 'storage', 'realtime')) order by t.oid`,
  policies: `select p.schemaname || '.' || p.tablename as table, p.policyname as name from pg_policies p`,
  needed: `select distinct n.nspname || '.' || p.proname as name from pg_depend d join pg_proc p on p.oid = d.refobjid and d.refclassid = 'pg_proc'::regclass
    join pg_namespace n on n.oid = p.pronamespace where d.classid in ('pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_class'::regclass) and ${OURS}`,
  calls: `select n.nspname || '.' || p.proname as caller, qn.nspname || '.' || q.proname as callee
    from pg_depend d join pg_proc q on q.oid = d.refobjid and d.refclassid = 'pg_proc'::regclass join pg_namespace qn on qn.oid = q.pronamespace
    join pg_proc p on p.oid = d.objid and d.classid = 'pg_proc'::regclass join pg_namespace n on n.oid = p.pronamespace where ${OURS} and p.oid <> q.oid`,
  registry: `select name, priority, groups, server_columns as "serverColumns", goes_alone as "goesAlone" from sync.tables order by priority, name`,
  roles: `select r.role_kind as kind, r.role, r.permission from public.role_permissions r where r.deleted_at is null order by r.role_kind, r.role, r.permission`,
  cron: `select 1 as one`,
};

export async function readCatalogue(sql) {
  await sql.unsafe(`set search_path = ''`);
  const all = {};
  for (const [name, query] of Object.entries(QUERIES)) all[name] = [...(await sql.unsafe(query))];
  return all;
}
