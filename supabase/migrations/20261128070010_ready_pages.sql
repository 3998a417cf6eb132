-- Ready pages (decision 0691): what stands still in a place is put together once, and not for each device that reads the place
-- for the first time. A page holds changes of one scope that follow each other in its feed, with their rows as they are; whoever moves
-- one of these changes deletes the page in the same transaction, so that none holds what was changed, deleted or taken away.

create unlogged table sync.ready_page (
  scope     text collate "C" not null,
  after_v   bigint not null,                           -- the change it begins behind: a place in the feed, as cursors name them
  after_t   text collate "C" not null,
  after_id  uuid not null,
  upto_v    bigint not null,                           -- the change it ends with
  upto_t    text collate "C" not null,
  upto_id   uuid not null,
  n         integer not null,                          -- changes
  parts     json not null,                             -- [{"t", "cols", "vals", "aud"}]: a table, packed; `aud` has for each row the number of its audience
  audiences jsonb not null,                            -- for each part the scopes of its audiences, by number
  shape     text not null,                             -- of the columns and policies it was made under
  primary key (scope, after_v, after_t, after_id)
);
-- Read far more often than written, and sent compressed anyway.
alter table sync.ready_page alter parts set storage external;

-- How far each scope was looked through.
create unlogged table sync.ready_state (
  scope   text collate "C" primary key,
  version bigint not null,
  at      timestamptz not null default now()
);

create function sync.drop_ready_pages() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from sync.ready_page d using (
    select distinct p.scope, p.after_v, p.after_t, p.after_id
    from old_rows o
    cross join lateral (
      select r.scope, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id from sync.ready_page r
      where r.scope = o.scope and (r.after_v, r.after_t, r.after_id) < (o.version, o.tbl, o.id)
      order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
    ) p
    where (p.upto_v, p.upto_t, p.upto_id) >= (o.version, o.tbl, o.id)
  ) f
  where (d.scope, d.after_v, d.after_t, d.after_id) = (f.scope, f.after_v, f.after_t, f.after_id);
  return null;
end $$;
-- New changes stand behind all others: no page holds them.
create trigger drop_ready_changed after update on sync.change referencing old table as old_rows
  for each statement execute function sync.drop_ready_pages();
create trigger drop_ready_deleted after delete on sync.change referencing old table as old_rows
  for each statement execute function sync.drop_ready_pages();

create function sync.drop_all_ready_pages() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from sync.ready_page;
  delete from sync.ready_state;
  return null;
end $$;
create trigger drop_ready after insert on sync.restored
  for each statement execute function sync.drop_all_ready_pages();
create trigger drop_ready_emptied after truncate on sync.change
  for each statement execute function sync.drop_all_ready_pages();
-- Also where rows are copied from another database.
alter table sync.change enable always trigger drop_ready_changed;
alter table sync.change enable always trigger drop_ready_deleted;
alter table sync.change enable always trigger drop_ready_emptied;

-- What decides which columns of which rows a page may hold: policies, columns, rights on a table, and what writes it anew (a column
-- computed otherwise, or it is emptied). Pages of another shape are not read: whoever changes one of these needs not think of them, and
-- locks none. `xmin` tells which transaction wrote an entry of a catalogue.
create function sync.ready_shape() returns text
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
-- the number of its audience.
create function sync.ready_part(p_table text, p_ids uuid[], p_scope text, out o_part json, out o_audiences jsonb, out o_n integer)
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
    (select string_agg(format('case when count(x.%1$I) > 0 then json_agg(x.%1$I) end', c), ', ' order by n)
      from unnest(t.columns) with ordinality as named (c, n)))
    into o_part, o_audiences, o_n using p_ids, p_scope, t.columns;
end $$;

