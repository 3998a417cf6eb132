-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema account as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION account.end_person_rows(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  t record;
begin
  for t in select * from account.person_columns() loop
    if not t.in_organization and t.tbl not in ('profiles', 'people', 'organizations') then
      -- Whoever merely wrote a row that is everybody's (created_by and the like) does not take it along.
      if 'user_id' = any (t.cols) then execute format('delete from public.%I where user_id = $1', t.tbl) using p_user; end if;
    elsif 'user_id' = any (t.cols) and not account.outlives_person(t.tbl) then
      if exists (select from pg_attribute a where a.attrelid = format('public.%I', t.tbl)::regclass and a.attname = 'deleted_at' and not a.attisdropped)
      then execute format('update public.%I set deleted_at = now() where user_id = $1 and deleted_at is null', t.tbl) using p_user;
      else execute format('delete from public.%I where user_id = $1', t.tbl) using p_user; end if;
    end if;
  end loop;
  perform circle.end_circle(p_user);
  delete from sync.mutation where user_id = p_user;
  delete from sync.conflict where user_id = p_user;
  delete from sync.receipt where user_id = p_user;
end $function$;

CREATE OR REPLACE FUNCTION account.export_account(p_is_first boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  me constant uuid := auth.uid();
begin
  if me is null then raise exception 'export_person needs a signed-in person' using errcode = '42501', detail = 'CN047'; end if;
  perform identity.require_full_session();
  if not p_is_first then return '{}'; end if;
  return jsonb_build_object(
    'account', (select jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at)
                from auth.users u where u.id = me),
    'receipts', (select coalesce(jsonb_agg(jsonb_build_object('no', r.no, 'received_at', r.received_at, 'contents', r.contents)
                  order by r.received_at), '[]') from sync.receipt r where r.user_id = me));
end $function$;

CREATE OR REPLACE FUNCTION account.exported_parts(p_table oid)
 RETURNS TABLE(own text, shared text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    case
      when k.relname = 'organizations' then 't.id = any ($2)'
      when p.placed then 't.organization_id = any ($2)'
      when p.cols = '{user_id}' then 't.user_id = $1'
      when p.cols = '{id}' then 't.id = $1' end,
    case when p.cols is not null and (p.placed or k.relname = 'organizations' or p.cols not in ('{user_id}', '{id}')) then
      format('(%s)', (select string_agg(format('t.%I = $1', c), ' or ') from unnest(p.cols) c))
      || case when k.relname = 'organizations' then ' and t.id <> all ($2)'
        when p.placed then ' and (t.organization_id is null or t.organization_id <> all ($2))' else '' end end
  from pg_class k cross join lateral (
    select account.is_in_organization(k.oid) as placed, account.person_columns_of(k.oid) as cols) p
  where k.oid = p_table and k.relnamespace = 'public'::regnamespace and k.relkind = 'r'
$function$;

CREATE OR REPLACE FUNCTION account.exported_row(p_row jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN (SELECT jsonb_object_agg(e.key, e.value) AS jsonb_object_agg FROM jsonb_each(exported_row.p_row) e(key, value) WHERE ((e.key <> 'scopes'::text) AND (e.key !~ '(token|secret|password|p256dh|auth_key)'::text) AND (e.value <> 'null'::jsonb)));

CREATE OR REPLACE FUNCTION account.exported_tables()
 RETURNS TABLE(tbl text, own text, shared text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select k.relname::text, p.own, p.shared from pg_class k cross join lateral account.exported_parts(k.oid) p
  where k.relnamespace = 'public'::regnamespace and k.relkind = 'r'
$function$;

CREATE OR REPLACE FUNCTION account.forget_sign_in(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  tbl text;
begin
  perform identity.note_ended_tokens(p_user);
  foreach tbl in array array['mfa_factors', 'one_time_tokens', 'sessions', 'identities'] loop
    if to_regclass('auth.' || tbl) is not null then
      execute format('delete from auth.%I where user_id::text = $1', tbl) using p_user::text;
    end if;
  end loop;
  if to_regclass('auth.refresh_tokens') is not null then
    execute 'delete from auth.refresh_tokens where user_id::text = $1' using p_user::text;
  end if;
  -- Of an older GoTrue the column is not there.
  if to_regclass('auth.flow_state') is not null then
    delete from auth.flow_state f where p_user::text in (f.user_id::text, to_jsonb(f) ->> 'linking_target_id');
  end if;
  update auth.users set email = 'deleted-' || p_user || '@deleted.invalid', phone = null, phone_confirmed_at = null, phone_change = '', email_change = '',
      encrypted_password = '', raw_user_meta_data = '{}'
    where id = p_user;
end $function$;

CREATE OR REPLACE FUNCTION account.has_ended(p_user uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM auth.users u WHERE ((u.id = has_ended.p_user) AND ((u.email)::text = (('deleted-'::text || (has_ended.p_user)::text) || '@deleted.invalid'::text)))));

CREATE OR REPLACE FUNCTION account.is_in_organization(p_table oid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM pg_attribute o WHERE ((o.attrelid = is_in_organization.p_table) AND (o.attname = 'organization_id'::name) AND (NOT o.attisdropped))));

CREATE OR REPLACE FUNCTION account.outlives_person(p_table text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attname = 'user_id' and c.conkey = array[a.attnum]
    where c.conrelid = format('public.%I', p_table)::regclass and c.contype = 'f' and c.confrelid = 'auth.users'::regclass and c.confdeltype = 'n')
$function$;

CREATE OR REPLACE FUNCTION account.own_spaces()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(o.id), '{}') from public.organizations o where o.kind = 'private' and o.created_by = auth.uid()
$function$;

CREATE OR REPLACE FUNCTION account.page_of_own_rows(p_table text, p_after text, p_room integer, p_is_first boolean, OUT o_rows jsonb[], OUT o_bytes integer, OUT o_last text, OUT o_more boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  wanted text;
begin
  if auth.uid() is null then raise exception 'export_person needs a signed-in person' using errcode = '42501', detail = 'CN047'; end if;
  select x.own into wanted from account.exported_parts(to_regclass(format('public.%I', p_table))) x;
  select * into o_rows, o_bytes, o_last, o_more
    from account.page_of_rows(p_table, coalesce(wanted, 'false'), p_after, p_room, p_is_first, auth.uid(), account.own_spaces());
end $function$;

CREATE OR REPLACE FUNCTION account.page_of_rows(p_table text, p_where text, p_after text, p_room integer, p_is_first boolean, p_me uuid, p_private uuid[], OUT o_rows jsonb[], OUT o_bytes integer, OUT o_last text, OUT o_more boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  has_id constant boolean := exists (select from pg_attribute a
    where a.attrelid = format('public.%I', p_table)::regclass and a.attname = 'id' and not a.attisdropped);
  r record;
  size integer;
begin
  o_rows := '{}'; o_bytes := 0; o_last := p_after; o_more := false;
  for r in execute format($q$
    select k.key, (select account.exported_row(to_jsonb(x)) from public.%1$I x where x.%4$s = k.at) as found
    from (select (%2$s) collate "C" as key, t.%4$s as at from public.%1$I t where (%3$s) and (%2$s) collate "C" > $3 order by 1 offset 0) k
    $q$, p_table, case when has_id then 't.id::text' else 'md5(t::text)' end, p_where, case when has_id then 'id' else 'ctid' end) using p_me, p_private, p_after
  loop
    size := octet_length(r.found::text);
    if o_bytes + size > p_room and (o_rows <> '{}' or not p_is_first) then
      o_more := true;
      return;
    end if;
    o_rows := o_rows || r.found;
    o_bytes := o_bytes + size;
    o_last := r.key;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION account.person_columns()
 RETURNS TABLE(tbl text, cols text[], in_organization boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select k.relname::text, p.cols, account.is_in_organization(k.oid)
  from pg_class k cross join lateral (select account.person_columns_of(k.oid) as cols) p
  where k.relnamespace = 'public'::regnamespace and k.relkind = 'r' and p.cols is not null
$function$;

CREATE OR REPLACE FUNCTION account.person_columns_of(p_table oid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (SELECT array_agg(DISTINCT (a.attname)::text ORDER BY ((a.attname)::text)) AS array_agg FROM (pg_constraint c JOIN pg_attribute a ON (((a.attrelid = c.conrelid) AND (a.attnum = ANY (c.conkey))))) WHERE ((c.conrelid = person_columns_of.p_table) AND (c.contype = 'f'::"char") AND (c.confrelid = ('auth.users'::regclass)::oid)));

CREATE OR REPLACE FUNCTION account.remove_organization(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  tbl text;
begin
  for tbl in
    select s.name from sync.tables s
    join pg_attribute a on a.attrelid = format('public.%I', s.name)::regclass and a.attname = 'organization_id' and not a.attisdropped
    order by s.priority desc, s.name
  loop
    execute format('delete from public.%I where organization_id = $1', tbl) using p_organization;
  end loop;
  delete from public.organizations o where o.id = p_organization;
end $function$;

CREATE OR REPLACE FUNCTION account.sole_administrator_of(p_user uuid)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select o.name from public.organizations o
  join public.organization_members m on m.organization_id = o.id and m.user_id = p_user and m.role = 'admin' and m.deleted_at is null
  where o.kind = 'company' and o.deleted_at is null
    and exists (select from public.organization_members x where x.organization_id = o.id and x.user_id <> p_user and x.deleted_at is null
      and (x.valid_until is null or x.valid_until > now()))
    and not exists (select from public.organization_members x
                    where x.organization_id = o.id and x.user_id <> p_user and x.role = 'admin' and x.deleted_at is null)
  order by 1
$function$;

CREATE OR REPLACE FUNCTION account.sole_member_of(p_user uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select o.id from public.organizations o
  where (o.kind = 'private' and o.created_by = p_user)
    or (o.kind = 'company'
      and exists (select from public.organization_members m where m.organization_id = o.id and m.user_id = p_user and m.deleted_at is null)
      and not exists (select from public.organization_members m where m.organization_id = o.id and m.user_id <> p_user))
$function$;
