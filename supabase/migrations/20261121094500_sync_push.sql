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
  with sent as (
    select distinct on (mid) (m ->> 'mid')::uuid as mid, m
    from jsonb_array_elements(p_mutations) m order by mid
  ), taken as (
    insert into sync.mutation (user_id, mid, hash, device, tbl, row_id, op, client_at)
      select auth.uid(), mid, sync.mutation_hash(m), p_device, m ->> 't', (m ->> 'id')::uuid, m ->> 'op', m ->> 'at'
      from sent order by mid
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
begin
  update sync.mutation k set result = r from jsonb_array_elements(p_results) r
    where k.user_id = auth.uid() and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' <> 'rejected' and not r ? 'dup';
  delete from sync.mutation k using jsonb_array_elements(p_results) r
    where k.user_id = auth.uid() and k.mid = (r ->> 'mid')::uuid and k.result is null and r ->> 'st' = 'rejected';
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
  agreed boolean;
  clean boolean;
begin
  o_apply := '{}'; o_conflicts := '[]';
  foreach f in array p_fields loop
    continue when f = any (done);
    unit := array[f];
    if p_groups <> '[]' then
      select array_agg(e) into unit from jsonb_array_elements(p_groups) g, jsonb_array_elements_text(g) e where g ? f;
      unit := coalesce(unit, array[f]);
    end if;
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
  select array_agg(k order by k) filter (where k <> all (t.server_columns) and k <> all (t.generated) and k <> 'id'), null
    into fields from jsonb_object_keys(sent) k where k <> 'scopes';
  fields := coalesce(fields, '{}');
  if not fields <@ t.columns then raise exception 'no such column' using errcode = '22023'; end if;

  if op = 'resolve' then
    perform sync.resolve_conflict(m ->> 'conflict', t.name, row_id);
  end if;

  for attempt in 1 .. 2 loop
    execute format('select sync.lock_%s($1)', t.name) into present using row_id;
    locked := present is not null;
    if not locked and (op <> 'insert' or attempt = 2) then
      -- Visible, but not ours to change?
      execute format('select sync.see_%s($1)', t.name) into present using row_id;
    end if;
    exit when present is not null or op <> 'insert';
    execute format('select sync.insert_%s($1)', t.name) into after using sent || jsonb_build_object('id', row_id);
    if after is not null then
      if (after ->> 'id')::uuid <> row_id then raise exception 'this row''s id is given' using errcode = '22023'; end if;
      execute format('select sync.typed_%s($1)', t.name) into mine using sent || jsonb_build_object('id', row_id);
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', after -> 'version',
        'd', sync.difference(after, (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(mine) where key = 'id' or key = any (fields))));
    end if;
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
    execute format('select sync.delete_%s($1)', t.name) into after using row_id;
    return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', after -> 'version', 'd', sync.difference(after, present));
  end if;

  execute format('select sync.typed_%1$s($1), sync.typed_%1$s($2)', t.name)
    into mine, base using sent, coalesce(m -> 'base', '{}');
  merge := sync.merge_fields(fields, t.groups, present, mine, base, array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  after := present;
  if not locked and (merge.o_apply <> '{}' or merge.o_conflicts <> '[]') then
    raise exception 'no right to change this record' using errcode = '42501';
  end if;
  if merge.o_apply <> '{}' then
    execute format('select sync.update_%s($1, $2, $3)', t.name) into after using row_id, sent, merge.o_apply;
    if after is null then raise exception 'no right to change this record' using errcode = '42501'; end if;
  end if;
  if merge.o_conflicts <> '[]' then
    return sync.conflict_result(m, 'fields', merge.o_conflicts, after);
  end if;
  if (present ->> 'version')::bigint = based_on then
    return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', after -> 'version', 'd', sync.difference(after,
      present || (select coalesce(jsonb_object_agg(f, mine -> f), '{}') from unnest(merge.o_apply) f)));
  end if;
  return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', after -> 'version', 'row', after);
end $$;

-- A refusal in words for developers: the rule's name, never a value.
create function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected', 'code', p_code, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end);

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