-- The page behind a place of a scope's feed, up to another place or to the end: at most p_most changes. `seen` is the scope's counter
-- at that moment; `page.n` is 0 where there are fewer than p_least, or one has no row everybody in the scope may read.
-- Stable: all of it is of one snapshot, that of the question it is asked in.
create function sync.page_to_be(
  p_scope text, p_v bigint, p_t text, p_id uuid, p_bound_v bigint, p_bound_t text, p_bound_id uuid, p_least integer, p_most integer,
  out seen bigint, out page sync.ready_page
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
  page.shape := sync.ready_shape();
  select f.version, f.tbl, f.id, f.n into page.upto_v, page.upto_t, page.upto_id, page.n
  from (
    select c.version, c.tbl, c.id, row_number() over (order by c.version, c.tbl, c.id) as n
    from sync.change c
    where c.scope = p_scope and (c.version, c.tbl, c.id) > (p_v, p_t, p_id) and not c.gone
      and (p_bound_v is null or (c.version, c.tbl, c.id) <= (p_bound_v, p_bound_t, p_bound_id))
    order by c.version, c.tbl, c.id limit p_most
  ) f order by f.n desc limit 1;
  if page.n is null or page.n < p_least then page.n := 0; return; end if;
  for part in
    select c.tbl, array_agg(c.id) as ids from sync.change c
    where c.scope = p_scope and (c.version, c.tbl, c.id) > (p_v, p_t, p_id)
      and (c.version, c.tbl, c.id) <= (page.upto_v, page.upto_t, page.upto_id) and not c.gone
    group by c.tbl order by c.tbl
  loop
    made := sync.ready_part(part.tbl, part.ids, p_scope);
    if made.o_n < cardinality(part.ids) then page.n := 0; return; end if;
    parts := parts || made.o_part;
    page.audiences := page.audiences || jsonb_build_array(made.o_audiences);
  end loop;
  page.parts := array_to_json(parts);
end $$;

-- Where the last page ends that begins before a place in a scope's feed; nulls where none does.
create function sync.end_before(p_scope text, p_v bigint, p_t text, p_id uuid, out v bigint, out t text, out id uuid)
  language sql stable set search_path = '' as $$
  select r.upto_v, r.upto_t, r.upto_id from sync.ready_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) < (p_v, p_t, p_id)
    order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
$$;

-- Makes the next page of a scope that is still to be made, from a place in its feed on: `made`; `moved`, where the scope changed
-- meanwhile; `failed`; or `whole`. No two pages overlap, however many make them at once. Nobody waits for more than its end: the counter
-- is written when the page is there, and the page is thrown away where it moved meanwhile.
create function sync.make_page_of(
  p_scope text, p_least integer, p_most integer, inout at_v bigint, inout at_t text, inout at_id uuid, out outcome text
) language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  next record;
  made record;
  made_before record;
begin
  -- Another may have made one here since.
  select * into made_before from sync.end_before(p_scope, at_v, at_t, at_id);
  if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then
    at_v := made_before.v; at_t := made_before.t; at_id := made_before.id;
  end if;
  loop
    select r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id into next from sync.ready_page r
      where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (at_v, at_t, at_id)
      order by r.after_v, r.after_t, r.after_id limit 1;
    if found and (next.after_v, next.after_t, next.after_id) = (at_v, at_t, at_id) then
      at_v := next.upto_v; at_t := next.upto_t; at_id := next.upto_id;
      continue;
    end if;
    select m.seen, m.page into made
      from sync.page_to_be(p_scope, at_v, at_t, at_id, next.after_v, next.after_t, next.after_id, p_least, p_most) m;
    if (made.page).n > 0 then
      -- Written, not only locked: a transaction that began before, with one snapshot for all it does, would not see the page it has to delete.
      update sync.scope c set version = c.version where c.id = p_scope and c.version = made.seen;
      outcome := 'moved';
      if not found then return; end if;
      select * into made_before from sync.end_before(p_scope, (made.page).upto_v, (made.page).upto_t, (made.page).upto_id);
      if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then return; end if;
      insert into sync.ready_page select (made.page).*;
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
create procedure sync.make_ready_pages(p_rows integer default 1000, p_least integer default 100, p_most integer default 500)
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
  delete from sync.ready_page r where r.ctid = any (array(
    select o.ctid from sync.ready_page o where o.shape <> (select sync.ready_shape()) for update skip locked));
  if found then delete from sync.ready_state; end if;
  commit;
  for place in
    select c.id, c.version
    from (select d.scope from sync.digest d where d.scope !~ '^(user|member):' group by d.scope having sum(d.n) >= p_rows) many
    join sync.scope c on c.id = many.scope
    left join sync.ready_state r on r.scope = c.id
    where r.version is null or (r.version <> c.version and r.at < now() - interval '10 minutes')
    order by r.at nulls first, c.id
  loop
    v := 0; t := ''; i := '00000000-0000-0000-0000-000000000000';
    moved := 0;
    loop
      exit when clock_timestamp() > began + interval '20 seconds' or not pg_try_advisory_xact_lock(hashtext('sync.make_ready_pages'));
      select m.at_v, m.at_t, m.at_id, m.outcome into v, t, i, outcome from sync.make_page_of(place.id, p_least, p_most, v, t, i) m;
      moved := moved + (outcome = 'moved')::integer;
      if outcome in ('whole', 'failed') or moved = 5 then
        insert into sync.ready_state (scope, version) values (place.id, case outcome when 'whole' then place.version else -1 end)
          on conflict (scope) do update set version = excluded.version, at = excluded.at;
        exit;
      end if;
      commit;
    end loop;
    commit;
  end loop;
