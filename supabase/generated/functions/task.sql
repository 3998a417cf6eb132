-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema task as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION task.adopt_task_items()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.task_items i set scopes = new.scopes, deleted_at = coalesce(i.deleted_at, new.deleted_at)
    where i.task_id = new.id and i.organization_id = new.organization_id and i.deleted_at is null
      and (i.scopes is distinct from new.scopes or new.deleted_at is not null)
      and case tg_op when 'INSERT' then i.created_by is null or access.user_sees_scopes(i.created_by, new.organization_id, new.scopes) else i.scopes = old.scopes end;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION task.changed_by_others(s task_series)
 RETURNS TABLE(field text, by_id uuid, after text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select x.field, x.by_id, x.after from (
    select distinct on (a.field) a.field, a.by_id, a.after from sync.activity a
    where a.record_id = s.id and a.tbl = 'task_series' order by a.field, a.id desc) x
  where x.by_id is distinct from s.created_by and x.by_id is not null
$function$;

CREATE OR REPLACE FUNCTION task.clamp_end_time(p_at timestamp with time zone, p_created timestamp with time zone, p_is_own boolean)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN sync.clamp_time(p_at, CASE WHEN (NOT p_is_own) THEN p_created ELSE NULL::timestamp with time zone END);

CREATE OR REPLACE FUNCTION task.guard_derived_step()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and not exists (select from generate_series(0, 49) n
      where new.id = extensions.uuid_generate_v5(new.task_id, 'step/' || n)) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_ended_step()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  is_new constant boolean := tg_op = 'INSERT';
  completed constant timestamptz := new.done_at;
  t public.tasks;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if completed is not null then
    new.done_at := task.clamp_end_time(completed, case when is_new then new.created_at else old.created_at end,
      coalesce(caller = case when is_new then new.created_by else old.created_by end, false));
  end if;
  select * into t from public.tasks k where k.id = new.task_id;
  if not found or not task.task_ended(t.status) then return new; end if;
  if not task.keeps_steps(t, caller) then
    if is_new then
      raise exception 'what done rests on stays' using errcode = '42501', detail = 'CN095';
    elsif (new.title, new.required, new.deleted_at) is distinct from (old.title, old.required, old.deleted_at)
      or old.done_at is not null and completed is null and not old.required then
      raise exception 'what done rests on stays' using errcode = '42501', detail = 'CN095';
    elsif old.done_at is null and completed is not null then
      if completed < old.created_at or completed > t.ended_at then raise exception 'what done rests on stays' using errcode = '42501', detail = 'CN095'; end if;
      perform audit.note(t.organization_id, 'task.step_late', 'tasks', t.id);
    end if;
  end if;
  if is_new or old.done_at is null then return new; end if;
  if completed is null then
    if old.required then update public.tasks set status = 'reopened' where id = t.id; end if;
    return new;
  end if;
  new.done_at := old.done_at;
  new.done_by := old.done_by;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_new_occurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  s public.task_series;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if new.occurs_on is null or new.id is distinct from extensions.uuid_generate_v5(new.series_id, 'occurrence/' || to_char(new.occurs_on, 'YYYY-MM-DD')) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  select * into s from public.task_series x where x.id = new.series_id and x.organization_id = new.organization_id and access.is_in_sight(x.scopes);
  if not found then raise exception 'a task of a series needs its series' using errcode = '23503', detail = 'CN358'; end if;
  if exists (select from public.tasks t where t.id = new.id) then return new; end if;
  if s.created_by = caller or access.may('task.manage', s.organization_id) then
    new.reviewer_id := coalesce(new.reviewer_id, access.member_or_nobody(s.organization_id, s.reviewer_id));
    new.evidence_required := new.evidence_required or s.evidence_required;
    -- What is not as the series makes it, or on a day that may not be of its rule, is the word of who sends it.
    if s.created_by = caller or task.is_as_planned(new, s) and task.may_follow(s, new.occurs_on) then
      new.created_by := access.member_or_nobody(s.organization_id, s.created_by);
    end if;
    return new;
  end if;
  if s.based_on <> 'completed' then
    raise exception 'the days of a series are its planner''s' using errcode = '42501', hint = 'series', detail = 'CN362';
  end if;
  perform task.plan_occurrence(s.id, new.id, new.occurs_on, s.state = 'active' and s.deleted_at is null and task.may_follow(s, new.occurs_on));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_series_steps()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from jsonb_array_elements(new.steps) step where jsonb_typeof(step) <> 'object'
      or coalesce(jsonb_typeof(step -> 'title'), 'null') not in ('string', 'null')
      or coalesce(jsonb_typeof(step -> 'required'), 'null') not in ('boolean', 'null')) then
    raise exception 'a step has a title, and is required or not' using errcode = '23514', constraint = 'steps_shape', detail = 'CN361';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
