-- Action items and decisions on what recurs: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Whether the caller answers for an inspection: conducts it, is asked to, finds it free, or reviews.
create function action.answers_for(p_organization uuid, p_conductor uuid, p_assignee uuid) returns boolean
  language sql stable security definer set search_path = ''
  return coalesce(p_conductor = auth.uid(), false) or coalesce(p_assignee = auth.uid(), false)
    or p_conductor is null and p_assignee is null or access.may('inspection.review', p_organization);

-- Whether somebody else could check it: works on action items there, did not do it, and is not asked to, unless by the caller.
create function action.another_verifies(a public.action_items) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from inbox.people_with('action.work', a.organization_id, a.site_id) q
    where q is distinct from a.done_by and q is distinct from auth.uid()
      and not (q = a.assignee_id and access.was_assigned_apart_from('action_items', a.id, q, auth.uid())));

-- Asks that the risk be accepted until a day. `p_people`: who is asked, any of them may say yes; without, all who may but the caller.
-- Asked are those who read the item. Its title and the reason stand in the request only where everybody who reads requests of
-- this kind reads the item too.
create function public.ask_to_accept_risk(p_action uuid, p_until date, p_reason text, p_people uuid[] default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a public.action_items;
  able uuid[];
  asked uuid[] := p_people;
  made uuid;
  is_open boolean;
begin
  select * into a from public.action_items x where x.id = p_action for update;
  if not found or auth.uid() is null or a.deleted_at is not null or not access.is_in_sight(a.scopes)
    or not (access.may('action.work', a.organization_id) or access.may('action.manage', a.organization_id)) then
    raise exception 'no such action item' using errcode = '42501', detail = 'CN099';
  end if;
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '23514', hint = 'state', detail = 'CN100'; end if;
  if p_until is null or p_until <= (now() at time zone 'UTC')::date or p_until > (now() at time zone 'UTC')::date + 730 then
    raise exception 'a risk is accepted for at most two years' using errcode = '22023', hint = 'until', detail = 'CN101';
  end if;
  if btrim(coalesce(p_reason, '')) = '' or char_length(p_reason) > 2000 then
    raise exception 'why the risk can be borne' using errcode = '22023', hint = 'reason', detail = 'CN102';
  end if;
  able := array(select h from approval.holders('action.accept_risk', a.organization_id) h where access.user_sees_scopes(h, a.organization_id, a.scopes));
  is_open := not exists (select from approval.holders('action.accept_risk', a.organization_id) h where h <> all (able));
  if asked is null then
    asked := array(select h from unnest(able) h
      where h <> auth.uid() and h not in (select policy.authors_of('action_items', a.id)) order by h limit 20);
    if asked = '{}' then asked := array(select h from unnest(able) h where h <> auth.uid() order by h limit 20); end if;
    if asked = '{}' then asked := array[auth.uid()]; end if;
  elsif not asked <@ able then
    raise exception 'who is asked must read it, and hold action.accept_risk' using errcode = '22023', hint = 'approver_without_right', detail = 'CN103';
  end if;
  made := approval.open_approval(a.organization_id, 'action.accept_risk', 'action_items', a.id, '/action-items/' || a.id::text,
    case when is_open then a.title else '–' end,
    jsonb_build_array(jsonb_build_object('name', '', 'rule', 'any', 'people', to_jsonb(asked))), case when is_open then p_reason end);
  update public.action_items set risk_until = p_until, risk_reason = btrim(p_reason) where id = a.id;
  return made;
end $$;

-- What is still open then, and whose day has not passed meanwhile, is accepted; else the question is over, and nothing else.
create function action.risk_approval_ended(r public.approval_requests) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.action_items a set status = 'risk_accepted', closed_at = now(), closed_by = auth.uid()
    where a.id = r.subject_id and r.state = 'approved' and a.deleted_at is null and not inbox.action_ended(a.status)
      and a.risk_until >= (now() at time zone 'UTC')::date;
  if not found then
    update public.action_items a set risk_until = null, risk_reason = null where a.id = r.subject_id and a.status <> 'risk_accepted';
  end if;
end $$;

-- The ladder: after how many days of delay each of its three steps is told; what is more urgent climbs sooner.
create function action.escalation_of(p_priority text, p_late interval) returns integer
  language sql immutable parallel safe
  return (select count(*)::integer from unnest(case p_priority when 'critical' then array[1, 2, 4] when 'high' then array[2, 4, 8] else array[3, 7, 14] end) d
    where p_late >= make_interval(days => d));

-- Also whoever added files to it is no second person, unless somebody else did it and it waits to be checked.
create function action.had_part_in_action(p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = ''
  return access.was_assigned('action_items', p_id, p_person) or file.named_files('action_items', p_id, p_person);

-- Whether somebody ends by themselves what they have, did or had, though another could look at it. Who once had it may, where
-- somebody else says that they did it. Two who both had it do not wait for each other, unless one of them
-- alone named the other.
create function action.ends_own_action(a public.action_items, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  (coalesce(p_caller = any (array[a.done_by, a.assignee_id]), false) and action.another_verifies(a))
  or (action.had_part_in_action(a.id, p_caller)
    and not coalesce(a.status = 'ready_for_verification' and a.done_by <> p_caller, false)
    and exists (select from inbox.people_with('action.work', a.organization_id, a.site_id) q
      where q <> p_caller and q is distinct from a.done_by
        and not access.was_assigned_apart_from('action_items', a.id, q, p_caller) and not file.named_files('action_items', a.id, q)));

create function action.action_has_evidence(a public.action_items) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m join jsonb_array_elements_text(a.media_ids) f on m.id::text = f
    where m.organization_id = a.organization_id and m.deleted_at is null)
  or exists (select from public.evidence_links l join public.evidence e on e.id = l.evidence_id and e.deleted_at is null
    where l.target_table = 'action_items' and l.target_id = a.id and l.deleted_at is null);

-- Whether an action item keeps its asset out of service. packages/core/src/assets/service-status.ts says the same.
create function action.holds_asset(a public.action_items) returns boolean
  language sql immutable parallel safe set search_path = '' return
  a.asset_id is not null and a.deleted_at is null and a.priority = 'critical'
    and coalesce(a.source_type in ('inspection', 'issue_report'), false) and not inbox.action_ended(a.status);

-- Whether somebody may put an asset into service again without verifying what was done: who may call its action item not valid may.
create function action.may_release(a public.action_items, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  not action.ends_own_action(a, p_caller) and (access.may('action.manage', a.organization_id) or not action.another_verifies(a));

-- Whom a rule means, of those who may work on action items at the place: the nearest, then who has the least to do.
-- packages/core/src/field-ops/find-assignee.ts says the same.
create function action.rule_assignee(p_rule text, p_organization uuid, p_site uuid, p_conductor uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
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
$$;

-- Whether it worked, in whose words and when go together. Said again once it was closed again, else only by who said it.
create function action.judge_outcome(n public.action_items, o public.action_items) returns public.action_items
  language plpgsql stable security definer set search_path = '' as $$
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
end $$;

-- Who may call what.
revoke execute on function action.answers_for(uuid, uuid, uuid), action.another_verifies(public.action_items),
  action.risk_approval_ended(public.approval_requests), action.escalation_of(text, interval), action.had_part_in_action(uuid, uuid),
  action.ends_own_action(public.action_items, uuid), action.action_has_evidence(public.action_items), action.holds_asset(public.action_items),
  action.may_release(public.action_items, uuid), action.rule_assignee(text, uuid, uuid, uuid),
  action.judge_outcome(public.action_items, public.action_items) from public;
revoke execute on function ask_to_accept_risk(uuid, date, text, uuid[]) from public, anon;
