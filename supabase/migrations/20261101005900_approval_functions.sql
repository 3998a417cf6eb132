-- Approvals: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- The delegation by which somebody may decide in another's name at present. One step only: who stands in cannot pass it on,
-- so that no chain can close on itself.
-- Not without the plan.
create function approval.deputises_for(p_organization uuid, p_for uuid, p_by uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.to_id = p_by and d.deleted_at is null and d.revoked_at is null
    and now() >= d.starts_at and now() < d.ends_at
    and access.is_member(p_organization, p_for) and access.has_enterprise_plan(p_organization)
  order by d.created_at limit 1
$$;

-- People of the organisation who hold a permission, by their role there.
create function approval.holders(p_permission text, p_organization uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select inbox.people_with(p_permission, p_organization, null)
$$;

create function approval.people_of_stage(r public.approval_requests) returns setof uuid
  language sql immutable set search_path = '' as $$
  select e::uuid from jsonb_array_elements_text(r.stages -> (r.stage - 1) -> 'people') e
$$;

-- What follows for the subject; each area adds its branch.
create function approval.approval_ended(r public.approval_requests) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if r.subject_table = 'policy_versions' then perform policy.policy_approval_ended(r); end if;
  if r.subject_table = 'action_items' then perform action.risk_approval_ended(r); end if;
  -- Its steps are done by the clock, with the rule's rights and not with those of whoever said yes.
  if r.subject_table = 'workflow_runs' then
    update workflow.run x set outcome = case r.state when 'approved' then 'approved' else 'refused' end where x.id = r.subject_id and x.outcome = 'waiting';
  end if;
end $$;

-- For the calls of the areas: asks for an approval. Nobody asks themselves while somebody else could be asked.
create function approval.open_approval(p_organization uuid, p_permission text, p_table text, p_subject uuid, p_path text, p_title text,
  p_stages jsonb, p_note text) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
  authors constant uuid[] := array(select policy.authors_of(p_table, p_subject));
begin
  if approval.are_stages(p_stages) is not true then raise exception 'these are no stages of an approval' using errcode = '22023', detail = 'CN130'; end if;
  if exists (select from jsonb_array_elements(p_stages) s, jsonb_array_elements_text(s -> 'people') e
    where e::uuid not in (select approval.holders(p_permission, p_organization))) then
    raise exception 'who is asked must hold %', p_permission using errcode = '22023', hint = 'approver_without_right', detail = 'CN131';
  end if;
  if exists (select from jsonb_array_elements(p_stages) s, jsonb_array_elements_text(s -> 'people') e
      where e::uuid = auth.uid() and approval.somebody_else_decides(p_organization, p_permission, array[auth.uid()])
        or e::uuid = any (authors) and approval.somebody_else_decides(p_organization, p_permission, authors || auth.uid())) then
    raise exception 'somebody else decides on one''s own request' using errcode = '22023', hint = 'own_request', detail = 'CN132';
  end if;
  insert into public.approval_requests (organization_id, permission, subject_table, subject_id, path, title, note, stages, requested_by)
    values (p_organization, p_permission, p_table, p_subject, p_path, p_title, nullif(btrim(p_note), ''), p_stages, auth.uid())
    returning id into made;
  return made;
end $$;

-- Taken back by who asked, or by somebody who could have decided: who reads what it is about. What no person asked for (a workflow) is
-- not taken back: that would be a no without a reason and a name.
create function withdraw_approval(p_request uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.approval_requests;
begin
  select * into r from public.approval_requests q where q.id = p_request and q.deleted_at is null for update;
  if not found or not (r.requested_by is not distinct from auth.uid() and access.is_member(r.organization_id, auth.uid())
    or access.may(r.permission, r.organization_id) and r.subject_table <> 'workflow_runs' and approval.sees_subject(r, auth.uid())) then
    raise exception 'no such request' using errcode = '42501', detail = 'CN133';
  end if;
  if r.state <> 'pending' then raise exception 'this was decided already' using errcode = '23514', detail = 'CN134'; end if;
  r.state := 'withdrawn';
  update public.approval_requests q set state = r.state, decided_at = clock_timestamp() where q.id = r.id;
  perform approval.approval_ended(r);
end $$;

-- Whether somebody of the organisation could decide who neither wrote nor asks.
-- Nobody (a workflow asked, no person) is no author.
create function approval.somebody_else_decides(p_organization uuid, p_permission text, p_authors uuid[]) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from approval.holders(p_permission, p_organization) h where h <> all (array_remove(p_authors, null)))
$$;

-- Who decides in somebody's name at present, and by which delegation, each once; as approval.deputises_for has it of one.
create function approval.deputies_of(p_organization uuid, p_for uuid) returns table (to_id uuid, delegation_id uuid)
  language sql stable security definer set search_path = '' as $$
  select distinct on (d.to_id) d.to_id, d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.deleted_at is null and d.revoked_at is null
    and d.ends_at > now() and d.starts_at <= now()
    and access.is_member(p_organization, p_for) and access.has_enterprise_plan(p_organization)
  order by d.to_id, d.created_at, d.id
$$;

-- Whether somebody reads what a request is about; who holds the permission of a policy reads its versions.
create function approval.sees_subject(r public.approval_requests, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select case r.subject_table
    when 'action_items' then (select access.user_sees_scopes(p_person, a.organization_id, a.scopes) from public.action_items a where a.id = r.subject_id)
    when 'workflow_runs' then (select access.user_sees_scopes(p_person, e.organization_id, e.scopes)
      from workflow.run x join workflow.event e on e.id = x.event_id where x.id = r.subject_id)
    else true end
$$;

-- Whether one head would speak twice on a request in the name of others: who decided already, or has a voice of their own, speaks for
-- nobody else while another could. In one stage a quorum counts heads itself.
create function approval.speaks_twice(r public.approval_requests, p_caller uuid, p_for uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select (exists (select from public.approval_decisions d where d.request_id = r.id and d.decided_by = p_caller and d.deleted_at is null
        and (d.stage <> r.stage or r.stages -> (r.stage - 1) ->> 'rule' <> 'quorum'))
      or exists (select from jsonb_array_elements(r.stages) with ordinality as s (stage, n)
        where s.stage -> 'people' ? p_caller::text and (s.n <> r.stage or s.stage ->> 'rule' <> 'quorum')))
    and exists (select from approval.holders(r.permission, r.organization_id) h
      where h not in (p_caller, p_for) and h is distinct from r.requested_by and approval.sees_subject(r, h)
        -- Of whom a stage names, those have a voice to spare who need not all speak in this one.
        and (not exists (select from jsonb_array_elements(r.stages) s where s -> 'people' ? h::text)
          or r.stages -> (r.stage - 1) ->> 'rule' <> 'all' and r.stages -> (r.stage - 1) -> 'people' ? h::text)
        and not exists (select from public.approval_decisions d where d.request_id = r.id and d.decided_by = h and d.deleted_at is null))
$$;

-- Who may call what.
revoke execute on function approval.deputises_for(uuid, uuid, uuid), approval.holders(text, uuid), approval.people_of_stage(public.approval_requests),
  approval.approval_ended(public.approval_requests), approval.open_approval(uuid, text, text, uuid, text, text, jsonb, text),
  approval.somebody_else_decides(uuid, text, uuid[]), approval.deputies_of(uuid, uuid), approval.sees_subject(public.approval_requests, uuid),
  approval.speaks_twice(public.approval_requests, uuid, uuid) from public;
revoke execute on function withdraw_approval(uuid) from public, anon;
