-- The sync engine: what a device reads.

set local check_function_bodies = off;   -- what they call may be made later

-- What the rows of one page may weigh together, as text; one row alone may weigh more. A device asks for changes, and what somebody put
-- into a few of them must neither keep the others' devices from the rest nor fill this server's memory. `sync.page_bytes` is for tests:
-- nobody who calls by the API can set it.
create function sync.page_bytes() returns integer
  language sql stable set search_path = '' return coalesce(nullif(current_setting('sync.page_bytes', true), '')::integer, 4194304);

-- The next page of changes, by scope, from the cursors a device holds. A cursor is [epoch, v, t, id]; the epoch is the
-- scope's, a dot, and the version the scope stood at when this device began to read it. Only changes after that can be
-- answered with a stub for the device's own writes: a device that lost a scope and got it back has nothing of before.
-- The rows come in their order, so that no aggregate has to sort them again; what is ready is taken from its page (sync.next_snapshot_page).
create function sync.next_changes(
  p_cursors jsonb, p_device uuid, p_limit integer, p_snapshots boolean,
  out o_cursors jsonb, out o_order text[], out o_resets text[], out o_more boolean,
  out o_scope integer[], out o_table text[], out o_id uuid[], out o_gone boolean[], out o_known boolean[], out o_pages json
) language plpgsql stable security definer set search_path = '' as $$
declare
  left_over integer := p_limit;
  bytes_left integer := sync.page_bytes();
  has_any boolean := false;                            -- whether the page holds a change: the first one comes whatever it weighs
  writer constant uuid := sync.writer_of(auth.uid(), p_device);   -- of somebody else's device nothing is known
  place integer := -1;
  s record;                                            -- scope, head, epoch and the device's cursor taken apart
  own_scopes text[] := '{}';                           -- the person's own scopes the device holds, and its cursors in them
  own_v bigint[] := '{}';
  own_t text[] := '{}';
  own_id uuid[] := '{}';
  page record;
  ready sync.snapshot_page;                               -- the next page of the scope that is ready
  present_shape text;
  -- Made into one object at the end: an object that grows is copied with each of its members, and scopes may be thousands.
  cursor_values jsonb[] := '{}';
  ready_scope text[] := '{}'; ready_v bigint[] := '{}'; ready_t text[] := '{}'; ready_id uuid[] := '{}';
