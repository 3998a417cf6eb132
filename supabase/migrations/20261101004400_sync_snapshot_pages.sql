-- The sync engine: precomputed pages of a pull.

set local check_function_bodies = off;   -- what they call may be made later

-- What decides which columns of which rows a page may hold: policies, columns, rights on a table, and what writes it anew (a column
-- computed otherwise, or it is emptied). Pages of another shape are not read: whoever changes one of these needs not think of them, and
-- locks none. `xmin` tells which transaction wrote an entry of a catalogue.
create function sync.snapshot_shape() returns text
  language sql stable set search_path = '' as $$
  select md5(concat_ws('/',
    (select string_agg(concat_ws('.', t.name, t.xmin, c.xmin), ' ' order by t.name)
      from sync.tables t left join pg_catalog.pg_class c on c.relname = t.name and c.relnamespace = 'public'::regnamespace),
    (select string_agg(p.oid || '.' || p.xmin, ' ' order by p.oid) from pg_catalog.pg_policy p)))
$$;

-- Whether whoever has a row's scope reads the row: the one rule of synced tables, and none that takes away. Told by its words, without
-- what PostgreSQL adds to them.
create function sync.is_read_by_scope(p_table text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(bool_and(p.permissive) and bool_or(regexp_replace(p.qual, '[\s()"]|public\.', '', 'g')
      = 'scopes&&SELECTARRAYSELECTmy_scopesASmy_scopesASarrayANDdeleted_atISNULLORSELECTsync.pushingASpushing'), false)
  from (
    select p.polpermissive as permissive, pg_catalog.pg_get_expr(p.polqual, p.polrelid) as qual from pg_catalog.pg_policy p
    where p.polrelid = format('public.%I', p_table)::regclass and p.polcmd in ('r', '*')
      and p.polroles && array[0, (select r.oid from pg_catalog.pg_roles r where r.rolname = 'authenticated')]::oid[]
  ) p
$$;

-- One table's part of a page: the rows of these ids that members of the scope may read (the policy of every synced table), each with
-- the number of its audience. A column that says the same of all of them says it once: of a site's rows the organisation, the site and
-- what is empty are a third of a page.
create function sync.snapshot_part(p_table text, p_ids uuid[], p_scope text, out o_part json, out o_audiences jsonb, out o_n integer)
  language plpgsql stable set search_path = '' as $$
declare
  t sync.tables;
begin
  o_n := 0;
  if not sync.is_read_by_scope(p_table) then return; end if;
  select * into strict t from sync.tables where name = p_table;
  execute format($query$
    with x as materialized (
      select r.*, dense_rank() over (order by r.scopes) - 1 as z_audience from public.%1$I r
      where r.id = any ($1) and r.deleted_at is null and $2 = any (r.scopes)
    )
    select json_build_object('t', %2$L, 'cols', $3::text[], 'vals', json_build_array(%3$s), 'aud', json_agg(x.z_audience)),
      (select jsonb_agg(to_jsonb(a.scopes) order by a.scopes) from (select distinct y.scopes from x y) a), count(*)
    from x
  $query$, p_table, p_table,
    (select string_agg(format($column$
      case
        when count(x.%1$I) = 0 then null
        when %1$L <> 'id' and count(x.%1$I) = count(*) and count(distinct to_jsonb(x.%1$I)) = 1
          then json_build_object('constant', json_agg(x.%1$I) -> 0)
        else json_agg(x.%1$I)
      end$column$, c), ', ' order by n)
      from unnest(t.columns) with ordinality as named (c, n)))
    into o_part, o_audiences, o_n using p_ids, p_scope, t.columns;
end $$;

-- The page behind a place of a scope's feed, up to another place or to the end: at most p_most changes, and no more than a page of a pull
-- may weigh (sync.page_bytes). `seen` is the scope's counter
-- at that moment; `page.n` is 0 where there are fewer than p_least, or one has no row everybody in the scope may read.
-- Stable: all of it is of one snapshot, that of the question it is asked in.
create function sync.snapshot_page_bounds(
  p_scope text, p_v bigint, p_t text, p_id uuid, p_bound_v bigint, p_bound_t text, p_bound_id uuid, p_least integer, p_most integer,
  out seen bigint, out page sync.snapshot_page
) language plpgsql stable set search_path = '' as $$
declare
  part record;
  made record;
  parts json[] := '{}';
begin
  select c.version into seen from sync.scope c where c.id = p_scope;
  page.scope := p_scope;
  page.after_v := p_v; page.after_t := p_t; page.after_id := p_id;
  page.audiences := '[]';
  page.shape := sync.snapshot_shape();
  select f.version, f.tbl, f.id, f.n into page.upto_v, page.upto_t, page.upto_id, page.n
  from (
    select c.version, c.tbl, c.id, row_number() over feed as n, sum(c.bytes) over (feed rows unbounded preceding) as so_far
    from (
      select r.version, r.tbl, r.id, r.bytes from sync.change r
      where r.scope = p_scope and (r.version, r.tbl, r.id) > (p_v, p_t, p_id) and not r.gone
        and (p_bound_v is null or (r.version, r.tbl, r.id) <= (p_bound_v, p_bound_t, p_bound_id))
      order by r.version, r.tbl, r.id limit p_most
    ) c
    window feed as (order by c.version, c.tbl, c.id)
  ) f where f.n = 1 or f.so_far <= sync.page_bytes() order by f.n desc limit 1;
  if page.n is null or page.n < p_least then page.n := 0; return; end if;
  for part in
    select c.tbl, array_agg(c.id) as ids from sync.change c
    where c.scope = p_scope and (c.version, c.tbl, c.id) > (p_v, p_t, p_id)
      and (c.version, c.tbl, c.id) <= (page.upto_v, page.upto_t, page.upto_id) and not c.gone
    group by c.tbl order by c.tbl
  loop
    made := sync.snapshot_part(part.tbl, part.ids, p_scope);
    if made.o_n < cardinality(part.ids) then page.n := 0; return; end if;
    parts := parts || made.o_part;
    page.audiences := page.audiences || jsonb_build_array(made.o_audiences);
  end loop;
  page.parts := array_to_json(parts);
  page.bytes := octet_length(page.parts::text);
end $$;

-- Where the last page ends that begins before a place in a scope's feed; nulls where none does.
create function sync.snapshot_page_end_before(p_scope text, p_v bigint, p_t text, p_id uuid, out v bigint, out t text, out id uuid)
  language sql stable set search_path = '' as $$
  select r.upto_v, r.upto_t, r.upto_id from sync.snapshot_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) < (p_v, p_t, p_id)
    order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
