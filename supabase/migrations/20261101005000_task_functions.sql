-- Tasks and their series: functions.

set local check_function_bodies = off;   -- what they call may be made later

create function task.task_ended(p_status text) returns boolean
  language sql immutable parallel safe return p_status in ('done', 'not_applicable', 'cancelled');

-- The instant at which it is late: the time on the clocks of its zone, or the last second of its day there.
create function task.task_due_at(p_day date, p_time text, p_zone text) returns timestamptz
  language sql stable parallel safe
  return case when p_day is not null then (p_day + coalesce(p_time::time, time '23:59:59')) at time zone coalesce(p_zone, 'UTC') end;

-- Whoever is named belongs to the organisation when they are named: a name puts the task into that person's feed.
create function task.guard_task_people(t public.tasks, before public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- A sub-task is no ancestor of itself.
-- A sub-task names a task its author sees.
create function task.guard_task_tree(t public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- Done means: with its evidence, with every step that is asked for, and said by whoever is to say it.
-- A reviewer there once was says that it is over.
create function task.guard_task_done(t public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- A task of a series is whose the series is.
create function task.guard_task_rights(t public.tasks, old public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- A task that was changed in a transaction still open when its series was planned carries an earlier time: so long it is looked at
-- once more.
create function task.series_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
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
$$;

-- What somebody else than its maker last changed of what the tasks of a series say.
create function task.changed_by_others(s public.task_series) returns table (field text, by_id uuid, after text)
  language sql stable security definer set search_path = '' as $$
  select x.field, x.by_id, x.after from (
    select distinct on (a.field) a.field, a.by_id, a.after from sync.activity a
    where a.record_id = s.id and a.tbl = 'task_series' order by a.field, a.id desc) x
  where x.by_id is distinct from s.created_by and x.by_id is not null
$$;

-- A task of a series bears the name of who made the series: what of it is somebody else's is said by the task's own log, whoever's
-- device or the planner made it of the series. Words that are other than the series' are of who sends the task.
create function task.note_series_author(s public.task_series, p_tasks uuid[]) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into sync.activity (organization_id, tbl, record_id, by_id, field, after)
    select s.organization_id, 'tasks', t.id, x.by_id, x.field, x.after
    from public.tasks t cross join task.changed_by_others(s) x
    where t.id = any (p_tasks)
      and (x.field not in ('title', 'notes', 'labels') or to_jsonb(t) -> x.field is not distinct from to_jsonb(s) -> x.field)
    order by t.id, x.field
$$;

-- Whether a task is what its series makes of that day, and nothing besides.
create function task.is_as_planned(t public.tasks, s public.task_series) returns boolean
  language sql stable security definer set search_path = '' return
  (t.title, t.notes, t.priority, t.due_day, t.due_time, t.due_zone, t.assignee_id, t.reviewer_id, t.labels, t.site_id, t.playbook_id,
    t.estimate_minutes, t.status_reason, t.parent_id, t.watcher_ids, t.needs_ids, t.media_ids, t.source_id)
  is not distinct from
  (s.title, s.notes, s.priority, t.occurs_on, s.due_time, s.zone, access.member_or_nobody(s.organization_id, s.assignee_id),
    access.member_or_nobody(s.organization_id, s.reviewer_id), s.labels, s.site_id, s.playbook_id, s.estimate_minutes, null::text, null::uuid, '[]'::jsonb,
    '[]'::jsonb, '[]'::jsonb, null::uuid);

-- Makes the tasks of a series equal to what its rule says: [{id, day}]. What somebody began or changed by itself, and what fell due
-- already, stays; what is planned for later and not in the list is taken back. Answers how many rows it touched.
create function task.plan_series(p_series uuid, p_version bigint, p_occurrences jsonb, p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- For whoever plans from outside the database: our server by its own connection, an edge function by the service key.
create function task_series_to_plan() returns setof jsonb language sql volatile security definer set search_path = '' as $$
  select task.series_to_plan()
$$;

create function plan_task_series(p_series uuid, p_version bigint, p_occurrences jsonb) returns integer
  language sql volatile security definer set search_path = '' as $$
  select task.plan_series(p_series, p_version, p_occurrences)
$$;

-- Every file that is named is there: a device sends files before the task that names them.
-- Nothing that is named is unknown, and one of it is there and in sight: a device sends files before the task that names
-- them. What its author took away since was there.
create function task.has_evidence(t public.tasks) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m join jsonb_array_elements_text(t.media_ids) f on m.id::text = f
    where m.organization_id = t.organization_id and m.deleted_at is null and access.is_in_sight(m.scopes))
  and not exists (select from jsonb_array_elements_text(t.media_ids) f
    where not exists (select from public.media m where m.id::text = f and m.organization_id = t.organization_id));

-- Times a device says of an end: nobody ends what they did not make before the server knew it, and nobody after now.
create function task.clamp_end_time(p_at timestamptz, p_created timestamptz, p_is_own boolean) returns timestamptz
  language sql stable return sync.clamp_time(p_at, case when not p_is_own then p_created end);

-- What one end rests on stays with the next, and a reviewer is named before they have looked, or not at all.
-- Who reviews it stays also while it is worked on, and a reviewer there once was says that it is over.
create function task.guard_task_end(t public.tasks, old public.tasks, p_reviews boolean) returns void
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- After an upgrade of the database that brings new zones: once more.
create function task.learn_zones() returns void language sql volatile security definer set search_path = '' as $$
  insert into sync.zones (name)
    select z.name from pg_catalog.pg_timezone_names z
    where z.name ~ '^[A-Za-z0-9_+/-]{1,64}$' and z.name !~ '^(posix|right)/' and z.name not in ('posixrules', 'localtime', 'Factory')
    on conflict do nothing
$$;

create function task.is_zone(p_name text) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from sync.zones z where z.name = p_name)
$$;

-- Who may still change the steps of an ended task: whoever said that it is over, or could.
create function task.keeps_steps(t public.tasks, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller = case when t.reviewer_id is not null then t.reviewer_id else t.created_by end, false) or access.may('task.manage', t.organization_id);

-- How far apart two days of a rule can be, in days: what follows a task that was done is not later than that.
create function task.longest_gap(p_recurrence text) returns integer
  language sql immutable parallel safe set search_path = '' return (
    select case
      when p_recurrence ~ 'BYMONTH=' or p_recurrence ~ 'BYMONTHDAY=[^;]*(29|30|31|-)' or p_recurrence ~ 'BYDAY=[^;]*5' or every = 'YEARLY'
        then 366 * (8 + case when every = 'YEARLY' then 8 * n else n end)
      when every = 'DAILY' then n * case when p_recurrence ~ 'BYDAY=' then 7 else 1 end
      when every = 'WEEKLY' then 7 * n + 6
      else 31 * (n + 1) end
    from (select substring(p_recurrence from 'FREQ=([A-Z]+)') as every,
      least(coalesce(substring(p_recurrence from 'INTERVAL=([0-9]{1,4})')::integer, 1), 1000) as n) r);

-- Whether this is a day that a device may make a task of, beside the planner: the one that follows what was just done, of a series
-- that counts from there. The dates of a calendar are its planner's.
create function task.may_follow(s public.task_series, p_day date) returns boolean
  language sql stable security definer set search_path = '' return
  s.based_on = 'completed' and coalesce((
    select p_day > last.occurs_on and task.task_ended(last.status)
      and p_day <= greatest(last.occurs_on, (coalesce(last.ended_at, now()) at time zone s.zone)::date) + task.longest_gap(s.recurrence)
    from public.tasks last where last.series_id = s.id and last.deleted_at is null order by last.occurs_on desc limit 1), false);

-- One task of a series as its rule makes it, by the server's own hand, whoever asks. Steps its person ticked before it came keep the
-- tick, not their words. Of a series that is over, or a day it does not have, one that is taken back already.
create function task.plan_occurrence(p_series uuid, p_id uuid, p_day date, p_owed boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Whether somebody else than this person reviewed it once work had begun.
create function task.was_reviewed_by_another(p_task uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.past_assignee h where h.tbl = 'tasks' and h.id = p_task and h.person is distinct from p_person);

-- Whether somebody else than this person said once that it is over.
create function task.was_ended_by_another(t public.tasks, p_person uuid) returns boolean
  language sql stable security definer set search_path = ''
  return coalesce(task.task_ended(t.status) and t.ended_by <> p_person, false)
    or exists (select from sync.activity x where x.record_id = t.id and x.tbl = 'tasks' and x.field = 'status' and task.task_ended(x.after) and x.by_id <> p_person);

-- Who named the reviewer it has now: whoever did so last, else its maker.
create function task.named_reviewer(t public.tasks) returns uuid
  language sql stable security definer set search_path = '' as $$
  select case when x.id is not null then x.by_id
    when t.series_id is null then t.created_by else (select s.created_by from public.task_series s where s.id = t.series_id) end
  from (values (1)) as one
  left join lateral (select a.id, a.by_id from sync.activity a where a.record_id = t.id and a.tbl = 'tasks' and a.field = 'reviewer_id'
    order by a.id desc limit 1) x on true
$$;

-- Whether somebody who neither reviews nor manages changes who reviews it.
create function task.may_name_reviewer(t public.tasks, old public.tasks, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select case
    -- There was one, who gave it back: somebody follows them, but nobody their own work.
    when task.was_reviewed_by_another(old.id, p_caller) then old.reviewer_id is null and t.reviewer_id is distinct from p_caller
      and t.reviewer_id is distinct from old.assignee_id and t.reviewer_id is distinct from t.assignee_id
    when old.reviewer_id is null then true
    else old.status = 'todo' and task.named_reviewer(old) is not distinct from p_caller
  end
$$;

-- Who may call what.
revoke execute on function task.was_ended_by_another(public.tasks, uuid), task.task_ended(text), task.task_due_at(date, text, text), task.guard_task_people(public.tasks, public.tasks),
  task.guard_task_tree(public.tasks), task.guard_task_done(public.tasks), task.guard_task_rights(public.tasks, public.tasks),
  task.series_to_plan(timestamp with time zone, integer), task.plan_series(uuid, bigint, jsonb, timestamp with time zone),
  task.has_evidence(public.tasks), task.clamp_end_time(timestamp with time zone, timestamp with time zone, boolean),
  task.guard_task_end(public.tasks, public.tasks, boolean), task.learn_zones(), task.is_zone(text), task.keeps_steps(public.tasks, uuid),
  task.longest_gap(text), task.may_follow(public.task_series, date), task.plan_occurrence(uuid, uuid, date, boolean),
  task.changed_by_others(public.task_series), task.note_series_author(public.task_series, uuid[]), task.is_as_planned(public.tasks, public.task_series),
  task.was_reviewed_by_another(uuid, uuid), task.named_reviewer(public.tasks), task.may_name_reviewer(public.tasks, public.tasks, uuid) from public;
revoke execute on function task_series_to_plan(), plan_task_series(uuid, bigint, jsonb) from public, anon, authenticated;
