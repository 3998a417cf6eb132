-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema approval as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION approval.approval_ended(r approval_requests)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if r.subject_table = 'policy_versions' then perform policy.policy_approval_ended(r); end if;
  if r.subject_table = 'action_items' then perform action.risk_approval_ended(r); end if;
  -- Its steps are done by the clock, with the rule's rights and not with those of whoever said yes.
  if r.subject_table = 'workflow_runs' then
    update workflow.run x set outcome = case r.state when 'approved' then 'approved' else 'refused' end where x.id = r.subject_id and x.outcome = 'waiting';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION approval.are_stages(p_stages jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((jsonb_typeof(p_stages) = 'array'::text) AND ((jsonb_array_length(p_stages) >= 1) AND (jsonb_array_length(p_stages) <= 5)) AND (NOT (EXISTS (SELECT FROM jsonb_array_elements(are_stages.p_stages) s(value) WHERE ((jsonb_typeof(s.value) <> 'object'::text) OR (jsonb_typeof((s.value -> 'name'::text)) IS DISTINCT FROM 'string'::text) OR (char_length((s.value ->> 'name'::text)) > 100) OR ((s.value ->> 'rule'::text) IS NULL) OR ((s.value ->> 'rule'::text) <> ALL (ARRAY['any'::text, 'all'::text, 'quorum'::text])) OR (jsonb_typeof((s.value -> 'people'::text)) IS DISTINCT FROM 'array'::text) OR ((jsonb_array_length((s.value -> 'people'::text)) < 1) OR (jsonb_array_length((s.value -> 'people'::text)) > 20)) OR ((SELECT count(DISTINCT e.value) AS count FROM jsonb_array_elements_text((s.value -> 'people'::text)) e(value)) < jsonb_array_length((s.value -> 'people'::text))) OR (EXISTS (SELECT FROM jsonb_array_elements_text((s.value -> 'people'::text)) e(value) WHERE (e.value !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text))) OR (((s.value ->> 'rule'::text) = 'quorum'::text) AND ((jsonb_typeof((s.value -> 'quorum'::text)) IS DISTINCT FROM 'number'::text) OR ((s.value ->> 'quorum'::text) !~ '^[0-9]{1,2}$'::text) OR ((((s.value ->> 'quorum'::text))::integer < 1) OR (((s.value ->> 'quorum'::text))::integer > jsonb_array_length((s.value -> 'people'::text)))))))))));

CREATE OR REPLACE FUNCTION approval.bound_delegations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.approval_delegations d where d.organization_id = new.organization_id and d.from_id = new.from_id and d.id <> new.id
      and d.deleted_at is null and d.revoked_at is null and d.ends_at > now()) >= 50 then
    raise exception 'at most 50 deputies are named at once' using errcode = '23514', hint = 'many', detail = 'CN316';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION approval.complete_stage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.approval_requests;
  stage jsonb;
  yes integer;
  needed integer;
begin
  select * into r from public.approval_requests q where q.id = new.request_id for update;
  if r.state <> 'pending' or new.stage <> r.stage then return null; end if;
  if new.decision <> 'approve' then
    r.state := case new.decision when 'reject' then 'rejected' else 'change_requested' end;
  else
    stage := r.stages -> (r.stage - 1);
    -- A quorum counts heads: who decides for somebody else too is one.
    select case when r.stages -> (r.stage - 1) ->> 'rule' = 'quorum' then count(distinct coalesce(d.decided_by, d.approver_id)) else count(*) end
      into yes from public.approval_decisions d
      where d.request_id = r.id and d.stage = r.stage and d.decision = 'approve' and d.deleted_at is null;
    needed := case stage ->> 'rule' when 'any' then 1 when 'quorum' then (stage ->> 'quorum')::integer
      else jsonb_array_length(stage -> 'people') end;
    if yes < needed then
      perform inbox.mark_resolved_read(r.id, array['approval.requested'], new.approver_id), inbox.mark_resolved_read(r.id, array['approval.requested'], new.decided_by);
      return null;
    end if;
    if r.stage < jsonb_array_length(r.stages) then r.stage := r.stage + 1; else r.state := 'approved'; end if;
  end if;
  update public.approval_requests q set stage = r.stage, state = r.state,
    decided_at = case when r.state <> 'pending' then clock_timestamp() end where q.id = r.id;
  if r.state <> 'pending' then perform approval.approval_ended(r); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION approval.count_decision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.approval_requests;
