-- In pages made ahead a column that says the same of every row says it once (docs/decisions/0710): `{"same": value}` in place of its values.
-- Who does not say `p_same` knows only columns with a value for each row, and reads row by row.

-- One table's part of a page: the rows of these ids that members of the scope may read (the policy of every synced table), each with
-- the number of its audience. A column that says the same of all of them says it once: of a site's rows the organisation, the site and
-- what is empty are a third of a page.
create or replace function sync.ready_part(p_table text, p_ids uuid[], p_scope text, out o_part json, out o_audiences jsonb, out o_n integer)
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
          then json_build_object('same', json_agg(x.%1$I) -> 0)
        else json_agg(x.%1$I)
      end$column$, c), ', ' order by n)
      from unnest(t.columns) with ordinality as named (c, n)))
    into o_part, o_audiences, o_n using p_ids, p_scope, t.columns;
end $$;


-- Pages that are there are read as they are, but would never be written anew where nothing changes.
delete from sync.ready_page;
delete from sync.ready_state;

drop function sync_pull(jsonb, uuid, integer, boolean, boolean);
create function sync_pull(
  p_cursors jsonb default '{}', p_device uuid default null, p_limit integer default 1000, p_packed boolean default false,
  p_ready boolean default false, p_same boolean default false
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
  page := sync.next_changes(sync.sound_cursors(coalesce(p_cursors, '{}')), p_device, p_limit,
    coalesce(p_ready and p_same, false));
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

revoke execute on function sync_pull(jsonb, uuid, integer, boolean, boolean, boolean) from public, anon, authenticated;
grant execute on function sync_pull(jsonb, uuid, integer, boolean, boolean, boolean) to authenticated;
