-- The review queue of orphaned edits: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Belonged to the organisation once, and does not any more.
create function review_queue.is_former_member(p_organization uuid, p_user uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.organization_id = p_organization and m.user_id = p_user and (m.deleted_at is not null or m.valid_until <= now()));
end $$;

-- Work, not the people and places it happens at: those are an administrator's to change. What belongs to a person, or is the
-- server's own word, is nobody's work to hand over; nor is what somebody says in their own name: decisions, deputies and
-- acknowledgements. Whoever comes back gives their word again. A table that is made later is none before it is named here.
create function review_queue.is_submittable(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(p_table in ('assets', 'inspections', 'inspection_answers', 'comments', 'action_items', 'media', 'issue_reports',
    'tasks', 'task_items', 'task_series', 'evidence', 'evidence_links', 'presence_entries') and identity.is_of_organization(p_table), false)
$$;

-- The organisation of the row a mutation is about, as the server knows it; null where it knows none.
-- Who is no member any more is told so about every record of the organisation, be it work for the tray or not.
create function review_queue.organization_of(p_mutation jsonb) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  answer uuid;
begin
  if not identity.is_of_organization(p_mutation ->> 't') then return null; end if;
  execute format('select x.organization_id from public.%I x where x.id = $1', p_mutation ->> 't') into answer using (p_mutation ->> 'id')::uuid;
  return answer;
end $$;

create function review_queue.refuse_former_member(p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- One look-up for whoever is a member, on every new record of a push.
  if exists (select from public.organization_members m where m.organization_id = p_organization and m.user_id = auth.uid()
      and (m.deleted_at is not null or m.valid_until <= now()))
    and review_queue.is_former_member(p_organization, auth.uid()) then
    raise exception 'not_a_member' using errcode = '42501', detail = 'CN003';
  end if;
end $$;

-- Applies one mutation under the caller's rights. Refusals are raised; the caller's savepoint takes them back.
-- The functions sync.<verb>_<table> are written by sync.refresh_table.
-- Says where nothing changed.
-- An unknown conflict leaves the row as it is.
create function sync.merge_mutation(m jsonb) returns jsonb
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
  if t.name is null then raise exception 'no such table' using errcode = '22023', detail = 'CN004'; end if;
  if op is null or op not in ('insert', 'update', 'delete', 'resolve') then raise exception 'no such operation' using errcode = '22023', detail = 'CN005'; end if;
  if jsonb_typeof(sent) <> 'object' or jsonb_typeof(coalesce(m -> 'base', '{}')) <> 'object' then
    raise exception 'patch and base are objects' using errcode = '22023', detail = 'CN006';
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
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', 0, 'd', '{}'::jsonb, 'unchanged', true);
    end if;
    return sync.conflict_result(m, 'missing_or_hidden', '[]', null);
  end if;
  if present ->> 'deleted_at' is not null then
    if op = 'delete' or (op = 'resolve' and fields = '{}') then
      return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', present -> 'version', 'd', '{}'::jsonb, 'unchanged', true);
    end if;
    return sync.conflict_result(m, 'deleted_remotely', '[]', present);
  end if;
  if op = 'delete' then
    if not locked then raise exception 'no right to delete this record' using errcode = '42501', detail = 'CN007'; end if;
    if (present ->> 'version')::bigint <> based_on then
      return sync.conflict_result(m, 'edited_remotely', '[]', present);
    end if;
    after := sync.delete_row(t.name, row_id);
    return jsonb_build_object('mid', m -> 'mid', 'st', 'applied', 'v', after -> 'version', 'd', sync.difference(after, present));
  end if;

  -- The device took its choice for done: it is told how the row stands.
  if not is_known then
    return jsonb_build_object('mid', m -> 'mid', 'st', 'merged', 'v', present -> 'version', 'row', present, 'unchanged', true);
  end if;

  mine := sync.typed_row(t.name, sent);
  base := sync.typed_row(t.name, coalesce(m -> 'base', '{}'));
  merge := sync.merge_fields(fields, t.groups, present, mine, base, array(select jsonb_object_keys(coalesce(m -> 'base', '{}'))));
  after := present;
  if not locked and (merge.o_apply <> '{}' or merge.o_conflicts <> '[]') then
    raise exception 'no right to change this record' using errcode = '42501', detail = 'CN008';
  end if;
  if merge.o_apply <> '{}' then
    after := sync.update_row(t.name, row_id, sent, merge.o_apply);
    if after is null then raise exception 'no right to change this record' using errcode = '42501', detail = 'CN008'; end if;
  end if;
  if merge.o_conflicts <> '[]' then
    return sync.conflict_result(m, 'fields', merge.o_conflicts, after) || sync.unchanged_result(present, after);
  end if;
  return sync.updated(m, present, after, mine, merge.o_apply);
end $$;

-- Hands a queue over: {accepted, known, refused: [mid]}. At most 50 mutations a call, in the order of the queue; what came
-- before is not taken twice. `known`: the server had it already, from before the removal.
create function submit_orphaned_edits(p_organization uuid, p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not review_queue.is_former_member(p_organization, auth.uid()) then
    raise exception 'only who was a member and is none hands work over' using errcode = '42501', detail = 'CN009';
  end if;
  return review_queue.queue_for_review(p_organization, auth.uid(), p_device, p_mutations, null);
end $$;

-- What became of one's own work in trays: [{mid, organization_id, state, submitted_by}].
create function my_submitted_edits() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('mid', u.mid, 'organization_id', u.organization_id, 'state', u.state,
    'submitted_by', u.submitted_by) order by u.n), '[]')
  from sync.orphaned_edit u where u.user_id = auth.uid()
$$;

-- The tray of an organisation: [{n, user_id, name, submitted_at, submitted_by, mutation, state, result}], by arrival. Not the device: nobody reads it.
-- In pages of some 4 MB: after the last `n` of one comes the next, and an empty one ends it.
create function orphaned_edits(p_organization uuid, p_state text default 'waiting', p_after bigint default 0) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  return (select coalesce(jsonb_agg(jsonb_build_object('n', u.n, 'user_id', u.user_id, 'name', p.display_name,
      'submitted_at', u.submitted_at, 'mutation', u.body, 'state', u.state, 'result', u.result,
      'submitted_by', case when u.submitted_by is not null then coalesce(b.display_name, '') end) order by u.n), '[]')
    from (select w.*, sum(w.bytes) over (order by w.n) - w.bytes as bytes_before from sync.orphaned_edit w
      where w.organization_id = p_organization and w.state = p_state and w.n > p_after) u
    left join public.people p on p.id = u.user_id left join public.people b on b.id = u.submitted_by
    where u.bytes_before < 4194304);
end $$;

-- Steps of decide_orphaned_edits that reach beyond the administrator's own rights. Each checks them again.
-- Handed-over work is for former members: one who is a member again sends it themselves. Brought work may be a member's,
-- whose own device cannot send it.
-- With all that was saved together with it, next to each other; as much as one push takes.
-- The first unit whatever its size. What was handed over by somebody who is a member again is decided over like any other:
-- their device let go of it when it handed it over, so that nobody else sends it.
create function review_queue.accept_orphaned_edits(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  work jsonb;
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  -- Two administrators deciding at once wait for each other here.
  perform from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user for update;
  with open as (
    select u.body, u.n, u.mid, u.bytes, review_queue.save_group_of(u.body) as unit from sync.orphaned_edit u
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
  ), units as (
    select o.unit, min(o.n) as first, sum(count(*)) over (order by min(o.n)) as so_far,
      sum(sum(o.bytes)) over (order by min(o.n)) - sum(o.bytes) as bytes_before from open o
    where o.unit in (select a.unit from open a where a.mid = any (p_mids)) group by o.unit
  )
  select coalesce(jsonb_agg(o.body order by u.first, o.n), '[]') into work
    from open o join units u using (unit) where u.so_far <= 1000 and u.bytes_before < 8388608;
  return work;
end $$;

-- Alive for the length of one transaction; null where the membership is alive anyway.
create function review_queue.impersonate_former_member(p_organization uuid, p_user uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  ended public.organization_members;
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  select * into strict ended from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user;
  if ended.deleted_at is null and (ended.valid_until is null or ended.valid_until > now()) then return null; end if;
  update public.organization_members m set deleted_at = null, valid_until = null, role = case m.role when 'auditor' then 'member' else m.role end
    where m.id = ended.id;
  return jsonb_build_object('id', ended.id, 'deleted_at', ended.deleted_at, 'valid_until', ended.valid_until, 'role', ended.role);
end $$;

-- What met somebody else's work was not taken over, or not all of it: it stays in the tray with its words, as refused does, until
-- somebody has read it and lets it go. Its author, who may be no member any more, sees no conflict of theirs.
-- Files whose bytes are there and were found right are complete with it.
create function review_queue.close_orphaned_edits(p_organization uuid, p_user uuid, p_ended jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  update public.organization_members m set deleted_at = (p_ended ->> 'deleted_at')::timestamptz,
      valid_until = (p_ended ->> 'valid_until')::timestamptz, role = p_ended ->> 'role'
    where m.id = (p_ended ->> 'id')::uuid and m.organization_id = p_organization and m.user_id = p_user;
  update sync.orphaned_edit u set state = case when r ->> 'st' in ('rejected', 'conflict') then 'refused' else 'accepted' end, result = r,
      decided_at = now(), decided_by = auth.uid()
    from jsonb_array_elements(p_results) r
    where u.user_id = p_user and u.organization_id = p_organization and u.mid = (r ->> 'mid')::uuid;
  if exists (select from jsonb_array_elements(p_results) r where r ->> 'st' not in ('rejected', 'conflict')) then
    perform inbox.orphaned_edits_decided(p_organization, p_user, 'work.accepted');
  end if;
  -- Last, and in nobody's name (guard_media).
  perform set_config('request.jwt.claims', '', true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', '', true); end if;
  perform access.clear_cached_rights();
  perform review_queue.complete_checked((u.body ->> 'id')::uuid) from sync.orphaned_edit u join jsonb_array_elements(p_results) r on u.mid = (r ->> 'mid')::uuid
    where u.user_id = p_user and u.organization_id = p_organization and u.state = 'accepted' and u.checked is not null;
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform access.clear_cached_rights();
end $$;

-- What was saved together is declined together.
create function review_queue.decline_orphaned_edits(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  declined integer;
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  update sync.orphaned_edit u set state = 'declined', decided_at = now(), decided_by = auth.uid()
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
      and review_queue.save_group_of(u.body) in (select review_queue.save_group_of(g.body) from sync.orphaned_edit g
        where g.organization_id = p_organization and g.user_id = p_user and g.mid = any (p_mids));
  get diagnostics declined = row_count;
  if declined > 0 then perform inbox.orphaned_edits_decided(p_organization, p_user, 'work.declined'); end if;
  return jsonb_build_object('declined', declined);
end $$;

-- Decides over one author's handed-over work, at most 50 pieces a call, in the order of arrival. Accepting answers the
-- push's results and which files an administrator has to confirm: {results, media}; declining {declined}. What the push
-- refuses stays in the tray with its reason. The membership is alive only inside this transaction: nobody ever sees it.
-- Accepted work is pushed as its author (0067), whose second step nobody can show: the administrator has shown theirs, so whoever acts
-- in the name of somebody with a second step is asked for none of that person. Where nothing waits of this person nothing is done in
-- their name.
create function decide_orphaned_edits(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  ended jsonb;
  done jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_orphaned_edits takes at most 50 mutations and a decision' using errcode = '22023', detail = 'CN010';
  end if;
  if not p_accept then return review_queue.decline_orphaned_edits(p_organization, p_user, p_mids); end if;
  work := review_queue.accept_orphaned_edits(p_organization, p_user, p_mids);
  if work = '[]' then return jsonb_build_object('results', work, 'media', work); end if;
  -- Who accepts is known to every rule and note until the membership stands as it stood (guard_brought, audit.note).
  perform set_config('sync.accepted_by', auth.uid()::text, true);
  perform set_config('sync.submitting_device', coalesce(sync.submitting_device(p_organization, p_user, work)::text, ''), true);
  -- A membership that is alive for the length of an acceptance is no news (x_notify_again).
  perform set_config('sync.same_organization', p_organization::text, true);
  ended := review_queue.impersonate_former_member(p_organization, p_user);
  for turn in 1 .. 3 loop
    perform set_config('sync.same_organization', p_organization::text, true);
    -- Without the session, which is not the author's: its level is none of theirs (identity.require_full_session).
    perform set_config('request.jwt.claims', ((claims::jsonb - 'session_id')
      || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
    perform access.clear_cached_rights();
    done := review_queue.push_as_author(p_organization, p_user, work);
    perform set_config('sync.same_organization', '', true);
    perform access.clear_cached_rights();
    perform set_config('request.jwt.claims', claims, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
    exit when not done ? 'accepted';
    work := review_queue.remap_orphaned_ids(p_organization, p_user, work, array(select jsonb_array_elements_text(done -> 'accepted')));
  end loop;
  if done ? 'accepted' then raise exception 'no free ids for this work' using errcode = 'P0001', detail = 'CN011'; end if;
  -- What a row looks like is told to who may read it by themselves.
  select coalesce(jsonb_agg(r - 'row' - 'd'), '[]') into results from jsonb_array_elements(done -> 'results') r;
  perform review_queue.close_orphaned_edits(p_organization, p_user, ended, results);
  perform set_config('sync.accepted_by', '', true);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $$;

-- The files that belong to handed-over work, by object name: their author still brings the bytes.
create function my_submitted_files() returns setof text
  language sql stable security definer set search_path = '' as $$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.orphaned_edit u
    where u.user_id = auth.uid() and u.state <> 'declined' and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
      and not review_queue.names_file_of_others(u)
  union all
  select m.organization_id::text || '/' || m.id::text from public.media m
    where m.captured_by = auth.uid() and m.state = 'pending' and m.deleted_at is null
$$;

-- Puts mutations of one author into the tray of one organisation: {accepted, known, refused: [mid]}. Callers check who may.
-- A report without a name is not handed over, because the tray names its author: it stays on their device. What is mixed up is refused.
create function review_queue.queue_for_review(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_submitted_by uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  m jsonb;
  colliding text[];
  accepted integer := 0;
  known jsonb := '[]';
  refused jsonb := '[]';
  files numeric;
  nameless jsonb;                                      -- reports without a name
  nameless_files text[];
begin
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 50 or octet_length(p_mutations::text) > 1048576 then
    raise exception 'at most 50 mutations and 1 MB a call' using errcode = '22023', detail = 'CN012';
  end if;
  -- One author's calls wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('orphaned_edits'), hashtext(p_author::text));
  if (select count(*) > 10000 or sum(u.bytes) > 67108864 from sync.orphaned_edit u where u.user_id = p_author and u.organization_id = p_organization) then
    raise exception 'the review queue is full' using errcode = 'P0001', detail = 'CN013';
  end if;
  select coalesce(sum(review_queue.announced(u.body)), 0) into files from sync.orphaned_edit u
    where u.user_id = p_author and u.organization_id = p_organization and u.state <> 'accepted';
  colliding := review_queue.colliding_submissions(p_organization, p_author, p_mutations);
  nameless := (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(p_mutations) e
    where e ->> 't' = 'issue_reports' and coalesce(e -> 'patch' -> 'is_anonymous', 'false') <> 'false');
  nameless_files := array(select lower(f #>> '{}') from jsonb_array_elements(nameless) e, jsonb_path_query(e, '$.patch.media_ids[*]') f);
  for m in select e from jsonb_array_elements(p_mutations) with ordinality as es (e, n) order by n loop
    if not review_queue.is_orphaned_edit(m) or jsonb_typeof(coalesce(m -> 'group', 'null')) not in ('string', 'null') or length(m ->> 'group') > 100 then
      refused := refused || jsonb_build_array(m -> 'mid');
    elsif exists (select from sync.mutation k where k.user_id = p_author and k.mid = (m ->> 'mid')::uuid) then
      known := known || jsonb_build_array(m -> 'mid');
    -- A report without a name is not handed over, because the tray names its author: it stays on their device, with all that was saved
    -- with it and its photos.
    elsif m ->> 'mid' = any (colliding) or review_queue.organization_of_edit(m, p_organization, p_author) is distinct from p_organization
      or nameless @> jsonb_build_array(m) or m ->> 't' = 'media' and lower(m ->> 'id') = any (nameless_files)
      or m ->> 'group' is not null and exists (select from jsonb_array_elements(nameless) e where e ->> 'group' = m ->> 'group') then
      refused := refused || jsonb_build_array(m -> 'mid');
    elsif files + review_queue.announced(m) > 2147483648 and review_queue.announced(m) > 0
      and not exists (select from sync.orphaned_edit u where u.user_id = p_author and u.mid = (m ->> 'mid')::uuid) then
      refused := refused || jsonb_build_array(m -> 'mid');
    else
      insert into sync.orphaned_edit (user_id, mid, organization_id, device, body, submitted_by)
        values (p_author, (m ->> 'mid')::uuid, p_organization, p_device, m, p_submitted_by)
        on conflict (user_id, mid) do nothing;
      if found then files := files + review_queue.announced(m); end if;
      accepted := accepted + 1;
    end if;
  end loop;
  return jsonb_build_object('accepted', accepted, 'known', known, 'refused', refused);
end $$;

-- For who reviews the tray (`orphaned_edits.review`): work of a member, or of a former one, out of their rescue file. Of a private
-- organisation nobody brings anything, nor one's own: that goes through one's own outbox.
create function submit_edits_on_behalf(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  if p_author = auth.uid() or not exists (
      select from public.organization_members m join public.organizations o on o.id = m.organization_id
      where m.organization_id = p_organization and m.user_id = p_author and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'work is brought for a member of this company' using errcode = '42501', detail = 'CN014';
  end if;
  return review_queue.queue_for_review(p_organization, p_author, p_device, p_mutations, auth.uid());
end $$;

-- The files of brought work, by object name: who brought it uploads them, as the author of handed-over work does.
create function my_files_on_behalf() returns setof text
  language sql stable security definer set search_path = '' as $$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.orphaned_edit u
  where u.submitted_by = auth.uid() and u.state <> 'declined' and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
    and not review_queue.names_file_of_others(u)
$$;

-- Mids of the edits whose record stands in another organisation and is none of this work's own.
create function review_queue.rejected_submissions(p_organization uuid, p_work jsonb) returns setof text
  language sql stable security definer set search_path = '' as $$
  select w ->> 'mid' from jsonb_array_elements(p_work) w
  where w ->> 'op' <> 'insert' and review_queue.organization_of(w) <> p_organization and not exists (
    select from jsonb_array_elements(p_work) i where i ->> 'op' = 'insert' and i ->> 'id' = w ->> 'id' and i ->> 't' = w ->> 't')
$$;

-- Whether this can be asked of a push at all.
-- The ids of records are written as every device writes them, so that no rule that compares words is passed by capitals.
-- Nor is a piece of work what a push would not take. What lies in a tray is spelt as the rest.
create function review_queue.is_orphaned_edit(m jsonb) returns boolean
  language sql stable
  return jsonb_typeof(m) = 'object' and sync.is_plain_id(m ->> 'mid') and sync.is_plain_id(m ->> 'id') and review_queue.is_submittable(m ->> 't')
    and coalesce(m ->> 'op' in ('insert', 'update', 'delete'), false) and jsonb_typeof(coalesce(m -> 'patch', '{}')) = 'object'
    and jsonb_typeof(coalesce(m -> 'base', '{}')) = 'object' and (m -> 'patch' ->> 'organization_id' is null or sync.is_uuid(m -> 'patch' ->> 'organization_id'))
    and coalesce(m ->> 'bv' ~ '^[0-9]{1,18}$', true);

-- Whose work it is: a new record's is the organisation it names, whatever else stands under its id; an edit's that of the
-- record it is about, which may lie in the tray itself.
-- What somebody else brings as a person's decision is nobody's work, and refused with the rest that does not fit.
-- To take away what was decided on is a decision as well.
create function review_queue.organization_of_edit(m jsonb, p_organization uuid, p_author uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_author is distinct from auth.uid() and (review_queue.is_decision(m ->> 't', m -> 'patch')
    or m ->> 'op' = 'delete' and review_queue.is_record_decided(m ->> 't', (m ->> 'id')::uuid)) then return null; end if;
  if m ->> 'op' = 'insert' then return (m -> 'patch' ->> 'organization_id')::uuid; end if;
  return coalesce((select u.organization_id from sync.orphaned_edit u
    where u.user_id = p_author and u.organization_id = p_organization and lower(u.body ->> 'id') = lower(m ->> 'id')
      and u.body ->> 't' = m ->> 't' limit 1),
    review_queue.organization_of(m));
end $$;

-- Mids of what a push has done and may not have done: a record that ended up in another organisation, a form that names a
-- version which is not there (only the end of the transaction would say so, to everything in it).
create function review_queue.misplaced_submissions(p_organization uuid, p_work jsonb, p_results jsonb) returns setof text
  language sql stable security definer set search_path = '' as $$
  select w ->> 'mid' from jsonb_array_elements(p_work) w
  join jsonb_array_elements(p_results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' <> 'rejected'
  where review_queue.organization_of(w) <> p_organization
    or w ->> 't' = 'forms' and exists (select from public.forms f where f.id = (w ->> 'id')::uuid and f.current_version_id is not null
      and not exists (select from public.form_versions v where v.form_id = f.id and v.id = f.current_version_id))
$$;

-- Of these pieces, and of all that were saved together with one of them.
create function review_queue.without_groups(p_work jsonb, p_mids text[], out o_left jsonb, out o_refused jsonb)
  language sql immutable set search_path = '' as $$
  with edits as (
    select w, n, w ->> 'mid' = any (p_mids) as is_fault from jsonb_array_elements(p_work) with ordinality e (w, n)
  ), judged as (
    select p.*, review_queue.save_group_of(p.w) in (select review_queue.save_group_of(f.w) from edits f where f.is_fault) as goes from edits p
  )
  select coalesce(jsonb_agg(w order by n) filter (where not goes), '[]'),
    coalesce(jsonb_agg(jsonb_build_object('mid', w -> 'mid', 'st', 'rejected', 'code', '23503',
      'msg', case when is_fault then 'it does not fit this organisation' else 'refused with its group' end)
      || case when is_fault then '{}'::jsonb else '{"with_group": true}' end order by n) filter (where goes), '[]')
  from judged
$$;

-- New records whose ids stand for others get new ids, in the tray as well: whoever knew an id keeps nothing out. Files are not
-- renamed: their bytes lie, or are still to come, under the old name.
create function review_queue.remap_orphaned_ids(p_organization uuid, p_user uuid, p_work jsonb, p_ids text[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  names jsonb;
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  select jsonb_object_agg(id, gen_random_uuid()) into names from unnest(p_ids) id;
  -- Answers and actions whose ids follow from one of these follow it.
  select names || coalesce(jsonb_object_agg(d.old, d.new), '{}') into names from (
    select w ->> 'id' as old, extensions.uuid_generate_v5((names ->> (w -> 'patch' ->> 'inspection_id'))::uuid, 'answer/' || (w -> 'patch' ->> 'question')) as new
      from jsonb_array_elements(p_work) w where w ->> 't' = 'inspection_answers' and w ->> 'op' = 'insert'
        and w ->> 'id' = extensions.uuid_generate_v5((w -> 'patch' ->> 'inspection_id')::uuid, 'answer/' || (w -> 'patch' ->> 'question'))::text
        and names ? (w -> 'patch' ->> 'inspection_id')) d;
  update sync.orphaned_edit u set body = review_queue.edit_with_ids(u.body, names)
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
      and review_queue.edit_with_ids(u.body, names) <> u.body;
  return (select coalesce(jsonb_agg(review_queue.edit_with_ids(w, names) order by n), '[]') from jsonb_array_elements(p_work) with ordinality e (w, n));
end $$;

-- Pushes as the author, who is signed in here for as long as it takes: {work, results}.
create function review_queue.push_as_author(p_organization uuid, p_user uuid, p_work jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  work jsonb := p_work;
  refused jsonb := '[]';
  results jsonb;
  unfit text[];
  accepted text[] := '{}';
  cut record;
begin
  unfit := array(select w ->> 'mid' from jsonb_array_elements(work) w where not review_queue.is_orphaned_edit(w));
  cut := review_queue.without_groups(work, unfit);
  work := cut.o_left;
  refused := cut.o_refused;
  unfit := array(select review_queue.rejected_submissions(p_organization, work));
  for turn in 1 .. 5 loop
    cut := review_queue.without_groups(work, unfit);
    work := cut.o_left;
    refused := refused || cut.o_refused;
    begin
      results := public.sync_push(null, work) -> 'results';
      accepted := array(select w ->> 'id' from jsonb_array_elements(work) w
        join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' where r ->> 'code' = 'id_collision' and w ->> 't' <> 'media');
      unfit := array(select review_queue.misplaced_submissions(p_organization, work, results));
      if cardinality(accepted || unfit) = 0 then
        return jsonb_build_object('work', work, 'results', results || refused);
      end if;
      raise exception 'not like this' using errcode = 'CM003', detail = 'CN015';
    exception when sqlstate 'CM003' then
      -- Taken back as a whole, and done again without it or under other ids.
      null;
    end;
    if cardinality(accepted) > 0 then
      return jsonb_build_object('accepted', to_jsonb(accepted));
    end if;
  end loop;
  raise exception 'this work cannot be told apart' using errcode = 'P0001', detail = 'CN016';
end $$;

-- Whether a row's status is somebody's word on work, theirs or another's, rather than how far the work is.
-- Also whether something worked is somebody's word on it.
-- … and nobody else brings it in their name: who was there says so from their own device.
create function review_queue.is_decision(p_table text, p_row jsonb) returns boolean
  language sql immutable parallel safe set search_path = '' return
  coalesce(case p_table
    when 'inspections' then p_row ->> 'status' in ('has_issues', 'approved', 'rejected', 'closed')
    when 'action_items' then p_row ->> 'status' in ('needs_revision', 'closed', 'risk_accepted', 'duplicate', 'not_valid') or p_row ->> 'outcome' is not null
    when 'issue_reports' then p_row ->> 'status' <> 'reported'
    when 'evidence' then p_row ->> 'state' in ('sent_back', 'accepted', 'superseded')
    when 'tasks' then p_row ->> 'status' = 'reopened' or p_row ->> 'status' = 'done' and p_row ->> 'reviewer_id' is not null
    when 'presence_entries' then true
    else false end, false);

-- Who accepts the work that is pushed at present in the name of its author; null when a person sends their own.
create function review_queue.accepted_by() returns uuid
  language sql stable
  return nullif(current_setting('sync.accepted_by', true), '')::uuid;

-- Who brought the piece about a record that is being accepted; null where its author's own device sent it.
create function review_queue.submitter_of(p_organization uuid, p_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select u.submitted_by from sync.orphaned_edit u
  where review_queue.accepted_by() is not null and u.user_id = auth.uid() and u.organization_id = p_organization and lower(u.body ->> 'id') = p_id::text
    and u.submitted_by is not null and u.state in ('waiting', 'refused') limit 1
$$;

-- Pieces of one group, or a piece alone; the two never look alike.
create function review_queue.save_group_of(m jsonb) returns text
  language sql immutable parallel safe set search_path = ''
  return coalesce('group/' || (m ->> 'group'), 'piece/' || lower(m ->> 'mid'));

-- Mids of the pieces whose names get mixed up with those of other pieces, in the parcel or in the tray.
create function review_queue.colliding_submissions(p_organization uuid, p_author uuid, p_mutations jsonb) returns text[]
  language sql stable security definer set search_path = '' as $$
  with edits as (
    select lower(m ->> 'mid') as mid, lower(m ->> 'id') as id, lower(m ->> 'group') as grp, m ->> 'mid' as mid_as_sent, true as is_new
      from jsonb_array_elements(p_mutations) m where jsonb_typeof(m) = 'object'
    union all
    select u.mid::text, lower(u.body ->> 'id'), lower(u.body ->> 'group'), null, false from sync.orphaned_edit u
      where u.organization_id = p_organization and u.user_id = p_author and u.state in ('waiting', 'refused')
  ), mids as (select p.mid from edits p), ids as (select p.id from edits p), groups as (select p.grp from edits p where p.grp is not null)
  select coalesce(array_agg(p.mid_as_sent), '{}') from edits p
    where p.is_new and (p.grp in (select mid from mids) or p.mid in (select grp from groups) or p.mid in (select id from ids) or p.id in (select mid from mids))
$$;

-- Every value that is one of these ids, wherever it stands in a field; words in which one occurs stay.
create function review_queue.with_ids(p_value jsonb, p_names jsonb) returns jsonb
  language plpgsql immutable set search_path = '' as $$
begin
  case jsonb_typeof(p_value)
    when 'string' then return coalesce(p_names -> (p_value #>> '{}'), p_value);
    when 'array' then return (select coalesce(jsonb_agg(review_queue.with_ids(e, p_names) order by n), '[]') from jsonb_array_elements(p_value) with ordinality x (e, n));
    when 'object' then return (select coalesce(jsonb_object_agg(k, review_queue.with_ids(e, p_names)), '{}') from jsonb_each(p_value) x (k, e));
    else return p_value;
  end case;
end $$;

create function review_queue.edit_with_ids(m jsonb, p_names jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select m || coalesce(jsonb_object_agg(f, review_queue.with_ids(m -> f, p_names)), '{}') from unnest(array['id', 'patch', 'base']) f where m ? f
$$;

-- What is written about a part is written about the whole.
create function review_queue.aggregate_of(p_table text, p_id uuid) returns table (tbl text, id uuid)
  language sql stable security definer set search_path = '' as $$
  select p_table, p_id
  union all select 'inspections', a.inspection_id from public.inspection_answers a where p_table = 'inspection_answers' and a.id = p_id
  union all select 'inspections', m.inspection_id from public.media m where p_table = 'media' and m.id = p_id and m.inspection_id is not null
  union all select 'tasks', i.task_id from public.task_items i where p_table = 'task_items' and i.id = p_id
  union all select 'evidence', e.id from public.evidence e where p_table = 'media' and e.media_ids <> '[]' and e.media_ids ? p_id::text
$$;

create function review_queue.was_involved(p_table text, p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.submitted_record b where b.tbl = p_table and b.id = p_id and b.person = p_person);

-- Whether what stands under this id is decided on.
create function review_queue.is_record_decided(p_table text, p_id uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  present jsonb;
begin
  if not identity.is_of_organization(p_table) then return false; end if;
  execute format('select to_jsonb(x) from public.%I x where x.id = $1', p_table) into present using p_id;
  return coalesce(review_queue.is_decision(p_table, present), false);
end $$;

-- What is recorded of a file, to who sent it without seeing its row: it lies in the tray, or they captured it (it was accepted from there,
-- or they were removed before the bytes came). Null for everybody else. In the tray its state is `tray`, and `object` is what lies there
-- for it (null:
-- nothing yet); bytes somebody else brought under its name are not told of, and so removed by no one who named the same id. Nor is anybody
-- told while two pieces of one organisation name one file with two hashes: what is wrong for one may be the other's only copy.
create function my_sent_file(p_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with mine as (
    select u.organization_id, u.body -> 'patch' as patch, u.state, o.id as object,
      o.id is null or o.owner_id in (u.user_id::text, u.submitted_by::text) as is_own
    from sync.orphaned_edit u
    left join storage.objects o on o.bucket_id = 'media' and o.name = u.organization_id::text || '/' || p_id::text
    where (u.user_id = auth.uid() or u.submitted_by = auth.uid()) and u.body ->> 'id' = p_id::text
      and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state <> 'declined'
  ), row as (
    select m.* from public.media m where m.id = p_id
  )
  select case when exists (select from row) then (
      select jsonb_build_object('id', m.id, 'organization_id', m.organization_id, 'kind', m.kind, 'mime', m.mime, 'sha256', m.sha256,
        'bytes', m.bytes, 'state', m.state, 'audience', m.audience) from row m
      where m.deleted_at is null and m.captured_by = auth.uid())
    else (
      select jsonb_build_object('id', p_id, 'organization_id', w.organization_id, 'kind', coalesce(w.patch ->> 'kind', 'photo'),
        'mime', w.patch -> 'mime', 'sha256', w.patch -> 'sha256', 'bytes', w.patch -> 'bytes', 'state', 'in_review_queue',
        'audience', w.patch -> 'audience', 'object', w.object) from mine w
      where w.state in ('waiting', 'refused') and coalesce(w.is_own, false) and not exists (
        select from sync.orphaned_edit u where u.organization_id = w.organization_id and u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media'
          and u.body ->> 'op' = 'insert' and u.state in ('waiting', 'refused') and u.body -> 'patch' -> 'sha256' is distinct from w.patch -> 'sha256')
      limit 1) end
$$;

create function review_queue.names_file_of_others(u sync.orphaned_edit) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.media m
    where m.id = case when sync.is_uuid(u.body ->> 'id') then (u.body ->> 'id')::uuid end and m.captured_by is distinct from u.user_id)
$$;

-- The bytes a piece announces, where it is a new file and says a number.
create function review_queue.announced(m jsonb) returns numeric
  language sql stable set search_path = '' return
  case when m ->> 't' = 'media' and m ->> 'op' = 'insert' and pg_input_is_valid(m -> 'patch' ->> 'bytes', 'bigint')
    then greatest((m -> 'patch' ->> 'bytes')::bigint, 0) else 0 end;

-- Completes a file that was accepted, where what lies there is what was found right in the tray, and the row is still what was looked at
-- (its kind and type say which bytes are right). Called in nobody's name: a person's edit says nothing of a file's state.
create function review_queue.complete_checked(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform public.media_complete(m.id, m.sha256, m.bytes) from public.media m
    where m.id = p_id and m.state = 'pending' and m.deleted_at is null and exists (
      select from sync.orphaned_edit u join storage.objects o on o.id = u.checked and o.bucket_id = 'media'
      where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state = 'accepted'
        and u.user_id = m.captured_by and u.organization_id = m.organization_id and o.name = m.organization_id::text || '/' || m.id::text
        and m.sha256 = u.body -> 'patch' ->> 'sha256' and m.bytes::text = u.body -> 'patch' ->> 'bytes' and m.mime = u.body -> 'patch' ->> 'mime'
        and m.kind = coalesce(u.body -> 'patch' ->> 'kind', 'photo') and m.audience is not distinct from u.body -> 'patch' ->> 'audience');
end $$;

-- What the server read of a file in the tray is what the piece says. Accepted meanwhile, it is completed at once.
create function media_checked(p_id uuid, p_object uuid, p_sha256 text, p_bytes bigint) returns text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update sync.orphaned_edit u set checked = p_object
    where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state <> 'declined'
      and u.body -> 'patch' ->> 'sha256' = p_sha256 and u.body -> 'patch' ->> 'bytes' = p_bytes::text
      and exists (select from storage.objects o where o.id = p_object and o.bucket_id = 'media' and o.name = u.organization_id::text || '/' || p_id::text);
  perform review_queue.complete_checked(p_id);
  return coalesce((select 'complete' from public.media m where m.id = p_id and m.state = 'complete' and m.sha256 = p_sha256), 'in_review_queue');
end $$;

-- Who belongs to the organisation no more hands over: what is new by the organisation it names, an edit by that of its record.
create function review_queue.refuse_former_member_edit(m jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  if current_setting('sync.cached_former', true) is not distinct from '{}' then return; end if;
  perform review_queue.refuse_former_member(case when m ->> 'op' = 'insert' then (m -> 'patch' ->> 'organization_id')::uuid else review_queue.organization_of(m) end);
end $$;

create function review_queue.mark_submitted_by(p_table text, p_id uuid, p_by uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  execute format('update public.%I x set submitted_at = clock_timestamp(), submitted_by = $2 where x.id = $1', p_table) using p_id, p_by;
end $$;

-- Who may call what.
revoke execute on function review_queue.is_former_member(uuid, uuid), review_queue.is_submittable(text), review_queue.organization_of(jsonb), review_queue.refuse_former_member(uuid),
  sync.merge_mutation(jsonb), review_queue.accept_orphaned_edits(uuid, uuid, uuid[]), review_queue.impersonate_former_member(uuid, uuid), review_queue.close_orphaned_edits(uuid, uuid, jsonb, jsonb),
  review_queue.decline_orphaned_edits(uuid, uuid, uuid[]), review_queue.queue_for_review(uuid, uuid, uuid, jsonb, uuid), review_queue.rejected_submissions(uuid, jsonb), review_queue.is_orphaned_edit(jsonb),
  review_queue.organization_of_edit(jsonb, uuid, uuid), review_queue.misplaced_submissions(uuid, jsonb, jsonb), review_queue.without_groups(jsonb, text[]),
  review_queue.remap_orphaned_ids(uuid, uuid, jsonb, text[]), review_queue.push_as_author(uuid, uuid, jsonb), review_queue.is_decision(text, jsonb), review_queue.submitter_of(uuid, uuid),
  review_queue.save_group_of(jsonb), review_queue.colliding_submissions(uuid, uuid, jsonb), review_queue.with_ids(jsonb, jsonb), review_queue.edit_with_ids(jsonb, jsonb), review_queue.aggregate_of(text, uuid),
  review_queue.was_involved(text, uuid, uuid), review_queue.is_record_decided(text, uuid), review_queue.names_file_of_others(sync.orphaned_edit), review_queue.announced(jsonb),
  review_queue.complete_checked(uuid), review_queue.refuse_former_member_edit(jsonb), review_queue.mark_submitted_by(text, uuid, uuid) from public;
revoke execute on function submit_orphaned_edits(uuid, uuid, jsonb), my_submitted_edits(), orphaned_edits(uuid, text, bigint),
  decide_orphaned_edits(uuid, uuid, uuid[], boolean), my_submitted_files(), submit_edits_on_behalf(uuid, uuid, uuid, jsonb), my_files_on_behalf(),
  my_sent_file(uuid) from public, anon;
revoke execute on function media_checked(uuid, uuid, text, bigint) from public, anon, authenticated;
grant execute on function review_queue.is_submittable(text), review_queue.organization_of(jsonb), review_queue.refuse_former_member(uuid), sync.merge_mutation(jsonb),
  review_queue.accept_orphaned_edits(uuid, uuid, uuid[]), review_queue.impersonate_former_member(uuid, uuid), review_queue.close_orphaned_edits(uuid, uuid, jsonb, jsonb),
  review_queue.decline_orphaned_edits(uuid, uuid, uuid[]), review_queue.is_orphaned_edit(jsonb), review_queue.misplaced_submissions(uuid, jsonb, jsonb), review_queue.without_groups(jsonb, text[]),
  review_queue.remap_orphaned_ids(uuid, uuid, jsonb, text[]), review_queue.push_as_author(uuid, uuid, jsonb), review_queue.save_group_of(jsonb), review_queue.with_ids(jsonb, jsonb),
  review_queue.edit_with_ids(jsonb, jsonb), review_queue.refuse_former_member_edit(jsonb) to authenticated;
grant execute on function review_queue.rejected_submissions(uuid, jsonb), review_queue.accepted_by() to service_role, authenticated;
