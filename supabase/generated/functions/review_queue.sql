-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema review_queue as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION review_queue.accept_orphaned_edits(p_organization uuid, p_user uuid, p_mids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION review_queue.accepted_by()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('sync.accepted_by'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION review_queue.aggregate_of(p_table text, p_id uuid)
 RETURNS TABLE(tbl text, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p_table, p_id
  union all select 'inspections', a.inspection_id from public.inspection_answers a where p_table = 'inspection_answers' and a.id = p_id
  union all select 'inspections', m.inspection_id from public.media m where p_table = 'media' and m.id = p_id and m.inspection_id is not null
  union all select 'tasks', i.task_id from public.task_items i where p_table = 'task_items' and i.id = p_id
  union all select 'evidence', e.id from public.evidence e where p_table = 'media' and e.media_ids <> '[]' and e.media_ids ? p_id::text
$function$;

CREATE OR REPLACE FUNCTION review_queue.announced(m jsonb)
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN (((m ->> 't'::text) = 'media'::text) AND ((m ->> 'op'::text) = 'insert'::text) AND pg_input_is_valid(((m -> 'patch'::text) ->> 'bytes'::text), 'bigint'::text)) THEN GREATEST((((m -> 'patch'::text) ->> 'bytes'::text))::bigint, (0)::bigint) ELSE (0)::bigint END;

CREATE OR REPLACE FUNCTION review_queue.close_orphaned_edits(p_organization uuid, p_user uuid, p_ended jsonb, p_results jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION review_queue.colliding_submissions(p_organization uuid, p_author uuid, p_mutations jsonb)
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with edits as (
    select lower(m ->> 'mid') as mid, lower(m ->> 'id') as id, lower(m ->> 'group') as grp, m ->> 'mid' as mid_as_sent, true as is_new
      from jsonb_array_elements(p_mutations) m where jsonb_typeof(m) = 'object'
    union all
    select u.mid::text, lower(u.body ->> 'id'), lower(u.body ->> 'group'), null, false from sync.orphaned_edit u
      where u.organization_id = p_organization and u.user_id = p_author and u.state in ('waiting', 'refused')
  ), mids as (select p.mid from edits p), ids as (select p.id from edits p), groups as (select p.grp from edits p where p.grp is not null)
  select coalesce(array_agg(p.mid_as_sent), '{}') from edits p
    where p.is_new and (p.grp in (select mid from mids) or p.mid in (select grp from groups) or p.mid in (select id from ids) or p.id in (select mid from mids))
$function$;

CREATE OR REPLACE FUNCTION review_queue.complete_checked(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform public.media_complete(m.id, m.sha256, m.bytes) from public.media m
    where m.id = p_id and m.state = 'pending' and m.deleted_at is null and exists (
      select from sync.orphaned_edit u join storage.objects o on o.id = u.checked and o.bucket_id = 'media'
      where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state = 'accepted'
        and u.user_id = m.captured_by and u.organization_id = m.organization_id and o.name = m.organization_id::text || '/' || m.id::text
        and m.sha256 = u.body -> 'patch' ->> 'sha256' and m.bytes::text = u.body -> 'patch' ->> 'bytes' and m.mime = u.body -> 'patch' ->> 'mime'
        and m.kind = coalesce(u.body -> 'patch' ->> 'kind', 'photo') and m.audience is not distinct from u.body -> 'patch' ->> 'audience');
end $function$;

CREATE OR REPLACE FUNCTION review_queue.decline_orphaned_edits(p_organization uuid, p_user uuid, p_mids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION review_queue.edit_with_ids(m jsonb, p_names jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select m || coalesce(jsonb_object_agg(f, review_queue.with_ids(m -> f, p_names)), '{}') from unnest(array['id', 'patch', 'base']) f where m ? f
$function$;

CREATE OR REPLACE FUNCTION review_queue.guard_submitted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if review_queue.accepted_by() is null then return new; end if;
  if tg_op = 'UPDATE' and review_queue.is_decision(tg_table_name, to_jsonb(old)) then
    if to_jsonb(old) -> 'status' = to_jsonb(new) -> 'status' and (old.deleted_at is null) = (new.deleted_at is null) then return new; end if;
  elsif not review_queue.is_decision(tg_table_name, to_jsonb(new)) then
    return new;
  end if;
  if review_queue.submitter_of(new.organization_id, new.id) is not null then
    raise exception 'a decision is given in one''s own name' using errcode = '42501', detail = 'CN164';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION review_queue.impersonate_former_member(p_organization uuid, p_user uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  ended public.organization_members;
begin
  perform identity.require_permission('orphaned_edits.review', p_organization);
  select * into strict ended from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user;
  if ended.deleted_at is null and (ended.valid_until is null or ended.valid_until > now()) then return null; end if;
  update public.organization_members m set deleted_at = null, valid_until = null, role = case m.role when 'auditor' then 'member' else m.role end
    where m.id = ended.id;
  return jsonb_build_object('id', ended.id, 'deleted_at', ended.deleted_at, 'valid_until', ended.valid_until, 'role', ended.role);
end $function$;

CREATE OR REPLACE FUNCTION review_queue.is_decision(p_table text, p_row jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN COALESCE(CASE p_table WHEN 'inspections'::text THEN ((p_row ->> 'status'::text) = ANY (ARRAY['has_issues'::text, 'approved'::text, 'rejected'::text, 'closed'::text])) WHEN 'action_items'::text THEN (((p_row ->> 'status'::text) = ANY (ARRAY['needs_revision'::text, 'closed'::text, 'risk_accepted'::text, 'duplicate'::text, 'not_valid'::text])) OR ((p_row ->> 'outcome'::text) IS NOT NULL)) WHEN 'issue_reports'::text THEN ((p_row ->> 'status'::text) <> 'reported'::text) WHEN 'evidence'::text THEN ((p_row ->> 'state'::text) = ANY (ARRAY['sent_back'::text, 'accepted'::text, 'superseded'::text])) WHEN 'tasks'::text THEN (((p_row ->> 'status'::text) = 'reopened'::text) OR (((p_row ->> 'status'::text) = 'done'::text) AND ((p_row ->> 'reviewer_id'::text) IS NOT NULL))) WHEN 'presence_entries'::text THEN true ELSE false END, false);

CREATE OR REPLACE FUNCTION review_queue.is_former_member(p_organization uuid, p_user uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.organization_id = p_organization and m.user_id = p_user and (m.deleted_at is not null or m.valid_until <= now()));
end $function$;

CREATE OR REPLACE FUNCTION review_queue.is_orphaned_edit(m jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((jsonb_typeof(m) = 'object'::text) AND sync.is_plain_id((m ->> 'mid'::text)) AND sync.is_plain_id((m ->> 'id'::text)) AND review_queue.is_submittable((m ->> 't'::text)) AND COALESCE(((m ->> 'op'::text) = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text])), false) AND (jsonb_typeof(COALESCE((m -> 'patch'::text), '{}'::jsonb)) = 'object'::text) AND (jsonb_typeof(COALESCE((m -> 'base'::text), '{}'::jsonb)) = 'object'::text) AND ((((m -> 'patch'::text) ->> 'organization_id'::text) IS NULL) OR sync.is_uuid(((m -> 'patch'::text) ->> 'organization_id'::text))) AND COALESCE(((m ->> 'bv'::text) ~ '^[0-9]{1,18}$'::text), true));

CREATE OR REPLACE FUNCTION review_queue.is_record_decided(p_table text, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  present jsonb;
begin
  if not identity.is_of_organization(p_table) then return false; end if;
  execute format('select to_jsonb(x) from public.%I x where x.id = $1', p_table) into present using p_id;
  return coalesce(review_queue.is_decision(p_table, present), false);
end $function$;

CREATE OR REPLACE FUNCTION review_queue.is_submittable(p_table text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(p_table in ('assets', 'inspections', 'inspection_answers', 'comments', 'action_items', 'media', 'issue_reports',
    'tasks', 'task_items', 'task_series', 'evidence', 'evidence_links', 'presence_entries') and identity.is_of_organization(p_table), false)
$function$;

CREATE OR REPLACE FUNCTION review_queue.mark_submitted_by(p_table text, p_id uuid, p_by uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  execute format('update public.%I x set submitted_at = clock_timestamp(), submitted_by = $2 where x.id = $1', p_table) using p_id, p_by;
end $function$;

CREATE OR REPLACE FUNCTION review_queue.misplaced_submissions(p_organization uuid, p_work jsonb, p_results jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w ->> 'mid' from jsonb_array_elements(p_work) w
  join jsonb_array_elements(p_results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' <> 'rejected'
  where review_queue.organization_of(w) <> p_organization
    or w ->> 't' = 'forms' and exists (select from public.forms f where f.id = (w ->> 'id')::uuid and f.current_version_id is not null
      and not exists (select from public.form_versions v where v.form_id = f.id and v.id = f.current_version_id))
$function$;

CREATE OR REPLACE FUNCTION review_queue.names_file_of_others(u sync.orphaned_edit)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.media m
    where m.id = case when sync.is_uuid(u.body ->> 'id') then (u.body ->> 'id')::uuid end and m.captured_by is distinct from u.user_id)
$function$;

CREATE OR REPLACE FUNCTION review_queue.note_involvement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  part record;
begin
  insert into sync.submitted_record (tbl, id, person, involvement)
    select w.tbl, w.id, h.person, h.involvement
    from review_queue.aggregate_of(new.body ->> 't', (new.body ->> 'id')::uuid) w
    cross join (values (new.submitted_by, 'submitted'), (new.decided_by, 'accepted')) h (person, involvement)
    where h.person is not null
    on conflict do nothing;
  if new.submitted_by is null then return null; end if;
  for part in select * from review_queue.aggregate_of(new.body ->> 't', (new.body ->> 'id')::uuid) loop
    perform review_queue.mark_submitted_by(part.tbl, part.id, new.submitted_by);
  end loop;
  -- What the log of the record says its author did in this acceptance came by somebody else's hand.
  update sync.activity a set submitted_by = new.submitted_by
    where a.record_id = (new.body ->> 'id')::uuid and a.by_id = new.user_id and a.at >= transaction_timestamp();
  perform audit.note(new.organization_id, 'orphaned_edits.submitted', new.body ->> 't', (new.body ->> 'id')::uuid,
    jsonb_build_object('user_id', new.user_id, 'submitted_by', new.submitted_by, 'accepted_by', new.decided_by));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION review_queue.organization_of(p_mutation jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  answer uuid;
begin
  if not identity.is_of_organization(p_mutation ->> 't') then return null; end if;
  execute format('select x.organization_id from public.%I x where x.id = $1', p_mutation ->> 't') into answer using (p_mutation ->> 'id')::uuid;
  return answer;
end $function$;

CREATE OR REPLACE FUNCTION review_queue.organization_of_edit(m jsonb, p_organization uuid, p_author uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_author is distinct from auth.uid() and (review_queue.is_decision(m ->> 't', m -> 'patch')
    or m ->> 'op' = 'delete' and review_queue.is_record_decided(m ->> 't', (m ->> 'id')::uuid)) then return null; end if;
  if m ->> 'op' = 'insert' then return (m -> 'patch' ->> 'organization_id')::uuid; end if;
  return coalesce((select u.organization_id from sync.orphaned_edit u
    where u.user_id = p_author and u.organization_id = p_organization and lower(u.body ->> 'id') = lower(m ->> 'id')
      and u.body ->> 't' = m ->> 't' limit 1),
    review_queue.organization_of(m));
end $function$;

CREATE OR REPLACE FUNCTION review_queue.push_as_author(p_organization uuid, p_user uuid, p_work jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION review_queue.queue_for_review(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_submitted_by uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION review_queue.refuse_former_member(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- One look-up for whoever is a member, on every new record of a push.
  if exists (select from public.organization_members m where m.organization_id = p_organization and m.user_id = auth.uid()
      and (m.deleted_at is not null or m.valid_until <= now()))
    and review_queue.is_former_member(p_organization, auth.uid()) then
    raise exception 'not_a_member' using errcode = '42501', detail = 'CN003';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION review_queue.refuse_former_member_edit(m jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if current_setting('sync.cached_former', true) is not distinct from '{}' then return; end if;
  perform review_queue.refuse_former_member(case when m ->> 'op' = 'insert' then (m -> 'patch' ->> 'organization_id')::uuid else review_queue.organization_of(m) end);
end $function$;

CREATE OR REPLACE FUNCTION review_queue.rejected_submissions(p_organization uuid, p_work jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w ->> 'mid' from jsonb_array_elements(p_work) w
  where w ->> 'op' <> 'insert' and review_queue.organization_of(w) <> p_organization and not exists (
    select from jsonb_array_elements(p_work) i where i ->> 'op' = 'insert' and i ->> 'id' = w ->> 'id' and i ->> 't' = w ->> 't')
$function$;

CREATE OR REPLACE FUNCTION review_queue.remap_orphaned_ids(p_organization uuid, p_user uuid, p_work jsonb, p_ids text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION review_queue.save_group_of(m jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN COALESCE(('group/'::text || (m ->> 'group'::text)), ('piece/'::text || lower((m ->> 'mid'::text))));

CREATE OR REPLACE FUNCTION review_queue.submitter_of(p_organization uuid, p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.submitted_by from sync.orphaned_edit u
  where review_queue.accepted_by() is not null and u.user_id = auth.uid() and u.organization_id = p_organization and lower(u.body ->> 'id') = p_id::text
    and u.submitted_by is not null and u.state in ('waiting', 'refused') limit 1
$function$;

CREATE OR REPLACE FUNCTION review_queue.was_involved(p_table text, p_id uuid, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.submitted_record b WHERE ((b.tbl = was_involved.p_table) AND (b.id = was_involved.p_id) AND (b.person = was_involved.p_person))));

CREATE OR REPLACE FUNCTION review_queue.with_ids(p_value jsonb, p_names jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  case jsonb_typeof(p_value)
    when 'string' then return coalesce(p_names -> (p_value #>> '{}'), p_value);
    when 'array' then return (select coalesce(jsonb_agg(review_queue.with_ids(e, p_names) order by n), '[]') from jsonb_array_elements(p_value) with ordinality x (e, n));
    when 'object' then return (select coalesce(jsonb_object_agg(k, review_queue.with_ids(e, p_names)), '{}') from jsonb_each(p_value) x (k, e));
    else return p_value;
  end case;
end $function$;

CREATE OR REPLACE FUNCTION review_queue.without_groups(p_work jsonb, p_mids text[], OUT o_left jsonb, OUT o_refused jsonb)
 RETURNS record
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
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
$function$;
