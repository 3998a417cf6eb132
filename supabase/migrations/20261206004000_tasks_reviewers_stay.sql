-- A reviewer who was named by somebody else, or who was there once work had begun, is changed by them or by who manages: the maker of a task
-- ended its review in three steps (back to work, no reviewer, done). Whoever reviewed it once says that it is over
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md).

-- Who reviewed it once work had begun.
create trigger x_held after insert or update of reviewer_id, status on public.tasks for each row
  when (new.reviewer_id is not null and new.status <> 'todo') execute function sync.note_held('reviewer_id');
insert into sync.held (tbl, id, person) select 'tasks', t.id, t.reviewer_id from public.tasks t
  where t.reviewer_id is not null and t.status <> 'todo' on conflict do nothing;

-- Whether somebody else than this person reviewed it once work had begun.
create function sync.was_reviewed_by_another(p_task uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.held h where h.tbl = 'tasks' and h.id = p_task and h.person is distinct from p_person);

-- Who named the reviewer it has now: whoever did so last, else its maker.
create function sync.named_reviewer(t public.tasks) returns uuid
  language sql stable security definer set search_path = '' as $$
  select case when x.id is not null then x.by_id
    when t.series_id is null then t.created_by else (select s.created_by from public.task_series s where s.id = t.series_id) end
  from (values (1)) as one
  left join lateral (select a.id, a.by_id from sync.activity a where a.record_id = t.id and a.tbl = 'tasks' and a.field = 'reviewer_id'
    order by a.id desc limit 1) x on true
$$;

-- Whether somebody who neither reviews nor manages changes who reviews it.
create function sync.may_name_reviewer(t public.tasks, old public.tasks, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select case
    -- There was one, who gave it back: somebody follows them, but nobody their own work.
    when sync.was_reviewed_by_another(old.id, p_caller) then old.reviewer_id is null and t.reviewer_id is distinct from p_caller
      and t.reviewer_id is distinct from old.assignee_id and t.reviewer_id is distinct from t.assignee_id
    when old.reviewer_id is null then true
    else old.status = 'todo' and sync.named_reviewer(old) is not distinct from p_caller
  end
$$;

-- As before; and a reviewer there once was says that it is over.
create or replace function sync.guard_task_done(t public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if t.evidence_required and jsonb_array_length(t.media_ids) = 0 then
    raise exception 'done needs its evidence' using errcode = '23514', constraint = 'task_needs_evidence';
  end if;
  if exists (select from public.task_items i where i.task_id = t.id and i.organization_id = t.organization_id
      and i.required and i.done_at is null and i.deleted_at is null) then
    raise exception 'done needs its steps' using errcode = '23514', constraint = 'task_needs_steps';
  end if;
  if t.reviewer_id is distinct from auth.uid() and (t.reviewer_id is not null or sync.was_reviewed_by_another(t.id, auth.uid()))
    and not sync.may('task.manage', t.organization_id) then
    raise exception 'its reviewer says that it is done' using errcode = '42501';
  end if;
end $$;

-- As before; who reviews it stays also while it is worked on, and a reviewer there once was says that it is over.
create or replace function sync.guard_task_end(t public.tasks, old public.tasks, p_reviews boolean) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  was_over constant boolean := sync.task_ended(old.status);
  is_over constant boolean := sync.task_ended(t.status);
  is_reviewed constant boolean := old.reviewer_id is not null or sync.was_reviewed_by_another(old.id, auth.uid());
begin
  if t.reviewer_id is distinct from old.reviewer_id and (was_over and is_over
    or not p_reviews and (is_over and t.reviewer_id is not null or not sync.may_name_reviewer(t, old, auth.uid()))) then
    raise exception 'who reviews it stays' using errcode = '42501';
  end if;
  if is_over and t.status is distinct from old.status then
    if is_reviewed and not p_reviews then
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
  if is_reviewed and not p_reviews and
    (t.title, t.notes, t.media_ids, t.status_reason) is distinct from (old.title, old.notes, old.media_ids, old.status_reason) then
    raise exception 'what its reviewer closed stays' using errcode = '42501';
  end if;
end $$;

revoke execute on function sync.was_reviewed_by_another(uuid, uuid), sync.named_reviewer(public.tasks),
  sync.may_name_reviewer(public.tasks, public.tasks, uuid) from public;
