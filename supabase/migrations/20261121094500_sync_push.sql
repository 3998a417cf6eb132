-- sync_push (docs/sync-protocol.md): edits of a device, each applied once, merged by field, never silently lost.

-- What became of every mutation, kept at least 30 days, so that a repeated one has no second effect.
create table sync.mutation (
  user_id   uuid not null references auth.users (id) on delete cascade,
  mid       uuid not null,
  hash      bytea not null,                            -- sha-256 over the mutation without `at`
  device    uuid,
  tbl       text not null,
  row_id    uuid not null,
  op        text not null,
  client_at text,                                      -- the device's clock: evidence, orders nothing
  at        timestamptz not null default now(),
  result    jsonb,                                     -- null only inside the transaction that applies it
  primary key (user_id, mid)
);
create index mutation_at on sync.mutation (at);

-- The losing values of a conflict, kept until somebody chose.
create table sync.conflict (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  mid         uuid not null,
  tbl         text not null,
  row_id      uuid not null,
  kind        text not null check (kind in ('fields', 'deleted_remotely', 'edited_remotely', 'missing_or_hidden')),
  fields      jsonb not null,                          -- [{"f","base","mine","theirs"}]
  patch       jsonb not null,                          -- the edit as the device sent it
  at          timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references auth.users (id) on delete set null
);
create index conflict_row on sync.conflict (tbl, row_id);

create function sync.mutation_hash(p_mutation jsonb) returns bytea
  language sql immutable parallel safe return sha256(convert_to((p_mutation - 'at')::text, 'UTF8'));

-- Takes the mutations that are new, in the order of their ids (two calls with the same ones wait, they do not deadlock);
-- answers those that are known: {mid: {hash, result}}.
create function sync.claim(p_device uuid, p_mutations jsonb) returns jsonb
  language sql volatile security definer set search_path = '' as $$
  with caller as materialized (
    select auth.uid() as id
  ), sent as (
    select distinct on (mid) (m ->> 'mid')::uuid as mid, m
    from jsonb_array_elements(p_mutations) m order by mid
  ), taken as (
    insert into sync.mutation (user_id, mid, hash, device, tbl, row_id, op, client_at)
      select caller.id, mid, sync.mutation_hash(m), p_device, m ->> 't', (m ->> 'id')::uuid, m ->> 'op', m ->> 'at'
      from sent, caller order by mid
      on conflict do nothing returning mid
  )
  select coalesce(jsonb_agg(mid), '[]') from taken
$$;

create function sync.known_results(p_mids uuid[]) returns jsonb
  language sql volatile security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(k.mid, jsonb_build_object('hash', encode(k.hash, 'hex'), 'result', k.result)), '{}')
  from sync.mutation k where k.user_id = auth.uid() and k.mid = any (p_mids)
$$;