begin
  o_order := '{}'; o_resets := '{}'; o_more := false;
  o_scope := '{}'; o_table := '{}'; o_id := '{}'; o_gone := '{}'; o_known := '{}'; o_pages := '[]';
  -- A copy that follows another server has no unlogged table.
  p_snapshots := p_snapshots and not pg_is_in_recovery();
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
        if p_snapshots and not s.own and s.d_v <= s.d_start then
          -- Asked for where there are pages only: it reads the catalogues.
          present_shape := coalesce(present_shape,
            (select sync.snapshot_shape() where exists (select from sync.snapshot_page r where r.scope = s.scope)));
          ready := sync.next_snapshot_page(s.scope, s.d_v, s.d_t, s.d_id, s.d_start, present_shape);
          if (ready.after_v, ready.after_t, ready.after_id) = (s.d_v, s.d_t, s.d_id) then
            if ready.n <= left_over and (ready.bytes <= bytes_left or not has_any) then
              ready_scope := ready_scope || s.scope; ready_v := ready_v || s.d_v; ready_t := ready_t || s.d_t; ready_id := ready_id || s.d_id;
              s.d_v := ready.upto_v; s.d_t := ready.upto_t; s.d_id := ready.upto_id;
              left_over := left_over - ready.n;
              bytes_left := bytes_left - ready.bytes;
              has_any := true;
              continue;
            elsif ready_scope <> '{}' then
              -- It is the next answer's first. Only behind another: each answer gets on, also where others keep adding before it.
              left_over := 0;
              continue;
            end if;
            ready := null;
          end if;
        end if;
        -- Those that fit, in their order. What is known or gone is told in a few words.
        select coalesce(count(*) filter (where c.fits), 0)::integer as n, array_agg(c.tbl) filter (where c.fits) as tbl,
          array_agg(c.id) filter (where c.fits) as id, array_agg(c.gone) filter (where c.fits) as gone,
          array_agg(c.known) filter (where c.fits) as known, max(c.version) filter (where c.fits) as v,
          coalesce(max(c.so_far) filter (where c.fits), 0) as bytes, coalesce(bool_or(not c.fits), false) as is_cut
        into page
        from (
          select w.*, w.so_far <= bytes_left or (w.n = 1 and not has_any) as fits
          from (
            select k.*, row_number() over feed as n,
              sum(case when k.known or k.gone then 0 else k.bytes end) over (feed rows unbounded preceding) as so_far
            from (
              select p.version, p.tbl, p.id, p.gone, p.bytes, coalesce(p.device = writer and p.version > s.d_start, false) or p.pulled as known
              from (
                select f.version, f.tbl, f.id, f.gone, f.device, f.bytes,
                  -- A row of the place that already came through an own scope needs no second copy: a change of a row moves all
                  -- its scopes in one transaction, so what the device read there up to its cursor is the row as it is.
                  not s.own and own_scopes <> '{}' and exists (
                    select from unnest(own_scopes, own_v, own_t, own_id) as o (scope, v, t, id)
                    join sync.change u on u.scope = o.scope and u.tbl = f.tbl and u.id = f.id
                    where not u.gone and (u.version, u.tbl, u.id) <= (o.v, o.t, o.id)) as pulled
                from sync.change f
                where f.scope = s.scope and (f.version, f.tbl, f.id) > (s.d_v, s.d_t, s.d_id)
                  -- Who reads a scope for the first time holds nothing that could be gone.
                  and (not f.gone or f.version > s.d_start)
                  and (ready.n is null or (f.version, f.tbl, f.id) <= (ready.after_v, ready.after_t, ready.after_id))
                order by f.version, f.tbl, f.id limit left_over
              ) p
            ) k
            window feed as (order by k.version, k.tbl, k.id)
          ) w
        ) c;
        if page.n > 0 then
          o_scope := o_scope || array_fill(place, array[page.n]);
          o_table := o_table || page.tbl; o_id := o_id || page.id; o_gone := o_gone || page.gone; o_known := o_known || page.known;
          has_any := true;
          bytes_left := bytes_left - page.bytes;
        end if;
        if page.is_cut then
          if page.n > 0 then s.d_v := page.v; s.d_t := page.tbl[page.n]; s.d_id := page.id[page.n]; end if;
          left_over := 0;
          continue;
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
    cursor_values := cursor_values || jsonb_build_array(s.epoch || '.' || s.d_start, s.d_v, s.d_t, s.d_id);
  end loop;
  select coalesce(jsonb_object_agg(c.scope, c.cursor), '{}') into o_cursors from unnest(o_order, cursor_values) as c (scope, cursor);
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
    join sync.snapshot_page r on (r.scope, r.after_v, r.after_t, r.after_id) = (k.scope, k.v, k.t, k.id);
end $$;

-- The rows of one table under the caller's rights: [rows, stubs, ids found].
create function sync.read_rows(
  p_table text, p_ids uuid[], p_known uuid[], p_order text[],
  out o_rows jsonb, out o_stubs jsonb, out o_found uuid[]
) language plpgsql stable set search_path = '' as $$
declare
  t sync.tables;
  plain text;
  json text;
  audience constant text := 'array(select array_position($3, s) - 1 from unnest(x.scopes) s where s = any ($3) group by s)';
begin
  select * into strict t from sync.tables where name = p_table;
  select string_agg(format('x.%I', c), ', ') into plain from unnest(t.columns) c where c <> all (t.json_columns);
  select coalesce(string_agg(format(' || case when x.%1$I is null then ''{}'' else jsonb_build_object(%1$L, x.%1$I) end', c), ''), '')
    into json from unnest(t.json_columns) c;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(p)) %s || jsonb_build_object('_s', %s)) filter (where x.id <> all ($2)), '[]'),
      coalesce(jsonb_agg(jsonb_build_array(x.id, x.version, %2$s)) filter (where x.id = any ($2)), '[]'),
      coalesce(array_agg(x.id), '{}')
    from public.%I x, lateral (select %s) p where x.id = any ($1)
  $query$, json, audience, p_table, plain) into o_rows, o_stubs, o_found using p_ids, p_known, p_order;
