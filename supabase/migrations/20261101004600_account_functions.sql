-- An account: preferences, usage analytics, export and end: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Columns by which a table names a person; null for one that names nobody.
create function account.person_columns_of(p_table oid) returns text[]
  language sql stable set search_path = '' return
  (select array_agg(distinct a.attname::text order by a.attname::text) from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.conrelid = p_table and c.contype = 'f' and c.confrelid = 'auth.users'::regclass);

create function account.is_in_organization(p_table oid) returns boolean
  language sql stable set search_path = '' return
  exists (select from pg_attribute o where o.attrelid = p_table and o.attname = 'organization_id' and not o.attisdropped);

-- The same of every public table that names one, and whether it belongs to an organisation.
create function account.person_columns() returns table (tbl text, cols text[], in_organization boolean)
  language sql stable set search_path = '' as $$
  select k.relname::text, p.cols, account.is_in_organization(k.oid)
  from pg_class k cross join lateral (select account.person_columns_of(k.oid) as cols) p
  where k.relnamespace = 'public'::regnamespace and k.relkind = 'r' and p.cols is not null
$$;

-- Which rows of a table belong to an export, as conditions on t: what is its person's alone, and what names them among others.
-- $1: the person, $2: their private spaces. Read from the catalogue, so that a table to come is in it without a word here.
create function account.exported_parts(p_table oid) returns table (own text, shared text)
  language sql stable set search_path = '' as $$
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
$$;

create function account.exported_tables() returns table (tbl text, own text, shared text)
  language sql stable set search_path = '' as $$
  select k.relname::text, p.own, p.shared from pg_class k cross join lateral account.exported_parts(k.oid) p
  where k.relnamespace = 'public'::regnamespace and k.relkind = 'r'
$$;

-- Rows of one table behind a key, in its order, as many as there is room for (bytes, as text); one at least where p_is_first. They are
-- looked up one after the other: what others wrote into a few must not be in memory all at once.
create function account.page_of_rows(
  p_table text, p_where text, p_after text, p_room integer, p_is_first boolean, p_me uuid, p_private uuid[],
  out o_rows jsonb[], out o_bytes integer, out o_last text, out o_more boolean
) language plpgsql stable set search_path = '' as $$
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
end $$;

-- What is the caller's alone, whatever became of it: rows outside organisations that name them and nobody else, and their private space.
create function account.page_of_own_rows(
  p_table text, p_after text, p_room integer, p_is_first boolean, out o_rows jsonb[], out o_bytes integer, out o_last text, out o_more boolean
) language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  wanted text;
begin
  if auth.uid() is null then raise exception 'export_person needs a signed-in person' using errcode = '42501', detail = 'CN047'; end if;
  select x.own into wanted from account.exported_parts(to_regclass(format('public.%I', p_table))) x;
  select * into o_rows, o_bytes, o_last, o_more
    from account.page_of_rows(p_table, coalesce(wanted, 'false'), p_after, p_room, p_is_first, auth.uid(), account.own_spaces());
end $$;

-- Everything about the caller: what is theirs alone, and of what they share with others the rows that name them, as the caller:
-- the policies say what they may read today. In pages of some half a megabyte, which their answer may have whoever wrote how much into
-- what names them: `next` is where the next begins, and is null behind the last. Account and receipts come with the first.
create function export_person(p_after jsonb default null) returns jsonb
  language plpgsql stable security invoker set search_path = '' set timezone = 'UTC' as $$
declare
  room integer := 524288;                              -- bytes
  is_first boolean := true;                            -- row of this page: it comes whatever it weighs
  answer constant jsonb := account.export_account(p_after is null);
  private constant uuid[] := account.own_spaces();
  tables jsonb := '{}';
  from_table constant text := coalesce(p_after ->> 'table', '');
  is_shared constant boolean := coalesce((p_after ->> 'shared')::boolean, false);
  next jsonb;
  t record;
  part boolean;                                        -- of what is shared
  after text;
  page record;