end $$;

-- The next page of a scope behind a place in its feed, without what it holds; null where none is. `p_start`: where the reading began.
create function sync.next_ready(p_scope text, p_v bigint, p_t text, p_id uuid, p_start bigint, p_shape text) returns sync.ready_page
  language plpgsql stable set search_path = '' as $$
declare
  ready sync.ready_page;
begin
  select r.n, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id
    into ready.n, ready.after_v, ready.after_t, ready.after_id, ready.upto_v, ready.upto_t, ready.upto_id
    from sync.ready_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (p_v, p_t, p_id) and r.upto_v <= p_start and r.shape = p_shape
    order by r.after_v, r.after_t, r.after_id limit 1;
  return ready;
end $$;

-- As before, but for what is ready.
drop function sync.next_changes(jsonb, uuid, integer);
create function sync.next_changes(
  p_cursors jsonb, p_device uuid, p_limit integer, p_ready boolean,
  out o_cursors jsonb, out o_order text[], out o_resets text[], out o_more boolean,
  out o_scope integer[], out o_table text[], out o_id uuid[], out o_gone boolean[], out o_known boolean[], out o_pages json
) language plpgsql stable security definer set search_path = '' as $$
declare
  left_over integer := p_limit;
  place integer := -1;
  s record;                                            -- scope, head, epoch and the device's cursor taken apart
  own_scopes text[] := '{}';                           -- the person's own scopes the device holds, and its cursors in them
  own_v bigint[] := '{}';
  own_t text[] := '{}';
  own_id uuid[] := '{}';
  page record;
  ready sync.ready_page;                               -- the next page of the scope that is ready
  present_shape text;
  ready_scope text[] := '{}'; ready_v bigint[] := '{}'; ready_t text[] := '{}'; ready_id uuid[] := '{}';
