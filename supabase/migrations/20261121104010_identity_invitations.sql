-- Joining an organisation: by an invitation (link or e-mail, one use, 14 days) or by a partner link (many uses). Only a
-- token's hash is kept, in a schema the API does not serve. A guessed, spent, revoked or expired token gets one answer.

create schema identity;
grant usage on schema identity to service_role;                  -- never exposed by the API

create table organization_invitations (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  email           text,                                          -- lower case; null: whoever has the link
  role            text not null check (role in ('admin', 'manager', 'member', 'auditor')),
  site_ids        uuid[] not null default '{}',
  valid_until     timestamptz,                                   -- of the membership
  created_by      uuid not null references auth.users (id) on delete cascade,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null default now() + interval '14 days',
  accepted_at     timestamptz,
  accepted_by     uuid references auth.users (id) on delete set null,
  revoked_at      timestamptz
);
create index organization_invitations_organization on organization_invitations (organization_id, created_at);
create index organization_invitations_created_by on organization_invitations (created_by);
alter table organization_invitations enable row level security;
revoke all on organization_invitations from anon, authenticated;
grant select on organization_invitations to authenticated;
create policy "people managers read" on organization_invitations for select to authenticated
  using (organization_id in (select my_organizations_with('people.manage')));
-- No write: the calls below.

create table partner_links (
  id                  uuid primary key default gen_random_uuid(),
  organization_id     uuid not null references organizations (id) on delete cascade,
  name                text not null check (name <> ''),
  max_uses            integer check (max_uses > 0),              -- people; null: no limit
  uses                integer not null default 0,                -- people who joined
  created_by          uuid not null references auth.users (id) on delete cascade,
  created_at          timestamptz not null default now(),
  expires_at          timestamptz not null,
  revoked_at          timestamptz
);
create index partner_links_organization on partner_links (organization_id, created_at);
alter table partner_links enable row level security;
revoke all on partner_links from anon, authenticated;
grant select on partner_links to authenticated;
create policy "link makers read" on partner_links for select to authenticated
  using (organization_id in (select my_organizations_with('partner.link')));
-- No write: the calls below.

create table identity.invitation_token (
  hash          bytea primary key,                               -- sha-256 of the token
  invitation_id uuid not null unique references public.organization_invitations (id) on delete cascade
);
create table identity.partner_link_token (
  hash            bytea primary key,
  partner_link_id uuid not null unique references public.partner_links (id) on delete cascade
);

-- 244 random bits, from the source PostgreSQL uses for keys.
create function identity.new_token() returns text
  language sql volatile set search_path = '' as $$
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;
create function identity.token_hash(p_token text) returns bytea
  language sql immutable set search_path = '' return sha256(convert_to(coalesce(p_token, ''), 'UTF8'));

create function identity.need(p_permission text, p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_organizations_with(p_permission))
    or not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then
    raise exception 'this needs % in that organisation', p_permission using errcode = '42501';
  end if;
end $$;

create function identity.check_invitation(p_organization uuid, p_email text, p_role text, p_sites uuid[], p_valid_until timestamptz)
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
  if exists (select from public.organization_members m join auth.users u on u.id = m.user_id
             where m.organization_id = p_organization and m.deleted_at is null and lower(u.email) = p_email
               and (m.valid_until is null or m.valid_until > now())) then
    raise exception 'already a member' using errcode = '23505';
  end if;
end $$;

-- Makes an invitation and answers its token, this once: {id, token, email, expires_at}. An open one to the same address
-- is replaced. People with people.manage may invite.
create function invite_to_organization(
  p_organization uuid, p_email text default null, p_role text default 'member',
  p_sites uuid[] default '{}', p_valid_until timestamptz default null
) returns jsonb language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  address constant text := nullif(lower(trim(p_email)), '');
  token constant text := identity.new_token();
  i public.organization_invitations;
