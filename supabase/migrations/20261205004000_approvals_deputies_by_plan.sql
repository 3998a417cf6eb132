-- Deputies belong to the enterprise plan of a company (R6.27): without it nobody is named, and who was named decides in nobody's name
-- until the plan is back (docs/decisions/0795-delegation-needs-the-plan.md).

create function sync.has_enterprise_plan(p_organization uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.plan = 'enterprise')
$$;
revoke execute on function sync.has_enterprise_plan(uuid) from public;

-- As before; not without the plan.
create or replace function sync.stands_in(p_organization uuid, p_for uuid, p_by uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.to_id = p_by and d.deleted_at is null and d.revoked_at is null
    and now() >= d.starts_at and now() < d.ends_at
    and sync.is_member(p_organization, p_for) and sync.has_enterprise_plan(p_organization)
  order by d.created_at limit 1
$$;

-- As before; nobody is named without the plan, and what was given ends as always.
create or replace function sync.guard_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'UPDATE' and (new.from_id, new.to_id, new.starts_at) is distinct from (old.from_id, old.to_id, old.starts_at) then
    raise exception 'a delegation keeps its people' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' then
    if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at or old.deleted_at is not null and new.deleted_at is null then
      raise exception 'what was revoked stays revoked' using errcode = '42501';
    end if;
    if new.ends_at > old.ends_at then raise exception 'a delegation is not made longer' using errcode = '42501'; end if;
  end if;
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if tg_op = 'INSERT' and not sync.has_enterprise_plan(new.organization_id) then
    raise exception 'deputies belong to the enterprise plan' using errcode = '42501', hint = 'plan';
  end if;
  -- Who manages people may name a deputy for somebody, never themselves: one would hold both voices.
  if new.from_id <> auth.uid() and new.to_id = auth.uid() and (tg_op = 'INSERT'
      -- Giving the voice back is no way of taking it.
      or (new.starts_at, new.ends_at, new.reason) is distinct from (old.starts_at, old.ends_at, old.reason)) then
    raise exception 'nobody makes themselves the deputy of another' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' and not (sync.is_member(new.organization_id, new.from_id) and sync.is_member(new.organization_id, new.to_id)) then
    raise exception 'only members of the organisation stand in for each other' using errcode = '42501';
  end if;
  return new;
end $$;

-- As before; who stands in is who may decide now, as the sweep has it.
create or replace function inbox.approval_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  asked uuid;
  told uuid;
begin
  if tg_op = 'UPDATE' then perform inbox.settled(new.id, array['approval.requested']); end if;
  if new.state = 'pending' then
    for asked in select sync.people_of_stage(new) loop
      for told in select d.to_id from public.approval_delegations d
          where d.organization_id = new.organization_id and d.from_id = asked and sync.stands_in(new.organization_id, asked, d.to_id) = d.id
          union all select asked where not exists (select from public.approval_delegations d
            where d.organization_id = new.organization_id and d.from_id = asked and sync.stands_in(new.organization_id, asked, d.to_id) is not null) loop
        perform inbox.notify(told, 'approval.requested', 'approval/' || new.id::text || '/' || new.stage::text || '/' || asked::text, new.path,
          jsonb_build_object('title', new.title, 'by', inbox.name_of(new.requested_by)), new.id, new.organization_id,
          case when asked = new.requested_by then null else new.requested_by end);
      end loop;
    end loop;
  elsif new.state <> 'withdrawn' then
    perform inbox.notify(new.requested_by, 'approval.decided', 'approval/' || new.id::text || '/' || new.state, new.path,
      jsonb_build_object('title', new.title, 'state', new.state), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $$;