-- Keeps the results; forgets the refused, so that a retry is judged anew; remembers which rows this device wrote.
create function sync.settle(p_device uuid, p_mutations jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  update sync.mutation k set result = r from jsonb_array_elements(p_results) r
    where k.user_id = caller and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' <> 'rejected' and not r ? 'dup';
  delete from sync.mutation k using jsonb_array_elements(p_results) r
    where k.user_id = caller and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' = 'rejected';
  if p_device is null then return; end if;
  insert into sync.own (xid, tbl, id, version, device)
    select pg_current_xact_id(), m ->> 't', (m ->> 'id')::uuid, max((r ->> 'v')::bigint), p_device
    from jsonb_array_elements(p_mutations) with ordinality as ms (m, n)
    join jsonb_array_elements(p_results) with ordinality as rs (r, n) using (n)
    where r ->> 'st' <> 'rejected' and not r ? 'dup' and (r ->> 'v')::bigint > 0
    group by m ->> 't', m ->> 'id'
    on conflict (xid, tbl, id) do update set version = excluded.version;
end $$;

create function sync.note_conflict(p_mutation jsonb, p_kind text, p_fields jsonb) returns uuid
  language sql volatile security definer set search_path = '' as $$
  insert into sync.conflict (user_id, mid, tbl, row_id, kind, fields, patch)
    values (auth.uid(), (p_mutation ->> 'mid')::uuid, p_mutation ->> 't', (p_mutation ->> 'id')::uuid, p_kind, p_fields,
      coalesce(p_mutation -> 'patch', '{}'))
    returning id
$$;

-- An unknown conflict, or somebody else's, does nothing.
create function sync.resolve_conflict(p_conflict text, p_table text, p_row uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  update sync.conflict set resolved_at = now(), resolved_by = auth.uid()
    where id::text = p_conflict and user_id = auth.uid() and tbl = p_table and row_id = p_row and resolved_at is null
$$;

-- Splits the sent fields by what the row says: o_apply takes effect, o_conflicts stay as they are. p_current, p_mine and
-- p_base went through the columns' types, so equal means equal. Fields of one group stand and fall together; a group's
-- field that is only in the base says what the person saw of it.
create function sync.merge_fields(
  p_fields text[], p_groups jsonb, p_current jsonb, p_mine jsonb, p_base jsonb, p_base_keys text[],
  out o_apply text[], out o_conflicts jsonb
) language plpgsql immutable set search_path = '' as $$
declare
  f text;
  unit text[];
  sent text[];
  done text[] := '{}';
  grouped text[] := '{}';
  agreed boolean;
  clean boolean;
begin
  o_apply := '{}'; o_conflicts := '[]';
  if p_groups <> '[]' then
    grouped := array(select e from jsonb_array_elements(p_groups) g, jsonb_array_elements_text(g) e);
  end if;
  foreach f in array p_fields loop
    continue when f = any (done);
    -- Most fields stand alone; for them no query is needed.
    if f <> all (grouped) then
      if p_current -> f is distinct from p_mine -> f then
        if p_current -> f is not distinct from p_base -> f then
          o_apply := o_apply || f;
        else
          o_conflicts := o_conflicts || jsonb_build_object('f', f, 'base', p_base -> f, 'mine', p_mine -> f, 'theirs', p_current -> f);
        end if;
      end if;
      continue;
    end if;
    select array_agg(e) into unit from jsonb_array_elements(p_groups) g, jsonb_array_elements_text(g) e where g ? f;
    done := done || unit;
    select array_agg(u) filter (where u = any (p_fields)),
      bool_and(p_current -> u is not distinct from p_mine -> u) filter (where u = any (p_fields)),
      bool_and(p_current -> u is not distinct from p_base -> u
        or (u = any (p_fields) and p_current -> u is not distinct from p_mine -> u))
        filter (where u = any (p_fields) or u = any (p_base_keys))
      into sent, agreed, clean
      from unnest(unit) u;
    if agreed then
      continue;
    elsif clean then
      o_apply := o_apply || sent;
    else
      select o_conflicts || jsonb_agg(jsonb_build_object('f', u, 'base', p_base -> u, 'mine', p_mine -> u, 'theirs', p_current -> u))
        into o_conflicts from unnest(sent) u where p_current -> u is distinct from p_mine -> u;
    end if;
  end loop;
end $$;

-- What the server made of a row beyond what the device expects.
create function sync.difference(p_row jsonb, p_expected jsonb) returns jsonb
  language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(p_row)
    where key <> 'version' and value is distinct from coalesce(p_expected -> key, 'null'));
end $$;

create function sync.conflict_result(p_mutation jsonb, p_kind text, p_fields jsonb, p_row jsonb) returns jsonb
  language sql volatile set search_path = '' as $$
  select jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'conflict', 'v', coalesce(p_row -> 'version', '0'),
    'row', coalesce(p_row, 'null'), 'cid', sync.note_conflict(p_mutation, p_kind, p_fields), 'kind', p_kind, 'fields', p_fields)
$$;

-- Applies one mutation under the caller's rights. Refusals are raised; the caller's savepoint takes them back.
-- The functions sync.<verb>_<table> are written by sync.refresh_table.
create function sync.apply_mutation(m jsonb) returns jsonb
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
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', 0, 'd', '{}'::jsonb);
    end if;
    return sync.conflict_result(m, 'missing_or_hidden', '[]', null);
  end if;
  if present ->> 'deleted_at' is not null then
    if op = 'delete' or (op = 'resolve' and fields = '{}') then
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', present -> 'version', 'd', '{}'::jsonb);
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
    return sync.conflict_result(m, 'fields', merge.o_conflicts, after);
  end if;
  return sync.updated(m, present, after, mine, merge.o_apply);
end $$;

create function sync.updated(p_mutation jsonb, p_before jsonb, p_after jsonb, p_mine jsonb, p_applied text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  if (p_before ->> 'version')::bigint = coalesce((p_mutation ->> 'bv')::bigint, 0) then
    return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version', 'd', sync.difference(p_after,
      p_before || (select coalesce(jsonb_object_agg(f, p_mine -> f), '{}') from unnest(p_applied) f)));
  end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'merged', 'v', p_after -> 'version', 'row', p_after);
end $$;

-- A refusal in words for developers: the rule's name, never a value.
create function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected', 'code', p_code, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end);

-- What a push may write of a record: no server column, no unknown one.
create function sync.fields_of(t sync.tables, p_sent jsonb) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  fields text[];
begin
  select array_agg(k order by k) filter (where k <> all (t.server_columns) and k <> all (t.generated) and k <> 'id')
    into fields from jsonb_object_keys(p_sent) k where k <> 'scopes';
  fields := coalesce(fields, '{}');
  if not fields <@ t.columns then raise exception 'no such column' using errcode = '22023'; end if;
  return fields;
