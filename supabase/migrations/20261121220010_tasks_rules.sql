-- What keeps tasks right, whoever writes; and what is told of them.

create trigger a0_need_push before insert on tasks for each statement execute function sync.need_push();
create trigger a0_need_push before insert on task_items for each statement execute function sync.need_push();
create trigger b_outsider before insert on tasks for each row execute function sync.guard_outsider();
create trigger b_outsider before insert on task_items for each row execute function sync.guard_outsider();
create trigger b_creator before insert or update on tasks for each row execute function sync.set_creator();
create trigger b_creator before insert or update on task_items for each row execute function sync.set_creator();
create trigger b_keep_organization before update on tasks for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on task_items for each row execute function sync.keep_organization();
create trigger d_place before update of site_id on tasks
  for each row when (old.site_id is distinct from new.site_id) execute function sync.guard_place();

create function sync.task_ended(p_status text) returns boolean
  language sql immutable parallel safe return p_status in ('done', 'not_applicable', 'cancelled');

-- The instant at which it is late: the time on the clocks of its zone, or the last second of its day there.
create function sync.task_due_at(p_day date, p_time text, p_zone text) returns timestamptz
  language sql stable parallel safe
  return case when p_day is not null then (p_day + coalesce(p_time::time, time '23:59:59')) at time zone coalesce(p_zone, 'UTC') end;

