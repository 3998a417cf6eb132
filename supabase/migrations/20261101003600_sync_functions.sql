-- The sync engine: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- A nudge that cannot be sent must not undo the change it tells of: devices pull every minute anyway.
create function sync.nudge(p_scopes text[], p_versions bigint[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then return; end if;
  execute $send$
    select realtime.send(jsonb_build_object('scope', s, 'v', v), 'changed', 'scope:' || s, true)
    from unnest($1, $2) as moved (s, v)
  $send$ using p_scopes, p_versions;
exception when others then
  raise warning 'sync: nudge not sent (%)', sqlstate;
end $$;

-- The next page of changes, by scope, from the cursors a device holds. A cursor is [epoch, v, t, id]; the epoch is the
-- scope's, a dot, and the version the scope stood at when this device began to read it. Only changes after that can be
-- answered with a stub for the device's own writes: a device that lost a scope and got it back has nothing of before.
-- The rows come in their order, so that no aggregate has to sort them again; what is ready is taken from its page (sync.next_ready).
create function sync.next_changes(
  p_cursors jsonb, p_device uuid, p_limit integer, p_ready boolean,
  out o_cursors jsonb, out o_order text[], out o_resets text[], out o_more boolean,
  out o_scope integer[], out o_table text[], out o_id uuid[], out o_gone boolean[], out o_known boolean[], out o_pages json
) language plpgsql stable security definer set search_path = '' as $$
declare
  left_over integer := p_limit;
  place integer := -1;
  s record;                                            -- scope, head, epoch and the device's cursor taken apart
  own_scopes text[] := '{}';                           -- the person's own scopes the device holds, and its cursors in them
  own_v bigint[] := '{}';
  own_t text[] := '{}';
  own_id uuid[] := '{}';
  page record;
  ready sync.ready_page;                               -- the next page of the scope that is ready
  present_shape text;
  ready_scope text[] := '{}'; ready_v bigint[] := '{}'; ready_t text[] := '{}'; ready_id uuid[] := '{}';
begin
  o_cursors := '{}'; o_order := '{}'; o_resets := '{}'; o_more := false;
  o_scope := '{}'; o_table := '{}'; o_id := '{}'; o_gone := '{}'; o_known := '{}'; o_pages := '[]';
  -- A copy that follows another server has no unlogged table.
  p_ready := p_ready and not pg_is_in_recovery();
  for s in
    select m.scope, coalesce(c.version, 0) as head, coalesce(c.epoch, '00000000-0000-0000-0000-000000000000')::text as epoch,
      split_part(d.cursor ->> 0, '.', 1) as d_epoch,
      case when split_part(d.cursor ->> 0, '.', 2) ~ '^\d{1,18}$' then split_part(d.cursor ->> 0, '.', 2)::bigint end as d_start,
      case when d.cursor ->> 1 ~ '^\d{1,18}$' then (d.cursor ->> 1)::bigint end as d_v,
      d.cursor ->> 2 as d_t,
      case when d.cursor ->> 3 ~ '^[0-9a-f-]{36}$' then (d.cursor ->> 3)::uuid end as d_id,
      d.cursor is not null as held, false as own
    from public.my_scopes() as m (scope)
    left join sync.scope c on c.id = m.scope
    cross join lateral (select p_cursors -> m.scope as cursor) d
    group by m.scope, c.version, c.epoch, d.cursor
    -- A person's own work first, then what screens need to make sense of it, then the places.
    order by case split_part(m.scope, ':', 1) when 'user' then 0 when 'member' then 1 when 'all' then 2 when 'org' then 3 else 4 end, m.scope
  loop
    place := place + 1;
    o_order := o_order || s.scope;
    -- A scope that has no counter yet and one that has: both are of the epoch the device may hold at version 0.
    if s.held and (s.d_v is null or s.d_start is null or s.d_t is null or s.d_id is null or s.d_v > s.head
        or (s.d_epoch <> s.epoch and s.d_v > 0)) then
      o_resets := o_resets || s.scope;
      s.held := false;
    end if;
    if not s.held or s.d_v = 0 then
      s.d_start := case when s.held and s.d_epoch = s.epoch then s.d_start else s.head end;
      s.d_v := 0; s.d_t := ''; s.d_id := '00000000-0000-0000-0000-000000000000';
    end if;
    s.own := s.scope ~ '^(user|member):';
    if s.own and s.d_v > 0 then
      own_scopes := own_scopes || s.scope; own_v := own_v || s.d_v; own_t := own_t || s.d_t; own_id := own_id || s.d_id;
    end if;
    if s.head > s.d_v or (s.head = s.d_v and s.d_t <> '~') then
      while left_over > 0 and (s.head > s.d_v or s.d_t <> '~') loop
        ready := null;
        -- Who reads the scope for the first time takes what is ready, as long as it fits; up to the next page row by row.
        if p_ready and not s.own and s.d_v <= s.d_start then
          -- Asked for where there are pages only: it reads the catalogues.
          present_shape := coalesce(present_shape,
            (select sync.ready_shape() where exists (select from sync.ready_page r where r.scope = s.scope)));
          ready := sync.next_ready(s.scope, s.d_v, s.d_t, s.d_id, s.d_start, present_shape);
          if (ready.after_v, ready.after_t, ready.after_id) = (s.d_v, s.d_t, s.d_id) then
            if ready.n <= left_over then
              ready_scope := ready_scope || s.scope; ready_v := ready_v || s.d_v; ready_t := ready_t || s.d_t; ready_id := ready_id || s.d_id;
              s.d_v := ready.upto_v; s.d_t := ready.upto_t; s.d_id := ready.upto_id;
              left_over := left_over - ready.n;
              continue;
            elsif ready_scope <> '{}' then
              -- It is the next answer's first. Only behind another: each answer gets on, also where others keep adding before it.
              left_over := 0;
              continue;
            end if;
            ready := null;
          end if;
        end if;
        select count(*)::integer as n, array_agg(c.tbl) as tbl, array_agg(c.id) as id, array_agg(c.gone) as gone,
          array_agg(coalesce(c.device = p_device and c.version > s.d_start, false) or c.brought) as known, max(c.version) as v
        into page
        from (
          select f.version, f.tbl, f.id, f.gone, f.device,
            -- A row of the place that already came through an own scope needs no second copy: a change of a row moves all
            -- its scopes in one transaction, so what the device read there up to its cursor is the row as it is.
            not s.own and own_scopes <> '{}' and exists (
              select from unnest(own_scopes, own_v, own_t, own_id) as o (scope, v, t, id)
              join sync.change u on u.scope = o.scope and u.tbl = f.tbl and u.id = f.id
              where not u.gone and (u.version, u.tbl, u.id) <= (o.v, o.t, o.id)) as brought
          from sync.change f
          where f.scope = s.scope and (f.version, f.tbl, f.id) > (s.d_v, s.d_t, s.d_id)
            -- Who reads a scope for the first time holds nothing that could be gone.
            and (not f.gone or f.version > s.d_start)
            and (ready.n is null or (f.version, f.tbl, f.id) <= (ready.after_v, ready.after_t, ready.after_id))
          order by f.version, f.tbl, f.id limit left_over
        ) c;
        if page.n > 0 then
          o_scope := o_scope || array_fill(place, array[page.n]);
          o_table := o_table || page.tbl; o_id := o_id || page.id; o_gone := o_gone || page.gone; o_known := o_known || page.known;
        end if;
        if page.n < left_over and ready.n is not null then
          s.d_v := ready.after_v; s.d_t := ready.after_t; s.d_id := ready.after_id;
        elsif page.n < left_over then
          s.d_v := s.head; s.d_t := '~'; s.d_id := '00000000-0000-0000-0000-000000000000';
        else
          s.d_v := page.v; s.d_t := page.tbl[page.n]; s.d_id := page.id[page.n];
        end if;
        left_over := left_over - page.n;
      end loop;
      o_more := o_more or s.d_v < s.head or s.d_t <> '~';
    end if;
    o_cursors := o_cursors || jsonb_build_object(s.scope,
      jsonb_build_array(s.epoch || '.' || s.d_start, s.d_v, s.d_t, s.d_id));
  end loop;
  if ready_scope = '{}' then return; end if;
  -- Of the audience of a row its reader learns the scopes that are their own.
  select json_agg(json_build_object('parts', r.parts, 'audiences', (
      select json_agg((
        select json_agg(array(
          select array_position(o_order, a) - 1 from jsonb_array_elements_text(named) a where a = any (o_order) group by a order by 1) order by x.n)
        from jsonb_array_elements(part) with ordinality as x (named, n)) order by y.n)
      from jsonb_array_elements(r.audiences) with ordinality as y (part, n)
    )) order by k.at) into o_pages
    from unnest(ready_scope, ready_v, ready_t, ready_id) with ordinality as k (scope, v, t, id, at)
    join sync.ready_page r on (r.scope, r.after_v, r.after_t, r.after_id) = (k.scope, k.v, k.t, k.id);
end $$;

-- The rows of one table under the caller's rights: [rows, stubs, ids found].
create function sync.read_rows(
  p_table text, p_ids uuid[], p_known uuid[], p_order text[],
  out o_rows jsonb, out o_stubs jsonb, out o_found uuid[]
) language plpgsql stable set search_path = '' as $$
declare
  t sync.tables;
  plain text;
  json text;
  audience constant text := 'array(select array_position($3, s) - 1 from unnest(x.scopes) s where s = any ($3) group by s)';
begin
  select * into strict t from sync.tables where name = p_table;
  select string_agg(format('x.%I', c), ', ') into plain from unnest(t.columns) c where c <> all (t.json_columns);
  select coalesce(string_agg(format(' || case when x.%1$I is null then ''{}'' else jsonb_build_object(%1$L, x.%1$I) end', c), ''), '')
    into json from unnest(t.json_columns) c;
  execute format($query$
    select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(p)) %s || jsonb_build_object('_s', %s)) filter (where x.id <> all ($2)), '[]'),
      coalesce(jsonb_agg(jsonb_build_array(x.id, x.version, %2$s)) filter (where x.id = any ($2)), '[]'),
      coalesce(array_agg(x.id), '{}')
    from public.%I x, lateral (select %s) p where x.id = any ($1)
  $query$, json, audience, p_table, plain) into o_rows, o_stubs, o_found using p_ids, p_known, p_order;
