-- Doors close with the right to open them, whatever ends it: a membership that is ended, or runs out, or a system role that is taken. With
-- invitations and partner links also the action items given to somebody outside: who was removed could reach theirs by the link.

-- Whether a person has a permission there now, by their role or a system role.
create function identity.may_still(p_user uuid, p_organization uuid, p_permission text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and exists (select from public.role_permissions p where p.permission = p_permission and p.deleted_at is null
        and (p.role_kind = 'organization' and p.role = m.role or p.role_kind = 'system' and p.role in (
          select r.role from public.user_roles r where r.user_id = p_user and r.deleted_at is null))))
$$;

-- Closes what somebody opened and may not open now, of one organisation or of all.
create function identity.close_doors_of(p_user uuid, p_organization uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link;
begin
  update public.organization_invitations x set revoked_at = now()
    where x.created_by = p_user and x.organization_id = coalesce(p_organization, x.organization_id)
      and x.accepted_at is null and x.revoked_at is null and not identity.may_still(p_user, x.organization_id, 'people.manage');
  update public.partner_links x set revoked_at = now()
    where x.created_by = p_user and x.organization_id = coalesce(p_organization, x.organization_id)
      and x.revoked_at is null and not identity.may_still(p_user, x.organization_id, 'partner.link');
  for l in
    select g.* from intake.guest_link g join public.action_items a on a.id = g.action_id
    where g.created_by = p_user and g.organization_id = coalesce(p_organization, g.organization_id) and g.revoked_at is null
      and not identity.may_still(p_user, g.organization_id, 'action.manage')
      and not coalesce(a.created_by = p_user and identity.may_still(p_user, g.organization_id, 'action.work'), false)
    for update of g
  loop
    update intake.guest_link x set revoked_at = now() where x.id = l.id;
    perform audit.note(l.organization_id, 'guest_link.revoked', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
  end loop;
end $$;

create or replace function identity.close_doors() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is null and new.role = old.role and coalesce(new.valid_until > now(), true) then return null; end if;
  -- With another role nothing of the old one is left, as before.
  if new.role <> old.role then
    update public.organization_invitations x set revoked_at = now()
      where x.organization_id = new.organization_id and x.created_by = new.user_id and x.accepted_at is null and x.revoked_at is null;
    update public.partner_links x set revoked_at = now()
      where x.organization_id = new.organization_id and x.created_by = new.user_id and x.revoked_at is null;
  end if;
  perform identity.close_doors_of(new.user_id, new.organization_id);
  return null;
end $$;

create function identity.close_doors_of_role() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform identity.close_doors_of(old.user_id);
  return null;
end $$;
create trigger e_close_doors after delete on public.user_roles for each row execute function identity.close_doors_of_role();
create trigger e_close_doors_taken after update on public.user_roles for each row
  when (old.deleted_at is null and (new.deleted_at is not null or new.role <> old.role)) execute function identity.close_doors_of_role();

-- As before, and closes what they had opened.
create or replace function sync.tell_ended_rights(p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before timestamptz;
  ended text[];
  m record;
begin
  select l.at into before from sync.looked l where l.what = 'ended_rights' for update skip locked;
  if before is null or before >= p_now then return 0; end if;
  select array_agg(distinct sync.user_scope(x.user_id)) into ended from public.organization_members x
    where x.valid_until > before and x.valid_until <= p_now and x.deleted_at is null;
  update sync.looked set at = p_now where what = 'ended_rights';
  if ended is null then return 0; end if;
  for m in select x.user_id, x.organization_id from public.organization_members x
    where x.valid_until > before and x.valid_until <= p_now and x.deleted_at is null loop
    perform identity.close_doors_of(m.user_id, m.organization_id);
  end loop;
  perform sync.nudge(ended, array(
    select coalesce(s.version, 0) from unnest(ended) with ordinality as e (scope, n) left join sync.scope s on s.id = e.scope order by e.n));
  return cardinality(ended);
end $$;

-- What is open already of those who went.
do $$
declare
  p uuid;
begin
  for p in
    select created_by from public.organization_invitations where accepted_at is null and revoked_at is null and created_by is not null
    union select created_by from public.partner_links where revoked_at is null and created_by is not null
    union select created_by from intake.guest_link where revoked_at is null and created_by is not null
  loop
    perform identity.close_doors_of(p);
  end loop;
end $$;

revoke execute on function identity.may_still(uuid, uuid, text), identity.close_doors_of(uuid, uuid), identity.close_doors_of_role() from public;
