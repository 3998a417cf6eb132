-- Who is asked, told and counted in an approval (docs/decisions/30): a voice is that of somebody who holds the permission now and reads what
-- it is about, and one head is one voice.

-- Whether somebody reads what a request is about; who holds the permission of a policy reads its versions.
create function sync.sees_subject(r public.approval_requests, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select case r.subject_table
    when 'action_items' then (select sync.sees(p_person, a.organization_id, a.scopes) from public.action_items a where a.id = r.subject_id)
    when 'workflow_runs' then (select sync.sees(p_person, e.organization_id, e.scopes)
      from workflow.run x join workflow.event e on e.id = x.event_id where x.id = r.subject_id)
    else true end
$$;

-- Who is told for whom that a stage waits: the deputies who may decide themselves, else whoever was asked.
create or replace function inbox.people_of_approval(r public.approval_requests) returns table (asked uuid, told uuid)
  language sql stable security definer set search_path = '' as $$
  with able as materialized (select h as person from sync.holders(r.permission, r.organization_id) h),
  deputies as materialized (
    select distinct d.from_id, d.to_id from public.approval_delegations d
    where d.organization_id = r.organization_id and d.from_id in (select sync.people_of_stage(r)) and d.deleted_at is null and d.revoked_at is null
      and now() >= d.starts_at and now() < d.ends_at and sync.has_enterprise_plan(r.organization_id)
      and d.from_id in (select person from able) and d.to_id in (select person from able)
      and d.to_id is distinct from r.requested_by and sync.sees_subject(r, d.to_id))
  select p, coalesce(d.to_id, p) from sync.people_of_stage(r) p left join deputies d on d.from_id = p
$$;

-- Whether one head would speak twice on a request in the name of others: who decided already, or has a voice of their own, speaks for
-- nobody else while another could. In one stage a quorum counts heads itself.
create function sync.speaks_twice(r public.approval_requests, p_caller uuid, p_for uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select (exists (select from public.approval_decisions d where d.request_id = r.id and d.decided_by = p_caller and d.deleted_at is null
        and (d.stage <> r.stage or r.stages -> (r.stage - 1) ->> 'rule' <> 'quorum'))
      or exists (select from jsonb_array_elements(r.stages) with ordinality as s (stage, n)
        where s.stage -> 'people' ? p_caller::text and (s.n <> r.stage or s.stage ->> 'rule' <> 'quorum')))
    and exists (select from sync.holders(r.permission, r.organization_id) h
      where h not in (p_caller, p_for) and h is distinct from r.requested_by and sync.sees_subject(r, h)
        -- Of whom a stage names, those have a voice to spare who need not all speak in this one.
        and (not exists (select from jsonb_array_elements(r.stages) s where s -> 'people' ? h::text)
          or r.stages -> (r.stage - 1) ->> 'rule' <> 'all' and r.stages -> (r.stage - 1) -> 'people' ? h::text)
        and not exists (select from public.approval_decisions d where d.request_id = r.id and d.decided_by = h and d.deleted_at is null))
$$;

-- As before; whoever decides reads what it is about, a voice is that of somebody who could decide now, and nobody is two heads.
create or replace function sync.count_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.approval_requests;
begin
  select * into r from public.approval_requests q where q.id = new.request_id for update;
  -- What somebody may not see is to them as if it were not there; what is no push the policy refuses.
  if not found or sync.pushing() and auth.uid() is not null and not r.scopes && array(select public.my_scopes()) then
    raise exception 'a decision needs its request' using errcode = '23503';
  end if;
  new.organization_id := r.organization_id;
  new.permission := r.permission;
  if auth.uid() is null then return new; end if;
  new.decided_by := auth.uid();
  new.approver_id := coalesce(new.approver_id, auth.uid());
  new.counted_at := clock_timestamp();
  -- A derived id is its own row's, and nobody takes it before them.
  if substr(new.id::text, 15, 1) = '5' and new.id <> extensions.uuid_generate_v5(r.id, 'stage/' || new.stage::text || '/' || new.approver_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if r.state <> 'pending' or new.stage <> r.stage then
    raise exception 'this was decided already' using errcode = '42501';
  end if;
  if new.approver_id not in (select sync.people_of_stage(r)) then
    raise exception 'only who was asked decides' using errcode = '42501';
  end if;
  if not sync.may(r.permission, r.organization_id) then
    raise exception 'deciding needs %', r.permission using errcode = '42501';
  end if;
  if not coalesce(sync.sees_subject(r, auth.uid()), false) then
    raise exception 'deciding needs what it is about' using errcode = '42501';
  end if;
  new.delegation_id := null;
  if new.approver_id <> auth.uid() then
    new.delegation_id := sync.stands_in(r.organization_id, new.approver_id, auth.uid());
    if new.delegation_id is null or new.approver_id not in (select sync.holders(r.permission, r.organization_id)) then
      raise exception 'nobody decides in the name of somebody else' using errcode = '42501';
    end if;
    if sync.speaks_twice(r, auth.uid(), new.approver_id) then
      raise exception 'one head is one voice' using errcode = '42501', hint = 'own_voice';
    end if;
  end if;
  if r.requested_by = auth.uid() and exists (select from sync.holders(r.permission, r.organization_id) h where h <> auth.uid()) then
    raise exception 'somebody else decides on one''s own request' using errcode = '42501';
  end if;
  if new.decision <> 'approve' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who says no says why' using errcode = '23514';
  end if;
  return new;
end $$;

-- As before; who stands in is told while they could decide, else whoever was asked.
create or replace function inbox.approval_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  w record;
begin
  if tg_op = 'UPDATE' then perform inbox.settled(new.id, array['approval.requested']); end if;
  if new.state = 'pending' then
    for w in select t.asked, t.told from inbox.people_of_approval(new) t loop
      perform inbox.notify(w.told, 'approval.requested', 'approval/' || new.id::text || '/' || new.stage::text || '/' || w.asked::text, new.path,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(new.requested_by)), new.id, new.organization_id,
        case when w.asked = new.requested_by then null else new.requested_by end);
    end loop;
  elsif new.state <> 'withdrawn' then
    perform inbox.notify(new.requested_by, 'approval.decided', 'approval/' || new.id::text || '/' || new.state, new.path,
      jsonb_build_object('title', new.title, 'state', new.state), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $$;

-- As before; and a request is told to who sees it.
create or replace function inbox.subject_scopes(p_type text, p_subject uuid) returns text[]
  language sql stable security definer set search_path = '' return
  case split_part(p_type, '.', 1)
    when 'action' then (select a.scopes from public.action_items a where a.id = p_subject)
    when 'inspection' then (select i.scopes from public.inspections i where i.id = p_subject)
    when 'issue' then (select r.scopes from public.issue_reports r where r.id = p_subject)
    when 'task' then coalesce((select t.scopes from public.tasks t where t.id = p_subject),
      (select s.scopes from public.task_series s where s.id = p_subject))
    when 'policy' then (select p.scopes from public.policies p where p.id = p_subject)
    when 'evidence' then (select e.scopes from public.evidence e where e.id = p_subject)
    when 'approval' then (select r.scopes from public.approval_requests r where r.id = p_subject)
  end;

-- As before; asked are those who read the item. Its title and the reason stand in the request only where everybody who reads requests of
-- this kind reads the item too.
create or replace function public.ask_to_accept_risk(p_action uuid, p_until date, p_reason text, p_people uuid[] default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a public.action_items;
  able uuid[];
  asked uuid[] := p_people;
  made uuid;
  is_open boolean;
begin
  select * into a from public.action_items x where x.id = p_action for update;
  if not found or auth.uid() is null or a.deleted_at is not null or not sync.is_in_sight(a.scopes)
    or not (sync.may('action.work', a.organization_id) or sync.may('action.manage', a.organization_id)) then
    raise exception 'no such action item' using errcode = '42501';
  end if;
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '23514', hint = 'state'; end if;
  if p_until is null or p_until <= (now() at time zone 'UTC')::date or p_until > (now() at time zone 'UTC')::date + 730 then
    raise exception 'a risk is accepted for at most two years' using errcode = '22023', hint = 'until';
  end if;
  if btrim(coalesce(p_reason, '')) = '' or char_length(p_reason) > 2000 then
    raise exception 'why the risk can be borne' using errcode = '22023', hint = 'reason';
  end if;
  able := array(select h from sync.holders('action.accept_risk', a.organization_id) h where sync.sees(h, a.organization_id, a.scopes));
  is_open := not exists (select from sync.holders('action.accept_risk', a.organization_id) h where h <> all (able));
  if asked is null then
    asked := array(select h from unnest(able) h
      where h <> auth.uid() and h not in (select sync.authors_of('action_items', a.id)) order by h limit 20);
    if asked = '{}' then asked := array(select h from unnest(able) h where h <> auth.uid() order by h limit 20); end if;
    if asked = '{}' then asked := array[auth.uid()]; end if;
  elsif not asked <@ able then
    raise exception 'who is asked must read it, and hold action.accept_risk' using errcode = '22023', hint = 'approver_without_right';
  end if;
  made := sync.open_approval(a.organization_id, 'action.accept_risk', 'action_items', a.id, '/action-items/' || a.id::text,
    case when is_open then a.title else '–' end,
    jsonb_build_array(jsonb_build_object('name', '', 'rule', 'any', 'people', to_jsonb(asked))), case when is_open then p_reason end);
  update public.action_items set risk_until = p_until, risk_reason = btrim(p_reason) where id = a.id;
  return made;
end $$;

revoke execute on function sync.sees_subject(public.approval_requests, uuid), inbox.people_of_approval(public.approval_requests),
  sync.speaks_twice(public.approval_requests, uuid, uuid) from public;