end $$;

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
  perform access.forget_kept_rights();
  return json_build_object('scopes', page.o_cursors, 'more', page.o_more, 'order', to_jsonb(page.o_order), 'resets', to_jsonb(page.o_resets),
    'rows', case when p_packed then '{}' else rows end,
    'packed', case when p_packed then (
      select coalesce(json_object_agg(n, r), '{}') from unnest(names, packed) as p (n, r)) end,
    'pages', page.o_pages, 'stubs', stubs, 'gone', gone,
    'now', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
end $$;

-- What a mutation is, for telling it from another under the same mid. That it is sent again, which version the row had after it
-- (`av`) and whether it had changed anything (`same`) are no part of it.
create function sync.mutation_hash(p_mutation jsonb) returns bytea
  language sql immutable parallel safe return sha256(convert_to((p_mutation - 'at' - 'av' - 'same')::text, 'UTF8'));

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
    raise exception 'mid and id are uuids in lower case' using errcode = '22023';
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

-- Keeps the results; forgets the refused, so that a retry is judged anew; remembers which rows this device wrote. The
-- refused get a result first: who is told of a refusal hears of what goes without one (x_notify_refused).
create function sync.settle(p_device uuid, p_mutations jsonb, p_results jsonb) returns void
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

create function sync.updated(p_mutation jsonb, p_before jsonb, p_after jsonb, p_mine jsonb, p_applied text[]) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  if (p_before ->> 'version')::bigint = coalesce((p_mutation ->> 'bv')::bigint, 0) then
    return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'applied', 'v', p_after -> 'version', 'd', sync.difference(p_after,
      p_before || (select coalesce(jsonb_object_agg(f, p_mine -> f), '{}') from unnest(p_applied) f))) || sync.stayed(p_before, p_after);
  end if;
  return jsonb_build_object('mid', p_mutation -> 'mid', 'st', 'merged', 'v', p_after -> 'version', 'row', p_after)
    || sync.stayed(p_before, p_after);
end $$;

