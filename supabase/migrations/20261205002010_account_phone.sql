-- A phone number is a way in: it goes with the account, and is taken along with it.

-- As before; the number goes as well, so that no code sent to it opens what is left.
create or replace function sync.forget_sign_in(p_user uuid) returns void
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
  update auth.users set email = 'deleted-' || p_user || '@deleted.invalid', phone = null, phone_confirmed_at = null, phone_change = '',
      encrypted_password = '', raw_user_meta_data = '{}'
    where id = p_user;
end $$;

-- As before, with the number.
create or replace function sync.export_own() returns jsonb
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
    'account', (select jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at)
                from auth.users u where u.id = me),
    'receipts', (select coalesce(jsonb_agg(jsonb_build_object('no', r.no, 'received_at', r.received_at, 'contents', r.contents)
                  order by r.received_at), '[]') from sync.receipt r where r.user_id = me),
    'tables', tables);
end $$;
