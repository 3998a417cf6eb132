-- The sync engine: what makes a table a synced one.

set local check_function_bodies = off;   -- what they call may be made later

-- True inside sync_push: synced tables take no other writes from clients, and only a push sees soft-deleted rows.
create function sync.pushing() returns boolean
  language sql stable parallel safe return coalesce(current_setting('sync.pushing', true), '') = 'on';

-- Rows are told apart by version, never by a clock: nobody but this trigger sets it.
create function sync.stamp_row() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.version := 1;
  else
    if new.id <> old.id then
      raise exception 'the id of a row never changes' using errcode = '22023', detail = 'CN001';
    end if;
    new.version := old.version + 1;
  end if;
  new.updated_at := now();
  return new;
end $$;

-- What a row weighs is said with its change, where it is written once, for each time it is read: as text, which no compression makes
-- small, and in which a number says all its digits.
create function sync.note_touched() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into sync.touched (xid, scope, tbl, id, gone, version, bytes)
      select distinct pg_current_xact_id(), s, tg_table_name, n.id, n.gone, n.version, n.bytes
      from (select r.id, r.scopes, r.version, r.deleted_at is not null as gone,
          case when r.deleted_at is null then octet_length(r::text) else 0 end as bytes from new_rows r offset 0) n, unnest(n.scopes) s
      on conflict (xid, scope, tbl, id) do update set gone = excluded.gone, version = excluded.version, bytes = excluded.bytes;
  elsif tg_op = 'UPDATE' then
    insert into sync.touched (xid, scope, tbl, id, gone, version, bytes)
      select pg_current_xact_id(), t.s, tg_table_name, t.id, bool_and(t.gone), max(t.version), max(t.bytes)
      from (select o.id, unnest(o.scopes) s, true gone, o.version, 0 as bytes from old_rows o
            union all
            select n.id, unnest(n.scopes), n.gone, n.version, n.bytes
            from (select r.id, r.scopes, r.version, r.deleted_at is not null as gone,
                case when r.deleted_at is null then octet_length(r::text) else 0 end as bytes from new_rows r offset 0) n) t
      group by t.s, t.id
      on conflict (xid, scope, tbl, id) do update set gone = excluded.gone, version = excluded.version, bytes = excluded.bytes;
  else
    insert into sync.touched (xid, scope, tbl, id, gone, version)
      select distinct pg_current_xact_id(), s, tg_table_name, o.id, true, o.version
      from old_rows o, unnest(o.scopes) s
      on conflict (xid, scope, tbl, id) do update set gone = excluded.gone, version = excluded.version, bytes = excluded.bytes;
  end if;
  if found then
    insert into sync.pending (xid) values (pg_current_xact_id()) on conflict do nothing;
  end if;
  return null;
end $$;

-- Reads a table's columns into the registry and writes the functions through which a push reads and writes it, as
-- sync.<verb>_<table>. They are generated, not dynamic, so that their plans (with the row-level policies in them) are
-- kept: planning was two thirds of a push. A migration that changes the columns of a synced table calls this again.
create function sync.refresh_table(p_table text) returns void language plpgsql as $$
declare
  t sync.tables;
  writable text[];
  signature text;