begin
  o_cursors := '{}'; o_order := '{}'; o_resets := '{}'; o_more := false;
  o_scope := '{}'; o_table := '{}'; o_id := '{}'; o_gone := '{}'; o_known := '{}'; o_pages := '[]';
  -- A copy that follows another server has no unlogged table.
  p_ready := p_ready and not pg_is_in_recovery();
  for s in
    select m.scope, coalesce(c.version, 0) as head, coalesce(c.epoch, '00000000-0000-0000-0000-000000000000')::text as epoch,
      split_part(d.cursor ->> 0, '.', 1) as d_epoch,
      case when split_part(d.cursor ->> 0, '.', 2) ~ '^\d{1,18}$' then split_part(d.cursor ->> 0, '.', 2)::bigint end as d_start,
      case when d.cursor ->> 1 ~ '^\d{1,18}$' then (d.cursor ->> 1)::bigint end as d_v,
      d.cursor ->> 2 as d_t,
      case when d.cursor ->> 3 ~ '^[0-9a-f-]{36}$' then (d.cursor ->> 3)::uuid end as d_id,
      d.cursor is not null as held, false as own
    from public.my_scopes() as m (scope)
    left join sync.scope c on c.id = m.scope
    cross join lateral (select p_cursors -> m.scope as cursor) d
    group by m.scope, c.version, c.epoch, d.cursor
    -- A person's own work first, then what screens need to make sense of it, then the places.
    order by case split_part(m.scope, ':', 1) when 'user' then 0 when 'member' then 1 when 'all' then 2 when 'org' then 3 else 4 end, m.scope
  loop
    place := place + 1;
    o_order := o_order || s.scope;
    -- A scope that has no counter yet and one that has: both are of the epoch the device may hold at version 0.
    if s.held and (s.d_v is null or s.d_start is null or s.d_t is null or s.d_id is null or s.d_v > s.head
        or (s.d_epoch <> s.epoch and s.d_v > 0)) then
      o_resets := o_resets || s.scope;
      s.held := false;
    end if;
    if not s.held or s.d_v = 0 then
      s.d_start := case when s.held and s.d_epoch = s.epoch then s.d_start else s.head end;
      s.d_v := 0; s.d_t := ''; s.d_id := '00000000-0000-0000-0000-000000000000';
    end if;
    s.own := s.scope ~ '^(user|member):';
    if s.own and s.d_v > 0 then
      own_scopes := own_scopes || s.scope; own_v := own_v || s.d_v; own_t := own_t || s.d_t; own_id := own_id || s.d_id;
    end if;
    if s.head > s.d_v or (s.head = s.d_v and s.d_t <> '~') then
      while left_over > 0 and (s.head > s.d_v or s.d_t <> '~') loop
        ready := null;
        -- Who reads the scope for the first time takes what is ready, as long as it fits; up to the next page row by row.
        if p_ready and not s.own and s.d_v <= s.d_start then
          -- Asked for where there are pages only: it reads the catalogues.
          present_shape := coalesce(present_shape,
            (select sync.ready_shape() where exists (select from sync.ready_page r where r.scope = s.scope)));
          ready := sync.next_ready(s.scope, s.d_v, s.d_t, s.d_id, s.d_start, present_shape);
          if (ready.after_v, ready.after_t, ready.after_id) = (s.d_v, s.d_t, s.d_id) then
            if ready.n <= left_over then
              ready_scope := ready_scope || s.scope; ready_v := ready_v || s.d_v; ready_t := ready_t || s.d_t; ready_id := ready_id || s.d_id;
              s.d_v := ready.upto_v; s.d_t := ready.upto_t; s.d_id := ready.upto_id;
              left_over := left_over - ready.n;
              continue;
            elsif ready_scope <> '{}' then
              -- It is the next answer's first. Only behind another: each answer gets on, also where others keep adding before it.
              left_over := 0;
              continue;
            end if;
            ready := null;
          end if;
        end if;
        select count(*)::integer as n, array_agg(c.tbl) as tbl, array_agg(c.id) as id, array_agg(c.gone) as gone,
          array_agg(coalesce(c.device = p_device and c.version > s.d_start, false) or c.brought) as known, max(c.version) as v
        into page
        from (
          select f.version, f.tbl, f.id, f.gone, f.device,
            -- A row of the place that already came through an own scope needs no second copy: a change of a row moves all
            -- its scopes in one transaction, so what the device read there up to its cursor is the row as it is.
            not s.own and own_scopes <> '{}' and exists (
              select from unnest(own_scopes, own_v, own_t, own_id) as o (scope, v, t, id)
              join sync.change u on u.scope = o.scope and u.tbl = f.tbl and u.id = f.id
              where not u.gone and (u.version, u.tbl, u.id) <= (o.v, o.t, o.id)) as brought
          from sync.change f
          where f.scope = s.scope and (f.version, f.tbl, f.id) > (s.d_v, s.d_t, s.d_id)
            -- Who reads a scope for the first time holds nothing that could be gone.
            and (not f.gone or f.version > s.d_start)
            and (ready.n is null or (f.version, f.tbl, f.id) <= (ready.after_v, ready.after_t, ready.after_id))
          order by f.version, f.tbl, f.id limit left_over
        ) c;
        if page.n > 0 then
          o_scope := o_scope || array_fill(place, array[page.n]);
          o_table := o_table || page.tbl; o_id := o_id || page.id; o_gone := o_gone || page.gone; o_known := o_known || page.known;
        end if;
        if page.n < left_over and ready.n is not null then
          s.d_v := ready.after_v; s.d_t := ready.after_t; s.d_id := ready.after_id;
        elsif page.n < left_over then
          s.d_v := s.head; s.d_t := '~'; s.d_id := '00000000-0000-0000-0000-000000000000';
        else
          s.d_v := page.v; s.d_t := page.tbl[page.n]; s.d_id := page.id[page.n];
        end if;
        left_over := left_over - page.n;
      end loop;
      o_more := o_more or s.d_v < s.head or s.d_t <> '~';
    end if;
    o_cursors := o_cursors || jsonb_build_object(s.scope,
      jsonb_build_array(s.epoch || '.' || s.d_start, s.d_v, s.d_t, s.d_id));
  end loop;
  if ready_scope = '{}' then return; end if;
  -- Of the audience of a row its reader learns the scopes that are their own.
  select json_agg(json_build_object('parts', r.parts, 'audiences', (
      select json_agg((
        select json_agg(array(
          select array_position(o_order, a) - 1 from jsonb_array_elements_text(named) a where a = any (o_order) group by a order by 1) order by x.n)
        from jsonb_array_elements(part) with ordinality as x (named, n)) order by y.n)
      from jsonb_array_elements(r.audiences) with ordinality as y (part, n)
    )) order by k.at) into o_pages
    from unnest(ready_scope, ready_v, ready_t, ready_id) with ordinality as k (scope, v, t, id, at)
    join sync.ready_page r on (r.scope, r.after_v, r.after_t, r.after_id) = (k.scope, k.v, k.t, k.id);
