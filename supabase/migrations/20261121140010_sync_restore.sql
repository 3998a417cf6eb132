-- A server restored from a backup (docs/restore.md): devices have rows and acknowledged edits it has lost. Raising the
-- epochs makes every device read its scopes anew and send again, from its journal, what the ledger does not know.

create table sync.restored (at timestamptz primary key);

-- A step of the restore, after the data is back and before anybody is let in. Answers how many scopes were raised.
create function sync.raise_epochs() returns bigint
  language plpgsql volatile security definer set search_path = '' as $$
declare
  raised bigint;
begin
  insert into sync.restored (at) values (clock_timestamp());
  delete from sync.replayed;
  update sync.scope set epoch = gen_random_uuid();
  get diagnostics raised = row_count;
  -- What was under way when the backup was made has ended.
  delete from sync.touched; delete from sync.own; delete from sync.pending;
  return raised;
end $$;

-- Which of these mutations the ledger does not have.
create function sync_missing(p_mids uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_missing needs a signed-in person' using errcode = '42501'; end if;
  if cardinality(p_mids) > 5000 then raise exception 'sync_missing takes at most 5000 mutations' using errcode = '22023'; end if;
  return (select coalesce(jsonb_agg(m.mid), '[]') from unnest(p_mids) as m (mid)
    where not exists (select from sync.mutation k where k.user_id = auth.uid() and k.mid = m.mid));
end $$;

-- What came back of a row since the restore: where it stood, how often replays moved it on, and which of the lost versions
-- have been made again. Another order of return may make two lost versions in one step, so counting alone is not enough.
create table sync.replayed (
  tbl    text not null,
  row_id uuid not null,
  base   bigint not null,                              -- the row's version before the first replay; 0: there was no row
  steps  bigint not null,                              -- versions made by replays
  seen   bigint[] not null,                            -- lost versions whose edit has come
  primary key (tbl, row_id)
);

-- That a mutation is sent again, and which version it had made (`av`), is no part of it.
create or replace function sync.mutation_hash(p_mutation jsonb) returns bytea
  language sql immutable parallel safe return sha256(convert_to((p_mutation - 'at' - 'av')::text, 'UTF8'));

create function sync.version_of(p_table text, p_id uuid) returns bigint
  language plpgsql stable security definer set search_path = '' as $$
declare
  answer bigint;
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  execute format('select x.version from public.%I x where x.id = $1', p_table) into answer using p_id;
  return coalesce(answer, 0);
end $$;

-- For a day after a restore. An edit made on a later version of its row than there is waits for the edits that made the
-- versions between: only the lost time knows such a version, and they are still to come from their devices. Without them
-- this one would look like a conflict, or worse, pass for having no effect. Answers the mutation as it is to be applied: a
-- delete that has seen everything there is stands, though the versions are counted anew.
create function sync.in_order(m jsonb, p_present bigint) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  r sync.replayed;
begin
  select * into r from sync.replayed where tbl = m ->> 't' and row_id = (m ->> 'id')::uuid;
  if based_on > p_present and (based_on - coalesce(r.base, p_present) > 10000 or exists (
      select from generate_series(coalesce(r.base, p_present) + 1, based_on) k where k <> all (coalesce(r.seen, '{}')))) then
    raise exception 'behind' using errcode = 'P0001';
  end if;
  if m ->> 'op' = 'delete' and based_on <> p_present and (m ? 'av' or based_on > p_present)
    and p_present = coalesce(r.base + r.steps, p_present) then
    return m || jsonb_build_object('bv', p_present);
  end if;
  return m;
end $$;

create function sync.note_replayed(m jsonb, p_before bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.replayed as r (tbl, row_id, base, steps, seen)
    select m ->> 't', (m ->> 'id')::uuid, p_before, sync.version_of(m ->> 't', (m ->> 'id')::uuid) - p_before, array[(m ->> 'av')::bigint]
    on conflict (tbl, row_id) do update set steps = r.steps + excluded.steps,
      seen = case when excluded.seen[1] = any (r.seen) then r.seen else r.seen || excluded.seen end
$$;

create or replace function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
  before bigint;
begin
  if sync.is_restored() then
    before := sync.version_of(m ->> 't', (m ->> 'id')::uuid);
    m := sync.in_order(m, before);
  end if;
  if current_setting('sync.kept_former', true) = '{}' then
    result := sync.apply_own_mutation(m);
  else
    if m ->> 'op' = 'insert' and m -> 'patch' ->> 'organization_id' is not null then
      perform sync.refuse_former_member((m -> 'patch' ->> 'organization_id')::uuid);
    end if;
    result := sync.apply_own_mutation(m);
    if result ->> 'kind' = 'missing_or_hidden' then perform sync.refuse_former_member(sync.organization_of(m)); end if;
  end if;
  if before is not null and m ? 'av' then perform sync.note_replayed(m, before); end if;
  return result;
end $$;

create function sync.is_restored() returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.restored r where r.at > now() - interval '1 day');

create or replace function sync.apply_run(p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  t sync.tables;
begin
  -- Whether an edit has to wait is asked of each.
  if sync.is_restored() then return null; end if;
  select * into t from sync.tables where name = p_run -> 0 ->> 't';
  if t.name is null then return null; end if;
  return case p_run -> 0 ->> 'op' when 'insert' then sync.insert_run(t, p_run) else sync.update_run(t, p_run) end;
exception
  when data_exception or integrity_constraint_violation or syntax_error_or_access_rule_violation or program_limit_exceeded
    or raise_exception or cardinality_violation or sqlstate 'CM002' then
    return null;
end $$;

create or replace function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected',
    'code', case when (p_code, p_message) in (('42501', 'not_a_member'), ('P0001', 'behind')) then p_message else p_code end, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end);

-- A cursor that is none is read as one from another epoch: its scope starts anew. It must never fail a pull, or the device
-- that holds it could not get past it.
create function sync.sound_cursors(p_cursors jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, case when jsonb_typeof(value) = 'array'
      and coalesce(value ->> 3 ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false) then value else '[]' end), '{}')
  from jsonb_each(p_cursors)