begin
  -- Asked once for all tables.
  perform access.cache_rights();
  <<everything>>
  for t in select x.* from account.exported_tables() x where x.tbl collate "C" >= from_table order by x.tbl collate "C" loop
    foreach part in array array[false, true] loop
      continue when t.tbl = from_table and is_shared and not part;
      continue when case when part then t.shared is null or not has_table_privilege(format('public.%I', t.tbl), 'select') else t.own is null end;
      after := case when t.tbl = from_table and part = is_shared then coalesce(p_after ->> 'key', '') else '' end;
      if part then
        page := account.page_of_rows(t.tbl, t.shared, after, room, is_first, auth.uid(), private);
      else
        page := account.page_of_own_rows(t.tbl, after, room, is_first);
      end if;
      if page.o_rows <> '{}' then
        tables := tables || jsonb_build_object(t.tbl, coalesce(tables -> t.tbl, '[]') || to_jsonb(page.o_rows));
        is_first := false;
        room := room - page.o_bytes;
      end if;
      if page.o_more then
        next := jsonb_build_object('table', t.tbl, 'shared', part, 'key', page.o_last);
        exit everything;
      end if;
    end loop;
  end loop;
  return answer || jsonb_build_object('tables', tables, 'next', next);
end $$;

-- Removes an organisation and everything in it, children before parents (foreign keys inside it do not all cascade).
create function account.remove_organization(p_organization uuid) returns void
  language plpgsql set search_path = '' as $$
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
end $$;

-- Companies that would be left without an administrator while others still work in them: an auditor whose time is over does not.
create function account.sole_administrator_of(p_user uuid) returns setof text
  language sql stable set search_path = '' as $$
  select o.name from public.organizations o
  join public.organization_members m on m.organization_id = o.id and m.user_id = p_user and m.role = 'admin' and m.deleted_at is null
  where o.kind = 'company' and o.deleted_at is null
    and exists (select from public.organization_members x where x.organization_id = o.id and x.user_id <> p_user and x.deleted_at is null
      and (x.valid_until is null or x.valid_until > now()))
    and not exists (select from public.organization_members x
                    where x.organization_id = o.id and x.user_id <> p_user and x.role = 'admin' and x.deleted_at is null)
  order by 1
$$;

-- Organisations that are nobody's but this person's: their private space, and a company nobody else was ever added to.
create function account.sole_member_of(p_user uuid) returns setof uuid
  language sql stable set search_path = '' as $$
  select o.id from public.organizations o
  where (o.kind = 'private' and o.created_by = p_user)
    or (o.kind = 'company'
      and exists (select from public.organization_members m where m.organization_id = o.id and m.user_id = p_user and m.deleted_at is null)
      and not exists (select from public.organization_members m where m.organization_id = o.id and m.user_id <> p_user))
$$;

-- Whether an account has ended: its id goes on in the records of companies, and its name went.
create function account.has_ended(p_user uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from auth.users u where u.id = p_user and u.email = 'deleted-' || p_user::text || '@deleted.invalid');

-- Whether the rows of a table stay with the organisation when their person's account ends. What a company must be able to prove says
-- so in its foreign key: such a row outlives its person (set null), a membership does not (cascade).
create function account.outlives_person(p_table text) returns boolean
  language sql stable set search_path = '' as $$
  select exists (select from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attname = 'user_id' and c.conkey = array[a.attnum]
    where c.conrelid = format('public.%I', p_table)::regclass and c.contype = 'f' and c.confrelid = 'auth.users'::regclass and c.confdeltype = 'n')
$$;