begin
  select * into r from public.approval_requests q where q.id = new.request_id for update;
  -- What somebody may not see is to them as if it were not there; what is no push the policy refuses.
  if not found or sync.pushing() and auth.uid() is not null and not r.scopes && array(select public.my_scopes()) then
    raise exception 'a decision needs its request' using errcode = '23503', detail = 'CN307';
  end if;
  new.organization_id := r.organization_id;
  new.permission := r.permission;
  if auth.uid() is null then return new; end if;
  new.decided_by := auth.uid();
  new.approver_id := coalesce(new.approver_id, auth.uid());
  new.counted_at := clock_timestamp();
  -- A derived id is its own row's, and nobody takes it before them.
  if substr(new.id::text, 15, 1) = '5' and new.id <> extensions.uuid_generate_v5(r.id, 'stage/' || new.stage::text || '/' || new.approver_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN230';
  end if;
  if r.state <> 'pending' or new.stage <> r.stage then
    raise exception 'this was decided already' using errcode = '42501', detail = 'CN308';
  end if;
  if new.approver_id not in (select approval.people_of_stage(r)) then
    raise exception 'only who was asked decides' using errcode = '42501', detail = 'CN309';
  end if;
  if not access.may(r.permission, r.organization_id) then
    raise exception 'deciding needs %', r.permission using errcode = '42501', detail = 'CN310';
  end if;
  if not coalesce(approval.sees_subject(r, auth.uid()), false) then
    raise exception 'deciding needs what it is about' using errcode = '42501', detail = 'CN311';
  end if;
  new.delegation_id := null;
  if new.approver_id <> auth.uid() then
    new.delegation_id := approval.deputises_for(r.organization_id, new.approver_id, auth.uid());
    if new.delegation_id is null or new.approver_id not in (select approval.holders(r.permission, r.organization_id)) then
      raise exception 'nobody decides in the name of somebody else' using errcode = '42501', detail = 'CN312';
    end if;
    if approval.speaks_twice(r, auth.uid(), new.approver_id) then
      raise exception 'one head is one voice' using errcode = '42501', hint = 'own_voice', detail = 'CN313';
    end if;
  end if;
  if r.requested_by = auth.uid() and exists (select from approval.holders(r.permission, r.organization_id) h where h <> auth.uid()) then
    raise exception 'somebody else decides on one''s own request' using errcode = '42501', detail = 'CN314';
  end if;
  if new.decision <> 'approve' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who says no says why' using errcode = '23514', detail = 'CN166';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION approval.deputies_of(p_organization uuid, p_for uuid)
 RETURNS TABLE(to_id uuid, delegation_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct on (d.to_id) d.to_id, d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.deleted_at is null and d.revoked_at is null
    and d.ends_at > now() and d.starts_at <= now()
    and access.is_member(p_organization, p_for) and access.has_enterprise_plan(p_organization)
  order by d.to_id, d.created_at, d.id
$function$;

CREATE OR REPLACE FUNCTION approval.deputises_for(p_organization uuid, p_for uuid, p_by uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.to_id = p_by and d.deleted_at is null and d.revoked_at is null
    and now() >= d.starts_at and now() < d.ends_at
    and access.is_member(p_organization, p_for) and access.has_enterprise_plan(p_organization)
  order by d.created_at limit 1
$function$;

CREATE OR REPLACE FUNCTION approval.guard_delegation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'UPDATE' and (new.from_id, new.to_id, new.starts_at) is distinct from (old.from_id, old.to_id, old.starts_at) then
    raise exception 'a delegation keeps its people' using errcode = '42501', detail = 'CN301';
  end if;
  if tg_op = 'UPDATE' then
    if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at or old.deleted_at is not null and new.deleted_at is null then
      raise exception 'what was revoked stays revoked' using errcode = '42501', detail = 'CN302';
    end if;
    if new.ends_at > old.ends_at then raise exception 'a delegation is not made longer' using errcode = '42501', detail = 'CN303'; end if;
  end if;
  if access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if tg_op = 'INSERT' and not access.has_enterprise_plan(new.organization_id) then
    raise exception 'deputies belong to the enterprise plan' using errcode = '42501', hint = 'plan', detail = 'CN304';
  end if;
  -- Who manages people may name a deputy for somebody, never themselves: one would hold both voices.
  if new.from_id <> auth.uid() and new.to_id = auth.uid() and (tg_op = 'INSERT'
      -- Giving the voice back is no way of taking it.
      or (new.starts_at, new.ends_at, new.reason) is distinct from (old.starts_at, old.ends_at, old.reason)) then
    raise exception 'nobody makes themselves the deputy of another' using errcode = '42501', detail = 'CN305';
  end if;
  if tg_op = 'INSERT' and not (access.is_member(new.organization_id, new.from_id) and access.is_member(new.organization_id, new.to_id)) then
    raise exception 'only members of the organisation stand in for each other' using errcode = '42501', detail = 'CN306';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION approval.guard_own_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r public.approval_requests;
  authors uuid[];
begin
  if auth.uid() is null then return new; end if;
  select * into r from public.approval_requests q where q.id = new.request_id;
  authors := array(select policy.authors_of(r.subject_table, r.subject_id));
  if (new.decided_by = any (authors) or new.approver_id = any (authors))
    and approval.somebody_else_decides(r.organization_id, r.permission,
      array(select policy.authors_apart_from(r.subject_table, r.subject_id, auth.uid())) || r.requested_by) then
    raise exception 'somebody else decides on one''s own text' using errcode = '42501', detail = 'CN315';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION approval.holders(p_permission text, p_organization uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select inbox.people_with(p_permission, p_organization, null)
$function$;

CREATE OR REPLACE FUNCTION approval.open_approval(p_organization uuid, p_permission text, p_table text, p_subject uuid, p_path text, p_title text, p_stages jsonb, p_note text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION approval.people_of_stage(r approval_requests)
 RETURNS SETOF uuid
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select e::uuid from jsonb_array_elements_text(r.stages -> (r.stage - 1) -> 'people') e
$function$;

CREATE OR REPLACE FUNCTION approval.sees_subject(r approval_requests, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case r.subject_table
    when 'action_items' then (select access.user_sees_scopes(p_person, a.organization_id, a.scopes) from public.action_items a where a.id = r.subject_id)
    when 'workflow_runs' then (select access.user_sees_scopes(p_person, e.organization_id, e.scopes)
      from workflow.run x join workflow.event e on e.id = x.event_id where x.id = r.subject_id)
    else true end
$function$;

CREATE OR REPLACE FUNCTION approval.somebody_else_decides(p_organization uuid, p_permission text, p_authors uuid[])
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from approval.holders(p_permission, p_organization) h where h <> all (array_remove(p_authors, null)))
$function$;

CREATE OR REPLACE FUNCTION approval.speaks_twice(r approval_requests, p_caller uuid, p_for uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
