-- What "done" rests on stays, by every way there is (docs/decisions/0430-ended-is-ended.md): from one end to another, by steps that
-- come or go afterwards, by naming a reviewer who never looked.

-- As before: nothing that is named is unknown, and one of it is there and in sight: a device sends files before the task that names
-- them. What its author took away since was there.
create or replace function sync.has_evidence(t public.tasks) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m join jsonb_array_elements_text(t.media_ids) f on m.id::text = f
    where m.organization_id = t.organization_id and m.deleted_at is null and sync.is_in_sight(m.scopes))
  and not exists (select from jsonb_array_elements_text(t.media_ids) f
    where not exists (select from public.media m where m.id::text = f and m.organization_id = t.organization_id));

-- As before; what one end rests on stays with the next, and a reviewer is named before they have looked, or not at all.
create or replace function sync.guard_task_end(t public.tasks, old public.tasks, p_reviews boolean) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  was_over constant boolean := sync.task_ended(old.status);
  is_over constant boolean := sync.task_ended(t.status);
begin
  if t.reviewer_id is distinct from old.reviewer_id and (was_over and is_over
    or not p_reviews and (old.status = 'in_review' and (is_over or t.status = 'in_review') or is_over and t.reviewer_id is not null)) then
    raise exception 'who reviews it stays' using errcode = '42501';
  end if;
  if is_over and t.status is distinct from old.status then
    if old.reviewer_id is not null and not p_reviews then
      raise exception 'its reviewer says that it is over' using errcode = '42501';
    end if;
    if t.status = 'done' and t.evidence_required and not sync.has_evidence(t) then
      raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence';
    end if;
  end if;
  if not was_over or not is_over then return; end if;
  if not t.media_ids @> old.media_ids or t.evidence_required is distinct from old.evidence_required and not p_reviews then
    raise exception 'what done rests on stays' using errcode = '42501';
  end if;
  if old.reviewer_id is not null and not p_reviews and
    (t.title, t.notes, t.media_ids, t.status_reason) is distinct from (old.title, old.notes, old.media_ids, old.status_reason) then
    raise exception 'what its reviewer closed stays' using errcode = '42501';
  end if;
end $$;

-- As before; another end is the word of whoever gives it, not earlier than the first.
create or replace function sync.guard_task_over() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  reviews boolean;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'INSERT' then
    if new.ended_at is not null then new.ended_at := sync.ended_when(new.ended_at, new.created_at, true); end if;
    if new.status = 'done' and new.evidence_required and not sync.has_evidence(new) then
      raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence';
    end if;
    if sync.task_ended(new.status) and new.reviewer_id is not null and new.reviewer_id <> caller and not sync.may('task.manage', new.organization_id) then
      raise exception 'its reviewer says that it is over' using errcode = '42501';
    end if;
    return new;
  end if;
  reviews := coalesce(caller = old.reviewer_id, false) or sync.may('task.manage', old.organization_id);
  perform sync.guard_task_end(new, old, reviews);
  if old.reviewer_id is not null and not reviews and old.created_by is distinct from caller
    and (new.due_day, new.due_time, new.due_zone) is distinct from (old.due_day, old.due_time, old.due_zone) then
    raise exception 'when it is due says its reviewer' using errcode = '42501';
  end if;
  if sync.task_ended(new.status) then
    new.ended_by := case when new.status = old.status then old.ended_by else caller end;
    new.ended_at := case when new.status = old.status then old.ended_at when sync.task_ended(old.status) then now()
      else sync.ended_when(new.ended_at, old.created_at, coalesce(old.created_by = caller and old.series_id is null, false)) end;
  end if;
  return new;
end $$;

-- Who may still change the steps of an ended task: whoever said that it is over, or could.
create function sync.keeps_steps(t public.tasks, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller = case when t.reviewer_id is not null then t.reviewer_id else t.created_by end, false) or sync.may('task.manage', t.organization_id);

-- Steps of an ended task stay as they were ticked. A device sends steps before their task: whoever takes back a tick that was asked
-- for opens the task again, if they may, and their own word that it is open follows and finds it so. A tick set before the end, on
-- a device that had no signal, arrives, and the log says so.
create or replace function sync.guard_ended_step() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  is_new constant boolean := tg_op = 'INSERT';
  said constant timestamptz := new.done_at;
  t public.tasks;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if said is not null then
    new.done_at := sync.ended_when(said, case when is_new then new.created_at else old.created_at end,
      coalesce(caller = case when is_new then new.created_by else old.created_by end, false));
  end if;
  select * into t from public.tasks k where k.id = new.task_id;
  if not found or not sync.task_ended(t.status) then return new; end if;
  if not sync.keeps_steps(t, caller) then
    if is_new then
      raise exception 'what done rests on stays' using errcode = '42501';
    elsif (new.title, new.required, new.deleted_at) is distinct from (old.title, old.required, old.deleted_at)
      or old.done_at is not null and said is null and not old.required then
      raise exception 'what done rests on stays' using errcode = '42501';
    elsif old.done_at is null and said is not null then
      if said < old.created_at or said > t.ended_at then raise exception 'what done rests on stays' using errcode = '42501'; end if;
      perform audit.note(t.organization_id, 'task.step_late', 'tasks', t.id);
    end if;
  end if;
  if is_new or old.done_at is null then return new; end if;
  if said is null then
    if old.required then update public.tasks set status = 'reopened' where id = t.id; end if;
    return new;
  end if;
  new.done_at := old.done_at;
  new.done_by := old.done_by;
  return new;
end $$;