-- A person's rows outside any organisation, and their place inside: the first go, the second end. What proves something to a company
-- stays as it was signed.
create function account.end_person_rows(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
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
end $$;

-- What is left of the sign-in: an id that records of companies go on naming, and nothing that says who it was.
-- Says first whose devices will be told.
-- The number goes as well, so that no code sent to it opens what is left.
create function account.forget_sign_in(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
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
end $$;

-- Ends an account. Called by the server after it checked the password. Records of companies stay under a pseudonym: the
-- person's id, which leads to no name any more. Answers the stored files that nobody owns now.
create function delete_account(p_user uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  needed text[];
  space uuid;
  files jsonb;
  called constant text := space.account_name(p_user);
begin
  perform from auth.users u where u.id = p_user for update;
  if not found then raise exception 'no such person' using errcode = 'P0002', detail = 'CN045'; end if;
  select array_agg(n) into needed from account.sole_administrator_of(p_user) n;
  if needed is not null then
    raise exception 'last_admin' using errcode = 'P0001', hint = array_to_string(needed, ', '), detail = 'CN046';
  end if;
  select coalesce(jsonb_agg(m.organization_id::text || '/' || m.id::text), '[]') into files
    from public.media m where m.organization_id in (select account.sole_member_of(p_user));
  for space in select account.sole_member_of(p_user) loop
    perform account.remove_organization(space);
  end loop;
  update public.action_items set assignee_id = null where assignee_id = p_user and closed_at is null and deleted_at is null;
  update public.inspections set assigned_to = null where assigned_to = p_user and status = 'scheduled' and deleted_at is null;
  perform account.end_person_rows(p_user);
  update public.profiles set full_name = 'Former member ' || upper(left(p_user::text, 4)), display_name = null, job_title = null,
    phone = null, bio = null, avatar_url = null, locale = null, emergency_contact_name = null, emergency_contact_phone = null
    where id = p_user;
  perform account.forget_sign_in(p_user);
  -- What the account was called went with it; the name that was signed stands where it was signed.
  update public.policy_acknowledgements set account_name = null where user_id = p_user and account_name is not null;
  update public.policy_acknowledgements set witness_name = null where witness_id = p_user and witness_name is not null;
  perform inspection.forget_signer(p_user, called);
  return jsonb_build_object('files', files);
end $$;

-- A row as it is taken along: without what is empty, what the sync needs, and secrets (tokens, hashes of them).
create function account.exported_row(p_row jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' return
  (select jsonb_object_agg(e.key, e.value) from jsonb_each(p_row) e
    where e.key <> 'scopes' and e.key !~ '(token|secret|password|p256dh|auth_key)' and e.value <> 'null'::jsonb);

-- The account, with its number, and what was receipted; nothing of it for a later page, which is as much a matter of a full session.
create function account.export_account(p_is_first boolean) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
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
end $$;

-- The caller's private spaces.
create function account.own_spaces() returns uuid[]
  language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(o.id), '{}') from public.organizations o where o.kind = 'private' and o.created_by = auth.uid()
$$;

-- Whether this refresh token was given to an account that has been deleted. False for every other text: that an account exists, or
-- whose a token was, nobody learns.
create function account_has_ended(p_token text) returns boolean
  language sql stable security definer set search_path = ''
  return (select true from identity.ended_tokens e where length(p_token) between 8 and 512 and e.hash in (
    sha256(convert_to(p_token, 'UTF8')), sha256(convert_to(encode(sha256(convert_to(p_token, 'UTF8')), 'hex'), 'UTF8'))) limit 1);

-- Who may call what.
revoke execute on function account.person_columns(), account.person_columns_of(oid), account.is_in_organization(oid), account.remove_organization(uuid), account.sole_administrator_of(uuid), account.sole_member_of(uuid),
  account.end_person_rows(uuid), account.forget_sign_in(uuid), account.exported_row(jsonb), account.exported_parts(oid), account.exported_tables(), account.page_of_rows(text, text, text, integer, boolean, uuid, uuid[]),
  account.page_of_own_rows(text, text, integer, boolean), account.export_account(boolean), account.own_spaces(), account_has_ended(text) from public;
revoke execute on function export_person(jsonb) from public, anon;
revoke execute on function delete_account(uuid) from public, anon, authenticated;
grant execute on function account.person_columns(), account.person_columns_of(oid), account.is_in_organization(oid), account.exported_row(jsonb), account.exported_parts(oid), account.exported_tables(),
  account.page_of_rows(text, text, text, integer, boolean, uuid, uuid[]), account.page_of_own_rows(text, text, integer, boolean),
  account.export_account(boolean), account.own_spaces() to authenticated;

-- Whether the caller lets usage be counted; a device that has not heard of the choice yet is refused here.
create function analytics.shares_usage() returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from public.user_preferences p where p.user_id = auth.uid() and not p.usage_analytics)
$$;

-- Who may call what.
revoke execute on function account.person_columns(), account.person_columns_of(oid), account.is_in_organization(oid), account.remove_organization(uuid), account.sole_administrator_of(uuid), account.sole_member_of(uuid),
  account.end_person_rows(uuid), account.forget_sign_in(uuid), account.exported_row(jsonb), account.exported_parts(oid), account.exported_tables(), account.page_of_rows(text, text, text, integer, boolean, uuid, uuid[]),
  account.page_of_own_rows(text, text, integer, boolean), account.export_account(boolean), account.own_spaces(), account_has_ended(text), analytics.shares_usage(),
  account.has_ended(uuid), account.outlives_person(text) from public;
revoke execute on function export_person(jsonb) from public, anon;
revoke execute on function delete_account(uuid) from public, anon, authenticated;
grant execute on function analytics.shares_usage() to authenticated;
