-- The sync engine: what a device sends.

set local check_function_bodies = off;   -- what they call may be made later

-- What a mutation is, for telling it from another under the same mid. That it is sent again, which version the row had after it
-- (`av`) and whether it had changed anything (`same`) are no part of it.
create function sync.mutation_hash(p_mutation jsonb) returns bytea
  language sql immutable parallel safe return sha256(convert_to((p_mutation - 'at' - 'av' - 'unchanged')::text, 'UTF8'));

-- Takes the mutations that are new, in the order of their ids (two calls with the same ones wait, they do not deadlock);
-- answers those that are known: {mid: {hash, result}}.
create function sync.claim(p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  -- What guards a row may ask which device sends it (`sync.device`).
  perform set_config('sync.device', coalesce(p_device::text, ''), true);
  if exists (select from jsonb_array_elements(p_mutations) m
      where not sync.is_plain_id(m ->> 'mid') or not sync.is_plain_id(m ->> 'id')) then
    raise exception 'mid and id are uuids in lower case' using errcode = '22023', detail = 'CN020';
  end if;
  with caller as materialized (
    select auth.uid() as id
  ), sent as (
    select distinct on (mid) (m ->> 'mid')::uuid as mid, m
    from jsonb_array_elements(p_mutations) m order by mid
  ), taken as (
    insert into sync.mutation (user_id, mid, hash, device, tbl, row_id, op, client_at)
      select caller.id, sent.mid, sync.mutation_hash(m), p_device, m ->> 't', (m ->> 'id')::uuid, m ->> 'op', m ->> 'at'
      from sent, caller order by sent.mid
      on conflict do nothing returning mid
  )
  select coalesce(jsonb_agg(mid), '[]') into answer from taken;
  return answer;
end $$;

create function sync.known_results(p_mids uuid[]) returns jsonb
  language sql volatile security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(k.mid, jsonb_build_object('hash', encode(k.hash, 'hex'), 'result', k.result)), '{}')
  from sync.mutation k where k.user_id = auth.uid() and k.mid = any (p_mids)
$$;

-- What stands in the feed for a device, of this person: the id alone, which others come to know (the tray, a rescue file, a shared
-- browser), would tell whoever pulls with it which reports without a name were written there.
create function sync.writer_of(p_person uuid, p_device uuid) returns uuid
  language sql immutable parallel safe return extensions.uuid_generate_v5(p_person, p_device::text);

-- Keeps the results; forgets the refused, so that a retry is judged anew; remembers which rows this device wrote. The
-- refused get a result first: who is told of a refusal hears of what goes without one (x_notify_refused).
create function sync.finish_push(p_device uuid, p_mutations jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  writer constant uuid := sync.writer_of(caller, p_device);
  unjudged uuid[];
begin
  update sync.mutation k set result = r from jsonb_array_elements(p_results) r
    where k.user_id = caller and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' <> 'rejected' and not r ? 'dup';
  delete from sync.mutation k using jsonb_array_elements(p_results) r
    where k.user_id = caller and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' = 'rejected';
  if jsonb_array_length(p_results) < jsonb_array_length(p_mutations) then
    with rest as (
      update sync.mutation k set result = '{}' from jsonb_array_elements(p_mutations) m
        where k.user_id = caller and k.mid = (m ->> 'mid')::uuid and k.result is null returning k.mid
    ) select array_agg(mid) into unjudged from rest;
    delete from sync.mutation k where k.user_id = caller and k.mid = any (unjudged);
  end if;
  if p_device is null then return; end if;
  insert into sync.transaction_write (xid, tbl, id, version, device)
    select pg_current_xact_id(), m ->> 't', (m ->> 'id')::uuid, max((r ->> 'v')::bigint), writer
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

-- Of a row that was taken away nothing is told but that: a push alone sees such rows, and whoever knows an id could read by an edit of
-- nothing what nobody is to read any more.
create function sync.told_row(p_row jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' return
  case when p_row ->> 'deleted_at' is null then p_row
    else jsonb_build_object('id', p_row -> 'id', 'version', p_row -> 'version', 'deleted_at', p_row -> 'deleted_at') end;

create function sync.conflict_result(p_mutation jsonb, p_kind text, p_fields jsonb, p_row jsonb) returns jsonb
  language sql volatile set search_path = '' as $$
  select jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'conflict', 'v', coalesce(p_row -> 'version', '0'),
    'row', coalesce(sync.told_row(p_row), 'null'), 'cid', sync.note_conflict(p_mutation, p_kind, p_fields), 'kind', p_kind, 'fields', p_fields)
$$;

create function sync.updated(p_mutation jsonb, p_before jsonb, p_after jsonb, p_mine jsonb, p_applied text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  if (p_before ->> 'version')::bigint = coalesce((p_mutation ->> 'bv')::bigint, 0) then
    return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version', 'd', sync.difference(p_after,
      p_before || (select coalesce(jsonb_object_agg(f, p_mine -> f), '{}') from unnest(p_applied) f))) || sync.unchanged_result(p_before, p_after);
  end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'merged', 'v', p_after -> 'version', 'row', p_after)
    || sync.unchanged_result(p_before, p_after);
