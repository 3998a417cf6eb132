-- A count that the planner estimates is made of everybody's rows, whatever the asker may see (docs/decisions/0720). PostgREST answers
-- one to `Prefer: count=planned` and `count=estimated`, and a plan to an Accept of its own; our own server refuses both before.

create function request.refuse_estimates() returns void language plpgsql stable set search_path = '' as $$
declare
  headers constant jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  if headers ->> 'prefer' ~* 'count\s*=\s*"?\s*(planned|estimated)' then
    raise exception 'counts are exact here' using errcode = 'PT400', hint = 'Prefer: count=exact';
  end if;
  if headers ->> 'accept' ~* 'pgrst\.plan' then
    raise exception 'plans are not shown' using errcode = 'PT406';
  end if;
end $$;
revoke all on function request.refuse_estimates() from public;

create or replace function request.check_session() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  perform request.refuse_estimates();
  perform sync.need_whole_session();
end $$;

-- Of a header that is sent twice PostgREST shows one to the function above and obeys both. So nothing is kept about the values in what
-- is one person's alone: an estimate cannot tell whose rows there are, or how their values spread.
do $$
declare
  private record;
begin
  for private in
    select c.oid::regclass as of_table, a.attname
    from pg_catalog.pg_class c
    join pg_catalog.pg_attribute s on s.attrelid = c.oid and s.attname = 'scopes' and s.attgenerated = 's'
    join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = s.attnum
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ 'user_scope'
      and pg_catalog.pg_get_expr(d.adbin, d.adrelid) !~ '(org|place|site|team|member|holder)_scope'
  loop
    execute format('alter table %s alter column %I set statistics 0', private.of_table, private.attname);
  end loop;
end $$;