-- How far apart two days of a rule can be, in days: what follows a task that was done is not later than that.
create function sync.longest_gap(p_recurrence text) returns integer
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
create function sync.may_follow(s public.task_series, p_day date) returns boolean
  language sql stable security definer set search_path = '' return
  s.based_on = 'completed' and coalesce((
    select p_day > last.occurs_on and sync.task_ended(last.status)
      and p_day <= greatest(last.occurs_on, (coalesce(last.ended_at, now()) at time zone s.zone)::date) + sync.longest_gap(s.recurrence)
    from public.tasks last where last.series_id = s.id and last.deleted_at is null order by last.occurs_on desc limit 1), false);

-- One task of a series as its rule makes it, by the server's own hand, whoever asks. Steps its person ticked before it came keep the
-- tick, not their words. Of a series that is over, or a day it does not have, one that is taken back already.
create function sync.plan_occurrence(p_series uuid, p_id uuid, p_day date, p_owed boolean) returns void
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
      sync.member_or_nobody(s.organization_id, s.assignee_id), sync.member_or_nobody(s.organization_id, s.reviewer_id), s.labels,
      s.estimate_minutes, s.evidence_required, s.id, p_day, sync.member_or_nobody(s.organization_id, s.created_by), gone)
    on conflict do nothing;
  insert into public.task_items as i (id, organization_id, task_id, title, required, position, created_by, deleted_at)
    select extensions.uuid_generate_v5(p_id, 'step/' || (step.n - 1)), s.organization_id, p_id, left(step.value ->> 'title', 300),
      coalesce((step.value ->> 'required')::boolean, false), step.n - 1, sync.member_or_nobody(s.organization_id, s.created_by), gone
    from jsonb_array_elements(s.steps) with ordinality as step (value, n)
    where btrim(coalesce(step.value ->> 'title', '')) <> ''
    on conflict (id) do update set title = excluded.title, required = excluded.required, position = excluded.position, deleted_at = excluded.deleted_at;
  perform set_config('request.jwt.claims', claims, true), set_config('request.jwt.claim.sub', sub, true);
end $$;

-- Who has left is named on nothing new.
create function sync.member_or_nobody(p_organization uuid, p_person uuid) returns uuid
  language sql stable security definer set search_path = '' return
  (select m.user_id from public.organization_members m where m.organization_id = p_organization and m.user_id = p_person and m.deleted_at is null limit 1);

-- A task of a series begins as the series says. Whoever made the series, or manages tasks, may say more; for anybody else the server
-- makes it first, and what their device sends is then a change of it, judged as every change.
create function sync.guard_new_occurrence() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  s public.task_series;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if new.occurs_on is null or new.id is distinct from extensions.uuid_generate_v5(new.series_id, 'occurrence/' || to_char(new.occurs_on, 'YYYY-MM-DD')) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  select * into s from public.task_series x where x.id = new.series_id and x.organization_id = new.organization_id and sync.is_in_sight(x.scopes);
  if not found then raise exception 'a task of a series needs its series' using errcode = '23503'; end if;
  if exists (select from public.tasks t where t.id = new.id) then return new; end if;
  if s.created_by = caller or sync.may('task.manage', s.organization_id) then
    new.reviewer_id := coalesce(new.reviewer_id, sync.member_or_nobody(s.organization_id, s.reviewer_id));
    new.evidence_required := new.evidence_required or s.evidence_required;
    new.created_by := sync.member_or_nobody(s.organization_id, s.created_by);
    return new;
  end if;
  if s.based_on <> 'completed' then
    raise exception 'the days of a series are its planner''s' using errcode = '42501', hint = 'series';
  end if;
  perform sync.plan_occurrence(s.id, new.id, new.occurs_on, s.state = 'active' and s.deleted_at is null and sync.may_follow(s, new.occurs_on));
  return new;
end $$;
-- After b_outsider and b_creator, before what judges the row.
create trigger b_series before insert on tasks for each row when (new.series_id is not null) execute function sync.guard_new_occurrence();

-- As before; a task of a series is whose the series is.
create or replace function sync.guard_task_rights(t public.tasks, old public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  maker constant uuid := case when old.series_id is null then old.created_by
    else (select s.created_by from public.task_series s where s.id = old.series_id) end;
begin
  if t.ended_by is distinct from old.ended_by and t.ended_by is distinct from caller and t.ended_by is not null then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501';
  end if;
  if maker = caller or sync.may('task.manage', t.organization_id) then return; end if;
  if t.assignee_id is distinct from old.assignee_id
      and not (old.assignee_id is null and t.assignee_id = caller or old.assignee_id = caller and t.assignee_id is null)
    or (t.site_id, t.deleted_at, t.reviewer_id, t.parent_id) is distinct from (old.site_id, old.deleted_at, old.reviewer_id, old.parent_id)
    or old.evidence_required and not t.evidence_required then
    raise exception 'reassigning, moving and deleting need task.manage' using errcode = '42501';
  end if;
  if t.status is distinct from old.status and (sync.task_ended(t.status) or sync.task_ended(old.status))
    and old.assignee_id is not null and caller is distinct from old.assignee_id and caller is distinct from old.reviewer_id then
    raise exception 'whoever it is given to closes it' using errcode = '42501';
  end if;
end $$;

revoke execute on function sync.keeps_steps(public.tasks, uuid), sync.longest_gap(text), sync.may_follow(public.task_series, date),
  sync.plan_occurrence(uuid, uuid, date, boolean), sync.member_or_nobody(uuid, uuid), sync.guard_new_occurrence() from public;
