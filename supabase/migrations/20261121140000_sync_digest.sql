-- Anti-entropy (docs/sync-protocol.md): does a device hold what its scopes hold? Each scope keeps, per table, how many
-- rows it has and the exclusive or of hash(id, version), so that the question costs as much with a million rows as with
-- one. What differs is found by 256 buckets of ids, counted from the rows themselves, and sent whole.

alter table sync.change add column row_version bigint not null default 0;   -- of the row, when this entry was published

create table sync.digest (
  scope text collate "C" not null,
  tbl   text collate "C" not null,
  n     bigint not null,                               -- rows
  h     bigint not null,                               -- exclusive or of sync.row_hash
  primary key (scope, tbl)
);

-- What devices told of differences; content is never part of it. One row per person, scope and table.
create table sync.mismatch (
  user_id uuid not null references auth.users (id) on delete cascade,
  scope   text not null,
  tbl     text not null,
  times   integer not null default 1,
  buckets integer not null,                            -- that differed, the last time
  device  uuid,                                        -- the last one
  at      timestamptz not null default now(),          -- the last time
  primary key (user_id, scope, tbl)
);

-- The same on both sides: packages/sync/src/row-hash.ts.
create function sync.row_hash(p_id uuid, p_version bigint) returns bigint
  language sql immutable parallel safe return uuid_hash_extended(p_id, p_version);

create function sync.count_inserted() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select n.scope, n.tbl, count(*), bit_xor(sync.row_hash(n.id, n.row_version)) from new_rows n where not n.gone group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $$;

create function sync.count_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select e.scope, e.tbl, sum(e.one), bit_xor(sync.row_hash(e.id, e.row_version))
    from (select o.scope, o.tbl, o.id, o.row_version, -1 as one from old_rows o where not o.gone
          union all
          select n.scope, n.tbl, n.id, n.row_version, 1 from new_rows n where not n.gone) e
    group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $$;

create function sync.count_deleted() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into sync.digest as d (scope, tbl, n, h)
    select o.scope, o.tbl, -count(*), bit_xor(sync.row_hash(o.id, o.row_version)) from old_rows o where not o.gone group by 1, 2 order by 1, 2
    on conflict (scope, tbl) do update set n = d.n + excluded.n, h = d.h # excluded.h;
  return null;
end $$;

-- Entries of before this migration learn their row's version.
do $$
declare
  t text;
begin
  for t in select name from sync.tables loop
    execute format('update sync.change c set row_version = x.version from public.%I x where c.tbl = %L and x.id = c.id', t, t);
  end loop;
end $$;
insert into sync.digest (scope, tbl, n, h)
  select scope, tbl, count(*), bit_xor(sync.row_hash(id, row_version)) from sync.change where not gone group by 1, 2;

create trigger count_inserted after insert on sync.change referencing new table as new_rows
  for each statement execute function sync.count_inserted();
create trigger count_changed after update on sync.change referencing old table as old_rows new table as new_rows
  for each statement execute function sync.count_changed();
create trigger count_deleted after delete on sync.change referencing old table as old_rows
  for each statement execute function sync.count_deleted();

-- As before, and each entry says which version of its row it tells of.
create or replace function sync.publish() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  this constant xid8 := pg_current_xact_id();
  moved text[];
  versions bigint[] := '{}';
  s text;
  v bigint;
begin
  select array_agg(distinct t.scope order by t.scope) into moved from sync.touched t where t.xid = this;
  if moved is not null then
    foreach s in array moved loop
      insert into sync.scope as c (id, version) values (s, 1)
        on conflict (id) do update set version = c.version + 1 returning version into v;
      versions := versions || v;
    end loop;
    insert into sync.change (scope, version, tbl, id, gone, device, row_version)
      select t.scope, m.version, t.tbl, t.id, t.gone, o.device, t.version
      from sync.touched t
      join unnest(moved, versions) as m (scope, version) on m.scope = t.scope
      left join sync.own o on o.xid = this and o.tbl = t.tbl and o.id = t.id and o.version = t.version
      where t.xid = this
      on conflict (scope, tbl, id) do update
        set version = excluded.version, gone = excluded.gone, device = excluded.device, row_version = excluded.row_version;
    perform sync.nudge(moved, versions);
    delete from sync.touched where xid = this;
  end if;
  delete from sync.own where xid = this;
  -- What a later deferred trigger touches marks the transaction again.
  delete from sync.pending where xid = this;
  return null;
end $$;

create function sync.hex(p_hash bigint) returns text
  language sql immutable parallel safe return lpad(to_hex(p_hash), 16, '0');