$$;

create or replace function sync_pull(p_cursors jsonb default '{}', p_device uuid default null, p_limit integer default 1000)
  returns jsonb language plpgsql stable set search_path = '' set timezone = 'UTC' as $$
declare
  page record;
  part record;
  found record;
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
    found := sync.read_rows(part.tbl, part.ids, part.known, page.o_order);
    if found.o_rows <> '[]' then rows := rows || jsonb_build_object(part.tbl, found.o_rows); end if;
    if found.o_stubs <> '[]' then stubs := stubs || jsonb_build_object(part.tbl, found.o_stubs); end if;
    if cardinality(found.o_found) < cardinality(part.ids) then
      select gone || coalesce(jsonb_agg(jsonb_build_array(c.scope, c.tbl, c.id)), '[]') into gone
        from unnest(page.o_scope, page.o_table, page.o_id, page.o_gone) as c (scope, tbl, id, gone)
        where not c.gone and c.tbl = part.tbl and c.id <> all (found.o_found);
    end if;
  end loop;
  return jsonb_build_object('scopes', page.o_cursors, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', rows, 'stubs', stubs, 'gone', gone, 'more', page.o_more,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

revoke execute on all functions in schema sync from public;
revoke execute on function sync_missing(uuid[]) from public, anon, authenticated;
grant execute on function sync_missing(uuid[]) to authenticated;
grant execute on function sync.is_restored(), sync.version_of(text, uuid), sync.in_order(jsonb, bigint),
  sync.note_replayed(jsonb, bigint), sync.mutation_hash(jsonb), sync.apply_mutation(jsonb),
  sync.apply_run(jsonb),
  sync.refusal(text, text, text, text, text), sync.sound_cursors(jsonb) to authenticated;