begin
  perform identity.need('people.manage', p_organization);
  perform identity.check_invitation(p_organization, address, p_role, coalesce(p_sites, '{}'), p_valid_until);
  if (select count(*) from public.organization_invitations x
      where x.organization_id = p_organization and x.created_at > now() - interval '1 day') >= 500 then
    raise exception 'an organisation invites at most 500 people a day' using errcode = 'P0001';
  end if;
  update public.organization_invitations x set revoked_at = now()
    where x.organization_id = p_organization and x.email = address and x.accepted_at is null and x.revoked_at is null;
  insert into public.organization_invitations (organization_id, email, role, site_ids, valid_until, created_by)
    values (p_organization, address, p_role, coalesce(p_sites, '{}'), p_valid_until, auth.uid()) returning * into i;
  insert into identity.invitation_token (hash, invitation_id) values (identity.token_hash(token), i.id);
  return jsonb_build_object('id', i.id, 'token', token, 'email', i.email, 'expires_at', i.expires_at);
end $$;

-- A new token and 14 new days; the old token stops working.
create function renew_invitation(p_id uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  token constant text := identity.new_token();
  i public.organization_invitations;
begin
  select * into i from public.organization_invitations x where x.id = p_id for update;
  perform identity.need('people.manage', i.organization_id);
  if i.accepted_at is not null or i.revoked_at is not null then
    raise exception 'this invitation was used or taken back' using errcode = 'P0001';
  end if;
  update public.organization_invitations x set expires_at = now() + interval '14 days', created_by = auth.uid()
    where x.id = p_id returning * into i;
  update identity.invitation_token t set hash = identity.token_hash(token) where t.invitation_id = p_id;
  return jsonb_build_object('id', i.id, 'token', token, 'email', i.email, 'expires_at', i.expires_at);
end $$;

create function revoke_invitation(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.need('people.manage', (select x.organization_id from public.organization_invitations x where x.id = p_id));
  update public.organization_invitations x set revoked_at = coalesce(x.revoked_at, now()) where x.id = p_id and x.accepted_at is null;
end $$;

-- The invitation a token stands for, if it can still be used; null for every other token, whatever is wrong with it.
create function identity.open_invitation(p_token text) returns public.organization_invitations
  language sql volatile security definer set search_path = '' as $$
  select i from identity.invitation_token t
  join public.organization_invitations i on i.id = t.invitation_id
  join public.organizations o on o.id = i.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(p_token) and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
$$;

create function identity.refuse_token() returns void language plpgsql set search_path = '' as $$
begin
  raise exception 'this link cannot be used: it is unknown, used, taken back or too old' using errcode = '42501';
end $$;

create function identity.may_of(p_role text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(p.description order by p.key), '[]') from public.role_permissions r
  join public.permissions p on p.key = r.permission
  where r.role_kind = 'organization' and r.role = p_role and r.deleted_at is null
$$;

create function identity.is_current_member(p_organization uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from sync.my_memberships() m where m.organization_id = p_organization)
$$;

-- In plain words who invites to what, before one signs in or agrees. `for_me` is null for a link without an address.
create function preview_organization_invitation(invitation_token text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  i constant public.organization_invitations := identity.open_invitation(invitation_token);
begin
  if i.id is null then perform identity.refuse_token(); end if;
  return (select jsonb_build_object(
      'organization_name', o.name, 'program_name', o.program_name, 'program_description', o.program_description,
      'role', i.role, 'display_name', sync.role_display_name(i.role, '{}', null), 'may', identity.may_of(i.role),
      'sites', (select coalesce(jsonb_agg(s.name order by s.name), '[]') from public.sites s where s.id = any (i.site_ids)),
      'invited_by', (select p.display_name from public.people p where p.id = i.created_by),
      'valid_until', i.valid_until, 'expires_at', i.expires_at,
      'email_hint', left(i.email, 1) || '…@' || split_part(i.email, '@', 2),
      'for_me', case when i.email is not null and auth.uid() is not null
        then i.email = (select lower(u.email) from auth.users u where u.id = auth.uid()) end,
      'already_member', identity.is_current_member(o.id))
    from public.organizations o where o.id = i.organization_id);
end $$;

-- Makes somebody a member as the invitation says, or gives a former member back what it says and nothing of before.
create function identity.join_organization(p_organization uuid, p_user uuid, p_role text, p_sites uuid[], p_valid_until timestamptz)
  returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.site_members m set deleted_at = now() where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null;
  update public.team_members m set deleted_at = now() where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null;
  update public.playbook_members m set deleted_at = now() where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null;
  insert into public.organization_members as m (organization_id, user_id, role, valid_until, site_limited)
    values (p_organization, p_user, p_role, p_valid_until, p_role = 'auditor' and cardinality(p_sites) > 0)
    on conflict (organization_id, user_id) do update set role = excluded.role, valid_until = excluded.valid_until,
      site_limited = excluded.site_limited, deleted_at = null, joined_at = now();
  insert into public.site_members as m (organization_id, site_id, user_id)
    select p_organization, s.id, p_user from public.sites s
    where s.id = any (p_sites) and s.organization_id = p_organization and s.deleted_at is null
    on conflict (site_id, user_id) do update set deleted_at = null;
end $$;

-- Accepts: {organization_id, organization_name, role, already_member}. The row lock lets one person through. Somebody who
-- accepted and whose answer was lost gets it again, as long as they are a member; a member who opens a link spends nothing.
create function accept_organization_invitation(invitation_token text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i public.organization_invitations;
  address text;
  confirmed boolean;
  member boolean;
begin
  if caller is null then perform identity.refuse_token(); end if;
  select x.* into i from identity.invitation_token t join public.organization_invitations x on x.id = t.invitation_id
    where t.hash = identity.token_hash(invitation_token) for update of x;
  member := i.id is not null and identity.is_current_member(i.organization_id);
  if i.accepted_by = caller and member then null;
  elsif (identity.open_invitation(invitation_token)).id is null then perform identity.refuse_token();
  else
    select lower(u.email), u.email_confirmed_at is not null into address, confirmed from auth.users u where u.id = caller;
    if i.email is not null and i.email is distinct from address then
      raise exception 'this invitation is for another address' using errcode = 'P0001', hint = 'invitation_for_another_account';
    end if;
    if i.email is not null and not confirmed then
      raise exception 'confirm your address first' using errcode = 'P0001', hint = 'email_not_confirmed';
    end if;
    if not member then
      perform identity.join_organization(i.organization_id, caller, i.role, i.site_ids, i.valid_until);
    end if;
    if not member or i.email is not null then
      update public.organization_invitations x set accepted_at = now(), accepted_by = caller where x.id = i.id;
    end if;
  end if;
  return (select jsonb_build_object('organization_id', o.id, 'organization_name', o.name, 'role', m.role, 'already_member', member)
    from public.organizations o join public.organization_members m on m.organization_id = o.id and m.user_id = caller
    where o.id = i.organization_id);
end $$;

-- Who leaves, or may no longer manage people, leaves no open door behind.
create function identity.close_doors() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is null and new.role = old.role then return null; end if;
  update public.organization_invitations x set revoked_at = now()
    where x.organization_id = new.organization_id and x.created_by = new.user_id and x.accepted_at is null and x.revoked_at is null;
  update public.partner_links x set revoked_at = now()
    where x.organization_id = new.organization_id and x.created_by = new.user_id and x.revoked_at is null;
  return null;
end $$;
create trigger e_close_doors after update on organization_members for each row execute function identity.close_doors();

-- {id, token, expires_at}. p_days: how long the link works, 1 to 366.
create function create_partner_link(p_organization uuid, p_name text, p_max_uses integer default null, p_days integer default 90)
  returns jsonb language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  token constant text := identity.new_token();
  l public.partner_links;
begin
  perform identity.need('partner.link', p_organization);
  if coalesce(trim(p_name), '') = '' or p_days is null or p_days not between 1 and 366 or p_max_uses < 1 then
    raise exception 'a partner link has a name, at least one use, and 1 to 366 days' using errcode = '22023';
  end if;
  insert into public.partner_links (organization_id, name, max_uses, created_by, expires_at)
    values (p_organization, trim(p_name), p_max_uses, auth.uid(), now() + make_interval(days => p_days)) returning * into l;
  insert into identity.partner_link_token (hash, partner_link_id) values (identity.token_hash(token), l.id);
  return jsonb_build_object('id', l.id, 'token', token, 'expires_at', l.expires_at);
end $$;

create function revoke_partner_link(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.need('partner.link', (select x.organization_id from public.partner_links x where x.id = p_id));
  update public.partner_links x set revoked_at = coalesce(x.revoked_at, now()) where x.id = p_id;
end $$;

create function identity.open_partner_link(p_token text) returns public.partner_links
  language sql volatile security definer set search_path = '' as $$
  select l from identity.partner_link_token t
  join public.partner_links l on l.id = t.partner_link_id
  join public.organizations o on o.id = l.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(p_token) and l.revoked_at is null and l.expires_at > now()
$$;

create function preview_partner_link(partner_link_token text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  l constant public.partner_links := identity.open_partner_link(partner_link_token);
begin
  if l.id is null or l.uses >= l.max_uses then perform identity.refuse_token(); end if;
  return (select jsonb_build_object('organization_name', o.name, 'program_name', o.program_name,
      'program_description', o.program_description, 'role', 'member', 'display_name', 'Member', 'may', identity.may_of('member'),
      'invited_by', (select p.display_name from public.people p where p.id = l.created_by),
      'expires_at', l.expires_at, 'already_member', identity.is_current_member(o.id))
    from public.organizations o where o.id = l.organization_id);
end $$;

-- Joins by a partner link and notes the activation, which makes the organisation current for 24 hours. A member activates
-- again without being counted; who was a member and is none needs an invitation.
create function activate_partner_link(partner_link_token text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  l public.partner_links;
  member boolean;
begin
  if caller is null then perform identity.refuse_token(); end if;
  perform from identity.partner_link_token t join public.partner_links x on x.id = t.partner_link_id
    where t.hash = identity.token_hash(partner_link_token) for update of x;
  l := identity.open_partner_link(partner_link_token);
  if l.id is null then perform identity.refuse_token(); end if;
  member := identity.is_current_member(l.organization_id);
  if not member then
    if l.uses >= l.max_uses then perform identity.refuse_token(); end if;
    if exists (select from public.organization_members m where m.organization_id = l.organization_id and m.user_id = caller) then
      raise exception 'a former member comes back by invitation' using errcode = 'P0001', hint = 'membership_ended';
    end if;
    perform identity.join_organization(l.organization_id, caller, 'member', '{}', null);
    update public.partner_links x set uses = x.uses + 1 where x.id = l.id;
  end if;
  insert into public.organization_activations as a (organization_id, user_id, activation_source)
    values (l.organization_id, caller, 'partner_link_v2')
    on conflict (organization_id, user_id, activation_source) do update set activated_at = now(), deleted_at = null;
  return (select jsonb_build_object('organization_id', o.id, 'organization_name', o.name, 'role', m.role, 'already_member', member)
    from public.organizations o join public.organization_members m on m.organization_id = o.id and m.user_id = caller
    where o.id = l.organization_id);
end $$;

-- The programme an organisation runs is named by its administrators or by a partner who makes its links.
create function set_organization_program(p_organization uuid, p_name text, p_description text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.need('partner.link', p_organization);
  update public.organizations o set program_name = nullif(trim(p_name), ''), program_description = nullif(trim(p_description), '')
    where o.id = p_organization;
end $$;
