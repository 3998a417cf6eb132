-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema action as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION action.action_has_evidence(a action_items)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN ((EXISTS (SELECT FROM (media m JOIN jsonb_array_elements_text((action_has_evidence.a).media_ids) f(value) ON (((m.id)::text = f.value))) WHERE ((m.organization_id = (action_has_evidence.a).organization_id) AND (m.deleted_at IS NULL)))) OR (EXISTS (SELECT FROM (evidence_links l JOIN evidence e ON (((e.id = l.evidence_id) AND (e.deleted_at IS NULL)))) WHERE ((l.target_table = 'action_items'::text) AND (l.target_id = (action_has_evidence.a).id) AND (l.deleted_at IS NULL)))));

CREATE OR REPLACE FUNCTION action.another_verifies(a action_items)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM inbox.people_with('action.work'::text, (another_verifies.a).organization_id, (another_verifies.a).site_id) q(q) WHERE ((q.q IS DISTINCT FROM (another_verifies.a).done_by) AND (q.q IS DISTINCT FROM auth.uid()) AND (NOT ((q.q = (another_verifies.a).assignee_id) AND access.was_assigned_apart_from('action_items'::text, (another_verifies.a).id, q.q, auth.uid()))))));

CREATE OR REPLACE FUNCTION action.answers_for(p_organization uuid, p_conductor uuid, p_assignee uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (COALESCE((p_conductor = auth.uid()), false) OR COALESCE((p_assignee = auth.uid()), false) OR ((p_conductor IS NULL) AND (p_assignee IS NULL)) OR access.may('inspection.review'::text, p_organization));

CREATE OR REPLACE FUNCTION action.assign_by_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.ends_own_action(a action_items, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN ((COALESCE((p_caller = ANY (ARRAY[(a).done_by, (a).assignee_id])), false) AND action.another_verifies(a)) OR (action.had_part_in_action((a).id, p_caller) AND (NOT COALESCE((((a).status = 'ready_for_verification'::text) AND ((a).done_by <> p_caller)), false)) AND (EXISTS (SELECT FROM inbox.people_with('action.work'::text, (ends_own_action.a).organization_id, (ends_own_action.a).site_id) q(q) WHERE ((q.q <> ends_own_action.p_caller) AND (q.q IS DISTINCT FROM (ends_own_action.a).done_by) AND (NOT access.was_assigned_apart_from('action_items'::text, (ends_own_action.a).id, q.q, ends_own_action.p_caller)) AND (NOT file.named_files('action_items'::text, (ends_own_action.a).id, q.q)))))));

CREATE OR REPLACE FUNCTION action.escalation_of(p_priority text, p_late interval)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (count(*))::integer AS count FROM unnest(CASE escalation_of.p_priority WHEN 'critical'::text THEN ARRAY[1, 2, 4] WHEN 'high'::text THEN ARRAY[2, 4, 8] ELSE ARRAY[3, 7, 14] END) d(d) WHERE (escalation_of.p_late >= make_interval(days => d.d)));

CREATE OR REPLACE FUNCTION action.guard_action_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.pushing() then return new; end if;
  if not action.action_has_evidence(new) then
    raise exception 'it is not done without evidence' using errcode = '23514', constraint = 'evidence_missing', hint = 'evidence', detail = 'CN289';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION action.guard_action_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.guard_action_life()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.guard_action_over()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.guard_action_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.guard_recurrence_decision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.guard_release()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.guard_source()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.had_part_in_action(p_id uuid, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (access.was_assigned('action_items'::text, p_id, p_person) OR file.named_files('action_items'::text, p_id, p_person));

CREATE OR REPLACE FUNCTION action.holds_asset(a action_items)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN (((a).asset_id IS NOT NULL) AND ((a).deleted_at IS NULL) AND ((a).priority = 'critical'::text) AND COALESCE(((a).source_type = ANY (ARRAY['inspection'::text, 'issue_report'::text])), false) AND (NOT inbox.action_ended((a).status)));

CREATE OR REPLACE FUNCTION action.judge_outcome(n action_items, o action_items)
 RETURNS action_items
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  is_fresh constant boolean := o.outcome is null or o.status = 'closed' and coalesce(o.closed_at > o.outcome_at, true);
  has_outcome constant boolean := (n.outcome, n.outcome_note) is distinct from (o.outcome, o.outcome_note)
    or is_fresh and o.outcome is not null and n.outcome_at is distinct from o.outcome_at;
begin
  if not has_outcome then
    n.outcome_by := o.outcome_by;
    n.outcome_at := o.outcome_at;
    return n;
  end if;
  if n.outcome is not null and o.status <> 'closed' then
    raise exception 'whether it worked is said once it is closed' using errcode = '23514', constraint = 'outcome_needs_closed', detail = 'CN104';
  end if;
  if not is_fresh and o.outcome_by is not null and o.outcome_by <> caller and (n.outcome is null or n.outcome is not distinct from o.outcome) then
    raise exception 'what was said stays with who said it' using errcode = '42501', detail = 'CN105';
  end if;
  if n.outcome is null and o.outcome is null then
    n.outcome_note := null; n.outcome_by := null; n.outcome_at := null;
    return n;
  end if;
  -- Whoever closed it is asked, though they once had it.
  if action.another_verifies(o) and (coalesce(caller = o.done_by, false)
    or caller is distinct from o.closed_by and (coalesce(caller = o.assignee_id, false) or access.was_assigned('action_items', o.id, caller))) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own', detail = 'CN106';
  end if;
  if n.outcome is null or n.outcome_note is not distinct from o.outcome_note and o.outcome_by is distinct from caller then n.outcome_note := null; end if;
  n.outcome_by := case when n.outcome is not null then caller end;
  n.outcome_at := case when n.outcome is not null then sync.clamp_time(
    case when n.outcome_at is distinct from o.outcome_at then n.outcome_at end, o.closed_at) end;
  return n;
end $function$;

CREATE OR REPLACE FUNCTION action.limit_given()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION action.may_release(a action_items, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN ((NOT action.ends_own_action(a, p_caller)) AND (access.may('action.manage'::text, (a).organization_id) OR (NOT action.another_verifies(a))));

CREATE OR REPLACE FUNCTION action.risk_approval_ended(r approval_requests)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.action_items a set status = 'risk_accepted', closed_at = now(), closed_by = auth.uid()
    where a.id = r.subject_id and r.state = 'approved' and a.deleted_at is null and not inbox.action_ended(a.status)
      and a.risk_until >= (now() at time zone 'UTC')::date;
  if not found then
    update public.action_items a set risk_until = null, risk_reason = null where a.id = r.subject_id and a.status <> 'risk_accepted';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION action.rule_assignee(p_rule text, p_organization uuid, p_site uuid, p_conductor uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and m.user_id in (select inbox.people_with('action.work', p_organization, p_site))
    and case when p_rule like 'person:%' then m.user_id::text = substr(p_rule, 8)
      when p_rule like 'role:%' then m.role = substr(p_rule, 6)
      when p_rule = 'conductors_manager' then m.user_id is distinct from p_conductor
        and m.user_id in (select inbox.people_with('action.manage', p_organization, p_site))
      else false end
  order by
    case when p_rule = 'conductors_manager' then
        case when exists (select from public.team_members t join public.team_members o on o.team_id = t.team_id and o.user_id = p_conductor and o.deleted_at is null
            where t.organization_id = p_organization and t.user_id = m.user_id and t.deleted_at is null) then 0
          when exists (select from public.site_members s join public.site_members o on o.site_id = s.site_id and o.user_id = p_conductor and o.deleted_at is null
            where s.organization_id = p_organization and s.user_id = m.user_id and s.deleted_at is null) then 1
          else 2 end
      else case when exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null) then 0 else 2 end
        + (m.user_id is not distinct from p_conductor)::integer end,
    (select count(*) from public.action_items a
      where a.organization_id = p_organization and a.assignee_id = m.user_id and a.deleted_at is null and not inbox.action_ended(a.status)),
    m.user_id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION action.was_ended(p_action uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.activity x WHERE ((x.record_id = was_ended.p_action) AND (x.tbl = 'action_items'::text) AND (x.field = 'status'::text) AND inbox.action_ended(x.after))));