$$;

-- Makes the next page of a scope that is still to be made, from a place in its feed on: `made`; `moved`, where the scope changed
-- meanwhile; `failed`; or `whole`. No two pages overlap, however many make them at once. Nobody waits for more than its end: the counter
-- is written when the page is there, and the page is thrown away where it moved meanwhile.
create function sync.make_snapshot_page(
  p_scope text, p_least integer, p_most integer, inout at_v bigint, inout at_t text, inout at_id uuid, out outcome text
) language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  next record;
  made record;
  made_before record;
begin
  -- Another may have made one here since.
  select * into made_before from sync.snapshot_page_end_before(p_scope, at_v, at_t, at_id);
  if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then
    at_v := made_before.v; at_t := made_before.t; at_id := made_before.id;
  end if;
  loop
    select r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id into next from sync.snapshot_page r
      where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (at_v, at_t, at_id)
      order by r.after_v, r.after_t, r.after_id limit 1;
    if found and (next.after_v, next.after_t, next.after_id) = (at_v, at_t, at_id) then
      at_v := next.upto_v; at_t := next.upto_t; at_id := next.upto_id;
      continue;
    end if;
    select m.seen, m.page into made
      from sync.snapshot_page_bounds(p_scope, at_v, at_t, at_id, next.after_v, next.after_t, next.after_id, p_least, p_most) m;
    if (made.page).n > 0 then
      -- Written, not only locked: a transaction that began before, with one snapshot for all it does, would not see the page it has to delete.
      update sync.scope c set version = c.version where c.id = p_scope and c.version = made.seen;
      outcome := 'moved';
      if not found then return; end if;
      select * into made_before from sync.snapshot_page_end_before(p_scope, (made.page).upto_v, (made.page).upto_t, (made.page).upto_id);
      if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then return; end if;
      insert into sync.snapshot_page select (made.page).*;
      outcome := 'made';
      return;
    end if;
    if (made.page).upto_v is not null then
      -- Too few, or some of them cannot be in a page; what stands behind them can.
      at_v := (made.page).upto_v; at_t := (made.page).upto_t; at_id := (made.page).upto_id;
    elsif next.after_v is null then outcome := 'whole'; return;
    else at_v := next.after_v; at_t := next.after_t; at_id := next.after_id;
    end if;
  end loop;