begin
  update sync.tables set
    server_columns = array(
      select distinct c from unnest(array['version', 'created_at', 'updated_at', 'deleted_at', 'created_by'] || server_columns) c
      where c in (select a.attname from pg_attribute a where a.attrelid = format('public.%I', p_table)::regclass) order by c),
    (columns, json_columns, generated) = (
      select array_agg(attname::text order by attnum),
        coalesce(array_agg(attname::text order by attnum) filter (where atttypid = 'jsonb'::regtype), '{}'),
        coalesce(array_agg(attname::text order by attnum) filter (where attgenerated <> ''), '{}')
      from pg_attribute
      where attrelid = format('public.%I', p_table)::regclass and attnum > 0 and not attisdropped and attname <> 'scopes')
    where name = p_table returning * into strict t;
  writable := array(select c from unnest(t.columns) c where c <> all (t.server_columns) and c <> all (t.generated));

  execute format($ddl$
    create or replace function sync.typed_%1$s(p jsonb) returns jsonb language plpgsql stable as $body$
    begin return to_jsonb(jsonb_populate_record(null::public.%1$I, p)); end $body$;

    create or replace function sync.see_%1$s(p_id uuid) returns jsonb language plpgsql volatile as $body$
    begin return (select to_jsonb(x) - 'scopes' from public.%1$I x where x.id = p_id); end $body$;

    create or replace function sync.lock_%1$s(p_id uuid) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      select to_jsonb(x) - 'scopes' into answer from public.%1$I x where x.id = p_id for no key update;
      return answer;
    end $body$;

    create or replace function sync.insert_%1$s(p jsonb) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      insert into public.%1$I as x (%2$s) select %3$s from jsonb_populate_record(null::public.%1$I, p) r
        on conflict (id) do nothing returning to_jsonb(x) - 'scopes' into answer;
      return answer;
    end $body$;

    create or replace function sync.insert_all_%1$s(p_rows jsonb) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      with made as (
        insert into public.%1$I as x (%2$s)
          select %3$s from jsonb_array_elements(p_rows) with ordinality as sent (p, n)
            cross join lateral jsonb_populate_record(null::public.%1$I, sent.p) r order by n
          on conflict (id) do nothing returning x.id, to_jsonb(x) - 'scopes' as made
      )
      select coalesce(jsonb_object_agg(m.id, m.made), '{}') into answer from made m;
      return answer;
    end $body$;

    create or replace function sync.update_%1$s(p_id uuid, p jsonb, p_fields text[]) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      update public.%1$I x set %4$s from jsonb_populate_record(null::public.%1$I, p) r
        where x.id = p_id returning to_jsonb(x) - 'scopes' into answer;
      return answer;
    end $body$;

    create or replace function sync.lock_all_%1$s(p_ids uuid[]) returns jsonb language plpgsql volatile as $body$
    begin
      return (select coalesce(jsonb_object_agg(l.id, l.row), '{}') from (
        select x.id, to_jsonb(x) - 'scopes' as row from public.%1$I x where x.id = any (p_ids) order by x.id for no key update) l);
    end $body$;

    create or replace function sync.update_all_%1$s(p_edits jsonb) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      with made as (
        update public.%1$I x set %5$s
          from jsonb_array_elements(p_edits) e cross join lateral jsonb_populate_record(null::public.%1$I, e -> 'patch') r
          where x.id = (e ->> 'id')::uuid returning x.id, to_jsonb(x) - 'scopes' as made
      )
      select coalesce(jsonb_object_agg(m.id, m.made), '{}') into answer from made m;
      return answer;
    end $body$;

    create or replace function sync.delete_%1$s(p_id uuid) returns jsonb language plpgsql volatile as $body$
    declare answer jsonb;
    begin
      update public.%1$I x set deleted_at = now() where x.id = p_id returning to_jsonb(x) - 'scopes' into answer;
      return answer;
    end $body$;
  $ddl$, p_table,
    (select string_agg(quote_ident(c), ', ') from unnest(writable) c),
    (select string_agg(case when d.adbin is null or c = 'id' then format('r.%I', c)
        else format('case when p ? %L then r.%I else %s end', c, c, pg_get_expr(d.adbin, d.adrelid)) end, ', ' order by n)
      from unnest(writable) with ordinality as w (c, n)
      join pg_attribute a on a.attrelid = format('public.%I', p_table)::regclass and a.attname = c
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum),
    (select coalesce(string_agg(format('%1$I = case when %1$L = any (p_fields) then r.%1$I else x.%1$I end', c), ', '), 'version = x.version')
      from unnest(writable) c where c <> 'id'),
    (select coalesce(string_agg(format('%1$I = case when e -> ''fields'' ? %1$L then r.%1$I else x.%1$I end', c), ', '), 'version = x.version')
      from unnest(writable) c where c <> 'id'));

  foreach signature in array array['typed_%s(jsonb)', 'see_%s(uuid)', 'lock_%s(uuid)', 'insert_%s(jsonb)', 'insert_all_%s(jsonb)', 'update_%s(uuid, jsonb, text[])', 'lock_all_%s(uuid[])', 'update_all_%s(jsonb)', 'delete_%s(uuid)'] loop
    execute format('revoke execute on function sync.%1$s from public; grant execute on function sync.%1$s to authenticated', format(signature, p_table));
  end loop;
  perform sync.write_choice('typed_row', 'p_row jsonb', 'typed_%s(p_row)');
  perform sync.write_choice('see_row', 'p_id uuid', 'see_%s(p_id)');
  perform sync.write_choice('lock_row', 'p_id uuid', 'lock_%s(p_id)');
  perform sync.write_choice('insert_row', 'p_row jsonb', 'insert_%s(p_row)');
  perform sync.write_choice('insert_all', 'p_rows jsonb', 'insert_all_%s(p_rows)');
  perform sync.write_choice('lock_all', 'p_ids uuid[]', 'lock_all_%s(p_ids)');
  perform sync.write_choice('update_all', 'p_edits jsonb', 'update_all_%s(p_edits)');
  perform sync.write_choice('update_row', 'p_id uuid, p_row jsonb, p_fields text[]', 'update_%s(p_id, p_row, p_fields)');
  perform sync.write_choice('delete_row', 'p_id uuid', 'delete_%s(p_id)');
