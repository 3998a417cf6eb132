-- Action items and decisions on what recurs: guards and what else triggers do, and who sees and writes which rows.

create function action.guard_action_item() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return new; end if;
  if new.closed_by is not null and new.closed_by <> caller and (tg_op = 'INSERT' or new.closed_by is distinct from old.closed_by) then
    raise exception 'nobody closes in the name of somebody else' using errcode = '42501', detail = 'CN089';
  end if;
  if tg_op = 'INSERT' or old.created_by = caller then return new; end if;
  if ((new.assignee_id is distinct from old.assignee_id and not (old.assignee_id is null and new.assignee_id = caller))
      or new.site_id is distinct from old.site_id or new.deleted_at is distinct from old.deleted_at)
    and not access.may('action.manage', old.organization_id) then
    raise exception 'reassigning, moving and deleting need action.manage' using errcode = '42501', detail = 'CN283';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on action_items for each row execute function action.guard_action_item();

-- Whoever is named on an open item is taken off it when their account ends, and takes it along in their export: so many (the trigger's
-- argument) that one person made are one colleague's, who cannot give them back.
create function action.limit_given() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  most constant integer := tg_argv[0];
begin
  if caller is null or new.assignee_id = caller or new.created_by is distinct from caller or new.deleted_at is not null then return new; end if;
  if tg_op = 'UPDATE' and new.assignee_id is not distinct from old.assignee_id then return new; end if;
  if most <= (select count(*) from (select from public.action_items a
      where a.assignee_id = new.assignee_id and a.created_by = caller and a.closed_at is null and a.deleted_at is null and a.id <> new.id limit most) x) then
    raise exception 'a person gives a colleague at most 5000 open action items' using errcode = '23514', hint = 'many', detail = 'CN458';
  end if;
  return new;
end $$;
create trigger d_bound before insert or update on action_items for each row
  when (new.assignee_id is not null) execute function action.limit_given('5000');

-- In a company an id that follows from a record is refused without that record. The sample company has one such
-- action item; in a private space, where a person adds samples, nobody else's record is kept out: ids are judged (decision 04).
-- An id that follows from a plan is judged by compliance.guard_poam_source.
create function action.guard_source() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  i record;
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' and sync.is_derived(new.id) and (new.source_id is null or coalesce(new.source_type, '') not in ('inspection', 'poam'))
    and new.id <> extensions.uuid_generate_v5(new.organization_id, 'loose')
    and exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'company') then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  if new.source_id is null and tg_op = 'INSERT' then return new; end if;
  if tg_op = 'UPDATE' then
    if (new.source_type, new.source_id, new.source_question) is not distinct from (old.source_type, old.source_id, old.source_question) then
      return new;
    end if;
    -- A copy of a deleted inspection takes along what followed from it; nothing else of a source changes.
    if (new.source_type, new.source_question) is distinct from (old.source_type, old.source_question) or new.source_id is null
      or old.source_id is null or not (old.created_by = auth.uid() or access.may('action.manage', old.organization_id)) then
      raise exception 'an action item keeps its source' using errcode = '42501', detail = 'CN284';
    end if;
  elsif new.source_type is distinct from 'inspection' then
    return new;
  end if;
  select x.site_id, x.conducted_by, x.assigned_to into i from public.inspections x
    where x.id = new.source_id and x.organization_id = new.organization_id
      -- What somebody may not see is to them as if it were not there.
      and access.is_in_sight(x.scopes);
  if not found then
    raise exception 'an action item needs its inspection' using errcode = '23503', detail = 'CN285';
  end if;
  if tg_op = 'INSERT' then
    new.site_id := i.site_id;
    if not sync.is_derived(new.id) then return new; end if;
    if new.id is distinct from extensions.uuid_generate_v5(new.source_id, 'action/' || new.source_question) then
      raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
    end if;
  end if;
  if not action.answers_for(new.organization_id, i.conducted_by, i.assigned_to) then
    raise exception 'this is somebody else''s inspection' using errcode = '42501', detail = 'CN266';
  end if;
  return new;
end $$;
create trigger c_source before insert or update on action_items for each row execute function action.guard_source();

-- Every end but a risk accepted is somebody else's word.
create function action.guard_action_life() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  ends constant text[] := array['closed', 'duplicate', 'not_valid'];
begin
  if new.due_at is distinct from (case when tg_op = 'UPDATE' then old.due_at end) then new.escalation := 0; end if;
  -- What the server does itself, by its clock or after an approval, is its own word.
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if new.status = 'risk_accepted' and (tg_op = 'INSERT' or old.status <> 'risk_accepted') then
    raise exception 'a risk is accepted by an approver' using errcode = '42501', hint = 'approval', detail = 'CN286';
  end if;
  if tg_op = 'INSERT' then
    if new.status = any (ends) and action.another_verifies(new) then
      raise exception 'somebody else checks it' using errcode = '42501', hint = 'own', detail = 'CN106';
    end if;
    new.done_by := case when new.status in ('ready_for_verification', 'closed') then caller end;
    new.outcome := null;
    new.outcome_note := null;
    new.outcome_by := null;
    new.outcome_at := null;
    return new;
  end if;
  if new.status is distinct from old.status and new.status = any (ends)
    and (action.ends_own_action(old, caller) or action.another_verifies(old)
      and (new.status <> 'closed' or old.status <> 'ready_for_verification') and not access.may('action.manage', old.organization_id)) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own', detail = 'CN106';
  end if;
  new.done_by := case when new.status is distinct from old.status and new.status = 'ready_for_verification' then caller else old.done_by end;
  if old.status = 'risk_accepted' and new.status <> old.status then
    new.risk_until := null;
    new.risk_reason := null;
  end if;
  return action.judge_outcome(new, old);
