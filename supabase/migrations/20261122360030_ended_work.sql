-- What "done" rests on is there when it is said, and stays (docs/decisions/0363-what-done-rests-on-stays.md). Beside the older
-- guards of tasks and action items, after them: what a device said of who and when is set right, what takes something away is refused.

-- Every file that is named is there: a device sends files before the task that names them.
create function sync.has_evidence(t public.tasks) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m join jsonb_array_elements_text(t.media_ids) f on m.id::text = f
    where m.organization_id = t.organization_id and m.deleted_at is null and sync.is_in_sight(m.scopes));

-- Times a device says of an end: nobody ends what they did not make before the server knew it, and nobody after now.
create function sync.ended_when(p_at timestamptz, p_created timestamptz, p_is_own boolean) returns timestamptz
  language sql stable return sync.clamped(p_at, case when not p_is_own then p_created end);

create function sync.guard_task_end(t public.tasks, old public.tasks, p_reviews boolean) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if t.status is distinct from old.status and sync.task_ended(t.status) then
    if old.reviewer_id is not null and not p_reviews then
      raise exception 'its reviewer says that it is over' using errcode = '42501';
    end if;
    if t.status = 'done' and t.evidence_required and not sync.has_evidence(t) then
      raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence';
    end if;
    return;
  end if;
  if not sync.task_ended(old.status) or not sync.task_ended(t.status) then return; end if;
  if not t.media_ids @> old.media_ids or t.evidence_required is distinct from old.evidence_required and not p_reviews then
    raise exception 'what done rests on stays' using errcode = '42501';
  end if;
  if old.reviewer_id is not null and not p_reviews and
    (t.title, t.notes, t.media_ids, t.status_reason, t.reviewer_id) is distinct from (old.title, old.notes, old.media_ids, old.status_reason, old.reviewer_id) then
    raise exception 'what its reviewer closed stays' using errcode = '42501';
  end if;
end $$;

create function sync.guard_task_over() returns trigger
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
    new.ended_at := case when new.status = old.status then old.ended_at
      else sync.ended_when(new.ended_at, old.created_at, coalesce(old.created_by = caller and old.series_id is null, false)) end;
  end if;
  return new;
end $$;
create trigger c_guard_over before insert or update on tasks for each row execute function sync.guard_task_over();

-- Steps of an ended task stay as they were ticked. A device sends steps before their task: whoever takes back a tick that was asked
-- for opens the task again, if they may, and their own word that it is open follows and finds it so.
create function sync.guard_ended_step() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  t public.tasks;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  new.done_at := case when new.done_at is not null then sync.clamped(new.done_at, null) end;
  if tg_op = 'INSERT' then return new; end if;
  select * into t from public.tasks k where k.id = old.task_id;
  if not found or not sync.task_ended(t.status) or old.done_at is null then return new; end if;
  if new.done_at is null then
    if old.required then update public.tasks set status = 'reopened' where id = t.id; end if;
    return new;
  end if;
  new.done_at := old.done_at;
  new.done_by := old.done_by;
  if (new.title, new.required, new.deleted_at) is distinct from (old.title, old.required, old.deleted_at)
    and caller is distinct from t.reviewer_id and (t.reviewer_id is not null or caller is distinct from t.created_by)
    and not sync.may('task.manage', t.organization_id) then
    raise exception 'what done rests on stays' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard_ended before insert or update on task_items for each row execute function sync.guard_ended_step();

create function sync.guard_action_over() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  has_say boolean;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if not inbox.action_ended(new.status) then
    new.closed_by := null;
    new.closed_at := null;
  elsif tg_op = 'INSERT' or new.status <> old.status then
    new.closed_by := caller;
    new.closed_at := sync.ended_when(new.closed_at, new.created_at, coalesce(new.created_by = caller, false));
  end if;
  if tg_op = 'INSERT' then return new; end if;
  -- Who brought or accepted the work of somebody else is no second person (0361).
  if new.status = 'closed' and old.status <> 'closed' and sync.had_hand('action_items', old.id, caller) and sync.another_verifies(old) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
  end if;
  if not inbox.action_ended(old.status) then return new; end if;
  has_say := coalesce(caller in (old.created_by, old.closed_by), false) or sync.may('action.manage', old.organization_id);
  if not inbox.action_ended(new.status) then
    if caller = old.assignee_id and not has_say and old.closed_by is not null then
      raise exception 'what somebody else closed is opened by them' using errcode = '42501';
    end if;
    return new;
  end if;
  if new.status = old.status then
    new.closed_by := old.closed_by;
    new.closed_at := old.closed_at;
  end if;
  if not new.media_ids @> old.media_ids or not has_say and
    (new.title, new.description, new.due_at, new.status) is distinct from (old.title, old.description, old.due_at, old.status) then
    raise exception 'what was closed stays as it was' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard_over before insert or update on action_items for each row execute function sync.guard_action_over();

revoke execute on function sync.has_evidence(public.tasks), sync.ended_when(timestamptz, timestamptz, boolean),
  sync.guard_task_end(public.tasks, public.tasks, boolean), sync.guard_task_over(), sync.guard_ended_step(), sync.guard_action_over() from public;
