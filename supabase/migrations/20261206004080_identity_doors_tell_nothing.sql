-- Inviting somebody told whether an address is a member's, to whoever may invite: the invitation is made, and no letter goes out; and a
-- member whose sites change is in the audit log.

-- As before; whether the address is a member's is not said.
create or replace function identity.check_invitation(p_organization uuid, p_email text, p_role text, p_sites uuid[], p_valid_until timestamptz)
  returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if p_email is not null and (p_email !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or length(p_email) > 254) then
    raise exception 'that is no e-mail address' using errcode = '22023';
  end if;
  if p_role is null or p_role not in ('admin', 'manager', 'member', 'auditor') then
    raise exception 'no such role' using errcode = '22023';
  end if;
  if p_valid_until <= now() or (p_role = 'admin' and p_valid_until is not null)
    or (p_role = 'auditor' and p_valid_until > now() + interval '366 days') then
    raise exception 'the membership''s end does not fit its role' using errcode = '22023';
  end if;
  if cardinality(p_sites) > 500 or exists (select from unnest(p_sites) s where s is null or not exists (
      select from public.sites x where x.id = s and x.organization_id = p_organization and x.deleted_at is null)) then
    raise exception 'a site of the invitation is not of the organisation' using errcode = '22023';
  end if;
end $$;

-- As before; also whether somebody is limited to their sites.
create or replace function audit.note_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_there constant boolean := tg_op <> 'DELETE' and new.deleted_at is null;
  was_there constant boolean := tg_op <> 'INSERT' and old.deleted_at is null;
begin
  if sync.accepted_by() is not null then return null; end if;
  if is_there and not was_there then
    perform audit.note(new.organization_id, 'member.added', 'people', new.user_id, jsonb_build_object('role', new.role, 'until', new.valid_until));
  elsif was_there and not is_there then
    perform audit.note(old.organization_id, 'member.removed', 'people', old.user_id, jsonb_build_object('role', old.role));
  elsif is_there then
    if new.role <> old.role then
      perform audit.note(new.organization_id, 'member.role_changed', 'people', new.user_id, jsonb_build_object('from', old.role, 'to', new.role));
    end if;
    if new.site_limited is distinct from old.site_limited then
      perform audit.note(new.organization_id, 'member.sites_changed', 'people', new.user_id, jsonb_build_object('limited', new.site_limited));
    end if;
    if new.valid_until is distinct from old.valid_until then
      perform audit.note(new.organization_id, 'member.time_changed', 'people', new.user_id,
        jsonb_build_object('from', old.valid_until, 'to', new.valid_until));
    end if;
  end if;
  return null;
end $$;
