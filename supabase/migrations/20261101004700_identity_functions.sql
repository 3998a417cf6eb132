-- Identity: invitations, partner links, tiers, support, sessions, what is looked at before every request: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- What a person is called where they stand; packages/core/src/roles/display-name.ts says the same, and a test compares.
create function identity.role_display_name(p_organization_role text, p_system_roles text[], p_support_role text) returns text
  language sql immutable set search_path = '' return case
    when p_support_role is not null and p_organization_role is null then case p_support_role
      when 'managed_admin' then 'Managed Admin' when 'mentor_coach' then 'Mentor/Coach'
      when 'triad_intelligence_operator' then 'Triad Intelligence' when 'accountability_partner' then 'Accountability Partner' end
    when p_organization_role = 'admin' and 'admin' = any (p_system_roles) then 'Organization Administrator'
    when p_organization_role = 'admin' then 'Organization Admin'
    when 'admin' = any (p_system_roles) then 'System Administrator'
    when p_organization_role = 'manager' then 'Manager'
    when p_organization_role = 'auditor' then 'Auditor'
    when 'moderator' = any (p_system_roles) then 'Moderator'
    when 'partner' = any (p_system_roles) then 'Partner'
    when 'manager' = any (p_system_roles) then 'Manager'
    else 'Member'
  end;

-- 244 random bits, from the source PostgreSQL uses for keys.
create function identity.new_token() returns text
  language sql volatile set search_path = '' as $$
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

create function identity.token_hash(p_token text) returns bytea
  language sql immutable set search_path = '' return sha256(convert_to(coalesce(p_token, ''), 'UTF8'));

create function identity.require_permission(p_permission text, p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_organizations_with(p_permission))
    or not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then
    raise exception 'this needs % in that organisation', p_permission using errcode = '42501', detail = 'CN048';
  end if;
end $$;

-- Whether the address is a member's is not said.
create function identity.check_invitation(p_organization uuid, p_email text, p_role text, p_sites uuid[], p_valid_until timestamptz)
  returns void language plpgsql stable security definer set search_path = '' as $$
begin
  if p_email is not null and (p_email !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or length(p_email) > 254) then
    raise exception 'that is no e-mail address' using errcode = '22023', detail = 'CN049';
  end if;
  if p_role is null or p_role not in ('admin', 'manager', 'member', 'auditor') then
    raise exception 'no such role' using errcode = '22023', detail = 'CN050';
  end if;
  if p_valid_until <= now() or (p_role = 'admin' and p_valid_until is not null)
    or (p_role = 'auditor' and p_valid_until > now() + interval '366 days') then
    raise exception 'the membership''s end does not fit its role' using errcode = '22023', detail = 'CN051';
  end if;
  if cardinality(p_sites) > 500 or exists (select from unnest(p_sites) s where s is null or not exists (
      select from public.sites x where x.id = s and x.organization_id = p_organization and x.deleted_at is null)) then
    raise exception 'a site of the invitation is not of the organisation' using errcode = '22023', detail = 'CN052';
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
  perform identity.require_permission('people.manage', p_organization);
  perform identity.check_invitation(p_organization, address, p_role, coalesce(p_sites, '{}'), p_valid_until);
  if (select count(*) from public.organization_invitations x
      where x.organization_id = p_organization and x.created_at > now() - interval '1 day') >= 500 then
    raise exception 'an organisation invites at most 500 people a day' using errcode = 'P0001', detail = 'CN053';
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
  perform identity.require_permission('people.manage', i.organization_id);
  if i.accepted_at is not null or i.revoked_at is not null then
    raise exception 'this invitation was used or taken back' using errcode = 'P0001', detail = 'CN054';
  end if;
  update public.organization_invitations x set expires_at = now() + interval '14 days', created_by = auth.uid()
    where x.id = p_id returning * into i;
  update identity.invitation_token t set hash = identity.token_hash(token) where t.invitation_id = p_id;
  return jsonb_build_object('id', i.id, 'token', token, 'email', i.email, 'expires_at', i.expires_at);
end $$;