end $$;


drop function sync_pull(jsonb, uuid, integer, boolean);
create function sync_pull(
  p_cursors jsonb default '{}', p_device uuid default null, p_limit integer default 1000, p_packed boolean default false,
  p_ready boolean default false
) returns json language plpgsql stable set search_path = '' set timezone = 'UTC' as $$
declare
  page record;
  part record;
  found record;
  names text[] := '{}';
  packed json[] := '{}';
  rows jsonb := '{}';
  stubs jsonb := '{}';
  gone jsonb := '[]';
begin
  if auth.uid() is null then
    raise exception 'sync_pull needs a signed-in person' using errcode = '42501';
  end if;
  if jsonb_typeof(p_cursors) = 'string' then p_cursors := (p_cursors #>> '{}')::jsonb; end if;
  p_limit := coalesce(p_limit, 1000);
  if jsonb_typeof(coalesce(p_cursors, '{}')) <> 'object' or p_limit not between 1 and 5000 then
    raise exception 'sync_pull takes an object of cursors and a limit from 1 to 5000' using errcode = '22023';
  end if;
  page := sync.next_changes(sync.sound_cursors(coalesce(p_cursors, '{}')), p_device, p_limit, coalesce(p_ready, false));
  -- Where this person may look is known now, for the policy of every table that is read below.
  perform set_config('sync.kept_scopes', page.o_order::text, true);
  if true = any (page.o_gone) then
    select coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]') into gone
      from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, gone) where c.gone;
  end if;
  for part in
    select c.tbl, array_agg(c.id) as ids, coalesce(array_agg(c.id) filter (where c.known), '{}') as known
    from (
      select c.tbl, c.id, bool_or(c.known) as known
      from unnest(page.o_table, page.o_id, page.o_gone, page.o_known) as c (tbl, id, gone, known)
      where not c.gone group by c.tbl, c.id
    ) c group by c.tbl order by c.tbl
  loop
    if p_packed then
      found := sync.read_packed(part.tbl, part.ids, part.known, page.o_order);
      if found.o_rows is not null then names := names || part.tbl; packed := packed || found.o_rows; end if;
    else
      found := sync.read_rows(part.tbl, part.ids, part.known, page.o_order);
      if found.o_rows <> '[]' then rows := rows || jsonb_build_object(part.tbl, found.o_rows); end if;
    end if;
    if found.o_stubs <> '[]' then stubs := stubs || jsonb_build_object(part.tbl, found.o_stubs); end if;
    if cardinality(found.o_found) < cardinality(part.ids) then
      gone := gone || (select coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]')
        from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, is_gone)
        where not c.is_gone and c.tbl = part.tbl and c.id <> all (found.o_found));
    end if;
  end loop;
  perform sync.forget_kept_rights();
  return json_build_object('scopes', page.o_cursors, 'more', page.o_more, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', case when p_packed then '{}' else rows end,
    'packed', case when p_packed then (
      select coalesce(json_object_agg(n, r), '{}') from unnest(names, packed) as p (n, r)) end,
    'pages', page.o_pages, 'stubs', stubs, 'gone', gone,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;


revoke execute on function sync.ready_shape(), sync.end_before(text, bigint, text, uuid),
  sync.next_ready(text, bigint, text, uuid, bigint, text), sync.is_read_by_scope(text), sync.drop_ready_pages(), sync.drop_all_ready_pages(),
  sync.ready_part(text, uuid[], text), sync.page_to_be(text, bigint, text, uuid, bigint, text, uuid, integer, integer),
  sync.make_page_of(text, integer, integer, bigint, text, uuid), sync.next_changes(jsonb, uuid, integer, boolean) from public;
revoke execute on procedure sync.make_ready_pages(integer, integer, integer) from public;
revoke execute on function sync_pull(jsonb, uuid, integer, boolean, boolean) from public, anon, authenticated;
grant execute on function sync.next_changes(jsonb, uuid, integer, boolean), sync_pull(jsonb, uuid, integer, boolean, boolean) to authenticated;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-ready-pages', '* * * * *', 'call sync.make_ready_pages()') $cron$;
  end if;
end $$;