end $$;

create function sync_pull(
  p_cursors jsonb default '{}', p_device uuid default null, p_limit integer default 1000, p_packed boolean default false,
  p_snapshots boolean default false, p_constant boolean default false
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
    raise exception 'sync_pull needs a signed-in person' using errcode = '42501', detail = 'CN018';
  end if;
  if jsonb_typeof(p_cursors) = 'string' then p_cursors := (p_cursors #>> '{}')::jsonb; end if;
  p_limit := coalesce(p_limit, 1000);
  if jsonb_typeof(coalesce(p_cursors, '{}')) <> 'object' or p_limit not between 1 and 5000 then
    raise exception 'sync_pull takes an object of cursors and a limit from 1 to 5000' using errcode = '22023', detail = 'CN019';
  end if;
  page := sync.next_changes(sync.sanitize_cursors(coalesce(p_cursors, '{}')), p_device, p_limit,
    coalesce(p_snapshots and p_constant, false));
  -- Where this person may look is known now, for the policy of every table that is read below.
  perform set_config('sync.cached_scopes', page.o_order::text, true);
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
  perform access.clear_cached_rights();
  return json_build_object('scopes', page.o_cursors, 'more', page.o_more, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', case when p_packed then '{}' else rows end,
    'packed', case when p_packed then (
      select coalesce(json_object_agg(n, r), '{}') from unnest(names, packed) as p (n, r)) end,
    'pages', page.o_pages, 'stubs', stubs, 'gone', gone,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

-- As sync.read_rows, with the rows as {"cols": ["id", …, "_s"], "vals": [[every id], …]}: null in place of a column in which no
-- row has a value, and each row's audiences once per audience: found beside the rows, and once for all that share them.
create function sync.read_packed(
  p_table text, p_ids uuid[], p_known uuid[], p_order text[],
  out o_rows json, out o_stubs jsonb, out o_found uuid[]
) language plpgsql stable set search_path = '' as $$
declare
  t sync.tables;
  news constant uuid[] := case when p_known = '{}' then p_ids else array(select unnest(p_ids) except select unnest(p_known)) end;
  held uuid[];
begin
  select * into strict t from sync.tables where name = p_table;
  execute format($query$
    select case when count(*) > 0 then json_build_object('cols', $3, 'vals', json_build_array(%2$s, json_agg(a.places))) end,
      coalesce(array_agg(x.id), '{}')
    from public.%1$I x
    -- An offset keeps this a question of its own, whose answers PostgreSQL remembers by audience.
    cross join lateral (
      select array(select array_position($2, s) - 1 from unnest(x.scopes) s where s = any ($2) group by s) as places offset 0
    ) a
    where x.id = any ($1)
  $query$, p_table, (select string_agg(format('case when count(x.%1$I) > 0 then json_agg(x.%1$I) end', c), ', ' order by n)
      from unnest(t.columns) with ordinality as named (c, n)))
    into o_rows, o_found using news, p_order, to_json(t.columns || '_s'::text);
  o_stubs := '[]';
  if p_known <> '{}' then
    execute format($query$
      select coalesce(jsonb_agg(jsonb_build_array(x.id, x.version,
          array(select array_position($2, s) - 1 from unnest(x.scopes) s where s = any ($2) group by s))), '[]'),
        coalesce(array_agg(x.id), '{}')
      from public.%I x where x.id = any ($1)
    $query$, p_table) into o_stubs, held using p_known, p_order;
    o_found := o_found || held;
  end if;
end $$;

-- Who may call what.
revoke execute on function sync.page_bytes(), sync.next_changes(jsonb, uuid, integer, boolean), sync.read_rows(text, uuid[], uuid[], text[]),
  sync.read_packed(text, uuid[], uuid[], text[]) from public;
revoke execute on function sync_pull(jsonb, uuid, integer, boolean, boolean, boolean) from public, anon;
grant execute on function sync.page_bytes(), sync.next_changes(jsonb, uuid, integer, boolean), sync.read_rows(text, uuid[], uuid[], text[]),
  sync.read_packed(text, uuid[], uuid[], text[]) to authenticated;