-- A refusal in words for developers: the rule's name, never a value.
-- A taken id has a word of its own, and who is refused only with its group says so.
create function sync.refusal(p_mid text, p_code text, p_message text, p_constraint text, p_column text) returns jsonb
  language sql immutable set search_path = '' return jsonb_build_object('mid', p_mid, 'st', 'rejected',
    'code', case when (p_code, p_message) in (('42501', 'not_a_member'), ('P0001', 'behind')) then p_message
      when (p_code, p_constraint) = ('23505', 'id_taken') then p_constraint else p_code end, 'msg',
    case when p_code in ('P0001', '42501', '22023') then p_message
      when p_code like '23%' then coalesce(nullif(p_constraint, ''), nullif(p_column, ''), p_message)
      else 'a value does not fit its column' end)
    || case when p_constraint = 'refused with its group' then '{"with_group": true}' else '{}'::jsonb end;

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
    raise exception 'a record comes twice' using errcode = 'CM002';
  end if;
  made := sync.insert_all(t.name, (
    select jsonb_agg(coalesce(e -> 'patch', '{}') || jsonb_build_object('id', e ->> 'id') order by n)
    from jsonb_array_elements(p_run) with ordinality as es (e, n)));
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
  perform access.keep_rights();
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

-- Eight characters of Crockford's base 32: no I, L, O, U to misread.
create function sync.receipt_number() returns text
  language sql volatile set search_path = '' as $$
  select 'R-' || string_agg(case when n = 5 then '-' else '' end || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + get_byte(b, at) % 32, 1), '' order by n)
  from (select uuid_send(gen_random_uuid()) as b) r, unnest(array[0, 1, 2, 3, 4, 5, 10, 11]) with ordinality as p (at, n)
$$;

create function sync_receipt(p_id uuid, p_device uuid, p_mids uuid[], p_device_at timestamptz) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  caller constant uuid := auth.uid();
  r sync.receipt;
  missing jsonb;
  missing_media jsonb;
begin
  if caller is null then raise exception 'sync_receipt needs a signed-in person' using errcode = '42501'; end if;
  if cardinality(p_mids) > 10000 then raise exception 'a receipt covers at most 10000 mutations' using errcode = '22023'; end if;
  select * into r from sync.receipt where id = p_id;
  if found and r.user_id <> caller then raise exception 'this receipt is somebody else''s' using errcode = '42501'; end if;
  if not found then
    select coalesce(jsonb_agg(mid order by mid), '[]') into missing
      from (select unnest(p_mids) except select k.mid from sync.mutation k where k.user_id = caller and k.mid = any (p_mids)) as x (mid);
    select coalesce(jsonb_agg(distinct k.row_id), '[]') into missing_media
      from sync.mutation k left join public.media f on f.id = k.row_id
      where k.user_id = caller and k.mid = any (p_mids) and k.tbl = 'media' and k.op = 'insert'
        and (f.id is null or f.state <> 'complete') and f.deleted_at is null;
    if missing <> '[]' or missing_media <> '[]' then
      return jsonb_build_object('complete', false, 'missing_mids', missing, 'missing_media', missing_media);
    end if;
    insert into sync.receipt (id, user_id, device, no, received_at, files_at, device_at, mids, contents)
      values (p_id, caller, p_device, sync.receipt_number(), coalesce(sync.receipt_arrival(caller, p_mids), now()),
        (select max(f.completed_at) from sync.mutation k join public.media f on f.id = k.row_id
          where k.user_id = caller and k.mid = any (p_mids) and k.tbl = 'media' and k.op = 'insert'),
        p_device_at, p_mids, sync.receipt_contents(caller, p_mids))
      on conflict (id) do nothing;
    select * into strict r from sync.receipt where id = p_id and user_id = caller;
  end if;
  return jsonb_build_object('complete', true, 'id', r.id, 'no', r.no, 'received_at', r.received_at, 'files_at', r.files_at, 'device_at', r.device_at,
    'contents', r.contents);
end $$;