create function revoke_invitation(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.require_permission('people.manage', (select x.organization_id from public.organization_invitations x where x.id = p_id));
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
  raise exception 'this link cannot be used: it is unknown, used, taken back or too old' using errcode = '42501', detail = 'CN055';
end $$;

create function identity.grantable_to(p_role text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(p.description order by p.key), '[]') from public.role_permissions r
  join public.permissions p on p.key = r.permission
  where r.role_kind = 'organization' and r.role = p_role and r.deleted_at is null
$$;

create function identity.is_current_member(p_organization uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from access.my_memberships() m where m.organization_id = p_organization)
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
      'role', i.role, 'display_name', identity.role_display_name(i.role, '{}', null), 'may', identity.grantable_to(i.role),
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
  insert into public.site_members (organization_id, site_id, user_id)
    select p_organization, s.id, p_user from public.sites s
    where s.id = any (p_sites) and s.organization_id = p_organization and s.deleted_at is null
    on conflict (site_id, user_id) where deleted_at is null do nothing;
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
      raise exception 'this invitation is for another address' using errcode = 'P0001', hint = 'invitation_for_another_account', detail = 'CN056';
    end if;
    if i.email is not null and not confirmed then
      raise exception 'confirm your address first' using errcode = 'P0001', hint = 'email_not_confirmed', detail = 'CN057';
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

-- {id, token, expires_at}. p_days: how long the link works, 1 to 366.
create function create_partner_link(p_organization uuid, p_name text, p_max_uses integer default null, p_days integer default 90)
  returns jsonb language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  token constant text := identity.new_token();
  l public.partner_links;
begin
  perform identity.require_permission('partner.link', p_organization);
  if coalesce(trim(p_name), '') = '' or p_days is null or p_days not between 1 and 366 or p_max_uses < 1 then
    raise exception 'a partner link has a name, at least one use, and 1 to 366 days' using errcode = '22023', detail = 'CN058';
  end if;
  insert into public.partner_links (organization_id, name, max_uses, created_by, expires_at)
    values (p_organization, trim(p_name), p_max_uses, auth.uid(), now() + make_interval(days => p_days)) returning * into l;
  insert into identity.partner_link_token (hash, partner_link_id) values (identity.token_hash(token), l.id);
  return jsonb_build_object('id', l.id, 'token', token, 'expires_at', l.expires_at);
end $$;

create function revoke_partner_link(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.require_permission('partner.link', (select x.organization_id from public.partner_links x where x.id = p_id));
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
      'program_description', o.program_description, 'role', 'member', 'display_name', 'Member', 'may', identity.grantable_to('member'),
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
      raise exception 'a former member comes back by invitation' using errcode = 'P0001', hint = 'membership_ended', detail = 'CN059';
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
  perform identity.require_permission('partner.link', p_organization);
  update public.organizations o set program_name = nullif(trim(p_name), ''), program_description = nullif(trim(p_description), '')
    where o.id = p_organization;
end $$;

create function identity.tier_of(p_user uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select case
    when not exists (select from public.user_roles r where r.user_id = p_user and r.role = 'admin' and r.deleted_at is null)
      then 'personal_consumer'
    -- Everybody administers their private space: that is no organisation to have a plan for.
    when exists (select from public.organization_members m
        join public.organizations o on o.id = m.organization_id and o.kind = 'company' and o.deleted_at is null
        where m.user_id = p_user and m.role = 'admin' and m.deleted_at is null)
      then 'company_enterprise'
    else 'personal_creator' end
$$;

create function identity.refresh_plan(p_organization uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant text := case when exists (
    select from public.organization_members m join public.subscriptions s on s.id = m.user_id
    where m.organization_id = p_organization and m.role = 'admin' and m.deleted_at is null and s.tier = 'company_enterprise')
    then 'enterprise' else 'standard' end;
begin
  update public.organizations o set plan = due where o.id = p_organization and o.kind = 'company' and o.plan <> due;
end $$;

create function identity.refresh_tier(p_user uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  due constant text := identity.tier_of(p_user);
begin
  if not exists (select from auth.users u where u.id = p_user) then return; end if;
  insert into public.subscriptions as s (id, tier) values (p_user, due)
    on conflict (id) do update set tier = excluded.tier where s.tier <> excluded.tier;
  perform identity.refresh_plan(m.organization_id) from public.organization_members m
    where m.user_id = p_user and m.role = 'admin' and m.deleted_at is null;
end $$;

create function identity.quota_limit(p_user uuid, p_quota text) returns integer
  language sql stable security definer set search_path = '' as $$
  select case p_quota when 'media_search' then t.media_search_quota when 'video_credits' then t.monthly_video_credits end
  from public.subscription_tiers t where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = p_user), 'personal_consumer')
$$;

create function identity.quota_state(p_user uuid, p_quota text) returns jsonb
  language sql volatile security definer set search_path = '' as $$
  select jsonb_build_object('limit', l.n, 'used', l.used, 'bought', l.bought, 'remaining', greatest(l.n - l.used, 0) + l.bought)
  from (select identity.quota_limit(p_user, p_quota) as n,
    coalesce((select u.used from identity.quota_use u
      where u.user_id = p_user and u.quota = p_quota and u.month = date_trunc('month', now() at time zone 'UTC')::date), 0) as used,
    case p_quota when 'video_credits' then coalesce((select b.credits from identity.credit_balance b where b.user_id = p_user), 0) else 0 end as bought) l
$$;

-- Takes from the caller's quota: {granted, limit, used, bought, remaining}. All of p_amount or nothing.
create function consume_quota(p_quota text, p_request uuid, p_amount integer default 1) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  this_month constant date := date_trunc('month', now() at time zone 'UTC')::date;
  earlier identity.quota_request;
  spent integer;
  bought integer := 0;
  take integer;
begin
  if caller is null then raise exception 'consume_quota needs a signed-in person' using errcode = '42501', detail = 'CN060'; end if;
  if p_quota is null or p_quota not in ('media_search', 'video_credits') or p_request is null or p_amount is null or p_amount not between 1 and 1000 then
    raise exception 'consume_quota takes a quota, a request id and an amount from 1 to 1000' using errcode = '22023', detail = 'CN061';
  end if;
  insert into identity.quota_use (user_id, quota, month) values (caller, p_quota, this_month) on conflict do nothing;
  select u.used into spent from identity.quota_use u
    where u.user_id = caller and u.quota = p_quota and u.month = this_month for update;
  select * into earlier from identity.quota_request r where r.user_id = caller and r.id = p_request;
  if found then
    if earlier.quota <> p_quota or earlier.from_month + earlier.from_bought <> p_amount then
      raise exception 'this request id stands for another request' using errcode = '22023', detail = 'CN062';
    end if;
    return identity.quota_state(caller, p_quota) || jsonb_build_object('granted', earlier.refunded_at is null);
  end if;
  take := least(p_amount, greatest(identity.quota_limit(caller, p_quota) - spent, 0));
  if take < p_amount and p_quota = 'video_credits' then
    -- Credits that were bought are kept for whoever may make videos at present.
    select b.credits into bought from identity.credit_balance b
      where b.user_id = caller and identity.quota_limit(caller, p_quota) > 0 for update;
  end if;
  if take + coalesce(bought, 0) < p_amount then
    return identity.quota_state(caller, p_quota) || '{"granted": false}';
  end if;
  update identity.quota_use u set used = u.used + take where u.user_id = caller and u.quota = p_quota and u.month = this_month;
  update identity.credit_balance b set credits = b.credits - (p_amount - take) where b.user_id = caller and p_amount > take;
  insert into identity.quota_request (user_id, id, quota, month, from_month, from_bought)
    values (caller, p_request, p_quota, this_month, take, p_amount - take);
  return identity.quota_state(caller, p_quota) || '{"granted": true}';
end $$;

-- For the server, when what was paid for could not be made. Once per request.
create function refund_quota(p_user uuid, p_request uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r identity.quota_request;
begin
  update identity.quota_request q set refunded_at = now()
    where q.user_id = p_user and q.id = p_request and q.refunded_at is null returning * into r;
  if not found then return false; end if;
  update identity.quota_use u set used = greatest(u.used - r.from_month, 0)
    where u.user_id = p_user and u.quota = r.quota and u.month = r.month;
  update identity.credit_balance b set credits = b.credits + r.from_bought where b.user_id = p_user and r.from_bought > 0;
  return true;
end $$;

-- What the tier allows and what is left of it this month.
create function get_subscription_info() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'get_subscription_info needs a signed-in person' using errcode = '42501', detail = 'CN063'; end if;
  return (select to_jsonb(t) - array['id', 'scopes', 'version', 'created_at', 'updated_at', 'deleted_at'] || jsonb_build_object(
      'media_search', identity.quota_state(auth.uid(), 'media_search'), 'video_credits', identity.quota_state(auth.uid(), 'video_credits'))
    from public.subscription_tiers t
    where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = auth.uid()), 'personal_consumer'));
end $$;

-- No write: the calls below.
create function request_purchase(p_id uuid, p_amount integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.purchase_requests;
begin
  if auth.uid() is null or not exists (select from public.subscriptions s join public.subscription_tiers t on t.tier = s.tier
      where s.id = auth.uid() and t.can_buy_credits) then
    raise exception 'this tier cannot buy credits' using errcode = '42501', detail = 'CN064';
  end if;
  -- One person's requests wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('purchase'), hashtext(auth.uid()::text));
  if (select count(*) from public.purchase_requests x where x.user_id = auth.uid() and x.state = 'requested' and x.id <> p_id) >= 10 then
    raise exception 'ten requests are waiting already' using errcode = 'P0001', detail = 'CN065';
  end if;
  insert into public.purchase_requests (id, user_id, amount) values (p_id, auth.uid(), p_amount) on conflict (id) do nothing;
  select * into r from public.purchase_requests x where x.id = p_id and x.user_id = auth.uid() and x.amount = p_amount;
  if not found then raise exception 'this request id stands for another request' using errcode = '22023', detail = 'CN062'; end if;
  return jsonb_build_object('id', r.id, 'state', r.state, 'amount', r.amount);
end $$;

create function cancel_purchase(p_id uuid) returns text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.purchase_requests x set state = 'cancelled', decided_at = now(), decided_by = auth.uid()
    where x.id = p_id and x.user_id = auth.uid() and x.state = 'requested';
  if not found then raise exception 'no open request of yours' using errcode = '42501', detail = 'CN066'; end if;
  return 'cancelled';
end $$;

-- Fulfils or declines once; whoever comes second gets what was decided.
create function decide_purchase(p_id uuid, p_fulfil boolean) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.purchase_requests;
begin
  if auth.uid() is null or not public.my_platform_permission('platform.fulfil') then
    raise exception 'deciding purchases needs platform.fulfil' using errcode = '42501', detail = 'CN067';
  end if;
  update public.purchase_requests x set state = case when p_fulfil then 'fulfilled' else 'declined' end,
      decided_at = now(), decided_by = auth.uid()
    where x.id = p_id and x.state = 'requested' and p_fulfil is not null returning * into r;
  if found and p_fulfil then
    insert into identity.credit_balance as b (user_id, credits) values (r.user_id, r.amount)
      on conflict (user_id) do update set credits = b.credits + excluded.credits;
  end if;
  return (select x.state from public.purchase_requests x where x.id = p_id);
end $$;

-- No write: the calls below; nobody changes or removes an entry.
create function identity.require_support(p_reason text) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or not public.my_platform_permission('platform.support') then
    raise exception 'this needs platform.support' using errcode = '42501', detail = 'CN068';
  end if;
  if coalesce(length(trim(p_reason)), 0) not between 3 and 500 then
    raise exception 'say why, in 3 to 500 characters' using errcode = '22023', detail = 'CN069';
  end if;
end $$;

-- Companies by name, at most 20: [{id, name, slug, plan, members}]. Each one is logged before it is answered.
create function support_find_organizations(p_search text, p_reason text, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  perform identity.require_support(p_reason);
  if p_ticket is not null then
    select coalesce(array_agg(x::uuid), '{}') into ids
      from jsonb_array_elements_text(access.redeem_read_ticket(p_ticket, 'support_find_organizations', '{}') -> 'ids') x;
    return (select coalesce(jsonb_agg(to_jsonb(f) order by f.name), '[]') from (
      select o.id, o.name, o.slug, o.plan,
        (select count(*) from public.organization_members m where m.organization_id = o.id and m.deleted_at is null) as members
      from public.organizations o where o.id = any (ids) and o.kind = 'company' and o.deleted_at is null) f);
  end if;
  select coalesce(array_agg(f.id), '{}') into ids from (
    select o.id from public.organizations o
    where o.kind = 'company' and o.deleted_at is null and position(lower(trim(p_search)) in lower(o.name)) > 0 and trim(p_search) <> ''
    order by o.name, o.id limit 20) f;
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason)
    select i, auth.uid(), 'organizations', array[i], trim(p_reason) from unnest(ids) i;
  return access.issue_read_ticket('support_find_organizations', jsonb_build_object('ids', to_jsonb(ids)));
end $$;

-- Which synced tables hold rows of an organisation.
create function identity.is_of_organization(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from sync.tables t where t.name = p_table and 'organization_id' = any (t.columns))
$$;

-- A page of one table of a company, by id: {rows, next}. Rows that are somebody's own (audience user:… only) are left out. With
-- a ticket: of the rows that were logged those that are still there.
create function support_read(p_organization uuid, p_table text, p_reason text, p_after uuid default null, p_limit integer default 100,
  p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  place constant text := case p_table
    when 'organizations' then 'x.id = $1'
    when 'people' then 'x.id in (select m.user_id from public.organization_members m where m.organization_id = $1 and m.deleted_at is null)'
    else 'x.organization_id = $1' end;
  ids uuid[];
  answer jsonb;
begin
  perform identity.require_support(p_reason);
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'no such company' using errcode = '42501', detail = 'CN070';
  end if;
  -- What a person was told and what they follow name the company, and are theirs.
  if p_table is null or p_table in ('notifications', 'record_follows') or (p_table not in ('organizations', 'people') and not identity.is_of_organization(p_table)) then
    raise exception 'no such table' using errcode = '22023', detail = 'CN004';
  end if;
  if p_ticket is not null then
    select coalesce(array_agg(x::uuid order by x::uuid), '{}') into ids from jsonb_array_elements_text(access.redeem_read_ticket(p_ticket, 'support_read',
      jsonb_build_object('organization', p_organization, 'table', p_table)) -> 'ids') x;
  end if;
  execute format($query$
    select coalesce(jsonb_agg(to_jsonb(r) - 'scopes' order by r.id), '[]') from (
      select x.* from public.%I x
      where %s and x.deleted_at is null and ($2::uuid is null or x.id > $2) and ($4::uuid[] is null or x.id = any ($4))
        and exists (select from unnest(x.scopes) s where s not like 'user:%%')
      order by x.id limit $3) r
  $query$, p_table, place) into answer
    using p_organization, case when p_ticket is null then p_after end, case when p_ticket is null then least(greatest(coalesce(p_limit, 100), 1), 500) end, ids;
  if p_ticket is not null then return jsonb_build_object('rows', answer, 'next', ids[array_upper(ids, 1)]); end if;
  ids := array(select (r ->> 'id')::uuid from jsonb_array_elements(answer) r);
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason) values (p_organization, auth.uid(), p_table, ids, trim(p_reason));
  return access.issue_read_ticket('support_read', jsonb_build_object('organization', p_organization, 'table', p_table, 'ids', to_jsonb(ids)));
end $$;

create function my_sessions()
returns table (
  id           uuid,
  created_at   timestamptz,
  -- The last time this device asked for a new token, or signed in.
  seen_at      timestamptz,
  -- What the device called itself; an app reads system and browser from it.
  user_agent   text,
  ip_address   text,
  -- aal1, or aal2 after a second factor.
  level        text,
  is_current   boolean
)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at,
         greatest(s.created_at, s.refreshed_at at time zone 'utc'),
         s.user_agent, host(s.ip), coalesce(s.aal::text, 'aal1'),
         s.id = nullif((select auth.jwt()) ->> 'session_id', '')::uuid
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 7 desc nulls last, 3 desc
$$;
comment on function my_sessions() is 'Sessions of whoever asks, the asking one first';

create function end_my_session(p_id uuid)
returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = (select auth.uid());
  return found;
end $$;
comment on function end_my_session(uuid) is
  'Signs one of the asker''s own devices out; false when there is no such session, whoever else may have it';

-- The level of a session is what the database says now, not what its token said when it was made: a factor that is taken out, the
-- lost phone, takes the level of every session it raised with it (docs/decisions/17-auth-server.md).
create function identity.require_full_session() returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  session constant uuid := nullif(auth.jwt() ->> 'session_id', '')::uuid;
begin
  if exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
    and (coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2'
      or session is not null and not exists (select from auth.sessions s where s.id = session and s.aal = 'aal2')) then
    -- PostgREST answers 401, upon which a device renews its token or asks for a sign-in. An empty answer would make it
    -- let go of what it holds.
    raise exception 'the second step of this sign-in is missing' using errcode = 'PT401', detail = 'CN071';
  end if;
end $$;

-- Refuses what could not be granted, so that nobody is shown a preview of what they will not get.
create function identity.check_wanted(p_role text, p_wanted jsonb) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  w jsonb;
  items jsonb;
begin
  if jsonb_typeof(p_wanted) is distinct from 'array' or jsonb_array_length(p_wanted) > 20 or pg_column_size(p_wanted) > 40000 then
    raise exception 'a list of what to share is needed' using errcode = '22023', detail = 'CN072';
  end if;
  for w in select * from jsonb_array_elements(p_wanted) loop
    items := nullif(w -> 'item_ids', 'null');
    if not exists (select from public.circle_visibility v where v.role = p_role and v.scope = w ->> 'scope' and v.level = w ->> 'level'
        and v.chosen = coalesce(jsonb_typeof(items) = 'array' and jsonb_array_length(items) > 0, false)) then
      raise exception 'this role cannot be given that' using errcode = '22023', detail = 'CN073';
    end if;
    -- As consent_grants holds them.
    if items is not null and (jsonb_typeof(items) <> 'array' or pg_column_size(items) > 20000
        or (select count(distinct e) from jsonb_array_elements_text(items) e) < jsonb_array_length(items)
        or exists (select from jsonb_array_elements(items) e where jsonb_typeof(e) <> 'string'
          or e #>> '{}' !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')) then
      raise exception 'these are no items, or too many' using errcode = '22023', detail = 'CN074';
    end if;
    if (w ->> 'until')::timestamptz <= now() then
      raise exception 'it would have ended already' using errcode = '22023', detail = 'CN075';
    end if;
    if (w ->> 'until')::timestamptz = 'infinity' then
      raise exception 'no end is none' using errcode = '22023', detail = 'CN076';
    end if;
  end loop;
end $$;

create function identity.open_circle_invitation(p_token text) returns public.circle_invitations
  language plpgsql stable security definer set search_path = '' as $$
declare
  i public.circle_invitations;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  select x.* into i from public.circle_invitations x join identity.circle_invitation_token t on t.invitation_id = x.id
    where t.hash = identity.token_hash(p_token) and x.accepted_at is null and x.declined_at is null and x.revoked_at is null
      and x.expires_at > now();
  -- One answer for guessed, spent, taken back and expired, and for one's own.
  if i.id is null or i.subject_id = auth.uid() then raise exception 'this link cannot be used' using errcode = '42501', detail = 'CN078'; end if;
  return i;
end $$;

-- What of an invitation still stands: days may pass before it is answered, and what has ended by then is given to nobody.
create function identity.valid_wanted_grants(p_wanted jsonb) returns setof jsonb
  language sql stable set search_path = '' as $$
  select w from jsonb_array_elements(p_wanted) with ordinality as all_wanted (w, at)
  where w ->> 'until' is null or (w ->> 'until')::timestamptz > now() order by at
$$;

-- Before the tokens go with the account. Hosted Supabase stores them as they are, the local server their SHA-256 (decision 17).
create function identity.note_ended_tokens(p_user uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if to_regclass('auth.refresh_tokens') is null then return; end if;
  execute 'insert into identity.ended_tokens (hash) select sha256(convert_to(t.token, ''UTF8'')) from auth.refresh_tokens t
    where t.user_id::text = $1 and t.token is not null on conflict do nothing' using p_user::text;
end $$;

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
create function identity.end_access_of(p_user uuid, p_organization uuid default null) returns void
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

-- Who may call what.
revoke execute on function identity.role_display_name(text, text[], text), identity.new_token(), identity.token_hash(text), identity.require_permission(text, uuid),
  identity.check_invitation(uuid, text, text, uuid[], timestamp with time zone), identity.open_invitation(text), identity.refuse_token(),
  identity.grantable_to(text), identity.is_current_member(uuid), preview_organization_invitation(text),
  identity.join_organization(uuid, uuid, text, uuid[], timestamp with time zone), identity.open_partner_link(text), preview_partner_link(text),
  identity.tier_of(uuid), identity.refresh_plan(uuid), identity.refresh_tier(uuid), identity.quota_limit(uuid, text), identity.quota_state(uuid, text),
  identity.require_support(text), identity.is_of_organization(text), identity.require_full_session(), identity.check_wanted(text, jsonb),
  identity.open_circle_invitation(text), identity.valid_wanted_grants(jsonb), identity.note_ended_tokens(uuid), identity.may_still(uuid, uuid, text),
  identity.end_access_of(uuid, uuid) from public;
revoke execute on function invite_to_organization(uuid, text, text, uuid[], timestamp with time zone), renew_invitation(uuid), revoke_invitation(uuid),
  accept_organization_invitation(text), create_partner_link(uuid, text, integer, integer), revoke_partner_link(uuid), activate_partner_link(text),
  set_organization_program(uuid, text, text), consume_quota(text, uuid, integer), get_subscription_info(), request_purchase(uuid, integer),
  cancel_purchase(uuid), decide_purchase(uuid, boolean), support_find_organizations(text, text, uuid),
  support_read(uuid, text, text, uuid, integer, uuid), my_sessions(), end_my_session(uuid) from public, anon;
revoke execute on function refund_quota(uuid, uuid) from public, anon, authenticated;
grant execute on function identity.note_ended_tokens(uuid) to service_role;

create function request.check_session() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  perform request.refuse_estimates();
  perform identity.require_full_session();
end $$;

create function request.refuse_estimates() returns void language plpgsql stable set search_path = '' as $$
declare
  headers constant jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  if headers ->> 'prefer' ~* 'count\s*=\s*"?\s*(planned|estimated)' then
    raise exception 'counts are exact here' using errcode = 'PT400', hint = 'Prefer: count=exact', detail = 'CN079';
  end if;
  if headers ->> 'accept' ~* 'pgrst\.plan' then
    raise exception 'plans are not shown' using errcode = 'PT406', detail = 'CN080';
  end if;
end $$;

-- Who may call what.
revoke execute on function identity.role_display_name(text, text[], text), identity.new_token(), identity.token_hash(text), identity.require_permission(text, uuid),
  identity.check_invitation(uuid, text, text, uuid[], timestamp with time zone), identity.open_invitation(text), identity.refuse_token(),
  identity.grantable_to(text), identity.is_current_member(uuid), preview_organization_invitation(text),
  identity.join_organization(uuid, uuid, text, uuid[], timestamp with time zone), identity.open_partner_link(text), preview_partner_link(text),
  identity.tier_of(uuid), identity.refresh_plan(uuid), identity.refresh_tier(uuid), identity.quota_limit(uuid, text), identity.quota_state(uuid, text),
  identity.require_support(text), identity.is_of_organization(text), identity.require_full_session(), identity.check_wanted(text, jsonb),
  identity.open_circle_invitation(text), identity.valid_wanted_grants(jsonb), identity.note_ended_tokens(uuid), identity.may_still(uuid, uuid, text),
  identity.end_access_of(uuid, uuid), request.refuse_estimates() from public;
revoke execute on function invite_to_organization(uuid, text, text, uuid[], timestamp with time zone), renew_invitation(uuid), revoke_invitation(uuid),
  accept_organization_invitation(text), create_partner_link(uuid, text, integer, integer), revoke_partner_link(uuid), activate_partner_link(text),
  set_organization_program(uuid, text, text), consume_quota(text, uuid, integer), get_subscription_info(), request_purchase(uuid, integer),
  cancel_purchase(uuid), decide_purchase(uuid, boolean), support_find_organizations(text, text, uuid),
  support_read(uuid, text, text, uuid, integer, uuid), my_sessions(), end_my_session(uuid) from public, anon;
revoke execute on function refund_quota(uuid, uuid) from public, anon, authenticated;
grant execute on function identity.note_ended_tokens(uuid) to service_role;