end $$;

-- A refusal in words for developers: the rule's name, never a value.
-- A taken id has a word of its own, and who is refused only with its group says so. The sentence's code (supabase/error-codes.tsv), which
-- stands in Postgres's detail, is handed on; what Postgres itself writes there may repeat the row, and is not.
create function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text, p_detail text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected',
    'code', case when (p_code, p_message) in (('42501', 'not_a_member'), ('P0001', 'behind')) then p_message
      when (p_code, p_constraint) = ('23505', 'id_collision') then p_constraint else p_code end, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end)
    || case when p_constraint = 'refused with its group' then '{"with_group": true}' else '{}'::jsonb end
    || case when p_detail ~ '^CN[0-9]{3}$' then jsonb_build_object('reason', p_detail) else '{}' end;

-- What a push may write of a record: no server column, no unknown one.
create function sync.fields_of(t sync.tables, p_sent jsonb) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  fields text[];
begin
  select array_agg(k order by k) filter (where k <> all (t.server_columns) and k <> all (t.generated) and k <> 'id')
    into fields from jsonb_object_keys(p_sent) k where k <> 'scopes';
  fields := coalesce(fields, '{}');
  if not fields <@ t.columns then raise exception 'no such column' using errcode = '22023', detail = 'CN021'; end if;
  return fields;
end $$;