end $$;

create function sync.inserted(p_mutation jsonb, p_after jsonb, p_fields text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  row_id constant uuid := (p_mutation ->> 'id')::uuid;
  mine constant jsonb := sync.typed_row(p_mutation ->> 't', coalesce(p_mutation -> 'patch', '{}') || jsonb_build_object('id', row_id));
begin
  if (p_after ->> 'id')::uuid <> row_id then raise exception 'this row''s id is given' using errcode = '22023'; end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version',
    'd', sync.difference(p_after, (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(mine) where key = 'id' or key = any (p_fields))));
end $$;

-- How many mutations from p_first on are of one kind (insert or update) and one table, each for itself.
create function sync.run_length(p_mutations jsonb, p_first integer, p_known jsonb) returns integer
  language plpgsql immutable set search_path = '' as $$
declare
  tbl constant text := p_mutations -> p_first ->> 't';
  op constant text := p_mutations -> p_first ->> 'op';
  n integer := p_first;
  m jsonb;
begin
  if op is null or op not in ('insert', 'update') then return 0; end if;
  loop
    m := p_mutations -> n;
    exit when m is null or m ->> 't' <> tbl or m ->> 'op' <> op or m ->> 'group' is not null or p_known ? (m ->> 'mid');
    n := n + 1;
  end loop;
  return n - p_first;
end $$;