end $$;
create trigger c_life before insert or update on action_items for each row execute function action.guard_action_life();

-- What somebody closed is opened by them, by who made it or manages, or by who finds that it did not work.
create function action.guard_action_over() returns trigger
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
    new.closed_at := task.clamp_end_time(new.closed_at, new.created_at, coalesce(new.created_by = caller, false));
  end if;
  if tg_op = 'INSERT' then return new; end if;
  -- Who brought or accepted the work of somebody else is no second person (decision 22).
  if new.status = 'closed' and old.status <> 'closed' and review_queue.was_involved('action_items', old.id, caller) and action.another_verifies(old) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own', detail = 'CN106';
  end if;
  if not inbox.action_ended(old.status) then return new; end if;
  has_say := coalesce(caller in (old.created_by, old.closed_by), false) or access.may('action.manage', old.organization_id);
  if not inbox.action_ended(new.status) then
    if not has_say and old.closed_by is not null
      and not coalesce(old.outcome is null and new.outcome = 'not_effective' and caller is distinct from old.assignee_id, false) then
      raise exception 'what somebody else closed is opened by them' using errcode = '42501', detail = 'CN287';
    end if;
    return new;
  end if;
  if new.status = old.status then
    new.closed_by := old.closed_by;
    new.closed_at := old.closed_at;
  end if;
  if not new.media_ids @> old.media_ids or not has_say and
    (new.title, new.description, new.due_at, new.status) is distinct from (old.title, old.description, old.due_at, old.status) then
    raise exception 'what was closed stays as it was' using errcode = '42501', detail = 'CN288';
  end if;
  return new;
end $$;
create trigger c_guard_over before insert or update on action_items for each row execute function action.guard_action_over();

create function action.guard_action_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.pushing() then return new; end if;
  if not action.action_has_evidence(new) then
    raise exception 'it is not done without evidence' using errcode = '23514', constraint = 'evidence_missing', hint = 'evidence', detail = 'CN289';
  end if;
  return new;
end $$;
create trigger d_evidence before update on action_items for each row
  when (new.evidence_required and new.status in ('ready_for_verification', 'closed') and old.status is distinct from new.status)
  execute function action.guard_action_evidence();

-- Every action item that a decision names belongs to its organisation and is in the sight of whoever decides.
create function action.guard_recurrence_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  named constant text[] := array(select distinct lower(s) from jsonb_array_elements_text(new.source_ids || to_jsonb(array_remove(array[new.action_id::text], null))) s);
begin
  if auth.uid() is null then return new; end if;
  if access.same_organization() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501', detail = 'CN164'; end if;
  if cardinality(named) <> (select count(*) from public.action_items a where a.id::text = any (named)
    and a.organization_id = new.organization_id and access.is_in_sight(a.scopes)) then
    raise exception 'a decision names action items of its organisation' using errcode = '23503', detail = 'CN290';
  end if;
  new.decided_at := sync.written_when(new.decided_at);
  return new;
end $$;
create trigger c_named before insert on recurrence_decisions for each row execute function action.guard_recurrence_decision();

-- Ends are judged by guard_action_life. Whatever else would put the asset into service (less urgent, another asset, deleted) takes
-- the same right.
create function action.guard_release() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null or not sync.is_device_edit() or not action.holds_asset(old) then return new; end if;
  if action.holds_asset(new) and new.asset_id is not distinct from old.asset_id then return new; end if;
  if inbox.action_ended(new.status) then return new; end if;
  if not action.may_release(old, caller) then
    raise exception 'somebody else puts it into service again' using errcode = '42501', hint = 'own', detail = 'CN291';
  end if;
  return new;
end $$;
create trigger c_guard_release before update on action_items for each row execute function action.guard_release();

