-- Tasks and their series: guards and what else triggers do, and who sees and writes which rows.

create function task.guard_task() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on tasks for each row execute function task.guard_task();

-- Steps are seen by whoever sees their task, and go with it; one that was taken away is on no device any more. A step that came before its task is taken up with it when whoever wrote it
-- may see that task; else it stays with its author, and is no step of it.
create function task.adopt_task_items() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.task_items i set scopes = new.scopes, deleted_at = coalesce(i.deleted_at, new.deleted_at)
    where i.task_id = new.id and i.organization_id = new.organization_id and i.deleted_at is null
      and (i.scopes is distinct from new.scopes or new.deleted_at is not null)
      and case tg_op when 'INSERT' then i.created_by is null or access.user_sees_scopes(i.created_by, new.organization_id, new.scopes) else i.scopes = old.scopes end;
  return null;
end $$;
create trigger x_items_insert after insert on tasks for each row execute function task.adopt_task_items();
create trigger x_items_update after update on tasks for each row
  when (old.scopes is distinct from new.scopes or old.deleted_at is distinct from new.deleted_at) execute function task.adopt_task_items();

create function task.guard_task_item() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on task_items for each row execute function task.guard_task_item();

-- All steps are written anew whenever the audience of their task changes, while everybody else's work at the place waits: a task has
-- 1000, of one person 500, those taken away too, for they stay as rows. Counted are those of the same audience (guard_task_item): of a
-- task that one does not see, or that has not come, one's own.
create function task.limit_steps() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger d_bound before insert on task_items for each row execute function task.limit_steps();

create function task.guard_task_series() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on task_series for each row execute function task.guard_task_series();

-- Planning looks at every series that counts from completion, again and again: a person has 2000 that go on, wherever they are.
create function task.limit_series() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.created_by = auth.uid() and new.state <> 'ended' and new.deleted_at is null
    and (tg_op = 'INSERT' or old.state = 'ended' or old.deleted_at is not null)
    and (select count(*) from (select from public.task_series s
      where s.created_by = new.created_by and s.state <> 'ended' and s.deleted_at is null limit 2000) x) >= 2000 then
    raise exception 'at most 2000 series go on at once' using errcode = '23514', hint = 'many', detail = 'CN357';
  end if;
  return new;
end $$;
create trigger d_bound before insert or update of state, deleted_at on task_series for each row execute function task.limit_series();

-- Only the task of a series and its day has the id that follows from them, and it has no other.
create function task.guard_task_occurrence() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger d_occurrence before insert or update on tasks for each row execute function task.guard_task_occurrence();

create function task.guard_derived_step() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and not exists (select from generate_series(0, 49) n
      where new.id = extensions.uuid_generate_v5(new.task_id, 'step/' || n)) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  return new;
end $$;
create trigger d_derived_id before insert on task_items for each row
  when (sync.is_derived(new.id)) execute function task.guard_derived_step();

-- Another end is the word of whoever gives it, not earlier than the first.
create function task.guard_task_over() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard_over before insert or update on tasks for each row execute function task.guard_task_over();

-- Steps of an ended task stay as they were ticked. A device sends steps before their task: whoever takes back a tick that was asked
-- for opens the task again, if they may, and their own word that it is open follows and finds it so. A tick set before the end, on
-- a device that had no signal, arrives, and the log says so.
create function task.guard_ended_step() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard_ended before insert or update on task_items for each row execute function task.guard_ended_step();

-- What cannot be made into a step keeps the whole series from being planned: it is refused where it comes from.
create function task.guard_series_steps() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if exists (select from jsonb_array_elements(new.steps) step where jsonb_typeof(step) <> 'object'
      or coalesce(jsonb_typeof(step -> 'title'), 'null') not in ('string', 'null')
      or coalesce(jsonb_typeof(step -> 'required'), 'null') not in ('boolean', 'null')) then
    raise exception 'a step has a title, and is required or not' using errcode = '23514', constraint = 'steps_shape', detail = 'CN361';
  end if;
  return new;
end $$;
create trigger c_steps before insert or update of steps on task_series for each row
  when (jsonb_array_length(new.steps) > 0) execute function task.guard_series_steps();

-- Column of the zone: the trigger's argument.
create function task.guard_zone() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  zone constant text := to_jsonb(new) ->> tg_argv[0];
begin
  if auth.uid() is null or zone is null or tg_op = 'UPDATE' and zone is not distinct from to_jsonb(old) ->> tg_argv[0] then
    return new;
  end if;
  if not task.is_zone(zone) then raise exception 'no such time zone' using errcode = '22023', detail = 'CN256'; end if;
  return new;
