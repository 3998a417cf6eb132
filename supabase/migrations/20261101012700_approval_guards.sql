-- Approvals: guards and what else triggers do, and who sees and writes which rows.

-- What was revoked stays revoked, an end only comes nearer, and who stands in changes nothing of it but gives it back.
-- Nobody is named without the plan, and what was given ends as always.
create function approval.guard_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on approval_delegations for each row execute function approval.guard_delegation();

-- Takes a decision or refuses it. The request is locked first: of two that would both end a stage the second finds it over.
-- Whoever decides reads what it is about, a voice is that of somebody who could decide now, and nobody is two heads.
create function approval.count_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_count before insert on approval_decisions for each row execute function approval.count_decision();

-- One no ends the request; enough yes end its stage, the last stage the request.
create function approval.complete_stage() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger d_complete_stage after insert on approval_decisions for each row
  when (new.counted_at is not null) execute function approval.complete_stage();

-- Fires after c_count, which has said whose decision it is.
create function approval.guard_own_text() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger d_own_text before insert on approval_decisions for each row execute function approval.guard_own_text();

create function approval.bound_delegations() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.approval_delegations d where d.organization_id = new.organization_id and d.from_id = new.from_id and d.id <> new.id
      and d.deleted_at is null and d.revoked_at is null and d.ends_at > now()) >= 50 then
    raise exception 'at most 50 deputies are named at once' using errcode = '23514', hint = 'many', detail = 'CN316';
  end if;
  return new;
end $$;
create trigger d_bound before insert on public.approval_delegations for each row execute function approval.bound_delegations();

-- Triggers whose functions stand with another area.

-- Whether they were asked: trigger c_count.
create trigger b_creator before insert or update on approval_delegations for each row execute function space.set_creator();
create trigger b_fixed_organization before update on approval_delegations for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on approval_delegations for each statement execute function sync.require_push();

create trigger a0_require_push before insert on approval_decisions for each statement execute function sync.require_push();

-- Who may call what.
revoke execute on function approval.guard_delegation(), approval.count_decision(), approval.complete_stage(), approval.guard_own_text(), approval.bound_delegations() from public;

-- Who sees and writes which rows.

create policy "scope reads" on approval_requests for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

grant insert, update on approval_delegations to authenticated;
-- No write: each area opens requests by a call of its own, decisions move them.
create policy "scope reads" on approval_delegations for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who is away, or manages people, adds" on approval_delegations for insert to authenticated
  with check ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (from_id = (select auth.uid()) or organization_id in (select my_organizations_with('people.manage'))));
create policy "who is away, or manages people, revokes" on approval_delegations for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (from_id = (select auth.uid()) or organization_id in (select my_organizations_with('people.manage'))));

-- The grant is what a push needs to look whether the row is there; no policy lets anybody update one: a decision stands.
grant insert, update on approval_decisions to authenticated;
create policy "scope reads" on approval_decisions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who is asked decides" on approval_decisions for insert to authenticated
  with check ((select sync.pushing()) and decided_by = (select auth.uid()) and scopes && (select array(select my_scopes())));