-- Whoever is named belongs to the organisation when they are named: a name puts the task into that person's feed.
create function sync.guard_task_people(t public.tasks, before public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from (
      values (t.assignee_id, before.assignee_id), (t.reviewer_id, before.reviewer_id), (t.ended_by, before.ended_by), (t.created_by, before.created_by)
      union all
      select w::uuid, null from jsonb_array_elements_text(t.watcher_ids) w
        where t.watcher_ids is distinct from before.watcher_ids and not coalesce(before.watcher_ids, '[]') ? w
    ) as named (now, before)
    where named.now is not null and named.now is distinct from named.before and not exists (
      select from public.organization_members m
      where m.organization_id = t.organization_id and m.user_id = named.now and m.deleted_at is null)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
end $$;

-- A sub-task is no ancestor of itself.
create function sync.guard_task_tree(t public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  up uuid := t.parent_id;
  steps integer := 0;
begin
  while up is not null loop
    steps := steps + 1;
    if up = t.id or steps > 20 then
      raise exception 'a task cannot be part of itself' using errcode = '23514', constraint = 'task_part_of_itself';
    end if;
    select p.parent_id into up from public.tasks p where p.id = up;
  end loop;
end $$;

-- Done means: with its evidence, with every step that is asked for, and said by whoever is to say it.
create function sync.guard_task_done(t public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if t.evidence_required and jsonb_array_length(t.media_ids) = 0 then
    raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence';
  end if;
  if exists (select from public.task_items i where i.task_id = t.id and i.organization_id = t.organization_id
      and i.required and i.done_at is null and i.deleted_at is null) then
    raise exception 'done needs its steps' using errcode = '23514', constraint = 'task_needs_steps';
  end if;
  if t.reviewer_id is not null and t.reviewer_id is distinct from auth.uid() and not sync.may('task.manage', t.organization_id) then
    raise exception 'its reviewer says that it is done' using errcode = '42501';
  end if;
end $$;

create function sync.guard_task_rights(t public.tasks, old public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if t.ended_by is distinct from old.ended_by and t.ended_by is distinct from caller and t.ended_by is not null then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501';
  end if;
  if old.created_by = caller or sync.may('task.manage', t.organization_id) then return; end if;
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

create function sync.guard_task() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if tg_op = 'INSERT' or (new.due_day, new.due_time, new.due_zone, new.due_at)
      is distinct from (old.due_day, old.due_time, old.due_zone, old.due_at) then
    new.due_at := sync.task_due_at(new.due_day, new.due_time, new.due_zone);
  end if;
  if sync.task_ended(new.status) then
    new.ended_at := coalesce(new.ended_at, now());
    new.ended_by := coalesce(new.ended_by, caller);
  else
    new.ended_at := null;
    new.ended_by := null;
  end if;
  perform sync.guard_task_people(new, old);
  if new.parent_id is not null and (tg_op = 'INSERT' or new.parent_id is distinct from old.parent_id) then
    perform sync.guard_task_tree(new);
  end if;
  if caller is null then return new; end if;
  if tg_op = 'UPDATE' then
    perform sync.guard_task_rights(new, old);
  elsif new.ended_by is distinct from caller and new.ended_by is not null then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501';
  end if;
  if new.status = 'done' and (tg_op = 'INSERT' or old.status <> 'done') then perform sync.guard_task_done(new); end if;
  return new;
end $$;
create trigger c_guard before insert or update on tasks for each row execute function sync.guard_task();

-- Steps are seen by whoever sees their task, and go with it.
create function sync.adopt_task_items() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.task_items i set scopes = new.scopes, deleted_at = coalesce(i.deleted_at, new.deleted_at)
    where i.task_id = new.id and i.organization_id = new.organization_id
      and (i.scopes is distinct from new.scopes or i.deleted_at is null and new.deleted_at is not null);
  return null;
end $$;
create trigger x_items_insert after insert on tasks for each row execute function sync.adopt_task_items();
create trigger x_items_update after update on tasks for each row
  when (old.scopes is distinct from new.scopes or old.deleted_at is distinct from new.deleted_at) execute function sync.adopt_task_items();

create function sync.guard_task_item() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  t record;
begin
  select k.organization_id, k.scopes, k.created_by, k.assignee_id, k.deleted_at into t from public.tasks k where k.id = new.task_id;
  if tg_op = 'UPDATE' and new.task_id is distinct from old.task_id then
    raise exception 'a step keeps its task' using errcode = '42501';
  end if;
  if found and (t.organization_id is distinct from new.organization_id
      or caller is not null and pg_trigger_depth() = 1 and not sync.is_in_sight(t.scopes)) then
    raise exception 'new row violates row-level security policy for table "task_items"' using errcode = '42501';
  end if;
  new.scopes := case when t.scopes is not null then t.scopes else sync.scopes(sync.member_scope(new.organization_id, new.created_by)) end;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if tg_op = 'INSERT' or new.done_at is distinct from old.done_at then
    new.done_by := case when new.done_at is not null then caller end;
  else
    new.done_by := old.done_by;
  end if;
  if tg_op = 'UPDATE' and old.required and (not new.required or new.deleted_at is not null)
    and caller is distinct from t.created_by and caller is distinct from old.created_by and not sync.may('task.manage', new.organization_id) then
    raise exception 'a step that is asked for is taken away by who asked for it' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on task_items for each row execute function sync.guard_task_item();

insert into notification_types (key, module, class, setting, app, push, email) values
  ('task.assigned', 'tasks', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('task.due_soon', 'tasks', 'normal', 'task_deadlines', 'immediate', 'immediate', 'off'),
  ('task.overdue', 'tasks', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('task.to_review', 'tasks', 'normal', null, 'immediate', 'immediate', 'daily');

create function inbox.task_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), case when tg_op = 'INSERT' then new.created_by end);
  ended constant boolean := sync.task_ended(new.status) or new.deleted_at is not null;
  path constant text := '/tasks/' || new.id::text;
begin
  if tg_op = 'UPDATE' then
    if ended then
      perform inbox.settled(new.id, array['task.assigned', 'task.due_soon', 'task.overdue', 'task.to_review']);
    elsif new.assignee_id is distinct from old.assignee_id and old.assignee_id is not null then
      perform inbox.settled(new.id, array['task.assigned', 'task.due_soon', 'task.overdue'], old.assignee_id);
    end if;
    if new.due_at is distinct from old.due_at then perform inbox.settled(new.id, array['task.due_soon', 'task.overdue']); end if;
    if old.status = 'in_review' and new.status <> 'in_review' then perform inbox.settled(new.id, array['task.to_review']); end if;
  end if;
  if ended then return null; end if;
  if new.assignee_id is not null and new.assignee_id is distinct from actor
    and (tg_op = 'INSERT' or new.assignee_id is distinct from old.assignee_id) then
    perform inbox.notify(new.assignee_id, 'task.assigned', 'task/' || new.id::text || '/assigned/' || new.version::text, path,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
  end if;
  if new.status = 'in_review' and new.reviewer_id is not null and (tg_op = 'INSERT' or old.status <> 'in_review') then
    perform inbox.notify(new.reviewer_id, 'task.to_review', 'task/' || new.id::text || '/to_review/' || new.version::text, path,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on tasks for each row
  when (new.assignee_id is not null or new.status = 'in_review') execute function inbox.task_changed();
create trigger x_notify_update after update on tasks for each row
  when ((old.assignee_id, old.status, old.due_at, old.deleted_at) is distinct from (new.assignee_id, new.status, new.due_at, new.deleted_at))
  execute function inbox.task_changed();

-- By the clock. Soon: at nine o'clock of its day, or an hour before its time; not to whoever set the date later than that.
create function inbox.sweep_tasks(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
begin
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key
    from public.tasks i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told, case when i.due_time is null then interval '15 hours' else interval '1 hour' end as ahead) w
    cross join lateral (select case when i.due_at <= p_now then 'task.overdue' else 'task.due_soon' end as type) t
    cross join lateral (select t.type, 'task/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled') and w.told is not null
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + w.ahead
      and (i.due_at <= p_now or i.created_at < i.due_at - w.ahead)
      and not exists (select from public.notifications n where n.user_id = w.told and n.key = k.key)
    order by i.due_at limit 500
  loop
    if a.type = 'task.overdue' then perform inbox.settled(a.id, array['task.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/tasks/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
end $$;

revoke execute on function sync.task_ended(text), sync.task_due_at(date, text, text), sync.guard_task_people(public.tasks, public.tasks),
  sync.guard_task_tree(public.tasks), sync.guard_task_done(public.tasks), sync.guard_task_rights(public.tasks, public.tasks), sync.guard_task(),
  sync.adopt_task_items(), sync.guard_task_item(), inbox.task_changed(), inbox.sweep_tasks(timestamptz) from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-tasks', '* * * * *', 'select inbox.sweep_tasks()') $cron$;
  end if;
end $$;
