-- Resolving an unknown conflict does nothing, also where it carries a choice: the choice was merged like an edit, whatever conflict it
-- named. On a server that was ever restored a conflict may be among what was lost: there the choice still counts (docs/decisions/0796).

-- Whether the conflict is one the caller has, or had, over this row; or may have had before a restore.
create function sync.knows_conflict(p_conflict text, p_table text, p_row uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.restored) or exists (select from sync.conflict c
    where c.id::text = p_conflict and c.user_id = auth.uid() and c.tbl = p_table and c.row_id = p_row);

-- As before; an unknown conflict leaves the row as it is.
create or replace function sync.apply_own_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  t sync.tables;
  op constant text := m ->> 'op';
  row_id constant uuid := (m ->> 'id')::uuid;
  sent constant jsonb := coalesce(m -> 'patch', '{}');
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  fields text[];
  mine jsonb;
  base jsonb;
  present jsonb;
  after jsonb;
  locked boolean := false;
  is_known boolean := true;
  merge record;
begin
  select * into t from sync.tables where name = m ->> 't';
  if t.name is null then raise exception 'no such table' using errcode = '22023'; end if;
  if op is null or op not in ('insert', 'update', 'delete', 'resolve') then raise exception 'no such operation' using errcode = '22023'; end if;
  if jsonb_typeof(sent) <> 'object' or jsonb_typeof(coalesce(m -> 'base', '{}')) <> 'object' then
    raise exception 'patch and base are objects' using errcode = '22023';
  end if;
  fields := sync.fields_of(t, sent);

  if op = 'resolve' then
    is_known := sync.knows_conflict(m ->> 'conflict', t.name, row_id);
    perform sync.resolve_conflict(m ->> 'conflict', t.name, row_id);
  end if;

  for attempt in 1 .. 2 loop
    present := sync.lock_row(t.name, row_id);
    locked := present is not null;
    if not locked and (op <> 'insert' or attempt = 2) then
      -- Visible, but not ours to change?
      present := sync.see_row(t.name, row_id);
    end if;
    exit when present is not null or op <> 'insert';
    after := sync.insert_row(t.name, sent || jsonb_build_object('id', row_id));
    if after is not null then return sync.inserted(m, after, fields); end if;
  end loop;

  if present is null then
    if op = 'resolve' and fields = '{}' then
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', 0, 'd', '{}'::jsonb, 'same', true);
    end if;
    return sync.conflict_result(m, 'missing_or_hidden', '[]', null);
  end if;
  if present ->> 'deleted_at' is not null then
    if op = 'delete' or (op = 'resolve' and fields = '{}') then
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', present -> 'version', 'd', '{}'::jsonb, 'same', true);
    end if;
    return sync.conflict_result(m, 'deleted_remotely', '[]', present);
  end if;
  if op = 'delete' then
    if not locked then raise exception 'no right to delete this record' using errcode = '42501'; end if;
    if (present ->> 'version')::bigint <> based_on then
      return sync.conflict_result(m, 'edited_remotely', '[]', present);
    end if;
    after := sync.delete_row(t.name, row_id);
    return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', after -> 'version', 'd', sync.difference(after, present));
  end if;

  -- The device took its choice for done: it is told how the row stands.
  if not is_known then
    return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', present -> 'version', 'row', present, 'same', true);
  end if;

  mine := sync.typed_row(t.name, sent);
  base := sync.typed_row(t.name, coalesce(m -> 'base', '{}'));
  merge := sync.merge_fields(fields, t.groups, present, mine, base, array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  after := present;
  if not locked and (merge.o_apply <> '{}' or merge.o_conflicts <> '[]') then
    raise exception 'no right to change this record' using errcode = '42501';
  end if;
  if merge.o_apply <> '{}' then
    after := sync.update_row(t.name, row_id, sent, merge.o_apply);
    if after is null then raise exception 'no right to change this record' using errcode = '42501'; end if;
  end if;
  if merge.o_conflicts <> '[]' then
    return sync.conflict_result(m, 'fields', merge.o_conflicts, after) || sync.stayed(present, after);
  end if;
  return sync.updated(m, present, after, mine, merge.o_apply);
end $$;

revoke execute on function sync.knows_conflict(text, text, uuid) from public;
grant execute on function sync.knows_conflict(text, text, uuid) to authenticated;