end $$;

-- Writes sync.<p_name>(p_table, …), which calls the function of that table. Written, not dynamic: EXECUTE would parse and
-- plan its one line anew for every mutation, a quarter of a push.
create function sync.write_choice(p_name text, p_parameters text, p_call text) returns void language plpgsql as $$
begin
  execute format($ddl$
    create or replace function sync.%1$I(p_table text, %2$s) returns jsonb language plpgsql volatile set search_path = '' as $body$
    begin
      case p_table %3$s end case;
    end $body$;
    revoke execute on function sync.%1$I from public; grant execute on function sync.%1$I to authenticated
  $ddl$, p_name, p_parameters,
    (select string_agg(format('when %L then return sync.%s;', t.name, format(p_call, t.name)), ' ' order by t.priority, t.name) from sync.tables t));
end $$;

-- What PostgreSQL takes and no screen can show: times outside 1970 to 2199 (infinity among them), and numbers that are
-- none. Every synced table refuses them, whoever writes.
create function sync.add_bounds(p_table text) returns void language plpgsql as $$
declare
  c record;
begin
  for c in
    select attname as name, atttypid = 'timestamptz'::regtype as is_time from pg_attribute
    where attrelid = format('public.%I', p_table)::regclass and attnum > 0 and not attisdropped
      and atttypid in ('timestamptz'::regtype, 'numeric'::regtype)
  loop
    if c.is_time then
      execute format('alter table public.%1$I add constraint %2$I check (%3$I >= timestamptz %4$L and %3$I < timestamptz %5$L)',
        p_table, p_table || '_' || c.name || '_in_time', c.name, '1970-01-01T00:00:00Z', '2200-01-01T00:00:00Z');
    else
      -- NaN counts as greater than infinity.
      execute format('alter table public.%1$I add constraint %2$I check (%3$I > numeric %4$L and %3$I < numeric %5$L)',
        p_table, p_table || '_' || c.name || '_finite', c.name, '-infinity', 'infinity');
    end if;
  end loop;
end $$;

-- Makes a table synced: adds `scopes`, computed from the row by the expression p_scopes (kept by triggers of the table
-- where that is null), its triggers and its registry row; turns row-level security on and takes back every grant but select.
create function sync.add_table(
  p_table text, p_priority integer, p_scopes text,
  p_groups jsonb default '[]', p_server_columns text[] default '{}'
) returns void language plpgsql as $$
begin
  execute format($ddl$
    alter table public.%1$I add column scopes text[] not null %2$s;
    alter table public.%1$I enable row level security;
    revoke all on public.%1$I from anon, authenticated;
    grant select on public.%1$I to authenticated;
    create trigger a_stamp before insert or update on public.%1$I
      for each row execute function sync.stamp_row();
    create trigger z_touched_insert after insert on public.%1$I referencing new table as new_rows
      for each statement execute function sync.note_touched();
    create trigger z_touched_update after update on public.%1$I referencing old table as old_rows new table as new_rows
      for each statement execute function sync.note_touched();
    create trigger z_touched_delete after delete on public.%1$I referencing old table as old_rows
      for each statement execute function sync.note_touched();
  $ddl$, p_table, coalesce('generated always as (' || p_scopes || ') stored', 'default ''{}'''));
  perform sync.add_bounds(p_table);
  insert into sync.tables (name, priority, groups, server_columns, columns, json_columns, generated)
    values (p_table, p_priority, p_groups, p_server_columns, '{}', '{}', '{}');
  perform sync.refresh_table(p_table);
end $$;

-- Who may call what.
revoke execute on function sync.pushing(), sync.stamp_row(), sync.note_touched(), sync.refresh_table(text), sync.write_choice(text, text, text),
  sync.add_bounds(text), sync.add_table(text, integer, text, jsonb, text[]) from public;
grant execute on function sync.pushing() to service_role, authenticated;
