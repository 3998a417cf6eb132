-- What was done or ended of an action item stays as it was checked: what it is about, its day and its files, and who said whether it worked,
-- when and in which words. Whoever added the files of a piece of work does not skip its check
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md).

create or replace function pg_temp.extend(p_function text, p_before text, p_added text) returns void language plpgsql as $$
declare
  was constant text := pg_get_functiondef(p_function::regprocedure);
begin
  if position(p_before in was) = 0 then raise exception '% has no %', p_function, p_before; end if;
  execute replace(was, p_before, p_added);
end $$;

-- As before; also whoever added files to it is no second person, unless somebody else did it and it waits to be checked.
create function sync.had_part_in_action(p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = ''
  return sync.has_held('action_items', p_id, p_person) or sync.named_files('action_items', p_id, p_person);
create or replace function sync.ends_own_action(a public.action_items, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  (coalesce(p_caller = any (array[a.done_by, a.assignee_id]), false) and sync.another_verifies(a))
  or (sync.had_part_in_action(a.id, p_caller)
    and not coalesce(a.status = 'ready_for_verification' and a.done_by <> p_caller, false)
    and exists (select from inbox.people_with('action.work', a.organization_id, a.site_id) q
      where q <> p_caller and q is distinct from a.done_by and q is distinct from a.assignee_id and not sync.had_part_in_action(a.id, q)));

create function sync.was_ended(p_action uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.activity x where x.record_id = p_action and x.tbl = 'action_items' and x.field = 'status'
    and inbox.action_ended(x.after));
-- The files an end rested on stay when it is opened again.
select pg_temp.extend('sync.is_file_bound_by_word(uuid, uuid)', 'inbox.action_ended(a.status)', '(inbox.action_ended(a.status) or sync.was_ended(a.id))');

create function sync.guard_action_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  is_over constant boolean := inbox.action_ended(old.status) and inbox.action_ended(new.status);
  is_done constant boolean := old.status = 'ready_for_verification';
  is_ending constant boolean := not inbox.action_ended(old.status) and inbox.action_ended(new.status);
  is_removal constant boolean := old.deleted_at is null and new.deleted_at is not null;
  is_moved constant boolean := (new.title, new.due_at, new.priority, new.kind, new.asset_id, new.site_id, new.playbook_id) is distinct from
    (old.title, old.due_at, old.priority, old.kind, old.asset_id, old.site_id, old.playbook_id);
  is_reworded constant boolean := (new.description, new.root_cause, new.assignee_id) is distinct from (old.description, old.root_cause, old.assignee_id);
  loses_files constant boolean := not new.media_ids @> old.media_ids;
  stays boolean;
begin
  if caller is null or not sync.is_device_edit() then return new; end if;
  if is_removal then
    -- Taking it away is an end like another, but for what somebody wrote down for themselves.
    if (is_done or old.source_id is not null or inbox.action_ended(old.status) or sync.was_ended(old.id))
      and not sync.may_release(old, caller) then
      raise exception 'somebody else takes it away' using errcode = '42501', hint = 'own';
    end if;
    return new;
  end if;
  if not (is_moved or is_reworded or loses_files or new.check_on is distinct from old.check_on) then return new; end if;
  -- Where nobody else could check it, it is its people's own.
  if not sync.another_verifies(old) then return new; end if;
  stays := is_over and (is_moved or is_reworded or new.check_on is distinct from old.check_on and not sync.may_release(old, caller))
    or is_ending and (is_moved or is_reworded or loses_files)
    or is_done and is_moved and not sync.may_release(old, caller)
    or loses_files and sync.was_ended(old.id) and not sync.may_release(old, caller);
  if not stays then return new; end if;
  if new.source_fields is distinct from old.source_fields and new.status = old.status then
    -- An inspection that is finished again gives it nothing new: kept, so that the finish is not refused for it.
    new.title := old.title; new.description := old.description; new.priority := old.priority; new.due_at := old.due_at;
    new.kind := old.kind; new.asset_id := old.asset_id; new.site_id := old.site_id; new.playbook_id := old.playbook_id; new.root_cause := old.root_cause;
    new.assignee_id := old.assignee_id; new.check_on := old.check_on; new.media_ids := old.media_ids;
    return new;
  end if;
  raise exception '%', case when is_over then 'what was closed stays as it was' when is_ending then 'an end changes nothing of what it ends'
    else 'what was done stays as it is checked' end using errcode = '42501';
end $$;
create trigger c_guard_0_words before update on public.action_items for each row execute function sync.guard_action_words();

-- Whether it worked, in whose words and when go together. Said again once it was closed again, else only by who said it.
create function sync.judge_outcome(n public.action_items, o public.action_items) returns public.action_items
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  is_fresh constant boolean := o.outcome is null or o.status = 'closed' and coalesce(o.closed_at > o.outcome_at, true);
  is_said constant boolean := (n.outcome, n.outcome_note) is distinct from (o.outcome, o.outcome_note)
    or is_fresh and o.outcome is not null and n.outcome_at is distinct from o.outcome_at;
begin
  if not is_said then
    n.outcome_by := o.outcome_by;
    n.outcome_at := o.outcome_at;
    return n;
  end if;
  if n.outcome is not null and o.status <> 'closed' then
    raise exception 'whether it worked is said once it is closed' using errcode = '23514', constraint = 'outcome_needs_closed';
  end if;
  if not is_fresh and o.outcome_by is not null and o.outcome_by <> caller and (n.outcome is null or n.outcome is not distinct from o.outcome) then
    raise exception 'what was said stays with who said it' using errcode = '42501';
  end if;
  if n.outcome is null and o.outcome is null then
    n.outcome_note := null; n.outcome_by := null; n.outcome_at := null;
    return n;
  end if;
  -- Whoever closed it is asked, though they once had it.
  if sync.another_verifies(o) and (coalesce(caller = o.done_by, false)
    or caller is distinct from o.closed_by and (coalesce(caller = o.assignee_id, false) or sync.has_held('action_items', o.id, caller))) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
  end if;
  if n.outcome is null or n.outcome_note is not distinct from o.outcome_note and o.outcome_by is distinct from caller then n.outcome_note := null; end if;
  n.outcome_by := case when n.outcome is not null then caller end;
  n.outcome_at := case when n.outcome is not null then sync.clamped(
    case when n.outcome_at is distinct from o.outcome_at then n.outcome_at end, o.closed_at) end;
  return n;
end $$;
do $do$
declare
  was constant text := pg_get_functiondef('sync.guard_action_life()'::regprocedure);
  a constant integer := position('  if new.outcome is distinct from old.outcome then' in was);
  b constant integer := position('  return new;
end $function$' in was);
begin
  if a = 0 or b < a then raise exception 'sync.guard_action_life() is not as it was'; end if;
  execute left(was, a - 1) || '  return sync.judge_outcome(new, old);
end $function$';
end $do$;
select pg_temp.extend('sync.guard_action_life()', '    new.outcome := null;', '    new.outcome := null;
    new.outcome_note := null;');

revoke execute on function sync.had_part_in_action(uuid, uuid), sync.was_ended(uuid), sync.guard_action_words(),
  sync.judge_outcome(public.action_items, public.action_items) from public;
