-- sync_pull writes scopes and more before everything else (docs/sync-protocol.md, decision 0686): a device that reads the answer as
-- it comes asks for the next page while the rows of this one are still on their way. No limit means the usual one; it meant none.

create or replace function sync_pull(
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
  p_limit := coalesce(p_limit, 1000);
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
  return json_build_object('scopes', page.o_cursors, 'more', page.o_more, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', case when p_packed then '{}' else rows end,
    'packed', case when p_packed then ('{' || array_to_string(packed, ',') || '}')::json end,
    'stubs', stubs, 'gone', gone,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;