exception when others then
  -- What goes wrong in one scope keeps none of the others from its pages.
  raise warning 'sync: a ready page could not be made (%)', sqlstate;
  outcome := 'failed';
end $$;

-- Makes what is missing, each page in a transaction of its own, for some seconds: in places with so many rows that were not looked
-- through since they changed, and not in the last ten minutes. Where it failed or others kept changing, it is tried again after these.
create procedure sync.make_snapshot_pages(p_rows integer default 1000, p_least integer default 100, p_most integer default 500)
  language plpgsql as $$
declare
  began timestamptz := clock_timestamp();
  place record;
  v bigint;                                            -- how far in it
  t text;
  i uuid;
  outcome text;
  moved integer;
begin
  -- Of another shape, nobody reads them; whoever is just deleting one waits for nobody.
  delete from sync.snapshot_page r where r.ctid = any (array(
    select o.ctid from sync.snapshot_page o where o.shape <> (select sync.snapshot_shape()) for update skip locked));
  if found then delete from sync.snapshot_state; end if;
  commit;
  for place in
    select c.id, c.version
    from (select d.scope from sync.digest d where d.scope !~ '^(user|member):' group by d.scope having sum(d.n) >= p_rows) many
    join sync.scope c on c.id = many.scope
    left join sync.snapshot_state r on r.scope = c.id
    where r.version is null or (r.version <> c.version and r.at < now() - interval '10 minutes')
    order by r.at nulls first, c.id
  loop
    v := 0; t := ''; i := '00000000-0000-0000-0000-000000000000';
    moved := 0;
    loop
      exit when clock_timestamp() > began + interval '20 seconds' or not pg_try_advisory_xact_lock(hashtext('sync.make_snapshot_pages'));
      select m.at_v, m.at_t, m.at_id, m.outcome into v, t, i, outcome from sync.make_snapshot_page(place.id, p_least, p_most, v, t, i) m;
      moved := moved + (outcome = 'moved')::integer;
      if outcome in ('whole', 'failed') or moved = 5 then
        insert into sync.snapshot_state (scope, version) values (place.id, case outcome when 'whole' then place.version else -1 end)
          on conflict (scope) do update set version = excluded.version, at = excluded.at;
        exit;
      end if;
      commit;
    end loop;
    commit;
  end loop;
end $$;

-- The next page of a scope behind a place in its feed, without what it holds; null where none is. `p_start`: where the reading began.
create function sync.next_snapshot_page(p_scope text, p_v bigint, p_t text, p_id uuid, p_start bigint, p_shape text) returns sync.snapshot_page
  language plpgsql stable set search_path = '' as $$
declare
  ready sync.snapshot_page;
begin
  select r.n, r.bytes, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id
    into ready.n, ready.bytes, ready.after_v, ready.after_t, ready.after_id, ready.upto_v, ready.upto_t, ready.upto_id
    from sync.snapshot_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (p_v, p_t, p_id) and r.upto_v <= p_start and r.shape = p_shape
    order by r.after_v, r.after_t, r.after_id limit 1;
  return ready;
end $$;

-- Who may call what.
revoke execute on function sync.snapshot_shape(), sync.is_read_by_scope(text), sync.snapshot_part(text, uuid[], text),
  sync.snapshot_page_bounds(text, bigint, text, uuid, bigint, text, uuid, integer, integer), sync.snapshot_page_end_before(text, bigint, text, uuid),
  sync.make_snapshot_page(text, integer, integer, bigint, text, uuid), sync.next_snapshot_page(text, bigint, text, uuid, bigint, text) from public;
revoke execute on procedure sync.make_snapshot_pages(integer, integer, integer) from public;
