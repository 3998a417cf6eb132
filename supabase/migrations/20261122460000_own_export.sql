-- What a person takes along is what they may read now, and what is theirs alone (docs/decisions/0460-taken-along-is-what-is-read.md).

-- A row as it is taken along: without what is empty, what the sync needs, and secrets (tokens, hashes of them).
create function sync.taken_row(p_row jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' return
  (select jsonb_object_agg(e.key, e.value) from jsonb_each(p_row) e
    where e.key <> 'scopes' and e.key !~ '(token|secret|password|p256dh|auth_key)' and e.value <> 'null'::jsonb);

-- What is the caller's alone, whatever became of it: the account, rows outside organisations that name them and nobody else, and
-- their private space.
create function sync.export_own() returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  me constant uuid := auth.uid();
  private uuid[];
  t record;
  found jsonb;
  tables jsonb := '{}';
begin
  if me is null then raise exception 'export_person needs a signed-in person' using errcode = '42501'; end if;
  perform sync.need_whole_session();
  select coalesce(array_agg(o.id), '{}') into private from public.organizations o where o.kind = 'private' and o.created_by = me;
  for t in
    select k.relname::text as tbl, case
        when k.relname = 'organizations' then 't.id = any ($2)'
        when p.placed then 't.organization_id = any ($2)'
        when p.cols = '{user_id}' then 't.user_id = $1'
        when p.cols = '{id}' then 't.id = $1' end as wanted
    from pg_class k cross join lateral (
      select (select c.cols from sync.person_columns() c where c.tbl = k.relname) as cols,
        exists (select from pg_attribute o where o.attrelid = k.oid and o.attname = 'organization_id' and not o.attisdropped) as placed) p
    where k.relnamespace = 'public'::regnamespace and k.relkind = 'r' order by 1
  loop
    continue when t.wanted is null;
    execute format($q$ select coalesce(jsonb_agg(sync.taken_row(to_jsonb(t))), '[]') from public.%I t where %s $q$, t.tbl, t.wanted)
      using me, private into found;
    if found <> '[]' then tables := tables || jsonb_build_object(t.tbl, found); end if;
  end loop;
  return jsonb_build_object(
    'account', (select jsonb_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at)
                from auth.users u where u.id = me),
    'receipts', (select coalesce(jsonb_agg(jsonb_build_object('no', r.no, 'received_at', r.received_at, 'contents', r.contents)
                  order by r.received_at), '[]') from sync.receipt r where r.user_id = me),
    'tables', tables);
end $$;

-- Everything about the caller: what is theirs alone, and of what they share with others the rows that name them, as the caller:
-- the policies say what they may read today. Read from the catalogue, so that a table to come is in it without a word here.
create or replace function export_person() returns jsonb
  language plpgsql stable security invoker set search_path = '' set timezone = 'UTC' as $$
declare
  me constant uuid := auth.uid();
  own constant jsonb := sync.export_own();
  private constant uuid[] := array(select (o ->> 'id')::uuid from jsonb_array_elements(own -> 'tables' -> 'organizations') o);
  tables jsonb := own -> 'tables';
  t record;
  found jsonb;
begin
  -- Asked once for all tables.
  perform sync.keep_rights();
  for t in
    select p.tbl, (select string_agg(format('t.%I = $1', c), ' or ') from unnest(p.cols) c) as names_me,
      case when p.tbl = 'organizations' then 'id' when p.in_organization then 'organization_id' end as place
    from sync.person_columns() p
    where has_table_privilege(format('public.%I', p.tbl), 'select')
      and (p.in_organization or p.tbl = 'organizations' or p.cols not in ('{user_id}', '{id}'))
    order by 1
  loop
    execute format($q$ select coalesce(jsonb_agg(sync.taken_row(to_jsonb(t))), '[]') from public.%I t where (%s)%s $q$, t.tbl, t.names_me,
        case when t.place is null then '' else format(' and (t.%1$I is null or t.%1$I <> all ($2))', t.place) end)
      using me, private into found;
    if found <> '[]' then tables := tables || jsonb_build_object(t.tbl, coalesce(tables -> t.tbl, '[]') || found); end if;
  end loop;
  return own || jsonb_build_object('tables', tables);
end $$;

revoke execute on function sync.taken_row(jsonb), sync.export_own() from public;
grant execute on function sync.taken_row(jsonb), sync.export_own(), sync.person_columns() to authenticated;
