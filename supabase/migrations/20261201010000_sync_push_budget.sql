-- A push ends after about a second (docs/decisions/0725): what was judged by then is committed with its results, `rest` says how many at
-- the end were not, and the device sends those again. One push of 1,000 mutations held a connection for as long as it took,
-- and a few people had them all. What goes together is never cut: a group, however long it takes.

-- How long a push may go on taking the next mutation or group; null: to its end. An acceptance out of the tray is 50 pieces at most,
-- and whole. `sync.push_budget` (ms) is for tests: nobody who calls by the API can set it.
create function sync.push_budget() returns interval
  language sql stable set search_path = ''
  return case when sync.only_home() is null
    then make_interval(secs => coalesce(nullif(current_setting('sync.push_budget', true), '')::numeric, 1000) / 1000) end;

-- As before; the rest is forgotten too. It gets a result first: who is told of a refusal hears of what goes without one (x_notify_refused).
create or replace function sync.settle(p_device uuid, p_mutations jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
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
  insert into sync.own (xid, tbl, id, version, device)
    select pg_current_xact_id(), m ->> 't', (m ->> 'id')::uuid, max((r ->> 'v')::bigint), p_device
    from jsonb_array_elements(p_mutations) with ordinality as ms (m, n)
    join jsonb_array_elements(p_results) with ordinality as rs (r, n) using (n)
    where r ->> 'st' <> 'rejected' and not r ? 'dup' and (r ->> 'v')::bigint > 0
    group by m ->> 't', m ->> 'id'
    on conflict (xid, tbl, id) do update set version = excluded.version;
end $$;

create or replace function sync_push(p_device uuid, p_mutations jsonb) returns jsonb
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
  sent integer;
  total integer;                                       -- of these are looked at in this call
  budget constant interval := sync.push_budget();      -- null: all of it, however long it takes
  ends constant timestamptz := clock_timestamp() + budget;
  latest constant timestamptz := clock_timestamp() + 3 * budget;
  is_new boolean := false;                             -- something was judged that no earlier call had
  is_kept boolean := false;                            -- and was not refused: a repetition of this call finds it done
begin
  if auth.uid() is null then
    raise exception 'sync_push needs a signed-in person' using errcode = '42501';
  end if;
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 1000 then
    raise exception 'sync_push takes at most 1000 mutations' using errcode = '22023';
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
  perform sync.keep_rights();
  claimed := sync.claim(p_device, p_mutations);
  known := sync.known_results(array(select (e ->> 'mid')::uuid from jsonb_array_elements(p_mutations) e where not claimed ? (e ->> 'mid')));

  has_twins := (select count(distinct e ->> 'mid') < count(*) from jsonb_array_elements(p_mutations) e);
  while first < total loop
    -- What is known already costs nothing and is no progress. Without any, a device that repeats the whole would stand still.
    exit when is_new and clock_timestamp() >= case when is_kept then ends else latest end;
    last := first;
    if not has_twins and current_setting('sync.kept_former', true) = '{}' then
      -- One statement cannot be stopped half-way. With no time at all each mutation is a step of its own.
      run := least(sync.run_length(p_mutations, first, known), case when budget = '0' then 1 else 50 end);
      if run > 1 and first >= tried then
        part := sync.apply_run((select jsonb_agg(e order by n) from jsonb_array_elements(p_mutations) with ordinality as es (e, n)
          where n between first + 1 and first + run));
        tried := first + run;
        if part is not null then
          results := results || part;
          is_new := true;
          is_kept := true;
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
    is_new := is_new or exists (select from jsonb_array_elements(part) e where not e ? 'dup');
    is_kept := is_kept or exists (select from jsonb_array_elements(part) e where not e ? 'dup' and e ->> 'st' <> 'rejected');
    first := last + 1;
  end loop;

  perform sync.settle(p_device, p_mutations, results);
  perform set_config('sync.pushing', '', true);
  perform set_config('sync.kept_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind;
  return jsonb_strip_nulls(jsonb_build_object('rest', nullif(sent - first, 0))) || jsonb_build_object('results', results,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

revoke execute on function sync.push_budget() from public;
grant execute on function sync.push_budget() to authenticated, service_role;