-- source_fields: {title, description, priority, media_ids, due_at, assignee: the rule's words, assignee_id: whom the device found}.
-- Whom a person gave it to, or that they took it from whom the rule named, stays as it is.
create function action.assign_by_rule() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  rule constant text := new.source_fields ->> 'assignee';
  is_new constant boolean := tg_op = 'INSERT' or (old.source_fields ->> 'assignee') is null;
begin
  if rule is null or not is_new or auth.uid() is null or not sync.is_device_edit() or access.is_outsider(new.organization_id)
    or new.source_type is distinct from 'inspection' or new.status not in ('open', 'assigned') then
    return new;
  end if;
  if new.assignee_id is null and (new.source_fields ->> 'assignee_id') is not null
    or new.assignee_id is not null and (tg_op = 'UPDATE' or access.is_member(new.organization_id, new.assignee_id)) then
    return new;
  end if;
  new.assignee_id := action.rule_assignee(rule, new.organization_id, new.site_id, new.created_by);
  new.status := case when new.assignee_id is null then 'open' else 'assigned' end;
  return new;
end $$;
-- After guard_source, which says where it stands, and before guard_named.
create trigger d_assign before insert or update of source_fields on action_items for each row execute function action.assign_by_rule();

create function action.guard_action_text() returns trigger
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
    if (is_done or old.source_id is not null or inbox.action_ended(old.status) or action.was_ended(old.id))
      and not action.may_release(old, caller) then
      raise exception 'somebody else takes it away' using errcode = '42501', hint = 'own', detail = 'CN092';
    end if;
    return new;
  end if;
  if not (is_moved or is_reworded or loses_files or new.check_on is distinct from old.check_on) then return new; end if;
  -- Work that is open is its people's to word, and asking who else could check it takes longer than the edit.
  if not (is_over or is_ending or is_done or loses_files) then return new; end if;
  -- Where nobody else could check it, it is its people's own.
  if not action.another_verifies(old) then return new; end if;
  stays := is_over and (is_moved or is_reworded or new.check_on is distinct from old.check_on and not action.may_release(old, caller))
    or is_ending and (is_moved or is_reworded or loses_files)
    or is_done and is_moved and not action.may_release(old, caller)
    or loses_files and action.was_ended(old.id) and not action.may_release(old, caller);
  if not stays then return new; end if;
  if new.source_fields is distinct from old.source_fields and new.status = old.status then
    -- An inspection that is finished again gives it nothing new: kept, so that the finish is not refused for it.
    new.title := old.title; new.description := old.description; new.priority := old.priority; new.due_at := old.due_at;
    new.kind := old.kind; new.asset_id := old.asset_id; new.site_id := old.site_id; new.playbook_id := old.playbook_id; new.root_cause := old.root_cause;
    new.assignee_id := old.assignee_id; new.check_on := old.check_on; new.media_ids := old.media_ids;
    return new;
  end if;
  if is_over then raise exception 'what was closed stays as it was' using errcode = '42501', detail = 'CN288'; end if;
  if is_ending then raise exception 'an end changes nothing of what it ends' using errcode = '42501', detail = 'CN292'; end if;
  raise exception 'what was done stays as it is checked' using errcode = '42501', detail = 'CN293';
end $$;
create trigger c_guard_0_words before update on public.action_items for each row execute function action.guard_action_text();

-- Triggers whose functions stand with another area.

create trigger b_creator before insert or update on action_items for each row execute function space.set_creator();
create trigger b_fixed_organization before update on action_items for each row execute function space.refuse_organization_change();
create trigger e_named before insert or update on action_items for each row execute function space.guard_named();
create trigger d_place before update of site_id on action_items
  for each row when (old.site_id is distinct from new.site_id) execute function space.guard_place();
create trigger a0_require_push before insert on action_items for each statement execute function sync.require_push();
create trigger x_history_insert after insert on action_items for each row execute function access.note_assignment('assignee_id');
create trigger x_history_update after update on action_items for each row when (new.assignee_id is distinct from old.assignee_id)
  execute function access.note_assignment('assignee_id');
-- In a company guard_source says what an action item's id may follow from, and refuses first; in a private space nothing did.
create trigger d_foreign_id before insert on action_items for each row
  when (sync.is_derived(new.id) and coalesce(new.source_type, '') not in ('inspection', 'poam')) execute function sync.release_foreign_id();
create trigger c_source_asset before insert or update on public.action_items for each row execute function asset.guard_action_asset();

create trigger a0_require_push before insert on recurrence_decisions for each statement execute function sync.require_push();
create trigger b_outsider before insert on recurrence_decisions for each row execute function access.guard_outsider();
create trigger b_creator before insert or update on recurrence_decisions for each row execute function space.set_creator();

-- Who may call what.
revoke execute on function action.guard_action_item(), action.limit_given(), action.guard_source(), action.guard_action_life(), action.guard_action_over(),
  action.guard_action_evidence(), action.guard_recurrence_decision(), action.guard_release(), action.assign_by_rule(), action.guard_action_text() from public;

-- Who sees and writes which rows.

grant insert, update on action_items to authenticated;
create policy "scope reads" on action_items for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "creators add" on action_items for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('action.create'))
    and (site_id is null or site_id in (select my_sites())
      or source_id in (select i.id from inspections i where i.conducted_by = (select auth.uid()))));
create policy "workers edit what they see" on action_items for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('action.work'))
      or organization_id in (select my_organizations_with('action.manage')))
    and (site_id is null or site_id in (select my_sites())
      or assignee_id = (select auth.uid()) or created_by = (select auth.uid())));

grant insert, update on recurrence_decisions to authenticated;
create policy "scope reads" on recurrence_decisions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers of action items decide at their sites" on recurrence_decisions for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('action.manage'))
    and (site_id is null or site_id in (select my_sites())));