create function sync.apply_mutation(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  if sync.is_restored() then return sync.apply_in_turn(m); end if;
  perform inspection.refuse_late(m);
  return sync.apply_at_once(m);
end $$;

-- The same on both sides: packages/sync/src/row-hash.ts.
create function sync.row_hash(p_id uuid, p_version bigint) returns bigint
  language sql immutable parallel safe return uuid_hash_extended(p_id, p_version);

create function sync.hex(p_hash bigint) returns text
  language sql immutable parallel safe return lpad(to_hex(p_hash), 16, '0');

-- {"<scope>": {"at": [epoch, v], "sums": {"<table>": [rows, "<hash>"]}}} of the caller's scopes, for the tables their app knows.
create function sync_digest(p_tables text[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_digest needs a signed-in person' using errcode = '42501'; end if;
  return (
    select coalesce(jsonb_object_agg(m.scope, jsonb_build_object(
      'at', jsonb_build_array(coalesce(c.epoch, '00000000-0000-0000-0000-000000000000'), coalesce(c.version, 0)),
      'sums', coalesce((select jsonb_object_agg(d.tbl, jsonb_build_array(d.n, sync.hex(d.h)))
        from sync.digest d where d.scope = m.scope and d.tbl = any (p_tables) and d.n > 0), '{}'))), '{}')
    from (select distinct s from public.my_scopes() s) as m (scope) left join sync.scope c on c.id = m.scope);
end $$;

-- The ids a scope of the caller holds of one table; none where it is not theirs.
create function sync.ids_of_scope(p_scope text, p_table text) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select c.id from sync.change c where c.scope = p_scope and c.tbl = p_table and not c.gone and p_scope in (select public.my_scopes())
$$;

-- How far a scope has come tells how busy its people are, in their private space too: it is answered for one's own scopes
-- only, and for any other like for one that never was.
create function sync.place_of_scope(p_scope text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_array(c.epoch, c.version) from sync.scope c
      where c.id = p_scope and p_scope in (select public.my_scopes())),
    jsonb_build_array('00000000-0000-0000-0000-000000000000', 0))
$$;

-- The buckets that differ and the rows in them, at most p_limit rows unless one bucket has more; one snapshot.
create function sync.differing_rows(p_scope text, p_table text, p_sums jsonb, p_limit integer) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  audience constant text[] := array(select distinct s from public.my_scopes() s order by s);
  wrong record;
  found record;
begin
  execute format($query$
    with held as (
      select get_byte(uuid_send(x.id), 15) as bucket, x.id, sync.row_hash(x.id, x.version) as h
      from sync.ids_of_scope($1, $2) c (id) join public.%I x on x.id = c.id where x.deleted_at is null
    ), sums as (
      select b.bucket, count(held.id) as n, coalesce(bit_xor(held.h), 0) as h
      from generate_series(0, 255) b (bucket) left join held on held.bucket = b.bucket group by 1
    ), wrong as (
      select s.bucket, sum(s.n) over (order by s.bucket) - s.n as before
      from sums s where jsonb_build_array(s.n, sync.hex(s.h)) is distinct from coalesce($3 -> s.bucket::text, '[0, "0000000000000000"]')
    ), taken as (select w.bucket from wrong w where w.before < $4)
    select (select count(*) from wrong) as n, coalesce((select jsonb_agg(t.bucket order by t.bucket) from taken t), '[]') as buckets,
      coalesce((select array_agg(held.id) from held join taken t on t.bucket = held.bucket), '{}') as ids
  $query$, p_table) into wrong using p_scope, p_table, p_sums, p_limit;
  found := sync.read_rows(p_table, wrong.ids, '{}', audience);
  return jsonb_build_object('at', sync.place_of_scope(p_scope), 'order', to_jsonb(audience), 'wrong', wrong.n,
    'buckets', wrong.buckets, 'rows', found.o_rows);
end $$;

create function sync.note_mismatch(p_scope text, p_table text, p_device uuid, p_buckets integer) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.mismatch as m (user_id, scope, tbl, buckets, device)
    select auth.uid(), p_scope, p_table, p_buckets, p_device
    where p_scope in (select public.my_scopes()) and p_table in (select name from sync.tables)
    on conflict (user_id, scope, tbl) do update
      set times = m.times + 1, buckets = excluded.buckets, device = excluded.device, at = now()
$$;

-- What a device holds of a table of a scope, in 256 buckets by the last byte of the id ({"<bucket>": [rows, "<hash>"]}, empty
-- ones left out), against what there is: {"at", "order", "wrong": how many differ, "buckets": those answered, "rows"}.
create function sync_repair(p_scope text, p_table text, p_sums jsonb, p_device uuid default null, p_limit integer default 1000)
  returns jsonb language plpgsql volatile set search_path = '' set timezone = 'UTC' as $$
declare
  answer jsonb;
begin
  if auth.uid() is null then raise exception 'sync_repair needs a signed-in person' using errcode = '42501'; end if;
  if jsonb_typeof(p_sums) = 'string' then p_sums := (p_sums #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_sums) is distinct from 'object' or p_limit not between 1 and 5000
    or not exists (select from sync.tables t where t.name = p_table) then
    raise exception 'sync_repair takes a scope, a synced table, an object of sums and a limit from 1 to 5000' using errcode = '22023';
  end if;
  answer := (select sync.differing_rows(p_scope, p_table, p_sums, p_limit));
  if (answer ->> 'wrong')::integer > 0 then
    perform sync.note_mismatch(p_scope, p_table, p_device, (answer ->> 'wrong')::integer);
  end if;
  return answer;
end $$;

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
-- What lies in a tray has arrived: a device that handed work over asks for it as for what it pushed. A restored server that has neither
-- gets it once more.
create function sync_missing(p_mids uuid[]) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'sync_missing needs a signed-in person' using errcode = '42501'; end if;
  if cardinality(p_mids) > 5000 then raise exception 'sync_missing takes at most 5000 mutations' using errcode = '22023'; end if;
  return (select coalesce(jsonb_agg(m.mid), '[]') from unnest(p_mids) as m (mid)
    where not exists (select from sync.mutation k where k.user_id = auth.uid() and k.mid = m.mid)
      and not exists (select from sync.unsent u where u.user_id = auth.uid() and u.mid = m.mid));
end $$;

create function sync.version_of(p_table text, p_id uuid) returns bigint
  language plpgsql stable security definer set search_path = '' as $$
declare
  answer bigint;
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  execute format('select x.version from public.%I x where x.id = $1', p_table) into answer using p_id;
  return coalesce(answer, 0);
end $$;

-- For a day after a restore. An acknowledged edit that goes again was judged on the version before the one it made, one that
-- changed nothing on the version it found: it waits until those that made all versions up to there have come. So the lost
-- versions are made again one by one, and each edit meets what it met. An edit the server never had waits for the version it
-- was made on, where that is later than any there is. Answers the mutation as it is to be applied: a delete that has seen
-- everything there is stands, though the versions are counted anew.
-- What came back of a row is looked at only where the row is in sight.
create function sync.in_order(m jsonb, p_present bigint) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  based_on constant bigint := coalesce((m ->> 'bv')::bigint, 0);
  is_again constant boolean := m ? 'av';
  judged_on constant bigint := case when not is_again then based_on when m ? 'same' then (m ->> 'av')::bigint else (m ->> 'av')::bigint - 1 end;
  reached bigint;
  r sync.replayed;
begin
  select * into r from sync.replayed where tbl = m ->> 't' and row_id = (m ->> 'id')::uuid and p_present > 0;
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
create function sync.note_replayed(m jsonb, p_before bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.replayed as r (tbl, row_id, base, steps, others, seen)
    select m ->> 't', (m ->> 'id')::uuid, p_before, case when m ? 'av' then made else 0 end, case when m ? 'av' then 0 else made end,
      case when m ? 'av' and not m ? 'same' then array[(m ->> 'av')::bigint] else '{}' end
    from (select sync.version_of(m ->> 't', (m ->> 'id')::uuid) - p_before as made) x
    on conflict (tbl, row_id) do update set steps = r.steps + excluded.steps, others = r.others + excluded.others,
      seen = case when excluded.seen <@ r.seen then r.seen else r.seen || excluded.seen end
$$;

create function sync.is_restored() returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.restored r where r.at > now() - interval '1 day');

-- A cursor that is none is read as one from another epoch: its scope starts anew. It must never fail a pull, or the device
-- that holds it could not get past it.
create function sync.sound_cursors(p_cursors jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(key, case when jsonb_typeof(value) = 'array'
      and coalesce(value ->> 3 ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false) then value else '[]' end), '{}')
  from jsonb_each(p_cursors)
$$;

-- A device whose clock is this much ahead is honest; what it brings counts.
create function sync.clock_allowance() returns interval language sql immutable return interval '5 minutes';

-- As sync.read_rows, with the rows as {"cols": ["id", …, "_s"], "vals": [[every id], …]}: null in place of a column in which no
-- row has a value, and each row's audiences once per audience: found beside the rows, and once for all that share them.
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
    select case when count(*) > 0 then json_build_object('cols', $3, 'vals', json_build_array(%2$s, json_agg(a.places))) end,
      coalesce(array_agg(x.id), '{}')
    from public.%1$I x
    -- An offset keeps this a question of its own, whose answers PostgreSQL remembers by audience.
    cross join lateral (
      select array(select array_position($2, s) - 1 from unnest(x.scopes) s where s = any ($2) group by s) as places offset 0
    ) a
    where x.id = any ($1)
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

create function sync.is_device_edit() returns boolean
  language sql stable set search_path = '' return sync.pushing() and pg_trigger_depth() <= 1;

-- The id a person's row has to have where it is a derived one; null where its table knows no such rule.
create function sync.is_derived(p_id uuid) returns boolean
  language sql immutable parallel safe return substr(p_id::text, 15, 1) = '5';

-- Whether the id of a new record stands for another one: of another organisation than it names, or (p_hidden: the caller
-- may not see what is there) one that this person never made. What two people derive from the same facts is one record.
-- An id that follows from a question stands for that question's action item only, also before whoever sees both.
create function sync.is_id_taken(m jsonb, p_hidden boolean) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted constant jsonb := coalesce(m -> 'patch', '{}');
  present jsonb;
begin
  if not exists (select from sync.tables t where t.name = m ->> 't') then return false; end if;
  execute format('select to_jsonb(x) - ''scopes'' from public.%I x where x.id = $1', m ->> 't') into present using (m ->> 'id')::uuid;
  if present is null then return false; end if;
  if wanted ->> 'organization_id' is not null and present ->> 'organization_id' is distinct from lower(wanted ->> 'organization_id')
    and present ? 'organization_id' then
    return true;
  end if;
  if m ->> 't' = 'action_items' and sync.is_derived((m ->> 'id')::uuid)
    and (present ->> 'source_id', present ->> 'source_question') is distinct from (lower(wanted ->> 'source_id'), wanted ->> 'source_question') then
    return true;
  end if;
  if not p_hidden then return false; end if;
  -- Where guard_derived_id and guard_source hold, only the same record can have it.
  if sync.is_derived((m ->> 'id')::uuid)
    and m ->> 't' in ('inspection_answers', 'form_drafts', 'notification_choices', 'inspections', 'action_items') then
    return false;
  end if;
  return not exists (select from sync.mutation k where k.user_id = auth.uid() and k.tbl = m ->> 't' and k.row_id = (m ->> 'id')::uuid
    and k.op = 'insert' and k.mid <> (m ->> 'mid')::uuid);
end $$;

create function sync.refuse_taken_id() returns void language plpgsql set search_path = '' as $$
begin
  raise exception 'this id stands for another record' using errcode = '23505', constraint = 'id_taken';
end $$;

create function sync.is_uuid(p_text text) returns boolean
  language sql immutable parallel safe
  return coalesce(p_text ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', false);

-- What a device says of a time, no earlier than could be and no later than a clock that is a day fast would say.
create function sync.believable(p_at timestamptz, p_first timestamptz) returns timestamptz
  language sql volatile parallel safe set search_path = '' return
  case when p_at is null then null else least(greatest(p_at, p_first), clock_timestamp() + interval '1 day') end;

-- Says of an answer that the row stayed as it was.
create function sync.stayed(p_before jsonb, p_after jsonb) returns jsonb
  language sql immutable parallel safe set search_path = ''
  return case when p_before -> 'version' = p_after -> 'version' then '{"same": true}' else '{}' end::jsonb;

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

-- A device's time brought between the earliest it can be and the server's now (0261). Without a device's time: now.
create function sync.clamped(p_at timestamptz, p_earliest timestamptz) returns timestamptz
  language sql stable return least(greatest(coalesce(p_at, now()), p_earliest), now());

-- What decides which columns of which rows a page may hold: policies, columns, rights on a table, and what writes it anew (a column
-- computed otherwise, or it is emptied). Pages of another shape are not read: whoever changes one of these needs not think of them, and
-- locks none. `xmin` tells which transaction wrote an entry of a catalogue.
create function sync.ready_shape() returns text
  language sql stable set search_path = '' as $$
  select md5(concat_ws('/',
    (select string_agg(concat_ws('.', t.name, t.xmin, c.xmin), ' ' order by t.name)
      from sync.tables t left join pg_catalog.pg_class c on c.relname = t.name and c.relnamespace = 'public'::regnamespace),
    (select string_agg(p.oid || '.' || p.xmin, ' ' order by p.oid) from pg_catalog.pg_policy p)))
$$;

-- Whether whoever has a row's scope reads the row: the one rule of synced tables, and none that takes away. Told by its words, without
-- what PostgreSQL adds to them.
create function sync.is_read_by_scope(p_table text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(bool_and(p.permissive) and bool_or(regexp_replace(p.qual, '[\s()"]|public\.', '', 'g')
      = 'scopes&&SELECTARRAYSELECTmy_scopesASmy_scopesASarrayANDdeleted_atISNULLORSELECTsync.pushingASpushing'), false)
  from (
    select p.polpermissive as permissive, pg_catalog.pg_get_expr(p.polqual, p.polrelid) as qual from pg_catalog.pg_policy p
    where p.polrelid = format('public.%I', p_table)::regclass and p.polcmd in ('r', '*')
      and p.polroles && array[0, (select r.oid from pg_catalog.pg_roles r where r.rolname = 'authenticated')]::oid[]
  ) p
$$;

-- One table's part of a page: the rows of these ids that members of the scope may read (the policy of every synced table), each with
-- the number of its audience. A column that says the same of all of them says it once: of a site's rows the organisation, the site and
-- what is empty are a third of a page.
create function sync.ready_part(p_table text, p_ids uuid[], p_scope text, out o_part json, out o_audiences jsonb, out o_n integer)
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

-- The page behind a place of a scope's feed, up to another place or to the end: at most p_most changes. `seen` is the scope's counter
-- at that moment; `page.n` is 0 where there are fewer than p_least, or one has no row everybody in the scope may read.
-- Stable: all of it is of one snapshot, that of the question it is asked in.
create function sync.page_to_be(
  p_scope text, p_v bigint, p_t text, p_id uuid, p_bound_v bigint, p_bound_t text, p_bound_id uuid, p_least integer, p_most integer,
  out seen bigint, out page sync.ready_page
) language plpgsql stable set search_path = '' as $$
declare
  part record;
  made record;
  parts json[] := '{}';
begin
  select c.version into seen from sync.scope c where c.id = p_scope;
  page.scope := p_scope;
  page.after_v := p_v; page.after_t := p_t; page.after_id := p_id;
  page.audiences := '[]';
  page.shape := sync.ready_shape();
  select f.version, f.tbl, f.id, f.n into page.upto_v, page.upto_t, page.upto_id, page.n
  from (
    select c.version, c.tbl, c.id, row_number() over (order by c.version, c.tbl, c.id) as n
    from sync.change c
    where c.scope = p_scope and (c.version, c.tbl, c.id) > (p_v, p_t, p_id) and not c.gone
      and (p_bound_v is null or (c.version, c.tbl, c.id) <= (p_bound_v, p_bound_t, p_bound_id))
    order by c.version, c.tbl, c.id limit p_most
  ) f order by f.n desc limit 1;
  if page.n is null or page.n < p_least then page.n := 0; return; end if;
  for part in
    select c.tbl, array_agg(c.id) as ids from sync.change c
    where c.scope = p_scope and (c.version, c.tbl, c.id) > (p_v, p_t, p_id)
      and (c.version, c.tbl, c.id) <= (page.upto_v, page.upto_t, page.upto_id) and not c.gone
    group by c.tbl order by c.tbl
  loop
    made := sync.ready_part(part.tbl, part.ids, p_scope);
    if made.o_n < cardinality(part.ids) then page.n := 0; return; end if;
    parts := parts || made.o_part;
    page.audiences := page.audiences || jsonb_build_array(made.o_audiences);
  end loop;
  page.parts := array_to_json(parts);
end $$;

-- Where the last page ends that begins before a place in a scope's feed; nulls where none does.
create function sync.end_before(p_scope text, p_v bigint, p_t text, p_id uuid, out v bigint, out t text, out id uuid)
  language sql stable set search_path = '' as $$
  select r.upto_v, r.upto_t, r.upto_id from sync.ready_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) < (p_v, p_t, p_id)
    order by r.after_v desc, r.after_t desc, r.after_id desc limit 1
$$;

-- Makes the next page of a scope that is still to be made, from a place in its feed on: `made`; `moved`, where the scope changed
-- meanwhile; `failed`; or `whole`. No two pages overlap, however many make them at once. Nobody waits for more than its end: the counter
-- is written when the page is there, and the page is thrown away where it moved meanwhile.
create function sync.make_page_of(
  p_scope text, p_least integer, p_most integer, inout at_v bigint, inout at_t text, inout at_id uuid, out outcome text
) language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  next record;
  made record;
  made_before record;
begin
  -- Another may have made one here since.
  select * into made_before from sync.end_before(p_scope, at_v, at_t, at_id);
  if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then
    at_v := made_before.v; at_t := made_before.t; at_id := made_before.id;
  end if;
  loop
    select r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id into next from sync.ready_page r
      where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (at_v, at_t, at_id)
      order by r.after_v, r.after_t, r.after_id limit 1;
    if found and (next.after_v, next.after_t, next.after_id) = (at_v, at_t, at_id) then
      at_v := next.upto_v; at_t := next.upto_t; at_id := next.upto_id;
      continue;
    end if;
    select m.seen, m.page into made
      from sync.page_to_be(p_scope, at_v, at_t, at_id, next.after_v, next.after_t, next.after_id, p_least, p_most) m;
    if (made.page).n > 0 then
      -- Written, not only locked: a transaction that began before, with one snapshot for all it does, would not see the page it has to delete.
      update sync.scope c set version = c.version where c.id = p_scope and c.version = made.seen;
      outcome := 'moved';
      if not found then return; end if;
      select * into made_before from sync.end_before(p_scope, (made.page).upto_v, (made.page).upto_t, (made.page).upto_id);
      if (made_before.v, made_before.t, made_before.id) > (at_v, at_t, at_id) then return; end if;
      insert into sync.ready_page select (made.page).*;
      outcome := 'made';
      return;
    end if;
    if (made.page).upto_v is not null then
      -- Too few, or some of them cannot be in a page; what stands behind them can.
      at_v := (made.page).upto_v; at_t := (made.page).upto_t; at_id := (made.page).upto_id;
    elsif next.after_v is null then outcome := 'whole'; return;
    else at_v := next.after_v; at_t := next.after_t; at_id := next.after_id;
    end if;
  end loop;
exception when others then
  -- What goes wrong in one scope keeps none of the others from its pages.
  raise warning 'sync: a ready page could not be made (%)', sqlstate;
  outcome := 'failed';
end $$;

-- Makes what is missing, each page in a transaction of its own, for some seconds: in places with so many rows that were not looked
-- through since they changed, and not in the last ten minutes. Where it failed or others kept changing, it is tried again after these.
create procedure sync.make_ready_pages(p_rows integer default 1000, p_least integer default 100, p_most integer default 500)
  language plpgsql as $$
declare
  began timestamptz := clock_timestamp();
  place record;
  v bigint;                                            -- how far in it
  t text;
  i uuid;
  outcome text;
  moved integer;
begin
  -- Of another shape, nobody reads them; whoever is just deleting one waits for nobody.
  delete from sync.ready_page r where r.ctid = any (array(
    select o.ctid from sync.ready_page o where o.shape <> (select sync.ready_shape()) for update skip locked));
  if found then delete from sync.ready_state; end if;
  commit;
  for place in
    select c.id, c.version
    from (select d.scope from sync.digest d where d.scope !~ '^(user|member):' group by d.scope having sum(d.n) >= p_rows) many
    join sync.scope c on c.id = many.scope
    left join sync.ready_state r on r.scope = c.id
    where r.version is null or (r.version <> c.version and r.at < now() - interval '10 minutes')
    order by r.at nulls first, c.id
  loop
    v := 0; t := ''; i := '00000000-0000-0000-0000-000000000000';
    moved := 0;
    loop
      exit when clock_timestamp() > began + interval '20 seconds' or not pg_try_advisory_xact_lock(hashtext('sync.make_ready_pages'));
      select m.at_v, m.at_t, m.at_id, m.outcome into v, t, i, outcome from sync.make_page_of(place.id, p_least, p_most, v, t, i) m;
      moved := moved + (outcome = 'moved')::integer;
      if outcome in ('whole', 'failed') or moved = 5 then
        insert into sync.ready_state (scope, version) values (place.id, case outcome when 'whole' then place.version else -1 end)
          on conflict (scope) do update set version = excluded.version, at = excluded.at;
        exit;
      end if;
      commit;
    end loop;
    commit;
  end loop;
end $$;

-- The next page of a scope behind a place in its feed, without what it holds; null where none is. `p_start`: where the reading began.
create function sync.next_ready(p_scope text, p_v bigint, p_t text, p_id uuid, p_start bigint, p_shape text) returns sync.ready_page
  language plpgsql stable set search_path = '' as $$
declare
  ready sync.ready_page;
begin
  select r.n, r.after_v, r.after_t, r.after_id, r.upto_v, r.upto_t, r.upto_id
    into ready.n, ready.after_v, ready.after_t, ready.after_id, ready.upto_v, ready.upto_t, ready.upto_id
    from sync.ready_page r
    where r.scope = p_scope and (r.after_v, r.after_t, r.after_id) >= (p_v, p_t, p_id) and r.upto_v <= p_start and r.shape = p_shape
    order by r.after_v, r.after_t, r.after_id limit 1;
  return ready;
end $$;

-- The version of a row as the caller sees it; 0 where there is none to be seen.
create function sync.version_in_sight(p_table text, p_id uuid) returns bigint
  language plpgsql volatile set search_path = '' as $$
begin
  if not exists (select from sync.tables t where t.name = p_table) then return 0; end if;
  return coalesce((sync.see_row(p_table, p_id) ->> 'version')::bigint, 0);
end $$;

-- As it is judged on any day.
-- Of a row that is not in sight nothing is said before the new one was judged as if there were none.
create function sync.apply_at_once(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  result jsonb;
begin
  if m ->> 'op' = 'insert' then
    perform review_queue.refuse_former_work(m);
    -- Before anything of it could be merged into a record of another organisation that the same person sees.
    if sync.is_id_taken(m, false) and sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid) > 0 then perform sync.refuse_taken_id(); end if;
  end if;
  result := review_queue.apply_own_mutation(m);
  if result ->> 'kind' = 'missing_or_hidden' then
    if m ->> 'op' <> 'insert' then perform review_queue.refuse_former_work(m);
    elsif sync.is_id_taken(m, true) then perform sync.refuse_taken_id();
    end if;
  end if;
  return result;
end $$;

-- Whether a refusal may pass once other devices have been there. An acknowledged edit had passed every rule that looks at other
-- rows, at rights or at what stands in its row; one the server never had may belong to a record that has yet to come.
create function sync.may_pass_later(m jsonb, p_code text, p_message text, p_rule text) returns boolean
  language sql immutable parallel safe set search_path = ''
  return p_message <> 'not_a_member' and p_rule <> 'id_taken' and (m ? 'av' or p_code = '23503');

-- In the day after a restore. What the refused or disputed edit did goes with it, a conflict it noted too.
create function sync.apply_in_turn(m jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  before constant bigint := sync.version_in_sight(m ->> 't', (m ->> 'id')::uuid);
  result jsonb;
  code text; message text; rule text;
begin
  if before = 0 then perform review_queue.refuse_former_work(m); end if;
  m := sync.in_order(m, before);
  result := sync.said_again(m);
  if result is not null then return result; end if;
  begin
    result := sync.apply_at_once(m);
  exception
    when integrity_constraint_violation or insufficient_privilege or raise_exception then
      get stacked diagnostics code = returned_sqlstate, message = message_text, rule = constraint_name;
      if not sync.may_pass_later(m, code, message, rule) then raise; end if;
      raise exception 'behind' using errcode = 'P0001';
  end;
  if result ->> 'kind' = 'missing_or_hidden' and m ? 'av' then raise exception 'behind' using errcode = 'P0001'; end if;
  -- Of what the caller cannot see nothing was made.
  if (result ->> 'v')::bigint > 0 then perform sync.note_replayed(m, before); end if;
  return result;
end $$;

create function sync.is_plain_id(p_text text) returns boolean
  language sql immutable parallel safe set search_path = ''
  return coalesce(p_text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false);

-- Whose push this is, as `sync.claim` said it.
create function sync.device() returns uuid
  language sql stable set search_path = ''
  return case when sync.pushing() then nullif(current_setting('sync.device', true), '')::uuid end;

-- How long a push may go on taking the next mutation or group; null: to its end. An acceptance out of the tray is 50 pieces at most,
-- and whole. `sync.push_budget` (ms) is for tests: nobody who calls by the API can set it.
create function sync.push_budget() returns interval
  language sql stable set search_path = ''
  return case when access.only_home() is null
    then make_interval(secs => coalesce(nullif(current_setting('sync.push_budget', true), '')::numeric, 1000) / 1000) end;

-- Whether the id of a new row is one a device derives from what the row itself names, or from a record of the caller's own.
create function sync.follows_from_itself(p_table text, p jsonb) returns boolean
  language sql stable security definer set search_path = '' as $$
  select (p ->> 'id')::uuid in (
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
      where p_table = 'form_versions' and f.id = (p ->> 'form_id')::uuid and access.is_in_sight(f.scopes)
    union all select extensions.uuid_generate_v5(c.id, 'next-step') from public.goal_check_ins c
      where p_table = 'action_items' and c.user_id = auth.uid()
    union all select extensions.uuid_generate_v5((step ->> 'id')::uuid, 'action') from public.circle_sessions s, jsonb_array_elements(s.next_steps) step
      where p_table = 'action_items' and access.is_in_sight(s.scopes) and step ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
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
    execute format('create trigger a1_foreign_id before insert on public.%I for each row when (sync.is_derived(new.id)) execute function sync.give_up_foreign_id()', t);
  end loop;
end $$;

-- What mutations of one person brought, {"inspections": 1, …}: distinct records by table. Of `policy_acknowledgements` those that
-- agree stand under the table's name, the others under `policy_openings` and `policy_declines`.
create function sync.receipt_contents(p_user uuid, p_mids uuid[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with brought as (
    select k.tbl, k.row_id, max(k.at) as at, max((k.result ->> 'v')::bigint) as version from sync.mutation k
    where k.user_id = p_user and k.mid = any (p_mids) and k.result ->> 'st' in ('applied', 'merged')
    group by k.tbl, k.row_id
  ), named as (
    select b.row_id, case
      when b.tbl <> 'policy_acknowledgements' then b.tbl
      -- What was decided stands, so the last thing brought decided it: where that came after what this receipt covers, it was open then.
      when coalesce(a.state, 'opened') = 'opened' or a.version > b.version and exists (
        select from sync.mutation l where l.user_id = p_user and l.tbl = b.tbl and l.row_id = b.row_id and l.at > b.at
          and not l.mid = any (p_mids) and l.result ->> 'st' in ('applied', 'merged')) then 'policy_openings'
      when a.state = 'declined' then 'policy_declines'
      else b.tbl end as name
    from brought b left join public.policy_acknowledgements a on b.tbl = 'policy_acknowledgements' and a.id = b.row_id
  )
  select coalesce(jsonb_object_agg(name, n), '{}') from (select name, count(distinct row_id) as n from named group by name) c
$$;

-- When the last record that mutations brought arrived, as the record says it; null where the ledger has none of them.
create function sync.receipt_arrival(p_user uuid, p_mids uuid[]) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select greatest(max(k.at), max(a.received_at)) from sync.mutation k
  left join public.policy_acknowledgements a
    on k.tbl = 'policy_acknowledgements' and a.id = k.row_id and a.version = (k.result ->> 'v')::bigint
  where k.user_id = p_user and k.mid = any (p_mids)
$$;

-- Whether the conflict is one the caller has, or had, over this row; or may have had before a restore.
create function sync.knows_conflict(p_conflict text, p_table text, p_row uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.restored) or exists (select from sync.conflict c
    where c.id::text = p_conflict and c.user_id = auth.uid() and c.tbl = p_table and c.row_id = p_row);

-- Who may call what.
revoke execute on function sync.nudge(text[], bigint[]), sync.next_changes(jsonb, uuid, integer, boolean),
  sync.read_rows(text, uuid[], uuid[], text[]), sync.mutation_hash(jsonb), sync.claim(uuid, jsonb), sync.known_results(uuid[]),
  sync.settle(uuid, jsonb, jsonb), sync.note_conflict(jsonb, text, jsonb), sync.resolve_conflict(text, text, uuid),
  sync.merge_fields(text[], jsonb, jsonb, jsonb, jsonb, text[]), sync.difference(jsonb, jsonb), sync.conflict_result(jsonb, text, jsonb, jsonb),
  sync.updated(jsonb, jsonb, jsonb, jsonb, text[]), sync.refusal(text, text, text, text, text), sync.fields_of(sync.tables, jsonb),
  sync.inserted(jsonb, jsonb, text[]), sync.run_length(jsonb, integer, jsonb), sync.insert_run(sync.tables, jsonb),
  sync.update_run(sync.tables, jsonb), sync.plan_update(sync.tables, jsonb, jsonb), sync.apply_run(jsonb), sync.receipt_number(),
  sync.apply_mutation(jsonb), sync.row_hash(uuid, bigint), sync.hex(bigint), sync.ids_of_scope(text, text), sync.place_of_scope(text),
  sync.differing_rows(text, text, jsonb, integer), sync.note_mismatch(text, text, uuid, integer), sync.raise_epochs(), sync.version_of(text, uuid),
  sync.in_order(jsonb, bigint), sync.note_replayed(jsonb, bigint), sync.is_restored(), sync.sound_cursors(jsonb), sync.clock_allowance(),
  sync.read_packed(text, uuid[], uuid[], text[]), sync.is_device_edit(), sync.is_derived(uuid), sync.is_id_taken(jsonb, boolean),
  sync.refuse_taken_id(), sync.is_uuid(text), sync.believable(timestamp with time zone, timestamp with time zone), sync.stayed(jsonb, jsonb),
  sync.said_again(jsonb), sync.clamped(timestamp with time zone, timestamp with time zone), sync.ready_shape(), sync.is_read_by_scope(text),
  sync.ready_part(text, uuid[], text), sync.page_to_be(text, bigint, text, uuid, bigint, text, uuid, integer, integer),
  sync.end_before(text, bigint, text, uuid), sync.make_page_of(text, integer, integer, bigint, text, uuid),
  sync.next_ready(text, bigint, text, uuid, bigint, text), sync.version_in_sight(text, uuid), sync.apply_at_once(jsonb),
  sync.may_pass_later(jsonb, text, text, text), sync.apply_in_turn(jsonb), sync.is_plain_id(text), sync.device(), sync.push_budget(),
  sync.follows_from_itself(text, jsonb), sync.guard_foreign_ids(), sync.receipt_contents(uuid, uuid[]), sync.receipt_arrival(uuid, uuid[]),
  sync.knows_conflict(text, text, uuid) from public;
revoke execute on function sync_pull(jsonb, uuid, integer, boolean, boolean, boolean), sync_push(uuid, jsonb),
  sync_receipt(uuid, uuid, uuid[], timestamp with time zone), sync_digest(text[]), sync_repair(text, text, jsonb, uuid, integer), sync_missing(uuid[]) from public, anon;
revoke execute on procedure sync.make_ready_pages(integer, integer, integer) from public;
grant execute on function sync.next_changes(jsonb, uuid, integer, boolean), sync.read_rows(text, uuid[], uuid[], text[]), sync.mutation_hash(jsonb),
  sync.claim(uuid, jsonb), sync.known_results(uuid[]), sync.settle(uuid, jsonb, jsonb), sync.note_conflict(jsonb, text, jsonb),
  sync.resolve_conflict(text, text, uuid), sync.merge_fields(text[], jsonb, jsonb, jsonb, jsonb, text[]), sync.difference(jsonb, jsonb),
  sync.conflict_result(jsonb, text, jsonb, jsonb), sync.updated(jsonb, jsonb, jsonb, jsonb, text[]), sync.refusal(text, text, text, text, text),
  sync.fields_of(sync.tables, jsonb), sync.inserted(jsonb, jsonb, text[]), sync.run_length(jsonb, integer, jsonb), sync.insert_run(sync.tables, jsonb),
  sync.update_run(sync.tables, jsonb), sync.plan_update(sync.tables, jsonb, jsonb), sync.apply_run(jsonb), sync.apply_mutation(jsonb),
  sync.row_hash(uuid, bigint), sync.hex(bigint), sync.ids_of_scope(text, text), sync.place_of_scope(text),
  sync.differing_rows(text, text, jsonb, integer), sync.note_mismatch(text, text, uuid, integer), sync.version_of(text, uuid),
  sync.in_order(jsonb, bigint), sync.note_replayed(jsonb, bigint), sync.is_restored(), sync.sound_cursors(jsonb),
  sync.read_packed(text, uuid[], uuid[], text[]), sync.is_id_taken(jsonb, boolean), sync.refuse_taken_id(), sync.is_uuid(text),
  sync.stayed(jsonb, jsonb), sync.said_again(jsonb), sync.version_in_sight(text, uuid), sync.apply_at_once(jsonb),
  sync.may_pass_later(jsonb, text, text, text), sync.apply_in_turn(jsonb), sync.is_plain_id(text), sync.device(),
  sync.knows_conflict(text, text, uuid) to authenticated;
grant execute on function sync.is_derived(uuid), sync.push_budget() to service_role, authenticated;