-- {"<scope>": {"at": [epoch, v], "sums": {"<table>": [rows, "<hash>"]}}} of the caller's scopes, for the tables their app knows.
create function sync_digest(p_tables text[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_digest needs a signed-in person' using errcode = '42501'; end if;
  return (
    select coalesce(jsonb_object_agg(m.scope, jsonb_build_object(
      'at', jsonb_build_array(coalesce(c.epoch, '00000000-0000-0000-0000-000000000000'), coalesce(c.version, 0)),
      'sums', coalesce((select jsonb_object_agg(d.tbl, jsonb_build_array(d.n, sync.hex(d.h)))
        from sync.digest d where d.scope = m.scope and d.tbl = any (p_tables) and d.n > 0), '{}'))), '{}')
    from (select distinct s from public.my_scopes() s) as m (scope) left join sync.scope c on c.id = m.scope);
end $$;

-- The ids a scope of the caller holds of one table; none where it is not theirs.
create function sync.ids_of_scope(p_scope text, p_table text) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select c.id from sync.change c where c.scope = p_scope and c.tbl = p_table and not c.gone and p_scope in (select public.my_scopes())
$$;

create function sync.place_of_scope(p_scope text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_array(c.epoch, c.version) from sync.scope c where c.id = p_scope),
    jsonb_build_array('00000000-0000-0000-0000-000000000000', 0))
$$;

-- The buckets that differ and the rows in them, at most p_limit rows unless one bucket has more; one snapshot.
create function sync.differing_rows(p_scope text, p_table text, p_sums jsonb, p_limit integer) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  audience constant text[] := array(select distinct s from public.my_scopes() s order by s);
  wrong record;
  found record;
begin
  execute format($query$
    with held as (
      select get_byte(uuid_send(x.id), 15) as bucket, x.id, sync.row_hash(x.id, x.version) as h
      from sync.ids_of_scope($1, $2) c (id) join public.%I x on x.id = c.id where x.deleted_at is null
    ), sums as (
      select b.bucket, count(held.id) as n, coalesce(bit_xor(held.h), 0) as h
      from generate_series(0, 255) b (bucket) left join held on held.bucket = b.bucket group by 1
    ), wrong as (
      select s.bucket, sum(s.n) over (order by s.bucket) - s.n as before
      from sums s where jsonb_build_array(s.n, sync.hex(s.h)) is distinct from coalesce($3 -> s.bucket::text, '[0, "0000000000000000"]')
    ), taken as (select w.bucket from wrong w where w.before < $4)
    select (select count(*) from wrong) as n, coalesce((select jsonb_agg(t.bucket order by t.bucket) from taken t), '[]') as buckets,
      coalesce((select array_agg(held.id) from held join taken t on t.bucket = held.bucket), '{}') as ids
  $query$, p_table) into wrong using p_scope, p_table, p_sums, p_limit;
  found := sync.read_rows(p_table, wrong.ids, '{}', audience);
  return jsonb_build_object('at', sync.place_of_scope(p_scope), 'order', to_jsonb(audience), 'wrong', wrong.n,
    'buckets', wrong.buckets, 'rows', found.o_rows);
end $$;

create function sync.note_mismatch(p_scope text, p_table text, p_device uuid, p_buckets integer) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.mismatch as m (user_id, scope, tbl, buckets, device)
    select auth.uid(), p_scope, p_table, p_buckets, p_device
    where p_scope in (select public.my_scopes()) and p_table in (select name from sync.tables)
    on conflict (user_id, scope, tbl) do update
      set times = m.times + 1, buckets = excluded.buckets, device = excluded.device, at = now()
$$;

-- What a device holds of a table of a scope, in 256 buckets by the last byte of the id ({"<bucket>": [rows, "<hash>"]}, empty
-- ones left out), against what there is: {"at", "order", "wrong": how many differ, "buckets": those answered, "rows"}.
create function sync_repair(p_scope text, p_table text, p_sums jsonb, p_device uuid default null, p_limit integer default 1000)
  returns jsonb language plpgsql volatile set search_path = '' set timezone = 'UTC' as $$
declare
  answer jsonb;
begin
  if auth.uid() is null then raise exception 'sync_repair needs a signed-in person' using errcode = '42501'; end if;
  if jsonb_typeof(p_sums) = 'string' then p_sums := (p_sums #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_sums) is distinct from 'object' or p_limit not between 1 and 5000
    or not exists (select from sync.tables t where t.name = p_table) then
    raise exception 'sync_repair takes a scope, a synced table, an object of sums and a limit from 1 to 5000' using errcode = '22023';
  end if;
  answer := (select sync.differing_rows(p_scope, p_table, p_sums, p_limit));
  if (answer ->> 'wrong')::integer > 0 then
    perform sync.note_mismatch(p_scope, p_table, p_device, (answer ->> 'wrong')::integer);
  end if;
  return answer;
end $$;

revoke execute on all functions in schema sync from public;
revoke execute on function sync_digest(text[]), sync_repair(text, text, jsonb, uuid, integer) from public, anon, authenticated;
grant execute on function sync.row_hash(uuid, bigint), sync.hex(bigint), sync.ids_of_scope(text, text), sync.place_of_scope(text),
  sync.differing_rows(text, text, jsonb, integer), sync.note_mismatch(text, text, uuid, integer) to authenticated;
grant execute on function sync_digest(text[]), sync_repair(text, text, jsonb, uuid, integer) to authenticated;