create function sync.inserted(p_mutation jsonb, p_after jsonb, p_fields text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  row_id constant uuid := (p_mutation ->> 'id')::uuid;
  mine constant jsonb := sync.typed_row(p_mutation ->> 't', coalesce(p_mutation -> 'patch', '{}') || jsonb_build_object('id', row_id));
begin
  if (p_after ->> 'id')::uuid <> row_id then raise exception 'this row''s id is given' using errcode = '22023', detail = 'CN022'; end if;
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

-- A record that comes twice among neighbouring inserts ends their run, as it does among updates: the second was answered as
-- applied although nothing of it was written (supabase/tests/sync-push-split.test.ts found it).
create function sync.insert_run(t sync.tables, p_run jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  made jsonb;
  results jsonb := '[]';
  after jsonb;
  m jsonb;
begin
  if (select count(distinct (e ->> 'id')::uuid) from jsonb_array_elements(p_run) e) < jsonb_array_length(p_run) then
    raise exception 'a record comes twice' using errcode = 'CM002', detail = 'CN023';
  end if;
  made := sync.insert_all(t.name, (
    select jsonb_agg(coalesce(e -> 'patch', '{}') || jsonb_build_object('id', e ->> 'id') order by n)
    from jsonb_array_elements(p_run) with ordinality as es (e, n)));
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    after := made -> ((m ->> 'id')::uuid)::text;
    if after is null then raise exception 'not all are new' using errcode = 'CM002', detail = 'CN024'; end if;
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
  if (select count(*) from jsonb_object_keys(present)) < cardinality(ids) then raise exception 'not all are there' using errcode = 'CM002', detail = 'CN025'; end if;
  for m in select e from jsonb_array_elements(p_run) with ordinality as es (e, n) order by n loop
    plan := sync.plan_update(t, m, present -> ((m ->> 'id')::uuid)::text);
    plans := plans || plan;
    if plan -> 'fields' <> '[]' then
      edits := edits || jsonb_build_object('id', m -> 'id', 'patch', m -> 'patch', 'fields', plan -> 'fields');
    end if;
  end loop;
  made := sync.update_all(t.name, edits);
  if (select count(*) from jsonb_object_keys(made)) < jsonb_array_length(edits) then raise exception 'not all are ours' using errcode = 'CM002', detail = 'CN026'; end if;
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
    raise exception 'deleted, or older than the device knows it' using errcode = 'CM002', detail = 'CN027';
  end if;
  merge := sync.merge_fields(fields, t.groups, p_present, mine, sync.typed_row(t.name, coalesce(m -> 'base', '{}')),
    array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  if merge.o_conflicts <> '[]' then raise exception 'a conflict' using errcode = 'CM002', detail = 'CN028'; end if;
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
  -- Whether an edit has to wait is asked of each.
  if sync.is_restored() then return null; end if;
  select * into t from sync.tables where name = p_run -> 0 ->> 't';
  if t.name is null or t.goes_alone then return null; end if;
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
  code text; message text; rule text; col text; reason text;
  has_twins boolean;                                   -- a mutation comes twice in this call
  run integer;
  tried integer := 0;                                  -- up to here, what goes together has been tried together
  sent integer;
  total integer;                                       -- of these are looked at in this call
  budget constant interval := sync.push_budget();      -- null: all of it, however long it takes
  ends constant timestamptz := clock_timestamp() + budget;
  latest constant timestamptz := clock_timestamp() + 3 * budget;
  is_new boolean := false;                             -- something was judged that no earlier call had
  is_applied boolean := false;                            -- and was not refused: a repetition of this call finds it done
  nameless integer[] := '{}';                          -- the places of reports without a name
  is_nameless boolean;
  was_applied boolean;
begin
  if auth.uid() is null then
    raise exception 'sync_push needs a signed-in person' using errcode = '42501', detail = 'CN029';
  end if;
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 1000 then
    raise exception 'sync_push takes at most 1000 mutations' using errcode = '22023', detail = 'CN030';
  end if;
  sent := jsonb_array_length(p_mutations);
  total := sent;
  if budget is not null and sent > 200 then
    -- As many as a device of ours sends, and what is saved together with the last: what is claimed and left again costs time too.
    total := 200;
    while total < sent and p_mutations -> total ->> 'group' = p_mutations -> (total - 1) ->> 'group' loop total := total + 1; end loop;
    p_mutations := (select jsonb_agg(e order by n) from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where n <= total);
  end if;
  perform set_config('sync.pushing', 'on', true);
  perform access.cache_rights();
  claimed := sync.claim(p_device, p_mutations);
  known := sync.known_results(array(select (e ->> 'mid')::uuid from jsonb_array_elements(p_mutations) e where not claimed ? (e ->> 'mid')));

  -- An acceptance out of the tray goes whole, and no report without a name is in it (review_queue.queue_for_review).
  if budget is not null then
    nameless := array(select (n - 1)::integer from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where issue.is_nameless_report(e));
  end if;
  has_twins := (select count(distinct e ->> 'mid') < count(*) from jsonb_array_elements(p_mutations) e);
  while first < total loop
    -- What is known already costs nothing and is no progress. Without any, a device that repeats the whole would stand still.
    exit when is_new and clock_timestamp() >= case when is_applied then ends else latest end;
    -- Nor is an answer larger than a page: what each answers may bear its row.
    exit when is_new and budget is not null and pg_column_size(results) > sync.page_bytes();
    last := first;
    while p_mutations -> first ->> 'group' is not null and p_mutations -> (last + 1) ->> 'group' = p_mutations -> first ->> 'group' loop
      last := last + 1;
    end loop;
    -- A report without a name shares neither its transaction nor its version of the feed with anything else that is written: both stand
    -- in rows that name who sent them. What is known or refused writes nothing, so each call gets on.
    is_nameless := exists (select from unnest(nameless) n where n between first and last);
    exit when is_nameless and is_applied;
    if not is_nameless and not has_twins and current_setting('sync.cached_former', true) = '{}' then
      -- One statement cannot be stopped half-way. With no time at all each mutation is a step of its own.
      run := least(sync.run_length(p_mutations, first, known), case when budget = '0' then 1 else 50 end,
        (select min(n) - first from unnest(nameless) n where n > first));
      if run > 1 and first >= tried then
        part := sync.apply_run((select jsonb_agg(e order by n) from jsonb_array_elements(p_mutations) with ordinality as es (e, n)
          where n between first + 1 and first + run));
        tried := first + run;
        if part is not null then
          results := results || part;
          is_new := true;
          is_applied := true;
          first := first + run;
          continue;
        end if;
      end if;
    end if;
    begin
      part := '[]';
      for n in first .. last loop
        m := p_mutations -> n;
        mid := m ->> 'mid';
        if known ? mid then
          if known -> mid ->> 'hash' <> encode(sync.mutation_hash(m), 'hex') then
            raise exception using errcode = 'CM001', message = 'this mutation id stands for another edit', detail = 'CN031';
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
        get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name, col = column_name,
          reason = pg_exception_detail;
        select jsonb_agg(case
            when e ->> 'mid' <> mid then sync.refusal(e ->> 'mid', case code when 'CM001' then 'mutation_id_reused' else code end, message, 'refused with its group', null, reason)
            when code = 'CM001' then jsonb_build_object('mid', mid, 'st', 'rejected', 'code', 'mutation_id_reused', 'msg', message)
            else sync.refusal(mid, code, message, rule, col, reason) end order by n)
          into part from jsonb_array_elements(p_mutations) with ordinality as es (e, n) where n between first + 1 and last + 1;
        -- What this savepoint took back is not known any more.
        known := known - array(select e ->> 'mid' from jsonb_array_elements(part) e where claimed ? (e ->> 'mid'));
    end;
    results := results || part;
    is_new := is_new or exists (select from jsonb_array_elements(part) e where not e ? 'dup');
    was_applied := exists (select from jsonb_array_elements(part) e where not e ? 'dup' and e ->> 'st' <> 'rejected');
    is_applied := is_applied or was_applied;
    first := last + 1;
    exit when is_nameless and was_applied;
  end loop;

  perform sync.finish_push(p_device, p_mutations, results);
  perform set_config('sync.pushing', '', true);
  perform set_config('sync.cached_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind;
  return jsonb_strip_nulls(jsonb_build_object('rest', nullif(sent - first, 0))) || jsonb_build_object('results', results,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

create function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  if sync.is_restored() then return sync.apply_in_causal_order(m); end if;
  perform inspection.refuse_late(m);
  return sync.apply_atomically(m);
end $$;

-- A device's time brought between the earliest it can be and the server's now (decision 22). Without a device's time: now.
create function sync.clamp_time(p_at timestamptz, p_earliest timestamptz) returns timestamptz
  language sql stable return least(greatest(coalesce(p_at, now()), p_earliest), now());

-- The version of a row as the caller sees it; 0 where there is none to be seen.
create function sync.version_in_sight(p_table text, p_id uuid) returns bigint
  language plpgsql volatile set search_path = '' as $$
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  return coalesce((sync.see_row(p_table, p_id) ->> 'version')::bigint, 0);
end $$;

-- As it is judged on any day.
-- Of a row that is not in sight nothing is said before the new one was judged as if there were none.
create function sync.apply_atomically(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
begin
  if m ->> 'op' = 'insert' then
    perform review_queue.refuse_former_member_edit(m);
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_collision(m, false) and sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid) > 0 then perform sync.refuse_colliding_id(); end if;
  end if;
  result := sync.merge_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' <> 'insert' then perform review_queue.refuse_former_member_edit(m);
    elsif sync.is_id_collision(m, true) then perform sync.refuse_colliding_id();
    end if;
  end if;
  return result;
end $$;

-- Whether a refusal may pass once other devices have been there. An acknowledged edit had passed every rule that looks at other
-- rows, at rights or at what stands in its row; one the server never had may belong to a record that has yet to come.
create function sync.may_pass_later(m jsonb, p_code text, p_message text, p_rule text) returns boolean
  language sql immutable parallel safe set search_path = ''
  return p_message <> 'not_a_member' and p_rule <> 'id_collision' and (m ? 'av' or p_code = '23503');

-- In the day after a restore. What the refused or disputed edit did goes with it, a conflict it noted too.
create function sync.apply_in_causal_order(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  before constant bigint := sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid);
  result jsonb;
  code text; message text; rule text;
begin
  if before = 0 then perform review_queue.refuse_former_member_edit(m); end if;
  m := sync.in_order(m, before);
  result := sync.replayed_results(m);
  if result is not null then return result; end if;
  begin
    result := sync.apply_atomically(m);
  exception
    when integrity_constraint_violation or insufficient_privilege or raise_exception then
      get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name;
      if not sync.may_pass_later(m, code, message, rule) then raise; end if;
      raise exception 'behind' using errcode = 'P0001', detail = 'CN032';
  end;
  if result ->> 'kind' = 'missing_or_hidden' and m ? 'av' then raise exception 'behind' using errcode = 'P0001', detail = 'CN032'; end if;
  -- Of what the caller cannot see nothing was made.
  if (result ->> 'v')::bigint > 0 then perform sync.record_replayed(m, before); end if;
  return result;
end $$;

-- How long a push may go on taking the next mutation or group; null: to its end. An acceptance out of the review queue is 50 pieces at most,
-- and whole. `sync.push_budget` (ms) is for tests: nobody who calls by the API can set it.
create function sync.push_budget() returns interval
  language sql stable set search_path = ''
  return case when access.same_organization() is null
    then make_interval(secs => coalesce(nullif(current_setting('sync.push_budget', true), '')::numeric, 1000) / 1000) end;

-- Whether the id of a new row is one a device derives from what the row itself names, or from a record of the caller's own.
create function sync.is_self_derived(p_table text, p jsonb) returns boolean
  language sql stable security definer set search_path = '' as $$
  -- What the row names by itself comes first, then the caller's own records, by an index: never what everybody has.
  select case when (p ->> 'id')::uuid in (
    select extensions.uuid_generate_v5((p ->> 'organization_id')::uuid, name) from (
      select 'playbook' as name where p_table = 'playbooks'
      union all select 'loose' where p_table = 'action_items'
      union all select format('preset/%s/%s', preset, part)
        from unnest(array['workshop', 'warehouse', 'kitchen', 'office']) preset, lateral (
          select format('site/%s', n) as part from generate_series(0, 31) n where p_table = 'sites'
          union all select format('asset/%s', n) from generate_series(0, 31) n where p_table = 'assets'
          union all select 'form' where p_table = 'forms'
          union all select 'form/1' where p_table = 'form_versions') parts) names
    where p ->> 'organization_id' is not null
    union all select extensions.uuid_generate_v5((p ->> 'playbook_id')::uuid, 'area/' || area)
      from unnest(array['health-wellness-foundation', 'career-growth-essentials', 'personal-development-basics', 'financial-literacy',
        'relationship-building', 'mindfulness-focus']) area where p_table = 'action_items' and p ->> 'playbook_id' is not null
    union all select extensions.uuid_generate_v5((p ->> 'playbook_id')::uuid, 'look-back') where p_table = 'forms' and p ->> 'playbook_id' is not null
    union all select extensions.uuid_generate_v5(f.playbook_id, 'look-back/1') from public.forms f
      where p_table = 'form_versions' and f.id = (p ->> 'form_id')::uuid and access.is_in_sight(f.scopes)) then true
    when p_table <> 'action_items' then false
    else exists (select from public.goal_check_ins c
        where c.user_id = auth.uid() and extensions.uuid_generate_v5(c.id, 'next-step') = (p ->> 'id')::uuid)
      -- Both parties of a session see it, and nobody else does.
      or exists (
        with own as materialized (
          select s.next_steps from public.circle_sessions s where s.subject_id = auth.uid()
          union all select s.next_steps from public.circle_sessions s where s.author_id = auth.uid() and s.subject_id <> auth.uid())
        select from own, jsonb_array_elements(own.next_steps) step
        where access.same_organization() is null and step ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          and extensions.uuid_generate_v5((step ->> 'id')::uuid, 'action') = (p ->> 'id')::uuid) end
$$;

-- Every synced table whose derived ids no rule of its own judges. A table that comes later is one of them until it says otherwise.
create function sync.guard_foreign_ids() returns void
  language plpgsql set search_path = '' as $$
declare
  t text;
begin
  for t in
    select s.name from sync.tables s where s.name not in ('action_items', 'approval_decisions', 'controls', 'countersignatures',
      'policy_acknowledgements', 'policy_versions', 'poams', 'presence_entries', 'record_follows', 'tasks')
      and exists (select from pg_attribute a where a.attrelid = format('public.%I', s.name)::regclass and a.attname = 'id' and not a.attisdropped and a.attgenerated = '')
      and not exists (select from pg_trigger g where g.tgrelid = format('public.%I', s.name)::regclass and g.tgname in ('d_derived_id', 'a1_foreign_id'))
  loop
    execute format('create trigger a1_foreign_id before insert on public.%I for each row when (sync.is_derived(new.id)) execute function sync.release_foreign_id()', t);
  end loop;
end $$;

-- Whether the conflict is one the caller has, or had, over this row; or may have had before a restore.
create function sync.knows_conflict(p_conflict text, p_table text, p_row uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.restored) or exists (select from sync.conflict c
    where c.id::text = p_conflict and c.user_id = auth.uid() and c.tbl = p_table and c.row_id = p_row);

-- When something was written on a device that was long without signal: not in the future, and not before anybody could have.
create function sync.written_when(p_at timestamptz) returns timestamptz
  language sql stable set search_path = ''
  return sync.clamp_time(p_at, now() - interval '366 days');

-- Who may call what.
revoke execute on function sync.mutation_hash(jsonb), sync.claim(uuid, jsonb), sync.known_results(uuid[]), sync.writer_of(uuid, uuid),
  sync.finish_push(uuid, jsonb, jsonb), sync.note_conflict(jsonb, text, jsonb), sync.resolve_conflict(text, text, uuid),
  sync.merge_fields(text[], jsonb, jsonb, jsonb, jsonb, text[]),
  sync.difference(jsonb, jsonb), sync.told_row(jsonb), sync.conflict_result(jsonb, text, jsonb, jsonb), sync.updated(jsonb, jsonb, jsonb, jsonb, text[]),
  sync.refusal(text, text, text, text, text, text), sync.fields_of(sync.tables, jsonb), sync.inserted(jsonb, jsonb, text[]),
  sync.run_length(jsonb, integer, jsonb), sync.insert_run(sync.tables, jsonb), sync.update_run(sync.tables, jsonb),
  sync.plan_update(sync.tables, jsonb, jsonb), sync.apply_run(jsonb), sync.apply_mutation(jsonb),
  sync.clamp_time(timestamp with time zone, timestamp with time zone), sync.version_in_sight(text, uuid), sync.apply_atomically(jsonb),
  sync.may_pass_later(jsonb, text, text, text), sync.apply_in_causal_order(jsonb), sync.push_budget(), sync.is_self_derived(text, jsonb),
  sync.guard_foreign_ids(), sync.knows_conflict(text, text, uuid), sync.written_when(timestamp with time zone) from public;
revoke execute on function sync_push(uuid, jsonb) from public, anon;
grant execute on function sync.mutation_hash(jsonb), sync.claim(uuid, jsonb), sync.known_results(uuid[]), sync.finish_push(uuid, jsonb, jsonb),
  sync.note_conflict(jsonb, text, jsonb), sync.resolve_conflict(text, text, uuid), sync.merge_fields(text[], jsonb, jsonb, jsonb, jsonb, text[]),
  sync.difference(jsonb, jsonb), sync.told_row(jsonb), sync.conflict_result(jsonb, text, jsonb, jsonb), sync.updated(jsonb, jsonb, jsonb, jsonb, text[]),
  sync.refusal(text, text, text, text, text, text), sync.fields_of(sync.tables, jsonb), sync.inserted(jsonb, jsonb, text[]),
  sync.run_length(jsonb, integer, jsonb), sync.insert_run(sync.tables, jsonb), sync.update_run(sync.tables, jsonb),
  sync.plan_update(sync.tables, jsonb, jsonb), sync.apply_run(jsonb), sync.apply_mutation(jsonb), sync.version_in_sight(text, uuid),
  sync.apply_atomically(jsonb), sync.may_pass_later(jsonb, text, text, text), sync.apply_in_causal_order(jsonb), sync.knows_conflict(text, text, uuid) to authenticated;
grant execute on function sync.push_budget() to service_role, authenticated;