create function sync.insert_run(t sync.tables, p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  made constant jsonb := sync.insert_all(t.name, (
    select jsonb_agg(coalesce(e -> 'patch', '{}') || jsonb_build_object('id', e ->> 'id') order by n)
    from jsonb_array_elements(p_run) with ordinality as es (e, n)));
  results jsonb := '[]';
  after jsonb;
  m jsonb;
begin
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    after := made -> ((m ->> 'id')::uuid)::text;
    if after is null then raise exception 'not all are new' using errcode = 'CM002'; end if;
    results := results || sync.inserted(m, after, sync.fields_of(t, coalesce(m -> 'patch', '{}')));
  end loop;
  return results;
end $$;

create function sync.update_run(t sync.tables, p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  ids constant uuid[] := array(select (e ->> 'id')::uuid from jsonb_array_elements(p_run) e);
  present constant jsonb := sync.lock_all(t.name, ids);
  edits jsonb := '[]';
  plans jsonb[] := '{}';
  made jsonb;
  results jsonb := '[]';
  m jsonb;
  plan jsonb;
begin
  -- A record twice in a run, one not to be had or deleted, a conflict: each for itself.
  if (select count(*) from jsonb_object_keys(present)) < cardinality(ids) then raise exception 'not all are there' using errcode = 'CM002'; end if;
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    plan := sync.plan_update(t, m, present -> ((m ->> 'id')::uuid)::text);
    plans := plans || plan;
    if plan -> 'fields' <> '[]' then
      edits := edits || jsonb_build_object('id', m -> 'id', 'patch', m -> 'patch', 'fields', plan -> 'fields');
    end if;
  end loop;
  made := sync.update_all(t.name, edits);
  if (select count(*) from jsonb_object_keys(made)) < jsonb_array_length(edits) then raise exception 'not all are ours' using errcode = 'CM002'; end if;
  foreach plan in array plans loop
    results := results || sync.updated(plan -> 'm', plan -> 'present',
      coalesce(made -> ((plan -> 'm' ->> 'id')::uuid)::text, plan -> 'present'), plan -> 'mine', array(select jsonb_array_elements_text(plan -> 'fields')));
  end loop;
  return results;
end $$;

-- What one edit of a run will do; an edit that meets a conflict ends the run.
create function sync.plan_update(t sync.tables, m jsonb, p_present jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  sent constant jsonb := coalesce(m -> 'patch', '{}');
  fields constant text[] := sync.fields_of(t, sent);
  mine constant jsonb := sync.typed_row(t.name, sent);
  merge record;
begin
  if p_present ->> 'deleted_at' is not null or (p_present ->> 'version')::bigint < coalesce((m ->> 'bv')::bigint, 0) then
    raise exception 'deleted, or older than the device knows it' using errcode = 'CM002';
  end if;
  merge := sync.merge_fields(fields, t.groups, p_present, mine, sync.typed_row(t.name, coalesce(m -> 'base', '{}')),
    array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  if merge.o_conflicts <> '[]' then raise exception 'a conflict' using errcode = 'CM002'; end if;
  return jsonb_build_object('m', m, 'present', p_present, 'mine', mine, 'fields', to_jsonb(merge.o_apply));
end $$;

-- Mutations of one kind and table in a few statements instead of several each: most of what a device sends after a day
-- without signal. Null where one of them is refused or meets a conflict: nothing was done then, and each is tried for
-- itself. What comes out is the same either way; supabase/tests/sync-push-runs.test.ts compares.
create function sync.apply_run(p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  t sync.tables;
begin
  select * into t from sync.tables where name = p_run -> 0 ->> 't';
  if t.name is null then return null; end if;
  return case p_run -> 0 ->> 'op' when 'insert' then sync.insert_run(t, p_run) else sync.update_run(t, p_run) end;
exception
  when data_exception or integrity_constraint_violation or syntax_error_or_access_rule_violation or program_limit_exceeded
    or raise_exception or cardinality_violation or sqlstate 'CM002' then
    return null;
end $$;

create function sync_push(p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile set search_path = '' set timezone = 'UTC' set lock_timeout = '3s' as $$
declare
  claimed jsonb;
  known jsonb;
  results jsonb := '[]';
  part jsonb;
  result jsonb;
  m jsonb;
  mid text;
  first integer := 0;
  last integer;
  code text; message text; rule text; col text;
  has_twins boolean;                                   -- a mutation comes twice in this call
  run integer;
  tried integer := 0;                                  -- up to here, what goes together has been tried together
begin
  if auth.uid() is null then
    raise exception 'sync_push needs a signed-in person' using errcode = '42501';
  end if;
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 1000 then
    raise exception 'sync_push takes at most 1000 mutations' using errcode = '22023';
  end if;
  perform set_config('sync.pushing', 'on', true);
  perform sync.keep_rights();
  claimed := sync.claim(p_device, p_mutations);
  known := sync.known_results(array(select (e ->> 'mid')::uuid from jsonb_array_elements(p_mutations) e where not claimed ? (e ->> 'mid')));

  has_twins := (select count(distinct e ->> 'mid') < count(*) from jsonb_array_elements(p_mutations) e);
  while first < jsonb_array_length(p_mutations) loop
    last := first;
    if not has_twins and current_setting('sync.kept_former', true) = '{}' then
      run := sync.run_length(p_mutations, first, known);
      if run > 1 and first >= tried then
        part := sync.apply_run((select jsonb_agg(e order by n) from jsonb_array_elements(p_mutations) with ordinality as es (e, n)
          where n between first + 1 and first + run));
        tried := first + run;
        if part is not null then
          results := results || part;
          first := first + run;
          continue;
        end if;
      end if;
    end if;
    while p_mutations -> first ->> 'group' is not null and p_mutations -> (last + 1) ->> 'group' = p_mutations -> first ->> 'group' loop
      last := last + 1;
    end loop;
    begin
      part := '[]';
      for n in first .. last loop
        m := p_mutations -> n;
        mid := m ->> 'mid';
        if known ? mid then
          if known -> mid ->> 'hash' <> encode(sync.mutation_hash(m), 'hex') then
            raise exception using errcode = 'CM001', message = 'this mutation id stands for another edit';
          end if;
          result := (known -> mid -> 'result') || '{"dup": true}';
        else
          result := sync.apply_mutation(m);
          if has_twins then
            known := known || jsonb_build_object(mid, jsonb_build_object('hash', encode(sync.mutation_hash(m), 'hex'), 'result', result));
          end if;
        end if;
        part := part || jsonb_build_array(result);
      end loop;
    exception
      -- 22, 23, 42, 54, P0001 and our own: this edit is at fault. Everything else (locks, cancel, restart) ends the call.
      when data_exception or integrity_constraint_violation or syntax_error_or_access_rule_violation or program_limit_exceeded
        or raise_exception or cardinality_violation or sqlstate 'CM001' then
        get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name, col = column_name;
        select jsonb_agg(case
            when e ->> 'mid' <> mid then sync.refusal(e ->> 'mid', case code when 'CM001' then 'mutation_id_reused' else code end, message, 'refused with its group', null)
            when code = 'CM001' then jsonb_build_object('mid', mid, 'st', 'rejected', 'code', 'mutation_id_reused', 'msg', message)
            else sync.refusal(mid, code, message, rule, col) end order by n)
          into part from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where n between first + 1 and last + 1;
        -- What this savepoint took back is not known any more.
        known := known - array(select e ->> 'mid' from jsonb_array_elements(part) e where claimed ? (e ->> 'mid'));
    end;
    results := results || part;
    first := last + 1;
  end loop;

  perform sync.settle(p_device, p_mutations, results);
  perform set_config('sync.pushing', '', true);
  perform set_config('sync.kept_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind;
  return jsonb_build_object('results', results,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;
