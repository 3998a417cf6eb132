-- sync_pull can answer column by column (docs/sync-protocol.md, decision 0160): a page of rows says the names of its columns
-- once, is a third smaller, and is written as text without the detour over jsonb. Its answer is json from here on.

-- As sync.read_rows, with the rows as {"cols": ["id", …, "_s"], "vals": [[every id], …]}: null in place of a column in which no
-- row has a value, and each row's audiences once per audience.
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
    with audience as materialized (
      select d.scopes, array(select array_position($2, s) - 1 from unnest(d.scopes) s where s = any ($2) group by s) as places
      from (select distinct x.scopes from public.%1$I x where x.id = any ($1)) d
    )
    select case when count(*) > 0 then json_build_object('cols', $3, 'vals', json_build_array(%2$s, json_agg(a.places))) end,
      coalesce(array_agg(x.id), '{}')
    from public.%1$I x join audience a on a.scopes = x.scopes where x.id = any ($1)
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

drop function sync_pull(jsonb, uuid, integer);

create function sync_pull(
  p_cursors jsonb default '{}', p_device uuid default null, p_limit integer default 1000, p_packed boolean default false
) returns json language plpgsql stable set search_path = '' set timezone = 'UTC' as $$
declare
  page record;
  part record;
  found record;
  packed text[] := '{}';
  rows jsonb := '{}';
  stubs jsonb := '{}';
  gone jsonb := '[]';
begin
  if auth.uid() is null then
    raise exception 'sync_pull needs a signed-in person' using errcode = '42501';
  end if;
  if jsonb_typeof(p_cursors) = 'string' then p_cursors := (p_cursors #>> '{}')::jsonb; end if;
  if jsonb_typeof(coalesce(p_cursors, '{}')) <> 'object' or p_limit not between 1 and 5000 then
    raise exception 'sync_pull takes an object of cursors and a limit from 1 to 5000' using errcode = '22023';
  end if;
  page := sync.next_changes(sync.sound_cursors(coalesce(p_cursors, '{}')), p_device, p_limit);
  select coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]') into gone
    from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, gone) where c.gone;
  for part in
    select c.tbl, array_agg(distinct c.id) as ids, coalesce(array_agg(distinct c.id) filter (where c.known), '{}') as known
    from unnest(page.o_table, page.o_id, page.o_gone, page.o_known) as c (tbl, id, gone, known)
    where not c.gone group by c.tbl
  loop
    if p_packed then
      found := sync.read_packed(part.tbl, part.ids, part.known, page.o_order);
      if found.o_rows is not null then packed := packed || (to_json(part.tbl)::text || ':' || found.o_rows::text); end if;
    else
      found := sync.read_rows(part.tbl, part.ids, part.known, page.o_order);
      if found.o_rows <> '[]' then rows := rows || jsonb_build_object(part.tbl, found.o_rows); end if;
    end if;
    if found.o_stubs <> '[]' then stubs := stubs || jsonb_build_object(part.tbl, found.o_stubs); end if;
    if cardinality(found.o_found) < cardinality(part.ids) then
      select gone || coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]') into gone
        from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, gone)
        where not c.gone and c.tbl = part.tbl and c.id <> all (found.o_found);
    end if;
  end loop;
  return json_build_object('scopes', page.o_cursors, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', case when p_packed then '{}' else rows end,
    'packed', case when p_packed then ('{' || array_to_string(packed, ',') || '}')::json end,
    'stubs', stubs, 'gone', gone, 'more', page.o_more,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

revoke execute on function sync.read_packed(text, uuid[], uuid[], text[]) from public;
revoke execute on function sync_pull(jsonb, uuid, integer, boolean) from public, anon, authenticated;
grant execute on function sync.read_packed(text, uuid[], uuid[], text[]), sync_pull(jsonb, uuid, integer, boolean) to authenticated;
