-- After a restore, edits that go again are applied in the order of the versions they had made (decision 0300). An edit that
-- had changed nothing, because somebody else's had just said the same, made no version: it passed for the one that had, and
-- whatever was made on that version went ahead of it.

-- Says of an answer that the row stayed as it was.
create function sync.stayed(p_before jsonb, p_after jsonb) returns jsonb
  language sql immutable parallel safe set search_path = ''
  return case when p_before -> 'version' = p_after -> 'version' then '{"same": true}' else '{}' end::jsonb;

create or replace function sync.updated(p_mutation jsonb, p_before jsonb, p_after jsonb, p_mine jsonb, p_applied text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  if (p_before ->> 'version')::bigint = coalesce((p_mutation ->> 'bv')::bigint, 0) then
    return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version', 'd', sync.difference(p_after,
      p_before || (select coalesce(jsonb_object_agg(f, p_mine -> f), '{}') from unnest(p_applied) f))) || sync.stayed(p_before, p_after);
  end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'merged', 'v', p_after -> 'version', 'row', p_after)
    || sync.stayed(p_before, p_after);
end $$;

-- As before; says where nothing changed.
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

-- Versions made since the restore by edits that were not among the lost ones.
alter table sync.replayed add column others bigint not null default 0;
comment on column sync.replayed.seen is 'lost versions that have been made again';

-- That a mutation is sent again, which version the row had after it (`av`) and whether it had changed anything (`same`) are no
-- part of it.
create or replace function sync.mutation_hash(p_mutation jsonb) returns bytea
  language sql immutable parallel safe return sha256(convert_to((p_mutation - 'at' - 'av' - 'same')::text, 'UTF8'));

-- For a day after a restore. An acknowledged edit that goes again was judged on the version before the one it made, one that
-- changed nothing on the version it found: it waits until those that made all versions up to there have come. So the lost
-- versions are made again one by one, and each edit meets what it met. An edit the server never had waits for the version it
-- was made on, where that is later than any there is. Answers the mutation as it is to be applied: a delete that has seen
-- everything there is stands, though the versions are counted anew.
create or replace function sync.in_order(m jsonb, p_present bigint) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  is_again constant boolean := m ? 'av';
  judged_on constant bigint := case when not is_again then based_on when m ? 'same' then (m ->> 'av')::bigint else (m ->> 'av')::bigint - 1 end;
  reached bigint;
  r sync.replayed;
begin
  select * into r from sync.replayed where tbl = m ->> 't' and row_id = (m ->> 'id')::uuid;
  reached := p_present - case when is_again then coalesce(r.others, 0) else 0 end;
  if judged_on > reached and (judged_on - coalesce(r.base, reached) > 10000 or exists (
      select from generate_series(coalesce(r.base, reached) + 1, judged_on) k where k <> all (coalesce(r.seen, '{}')))) then
    raise exception 'behind' using errcode = 'P0001';
  end if;
  if m ->> 'op' = 'delete' and based_on <> p_present and (is_again or based_on > p_present)
    and p_present = coalesce(r.base + r.steps, p_present) then
    return m || jsonb_build_object('bv', p_present);
  end if;
  return m;
end $$;

-- The first edit of a row since the restore, whoever sends it, keeps where the row stood.
create or replace function sync.note_replayed(m jsonb, p_before bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.replayed as r (tbl, row_id, base, steps, others, seen)
    select m ->> 't', (m ->> 'id')::uuid, p_before, case when m ? 'av' then made else 0 end, case when m ? 'av' then 0 else made end,
      case when m ? 'av' and not m ? 'same' then array[(m ->> 'av')::bigint] else '{}' end
    from (select sync.version_of(m ->> 't', (m ->> 'id')::uuid) - p_before as made) x
    on conflict (tbl, row_id) do update set steps = r.steps + excluded.steps, others = r.others + excluded.others,
      seen = case when excluded.seen <@ r.seen then r.seen else r.seen || excluded.seen end
$$;

-- What had changed nothing on a version that has been made again changes nothing now, whatever came after it.
create function sync.said_again(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  present jsonb;
begin
  if not m ? 'same' or not m ? 'av' or m ->> 'op' = 'delete' then return null; end if;
  present := sync.see_row(m ->> 't', (m ->> 'id')::uuid);
  if present is null then return null; end if;
  if m ->> 'op' = 'resolve' then perform sync.resolve_conflict(m ->> 'conflict', m ->> 't', (m ->> 'id')::uuid); end if;
  return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', present -> 'version', 'row', present, 'same', true);
end $$;

create or replace function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
  before bigint;
  may_be_former constant boolean := current_setting('sync.kept_former', true) is distinct from '{}';
begin
  if sync.is_restored() then
    before := sync.version_of(m ->> 't', (m ->> 'id')::uuid);
    m := sync.in_order(m, before);
    result := sync.said_again(m);
    if result is not null then return result; end if;
  end if;
  if m ->> 'op' = 'insert' then
    if may_be_former and m -> 'patch' ->> 'organization_id' is not null then
      perform sync.refuse_former_member((m -> 'patch' ->> 'organization_id')::uuid);
    end if;
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_taken(m, false) then perform sync.refuse_taken_id(); end if;
  end if;
  result := sync.apply_own_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' = 'insert' then
      if sync.is_id_taken(m, true) then perform sync.refuse_taken_id(); end if;
    elsif may_be_former then
      perform sync.refuse_former_member(sync.organization_of(m));
    end if;
  elsif before is not null then
    perform sync.note_replayed(m, before);
  end if;
  return result;
end $$;

revoke execute on function sync.stayed(jsonb, jsonb), sync.said_again(jsonb) from public;
grant execute on function sync.stayed(jsonb, jsonb), sync.said_again(jsonb) to authenticated;
