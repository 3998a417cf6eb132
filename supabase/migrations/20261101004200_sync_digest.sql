-- The sync engine: does a device hold what its scopes hold.

set local check_function_bodies = off;   -- what they call may be made later

-- The same on both sides: packages/sync/src/row-hash.ts.
create function sync.row_hash(p_id uuid, p_version bigint) returns bigint
  language sql immutable parallel safe return uuid_hash_extended(p_id, p_version);

create function sync.hex(p_hash bigint) returns text
  language sql immutable parallel safe return lpad(to_hex(p_hash), 16, '0');

-- {"<scope>": {"at": [epoch, v], "sums": {"<table>": [rows, "<hash>"]}}} of the caller's scopes, for the tables their app knows.
create function sync_digest(p_tables text[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_digest needs a signed-in person' using errcode = '42501', detail = 'CN036'; end if;
  return (
    select coalesce(jsonb_object_agg(m.scope, jsonb_build_object(
      'at', jsonb_build_array(coalesce(c.epoch, '00000000-0000-0000-0000-000000000000'), coalesce(c.version, 0)),
      'sums', coalesce((select jsonb_object_agg(d.tbl, jsonb_build_array(d.n, sync.hex(d.h)))
        from sync.digest d where d.scope = m.scope and d.tbl = any (p_tables) and d.n > 0), '{}'))), '{}')
    from (select distinct s from public.my_scopes() s) as m (scope) left join sync.scope c on c.id = m.scope);
end $$;

-- The ids a scope of the caller holds of one table, with what each row weighs; none where it is not theirs.
create function sync.ids_of_scope(p_scope text, p_table text, out id uuid, out bytes integer) returns setof record
  language sql stable security definer set search_path = '' as $$
  select c.id, c.bytes from sync.change c where c.scope = p_scope and c.tbl = p_table and not c.gone and p_scope in (select public.my_scopes())
$$;

-- How far a scope has come tells how busy its people are, in their private space too: it is answered for one's own scopes
-- only, and for any other like for one that never was.
create function sync.place_of_scope(p_scope text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_array(c.epoch, c.version) from sync.scope c
      where c.id = p_scope and p_scope in (select public.my_scopes())),
    jsonb_build_array('00000000-0000-0000-0000-000000000000', 0))
$$;

-- The buckets that differ and the rows in them, at most p_limit rows and what a page of a pull may weigh (sync.page_bytes), unless one
-- bucket has more; one snapshot. A bucket that weighs far more is refused: its rows come with a pull, in its pages.
create function sync.differing_rows(p_scope text, p_table text, p_sums jsonb, p_limit integer) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  audience constant text[] := array(select distinct s from public.my_scopes() s order by s);
  wrong record;
  found record;
begin
  execute format($query$
    with held as (
      select get_byte(uuid_send(x.id), 15) as bucket, x.id, sync.row_hash(x.id, x.version) as h, c.bytes
      from sync.ids_of_scope($1, $2) c join public.%I x on x.id = c.id where x.deleted_at is null
    ), sums as (
      select b.bucket, count(held.id) as n, coalesce(bit_xor(held.h), 0) as h, coalesce(sum(held.bytes), 0) as bytes
      from generate_series(0, 255) b (bucket) left join held on held.bucket = b.bucket group by 1
    ), wrong as (
      select s.bucket, sum(s.n) over (order by s.bucket) - s.n as before, sum(s.bytes) over (order by s.bucket) as bytes
      from sums s where jsonb_build_array(s.n, sync.hex(s.h)) is distinct from coalesce($3 -> s.bucket::text, '[0, "0000000000000000"]')
    ), taken as (
      select w.bucket, w.bytes from wrong w
      where w.bucket = (select min(f.bucket) from wrong f) or w.before < $4 and w.bytes <= sync.page_bytes()
    )
    select (select count(*) from wrong) as n, coalesce((select jsonb_agg(t.bucket order by t.bucket) from taken t), '[]') as buckets,
      coalesce((select array_agg(held.id) from held join taken t on t.bucket = held.bucket), '{}') as ids,
      coalesce((select max(t.bytes) from taken t), 0) as bytes
  $query$, p_table) into wrong using p_scope, p_table, p_sums, p_limit;
  if wrong.bytes > 4 * sync.page_bytes() then
    raise exception 'what differs is too large for one answer' using errcode = 'PT413', detail = 'CN455';
  end if;
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
  if auth.uid() is null then raise exception 'sync_repair needs a signed-in person' using errcode = '42501', detail = 'CN037'; end if;
  if jsonb_typeof(p_sums) = 'string' then p_sums := (p_sums #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_sums) is distinct from 'object' or p_limit not between 1 and 5000
    or not exists (select from sync.tables t where t.name = p_table) then
    raise exception 'sync_repair takes a scope, a synced table, an object of sums and a limit from 1 to 5000' using errcode = '22023', detail = 'CN038';
  end if;
  answer := (select sync.differing_rows(p_scope, p_table, p_sums, p_limit));
  if (answer ->> 'wrong')::integer > 0 then
    perform sync.note_mismatch(p_scope, p_table, p_device, (answer ->> 'wrong')::integer);
  end if;
  return answer;
end $$;

-- Who may call what.
revoke execute on function sync.row_hash(uuid, bigint), sync.hex(bigint), sync.ids_of_scope(text, text), sync.place_of_scope(text),
  sync.differing_rows(text, text, jsonb, integer), sync.note_mismatch(text, text, uuid, integer) from public;
revoke execute on function sync_digest(text[]), sync_repair(text, text, jsonb, uuid, integer) from public, anon;
grant execute on function sync.row_hash(uuid, bigint), sync.hex(bigint), sync.ids_of_scope(text, text), sync.place_of_scope(text),
  sync.differing_rows(text, text, jsonb, integer), sync.note_mismatch(text, text, uuid, integer) to authenticated;