end $$;
create trigger c_a_zone before insert or update of zone on task_series for each row execute function task.guard_zone('zone');
create trigger c_a_zone before insert or update of due_zone on tasks for each row
  when (new.due_zone is not null) execute function task.guard_zone('due_zone');

-- A task of a series begins as the series says. Whoever made the series, or manages tasks, may say more; for anybody else the server
-- makes it first, and what their device sends is then a change of it, judged as every change.
create function task.guard_new_occurrence() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
-- After b_outsider and b_creator, before what judges the row.
create trigger b_series before insert on tasks for each row when (new.series_id is not null) execute function task.guard_new_occurrence();

-- A task that bears the name of who made its series says in its log who else wrote what it says, however it came to be.
create function task.note_series_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  s public.task_series;
begin
  select * into s from public.task_series x where x.id = new.series_id;
  if found and (new.created_by is null or new.created_by = s.created_by) then perform task.note_series_author(s, array[new.id]); end if;
  return null;
end $$;
create trigger y_series_words after insert on tasks for each row when (new.series_id is not null) execute function task.note_series_words();

-- Triggers whose functions stand with another area.

create trigger a0_require_push before insert on tasks for each statement execute function sync.require_push();
create trigger b_outsider before insert on tasks for each row execute function access.guard_outsider();
create trigger b_creator before insert or update on tasks for each row execute function space.set_creator();
create trigger b_fixed_organization before update on tasks for each row execute function space.refuse_organization_change();
create trigger d_place before update of site_id on tasks
  for each row when (old.site_id is distinct from new.site_id) execute function space.guard_place();
-- Who reviewed it once work had begun.
create trigger x_history after insert or update of reviewer_id, status on public.tasks for each row
  when (new.reviewer_id is not null and new.status <> 'todo') execute function access.note_assignment('reviewer_id');

create trigger a0_require_push before insert on task_items for each statement execute function sync.require_push();
create trigger b_outsider before insert on task_items for each row execute function access.guard_outsider();
create trigger b_creator before insert or update on task_items for each row execute function space.set_creator();
create trigger b_fixed_organization before update on task_items for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on task_series for each statement execute function sync.require_push();
create trigger b_outsider before insert on task_series for each row execute function access.guard_outsider();
create trigger b_creator before insert or update on task_series for each row execute function space.set_creator();
create trigger b_fixed_organization before update on task_series for each row execute function space.refuse_organization_change();

create trigger a0_require_push before insert on task_views for each statement execute function sync.require_push();

-- Who may call what.
revoke execute on function task.note_series_words(), task.guard_task(), task.adopt_task_items(), task.guard_task_item(), task.limit_steps(), task.guard_task_series(), task.guard_task_occurrence(),
  task.guard_derived_step(), task.guard_task_over(), task.guard_ended_step(), task.guard_series_steps(), task.guard_zone(),
  task.guard_new_occurrence(), task.limit_series() from public;

-- Who sees and writes which rows.

grant insert, update on tasks to authenticated;
create policy "scope reads" on tasks for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "planners add" on tasks for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('task.create'))
    and (site_id is null or site_id in (select my_sites())));
create policy "workers edit what they see" on tasks for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('task.work')) or organization_id in (select my_organizations_with('task.manage')))
    and (site_id is null or site_id in (select my_sites())
      or assignee_id = (select auth.uid()) or reviewer_id = (select auth.uid()) or created_by = (select auth.uid())));

grant insert, update on task_items to authenticated;
-- Who may assign, close, move and delete: trigger guard_task.
create policy "scope reads" on task_items for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "workers add" on task_items for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('task.work')));
create policy "workers edit what they see" on task_items for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('task.work'))
    and scopes && (select array(select my_scopes())));

grant insert, update on task_views to authenticated;
-- Whose task it is: trigger guard_task_item.
create policy "the person reads" on task_views for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on task_views for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on task_views for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

grant insert, update on task_series to authenticated;
create policy "scope reads" on task_series for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "planners add" on task_series for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('task.create'))
    and (site_id is null or site_id in (select my_sites())));
create policy "who made it and managers edit" on task_series for update to authenticated
  using ((select sync.pushing()) and (created_by = (select auth.uid()) or organization_id in (select my_organizations_with('task.manage')))
    and organization_id in (select my_organizations_with('task.create')) and (site_id is null or site_id in (select my_sites())));

alter table sync.series_plan enable row level security;