begin
  if tg_op = 'INSERT' or (new.due_day, new.due_time, new.due_zone, new.due_at)
      is distinct from (old.due_day, old.due_time, old.due_zone, old.due_at) then
    new.due_at := task.task_due_at(new.due_day, new.due_time, new.due_zone);
  end if;
  if task.task_ended(new.status) then
    new.ended_at := coalesce(new.ended_at, now());
    new.ended_by := coalesce(new.ended_by, caller);
  else
    new.ended_at := null;
    new.ended_by := null;
  end if;
  perform task.guard_task_people(new, old);
  if new.parent_id is not null and (tg_op = 'INSERT' or new.parent_id is distinct from old.parent_id) then
    perform task.guard_task_tree(new);
  end if;
  if caller is null then return new; end if;
  if tg_op = 'UPDATE' then
    perform task.guard_task_rights(new, old);
  elsif new.ended_by is distinct from caller and new.ended_by is not null then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501', detail = 'CN089';
  end if;
  if new.status = 'done' and (tg_op = 'INSERT' or old.status <> 'done') then perform task.guard_task_done(new); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_done(t tasks)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if t.evidence_required and jsonb_array_length(t.media_ids) = 0 then
    raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence', detail = 'CN086';
  end if;
  -- Of a task that is new, the steps its maker sent before it.
  if exists (select from public.task_items i left join public.tasks k on k.id = i.task_id
      where i.task_id = t.id and i.organization_id = t.organization_id and i.required and i.done_at is null and i.deleted_at is null
        and case when k.id is null then i.created_by = auth.uid() else i.scopes = k.scopes end) then
    raise exception 'done needs its steps' using errcode = '23514', constraint = 'task_needs_steps', detail = 'CN087';
  end if;
  if t.reviewer_id is distinct from auth.uid() and (t.reviewer_id is not null or task.was_reviewed_by_another(t.id, auth.uid()))
    and not access.may('task.manage', t.organization_id) then
    raise exception 'its reviewer says that it is done' using errcode = '42501', detail = 'CN088';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_end(t tasks, old tasks, p_reviews boolean)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was_over constant boolean := task.task_ended(old.status);
  is_over constant boolean := task.task_ended(t.status);
  is_reviewed constant boolean := old.reviewer_id is not null or task.was_reviewed_by_another(old.id, auth.uid());
begin
  -- Taking it away is an end like another: of what somebody else looked at, or said is over, it is theirs.
  if old.deleted_at is null and t.deleted_at is not null and not p_reviews
    and (task.was_reviewed_by_another(old.id, auth.uid()) or task.was_ended_by_another(old, auth.uid())) then
    raise exception 'somebody else takes it away' using errcode = '42501', hint = 'own', detail = 'CN092';
  end if;
  if t.reviewer_id is distinct from old.reviewer_id and (was_over and is_over
    or not p_reviews and (is_over and t.reviewer_id is not null or not task.may_name_reviewer(t, old, auth.uid()))) then
    raise exception 'who reviews it stays' using errcode = '42501', detail = 'CN093';
  end if;
  if is_over and t.status is distinct from old.status then
    if is_reviewed and not p_reviews then
      raise exception 'its reviewer says that it is over' using errcode = '42501', detail = 'CN094';
    end if;
    if t.status = 'done' and t.evidence_required and not task.has_evidence(t) then
      raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence', detail = 'CN086';
    end if;
  end if;
  if not was_over or not is_over then return; end if;
  if not t.media_ids @> old.media_ids or t.evidence_required is distinct from old.evidence_required and not p_reviews then
    raise exception 'what done rests on stays' using errcode = '42501', detail = 'CN095';
  end if;
  if is_reviewed and not p_reviews and
    (t.title, t.notes, t.media_ids, t.status_reason) is distinct from (old.title, old.notes, old.media_ids, old.status_reason) then
    raise exception 'what its reviewer closed stays' using errcode = '42501', detail = 'CN096';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  t record;
begin
  select k.organization_id, k.scopes, k.created_by, k.assignee_id, k.deleted_at into t from public.tasks k where k.id = new.task_id;
  if tg_op = 'UPDATE' and new.task_id is distinct from old.task_id then
    raise exception 'a step keeps its task' using errcode = '42501', detail = 'CN354';
  end if;
  if found and (t.organization_id is distinct from new.organization_id
      or caller is not null and pg_trigger_depth() = 1 and not access.is_in_sight(t.scopes)) then
    if caller is null or tg_op = 'UPDATE' and old.scopes = t.scopes then
      raise exception 'new row violates row-level security policy for table "task_items"' using errcode = '42501';
    end if;
    -- What somebody may not see is to them as if it were not there: the step waits with its author, as one whose task has not come.
    select k.organization_id, k.scopes, k.created_by, k.assignee_id, k.deleted_at into t from public.tasks k where false;
  end if;
  new.scopes := case when t.scopes is not null then t.scopes else sync.scopes(sync.member_scope(new.organization_id, new.created_by)) end;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if tg_op = 'INSERT' or new.done_at is distinct from old.done_at then
    new.done_by := case when new.done_at is not null then caller end;
  else
    new.done_by := old.done_by;
  end if;
  if tg_op = 'UPDATE' and old.required and (not new.required or new.deleted_at is not null)
    and caller is distinct from t.created_by and caller is distinct from old.created_by and not access.may('task.manage', new.organization_id) then
    raise exception 'a step that is asked for is taken away by who asked for it' using errcode = '42501', detail = 'CN355';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_occurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    if sync.is_derived(new.id) or new.series_id is not null then
      if new.id is distinct from extensions.uuid_generate_v5(new.series_id, 'occurrence/' || to_char(new.occurs_on, 'YYYY-MM-DD')) then
        raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
      end if;
      if not exists (select from public.task_series s where s.id = new.series_id and s.organization_id = new.organization_id and access.is_in_sight(s.scopes)) then
        raise exception 'a task of a series needs its series' using errcode = '23503', detail = 'CN358';
      end if;
    end if;
    return new;
  end if;
  if (new.series_id, new.occurs_on) is distinct from (old.series_id, old.occurs_on) then
    raise exception 'a task keeps its series' using errcode = '42501', detail = 'CN359';
  end if;
  new.is_exception := old.is_exception or new.series_id is not null and
    (new.title, new.notes, new.priority, new.due_day, new.due_time, new.due_zone, new.assignee_id, new.reviewer_id, new.labels, new.deleted_at, new.site_id)
      is distinct from (old.title, old.notes, old.priority, old.due_day, old.due_time, old.due_zone, old.assignee_id, old.reviewer_id, old.labels, old.deleted_at, old.site_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_over()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  reviews boolean;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'INSERT' then
    if new.ended_at is not null then new.ended_at := task.clamp_end_time(new.ended_at, new.created_at, true); end if;
    if new.status = 'done' and new.evidence_required and not task.has_evidence(new) then
      raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence', detail = 'CN086';
    end if;
    if task.task_ended(new.status) and new.reviewer_id is not null and new.reviewer_id <> caller and not access.may('task.manage', new.organization_id) then
      raise exception 'its reviewer says that it is over' using errcode = '42501', detail = 'CN094';
    end if;
    return new;
  end if;
  reviews := coalesce(caller = old.reviewer_id, false) or access.may('task.manage', old.organization_id);
  perform task.guard_task_end(new, old, reviews);
  if old.reviewer_id is not null and not reviews and old.created_by is distinct from caller
    and (new.due_day, new.due_time, new.due_zone) is distinct from (old.due_day, old.due_time, old.due_zone) then
    raise exception 'when it is due says its reviewer' using errcode = '42501', detail = 'CN360';
  end if;
  if task.task_ended(new.status) then
    new.ended_by := case when new.status = old.status then old.ended_by else caller end;
    new.ended_at := case when new.status = old.status then old.ended_at when task.task_ended(old.status) then now()
      else task.clamp_end_time(new.ended_at, old.created_at, coalesce(old.created_by = caller and old.series_id is null, false)) end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_people(t tasks, before tasks)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (
    select from (
      values (t.assignee_id, before.assignee_id), (t.reviewer_id, before.reviewer_id), (t.ended_by, before.ended_by), (t.created_by, before.created_by)
      union all
      select w::uuid, null from jsonb_array_elements_text(t.watcher_ids) w
        where t.watcher_ids is distinct from before.watcher_ids and not coalesce(before.watcher_ids, '[]') ? w
    ) as named (now, before)
    where named.now is not null and named.now is distinct from named.before and not access.is_member(t.organization_id, named.now)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_rights(t tasks, old tasks)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  maker constant uuid := case when old.series_id is null then old.created_by
    else (select s.created_by from public.task_series s where s.id = old.series_id) end;
begin
  if t.ended_by is distinct from old.ended_by and t.ended_by is distinct from caller and t.ended_by is not null then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501', detail = 'CN089';
  end if;
  if maker = caller or access.may('task.manage', t.organization_id) then return; end if;
  if t.assignee_id is distinct from old.assignee_id
      and not (old.assignee_id is null and t.assignee_id = caller or old.assignee_id = caller and t.assignee_id is null)
    or (t.site_id, t.deleted_at, t.reviewer_id, t.parent_id) is distinct from (old.site_id, old.deleted_at, old.reviewer_id, old.parent_id)
    or old.evidence_required and not t.evidence_required then
    raise exception 'reassigning, moving and deleting need task.manage' using errcode = '42501', detail = 'CN090';
  end if;
  if t.status is distinct from old.status and (task.task_ended(t.status) or task.task_ended(old.status))
    and old.assignee_id is not null and caller is distinct from old.assignee_id and caller is distinct from old.reviewer_id then
    raise exception 'whoever it is given to closes it' using errcode = '42501', detail = 'CN091';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_series()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Refuses a zone that is none.
  perform now() at time zone new.zone;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended series stays ended' using errcode = '42501', detail = 'CN356';
  end if;
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    new.active_since := now();
  else
    new.active_since := old.active_since;
  end if;
  if exists (select from (values (new.assignee_id, case when tg_op = 'UPDATE' then old.assignee_id end),
        (new.reviewer_id, case when tg_op = 'UPDATE' then old.reviewer_id end)) as named (now, before)
      where named.now is not null and named.now is distinct from named.before and not access.is_member(new.organization_id, named.now)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_task_tree(t tasks)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  up uuid := t.parent_id;
  steps integer := 0;
begin
  if up <> t.id and auth.uid() is not null and sync.is_device_edit() and not access.is_outsider(t.organization_id)
    and not exists (select from public.tasks p where p.id = up and p.organization_id = t.organization_id and access.is_in_sight(p.scopes)) then
    raise exception 'a sub-task needs its task' using errcode = '23503', detail = 'CN084';
  end if;
  while up is not null loop
    steps := steps + 1;
    if up = t.id or steps > 20 then
      raise exception 'a task cannot be part of itself' using errcode = '23514', constraint = 'task_part_of_itself', detail = 'CN085';
    end if;
    select p.parent_id into up from public.tasks p where p.id = up;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION task.guard_zone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  zone constant text := to_jsonb(new) ->> tg_argv[0];
begin
  if auth.uid() is null or zone is null or tg_op = 'UPDATE' and zone is not distinct from to_jsonb(old) ->> tg_argv[0] then
    return new;
  end if;
  if not task.is_zone(zone) then raise exception 'no such time zone' using errcode = '22023', detail = 'CN256'; end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.has_evidence(t tasks)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN ((EXISTS (SELECT FROM (media m JOIN jsonb_array_elements_text((has_evidence.t).media_ids) f(value) ON (((m.id)::text = f.value))) WHERE ((m.organization_id = (has_evidence.t).organization_id) AND (m.deleted_at IS NULL) AND access.is_in_sight(m.scopes)))) AND (NOT (EXISTS (SELECT FROM jsonb_array_elements_text((has_evidence.t).media_ids) f(value) WHERE (NOT (EXISTS (SELECT FROM media m WHERE (((m.id)::text = f.value) AND (m.organization_id = (has_evidence.t).organization_id)))))))));

CREATE OR REPLACE FUNCTION task.is_as_planned(t tasks, s task_series)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (NOT (((((((((((((((((((t).title IS DISTINCT FROM (s).title) OR ((t).notes IS DISTINCT FROM (s).notes)) OR ((t).priority IS DISTINCT FROM (s).priority)) OR ((t).due_day IS DISTINCT FROM (t).occurs_on)) OR ((t).due_time IS DISTINCT FROM (s).due_time)) OR ((t).due_zone IS DISTINCT FROM (s).zone)) OR ((t).assignee_id IS DISTINCT FROM access.member_or_nobody((s).organization_id, (s).assignee_id))) OR ((t).reviewer_id IS DISTINCT FROM access.member_or_nobody((s).organization_id, (s).reviewer_id))) OR ((t).labels IS DISTINCT FROM (s).labels)) OR ((t).site_id IS DISTINCT FROM (s).site_id)) OR ((t).playbook_id IS DISTINCT FROM (s).playbook_id)) OR ((t).estimate_minutes IS DISTINCT FROM (s).estimate_minutes)) OR ((t).status_reason IS DISTINCT FROM NULL::text)) OR ((t).parent_id IS DISTINCT FROM NULL::uuid)) OR ((t).watcher_ids IS DISTINCT FROM '[]'::jsonb)) OR ((t).needs_ids IS DISTINCT FROM '[]'::jsonb)) OR ((t).media_ids IS DISTINCT FROM '[]'::jsonb)) OR ((t).source_id IS DISTINCT FROM NULL::uuid)));

CREATE OR REPLACE FUNCTION task.is_zone(p_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from sync.zones z where z.name = p_name)
$function$;

CREATE OR REPLACE FUNCTION task.keeps_steps(t tasks, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (COALESCE((p_caller = CASE WHEN ((t).reviewer_id IS NOT NULL) THEN (t).reviewer_id ELSE (t).created_by END), false) OR access.may('task.manage'::text, (t).organization_id));

CREATE OR REPLACE FUNCTION task.learn_zones()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into sync.zones (name)
    select z.name from pg_catalog.pg_timezone_names z
    where z.name ~ '^[A-Za-z0-9_+/-]{1,64}$' and z.name !~ '^(posix|right)/' and z.name not in ('posixrules', 'localtime', 'Factory')
    on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION task.limit_series()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and new.created_by = auth.uid() and new.state <> 'ended' and new.deleted_at is null
    and (tg_op = 'INSERT' or old.state = 'ended' or old.deleted_at is not null)
    and (select count(*) from (select from public.task_series s
      where s.created_by = new.created_by and s.state <> 'ended' and s.deleted_at is null limit 2000) x) >= 2000 then
    raise exception 'at most 2000 series go on at once' using errcode = '23514', hint = 'many', detail = 'CN357';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.limit_steps()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  present integer;
  own integer;
begin
  if caller is null then return new; end if;   -- the steps of a series are 50 at most
  select count(*) filter (where i.scopes = new.scopes), count(*) filter (where i.created_by = caller) into present, own
    from public.task_items i where i.task_id = new.task_id and i.id <> new.id;
  if present >= 1000 or own >= 500 then
    raise exception 'a task has at most 1000 steps' using errcode = '23514', hint = 'many', detail = 'CN413';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION task.longest_gap(p_recurrence text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN (SELECT CASE WHEN ((longest_gap.p_recurrence ~ 'BYMONTH='::text) OR (longest_gap.p_recurrence ~ 'BYMONTHDAY=[^;]*(29|30|31|-)'::text) OR (longest_gap.p_recurrence ~ 'BYDAY=[^;]*5'::text) OR (r.every = 'YEARLY'::text)) THEN (366 * (8 + CASE WHEN (r.every = 'YEARLY'::text) THEN (8 * r.n) ELSE r.n END)) WHEN (r.every = 'DAILY'::text) THEN (r.n * CASE WHEN (longest_gap.p_recurrence ~ 'BYDAY='::text) THEN 7 ELSE 1 END) WHEN (r.every = 'WEEKLY'::text) THEN ((7 * r.n) + 6) ELSE (31 * (r.n + 1)) END AS "case" FROM (SELECT "substring"(longest_gap.p_recurrence, 'FREQ=([A-Z]+)'::text) AS every, LEAST(COALESCE(("substring"(longest_gap.p_recurrence, 'INTERVAL=([0-9]{1,4})'::text))::integer, 1), 1000) AS n) r);

CREATE OR REPLACE FUNCTION task.may_follow(s task_series, p_day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (((s).based_on = 'completed'::text) AND COALESCE((SELECT ((may_follow.p_day > last.occurs_on) AND task.task_ended(last.status) AND (may_follow.p_day <= (GREATEST(last.occurs_on, ((COALESCE(last.ended_at, now()) AT TIME ZONE (may_follow.s).zone))::date) + task.longest_gap((may_follow.s).recurrence)))) FROM tasks last WHERE ((last.series_id = (may_follow.s).id) AND (last.deleted_at IS NULL)) ORDER BY last.occurs_on DESC LIMIT 1), false));

CREATE OR REPLACE FUNCTION task.may_name_reviewer(t tasks, old tasks, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    -- There was one, who gave it back: somebody follows them, but nobody their own work.
    when task.was_reviewed_by_another(old.id, p_caller) then old.reviewer_id is null and t.reviewer_id is distinct from p_caller
      and t.reviewer_id is distinct from old.assignee_id and t.reviewer_id is distinct from t.assignee_id
    when old.reviewer_id is null then true
    else old.status = 'todo' and task.named_reviewer(old) is not distinct from p_caller
  end
$function$;

CREATE OR REPLACE FUNCTION task.named_reviewer(t tasks)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when x.id is not null then x.by_id
    when t.series_id is null then t.created_by else (select s.created_by from public.task_series s where s.id = t.series_id) end
  from (values (1)) as one
  left join lateral (select a.id, a.by_id from sync.activity a where a.record_id = t.id and a.tbl = 'tasks' and a.field = 'reviewer_id'
    order by a.id desc limit 1) x on true
$function$;

CREATE OR REPLACE FUNCTION task.note_series_author(s task_series, p_tasks uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into sync.activity (organization_id, tbl, record_id, by_id, field, after)
    select s.organization_id, 'tasks', t.id, x.by_id, x.field, x.after
    from public.tasks t cross join task.changed_by_others(s) x
    where t.id = any (p_tasks)
      and (x.field not in ('title', 'notes', 'labels') or to_jsonb(t) -> x.field is not distinct from to_jsonb(s) -> x.field)
    order by t.id, x.field
$function$;

CREATE OR REPLACE FUNCTION task.note_series_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  s public.task_series;
begin
  select * into s from public.task_series x where x.id = new.series_id;
  if found and (new.created_by is null or new.created_by = s.created_by) then perform task.note_series_author(s, array[new.id]); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION task.plan_occurrence(p_series uuid, p_id uuid, p_day date, p_owed boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  s public.task_series;
  claims constant text := coalesce(current_setting('request.jwt.claims', true), '');
  sub constant text := coalesce(current_setting('request.jwt.claim.sub', true), '');
  gone constant timestamptz := case when not p_owed then now() end;
begin
  select * into s from public.task_series x where x.id = p_series;
  -- Nobody's hand: what is made here is whose the series says.
  perform set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true);
  insert into public.tasks (id, organization_id, site_id, playbook_id, title, notes, priority, due_day, due_time, due_zone, assignee_id,
      reviewer_id, labels, estimate_minutes, evidence_required, series_id, occurs_on, created_by, deleted_at)
    values (p_id, s.organization_id, s.site_id, s.playbook_id, s.title, s.notes, s.priority, p_day, s.due_time, s.zone,
      access.member_or_nobody(s.organization_id, s.assignee_id), access.member_or_nobody(s.organization_id, s.reviewer_id), s.labels,
      s.estimate_minutes, s.evidence_required, s.id, p_day, access.member_or_nobody(s.organization_id, s.created_by), gone)
    on conflict do nothing;
  insert into public.task_items as i (id, organization_id, task_id, title, required, position, created_by, deleted_at)
    select extensions.uuid_generate_v5(p_id, 'step/' || (step.n - 1)), s.organization_id, p_id, left(step.value ->> 'title', 300),
      coalesce((step.value ->> 'required')::boolean, false), step.n - 1, access.member_or_nobody(s.organization_id, s.created_by), gone
    from jsonb_array_elements(s.steps) with ordinality as step (value, n)
    where btrim(coalesce(step.value ->> 'title', '')) <> ''
    on conflict (id) do update set title = excluded.title, required = excluded.required, position = excluded.position, deleted_at = excluded.deleted_at;
  perform set_config('request.jwt.claims', claims, true), set_config('request.jwt.claim.sub', sub, true);
end $function$;

CREATE OR REPLACE FUNCTION task.plan_series(p_series uuid, p_version bigint, p_occurrences jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  s public.task_series;
  touched integer := 0;
  n integer;
  changed uuid[];
begin
  select * into s from public.task_series where id = p_series for update;
  if not found or s.version <> p_version then return 0; end if;
  -- Who has left is named on nothing new.
  if not access.is_member(s.organization_id, s.assignee_id) then s.assignee_id := null; end if;
  if not access.is_member(s.organization_id, s.reviewer_id) then s.reviewer_id := null; end if;
  if s.state <> 'active' or s.deleted_at is not null then p_occurrences := '[]'; end if;

  update public.tasks t set deleted_at = p_now
    where t.series_id = p_series and t.deleted_at is null and t.status = 'todo' and not t.is_exception and t.due_at > p_now
      and t.id not in (select (o ->> 'id')::uuid from jsonb_array_elements(p_occurrences) o);
  get diagnostics n = row_count;
  touched := touched + n;

  with written as (
    insert into public.tasks as t (id, organization_id, site_id, playbook_id, title, notes, priority, due_day, due_time, due_zone, assignee_id,
      reviewer_id, labels, estimate_minutes, evidence_required, series_id, occurs_on, created_by)
    select (o ->> 'id')::uuid, s.organization_id, s.site_id, s.playbook_id, s.title, s.notes, s.priority, (o ->> 'day')::date, s.due_time, s.zone,
      s.assignee_id, s.reviewer_id, s.labels, s.estimate_minutes, s.evidence_required, s.id, (o ->> 'day')::date, s.created_by
    from jsonb_array_elements(p_occurrences) o
    on conflict (id) do update set
      deleted_at = null, site_id = excluded.site_id, playbook_id = excluded.playbook_id, title = excluded.title, notes = excluded.notes,
      priority = excluded.priority, due_day = excluded.due_day, due_time = excluded.due_time, due_zone = excluded.due_zone,
      assignee_id = excluded.assignee_id, reviewer_id = excluded.reviewer_id, labels = excluded.labels,
      estimate_minutes = excluded.estimate_minutes, evidence_required = excluded.evidence_required
      where t.series_id = excluded.series_id and t.status = 'todo' and not t.is_exception
        and (t.deleted_at is not null or (t.site_id, t.playbook_id, t.title, t.notes, t.priority, t.due_day, t.due_time, t.due_zone, t.assignee_id,
            t.reviewer_id, t.labels, t.estimate_minutes, t.evidence_required)
          is distinct from (excluded.site_id, excluded.playbook_id, excluded.title, excluded.notes, excluded.priority, excluded.due_day,
            excluded.due_time, excluded.due_zone, excluded.assignee_id, excluded.reviewer_id, excluded.labels, excluded.estimate_minutes,
            excluded.evidence_required))
    returning t.id, t.xmax = 0 as is_new
  ) select count(*), array_agg(w.id) filter (where not w.is_new) into n, changed from written w;
  -- Of what is new its own trigger says it.
  perform task.note_series_author(s, changed);
  insert into public.task_items (id, organization_id, task_id, title, required, position, created_by)
    select extensions.uuid_generate_v5(t.id, 'step/' || (step.n - 1)), t.organization_id, t.id, left(step.value ->> 'title', 300),
      coalesce((step.value ->> 'required')::boolean, false), step.n - 1, s.created_by
    from public.tasks t cross join lateral jsonb_array_elements(s.steps) with ordinality as step (value, n)
    where t.series_id = s.id and t.deleted_at is null and t.status = 'todo' and t.due_at > p_now
      and btrim(coalesce(step.value ->> 'title', '')) <> ''
    on conflict (id) do nothing;
  insert into sync.series_plan (series_id, version, planned_at) values (s.id, s.version, p_now)
    on conflict (series_id) do update set version = excluded.version, planned_at = excluded.planned_at;
  return touched + n;
end $function$;

CREATE OR REPLACE FUNCTION task.series_to_plan(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 200)
 RETURNS SETOF jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with waiting as materialized (
    select s.id, s.organization_id, s.updated_at, p.planned_at
    from public.task_series s left join sync.series_plan p on p.series_id = s.id
    where (p.series_id is null or p.version <> s.version
      or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
        or s.based_on = 'completed'
          and not exists (select from public.tasks t
            where t.series_id = s.id and t.deleted_at is null and not task.task_ended(t.status))
          and exists (select from public.tasks t where t.series_id = s.id and t.updated_at > p.planned_at - interval '2 minutes')))
      and not coalesce(p.failed_version = s.version and p.retry_at > p_now, false)
  ),
  -- Who has had no turn yet stands where they came.
  turns as (
    select w.organization_id, coalesce((
        select greatest(max(p.planned_at), max(p.retry_at) - interval '10 minutes')
        from public.task_series s join sync.series_plan p on p.series_id = s.id where s.organization_id = w.organization_id), min(w.updated_at)) as last
    from waiting w group by w.organization_id
  ),
  due as (
    select w.id, t.last, row_number() over (partition by w.organization_id order by w.planned_at nulls first, w.id) as turn
    from waiting w join turns t using (organization_id)
  )
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'done', (select count(*) from public.tasks t where t.series_id = s.id and t.deleted_at is null and task.task_ended(t.status)),
    'last', (select jsonb_build_object('day', t.occurs_on, 'open', not task.task_ended(t.status), 'ended_at', t.ended_at)
      from public.tasks t where t.series_id = s.id and t.deleted_at is null order by t.occurs_on desc limit 1))
  from due join public.task_series s on s.id = due.id
  where due.turn <= 50
  order by due.turn, due.last, due.id limit p_limit
$function$;

CREATE OR REPLACE FUNCTION task.task_due_at(p_day date, p_time text, p_zone text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (p_day IS NOT NULL) THEN ((p_day + COALESCE((p_time)::time without time zone, '23:59:59'::time without time zone)) AT TIME ZONE COALESCE(p_zone, 'UTC'::text)) ELSE NULL::timestamp with time zone END;

CREATE OR REPLACE FUNCTION task.task_ended(p_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_status = ANY (ARRAY['done'::text, 'not_applicable'::text, 'cancelled'::text]));

CREATE OR REPLACE FUNCTION task.was_ended_by_another(t tasks, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (COALESCE((task.task_ended((t).status) AND ((t).ended_by <> p_person)), false) OR (EXISTS (SELECT FROM sync.activity x WHERE ((x.record_id = (was_ended_by_another.t).id) AND (x.tbl = 'tasks'::text) AND (x.field = 'status'::text) AND task.task_ended(x.after) AND (x.by_id <> was_ended_by_another.p_person)))));

CREATE OR REPLACE FUNCTION task.was_reviewed_by_another(p_task uuid, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.past_assignee h WHERE ((h.tbl = 'tasks'::text) AND (h.id = was_reviewed_by_another.p_task) AND (h.person IS DISTINCT FROM was_reviewed_by_another.p_person))));
