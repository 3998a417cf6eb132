-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema identity as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION identity.check_invitation(p_organization uuid, p_email text, p_role text, p_sites uuid[], p_valid_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION identity.check_wanted(p_role text, p_wanted jsonb)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION identity.end_access()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.deleted_at is null and new.role = old.role and coalesce(new.valid_until > now(), true) then return null; end if;
  -- With another role nothing of the old one is left, as before.
  if new.role <> old.role then
    update public.organization_invitations x set revoked_at = now()
      where x.organization_id = new.organization_id and x.created_by = new.user_id and x.accepted_at is null and x.revoked_at is null;
    update public.partner_links x set revoked_at = now()
      where x.organization_id = new.organization_id and x.created_by = new.user_id and x.revoked_at is null;
  end if;
  perform identity.end_access_of(new.user_id, new.organization_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.end_access_of(p_user uuid, p_organization uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION identity.end_access_of_role()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform identity.end_access_of(old.user_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.end_activations()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.organization_activations a set deleted_at = now()
    where a.organization_id = new.organization_id and a.user_id = new.user_id and a.deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.grantable_to(p_role text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(p.description order by p.key), '[]') from public.role_permissions r
  join public.permissions p on p.key = r.permission
  where r.role_kind = 'organization' and r.role = p_role and r.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION identity.is_current_member(p_organization uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from access.my_memberships() m where m.organization_id = p_organization)
$function$;

CREATE OR REPLACE FUNCTION identity.is_of_organization(p_table text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from sync.tables t where t.name = p_table and 'organization_id' = any (t.columns))
$function$;

CREATE OR REPLACE FUNCTION identity.join_organization(p_organization uuid, p_user uuid, p_role text, p_sites uuid[], p_valid_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION identity.limit_invitation_emails()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  address constant bytea := sha256(convert_to(new.email, 'UTF8'));
begin
  -- One address at a time, so that the bounds hold for calls at once.
  perform pg_advisory_xact_lock(hashtext('invitation_email'), hashtext(new.email));
  delete from identity.invitation_email l
    where l.at < now() - interval '1 day' and (l.address_hash = address or l.sender_id = new.created_by);
  if (select count(*) from identity.invitation_email l where l.address_hash = address and l.organization_id = new.organization_id) >= 5
    or (select count(*) from identity.invitation_email l where l.address_hash = address and l.sender_id = new.created_by) >= 5
    or (select count(*) from identity.invitation_email l where l.address_hash = address) >= 20
      and (exists (select from identity.invitation_email l where l.address_hash = address and l.organization_id = new.organization_id)
        or not exists (select from public.organizations o where o.id = new.organization_id and o.created_at < now() - interval '7 days'))
    or (select count(*) from identity.invitation_email l where l.sender_id = new.created_by) >= 500 then
    raise exception 'this address was invited often enough today' using errcode = 'PT429', hint = 'too_many_invitations', detail = 'CN243';
  end if;
  insert into identity.invitation_email (organization_id, sender_id, address_hash) values (new.organization_id, new.created_by, address);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.may_still(p_user uuid, p_organization uuid, p_permission text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and exists (select from public.role_permissions p where p.permission = p_permission and p.deleted_at is null
        and (p.role_kind = 'organization' and p.role = m.role or p.role_kind = 'system' and p.role in (
          select r.role from public.user_roles r where r.user_id = p_user and r.deleted_at is null))))
$function$;

CREATE OR REPLACE FUNCTION identity.new_token()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$function$;

CREATE OR REPLACE FUNCTION identity.note_ended_tokens(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if to_regclass('auth.refresh_tokens') is null then return; end if;
  execute 'insert into identity.ended_tokens (hash) select sha256(convert_to(t.token, ''UTF8'')) from auth.refresh_tokens t
    where t.user_id::text = $1 and t.token is not null on conflict do nothing' using p_user::text;
end $function$;

CREATE OR REPLACE FUNCTION identity.nudge_ended_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  told text[];
begin
  select array_agg(distinct sync.user_scope(o.user_id)) into told from ended o;
  if told is null then return null; end if;
  perform sync.nudge(told, array(
    select coalesce(s.version, 0) from unnest(told) with ordinality as t (scope, n) left join sync.scope s on s.id = t.scope order by t.n));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.open_circle_invitation(p_token text)
 RETURNS circle_invitations
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION identity.open_invitation(p_token text)
 RETURNS organization_invitations
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select i from identity.invitation_token t
  join public.organization_invitations i on i.id = t.invitation_id
  join public.organizations o on o.id = i.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(p_token) and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
$function$;

CREATE OR REPLACE FUNCTION identity.open_partner_link(p_token text)
 RETURNS partner_links
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l from identity.partner_link_token t
  join public.partner_links l on l.id = t.partner_link_id
  join public.organizations o on o.id = l.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(p_token) and l.revoked_at is null and l.expires_at > now()
$function$;

CREATE OR REPLACE FUNCTION identity.organization_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform identity.refresh_tier(m.user_id) from public.organization_members m
    where m.organization_id = new.id and m.role = 'admin' and m.deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.quota_limit(p_user uuid, p_quota text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case p_quota when 'media_search' then t.media_search_quota when 'video_credits' then t.monthly_video_credits end
  from public.subscription_tiers t where t.tier = coalesce((select s.tier from public.subscriptions s where s.id = p_user), 'personal_consumer')
$function$;

CREATE OR REPLACE FUNCTION identity.quota_state(p_user uuid, p_quota text)
 RETURNS jsonb
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('limit', l.n, 'used', l.used, 'bought', l.bought, 'remaining', greatest(l.n - l.used, 0) + l.bought)
  from (select identity.quota_limit(p_user, p_quota) as n,
    coalesce((select u.used from identity.quota_use u
      where u.user_id = p_user and u.quota = p_quota and u.month = date_trunc('month', now() at time zone 'UTC')::date), 0) as used,
    case p_quota when 'video_credits' then coalesce((select b.credits from identity.credit_balance b where b.user_id = p_user), 0) else 0 end as bought) l
$function$;

CREATE OR REPLACE FUNCTION identity.refresh_plan(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due constant text := case when exists (
    select from public.organization_members m join public.subscriptions s on s.id = m.user_id
    where m.organization_id = p_organization and m.role = 'admin' and m.deleted_at is null and s.tier = 'company_enterprise')
    then 'enterprise' else 'standard' end;
begin
  update public.organizations o set plan = due where o.id = p_organization and o.kind = 'company' and o.plan <> due;
end $function$;

CREATE OR REPLACE FUNCTION identity.refresh_tier(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due constant text := identity.tier_of(p_user);
begin
  if not exists (select from auth.users u where u.id = p_user) then return; end if;
  insert into public.subscriptions as s (id, tier) values (p_user, due)
    on conflict (id) do update set tier = excluded.tier where s.tier <> excluded.tier;
  perform identity.refresh_plan(m.organization_id) from public.organization_members m
    where m.user_id = p_user and m.role = 'admin' and m.deleted_at is null;
end $function$;

CREATE OR REPLACE FUNCTION identity.refuse_token()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'this link cannot be used: it is unknown, used, taken back or too old' using errcode = '42501', detail = 'CN055';
end $function$;

CREATE OR REPLACE FUNCTION identity.refuse_wanted_principles()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from jsonb_array_elements(new.wanted) w where w ->> 'scope' = 'principles') then
    raise exception 'a countersignature is asked for at the principle' using errcode = '22023', detail = 'CN244';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION identity.require_full_session()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION identity.require_permission(p_permission text, p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or p_organization is null or p_organization not in (select public.my_organizations_with(p_permission))
    or not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then
    raise exception 'this needs % in that organisation', p_permission using errcode = '42501', detail = 'CN048';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION identity.require_support(p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not public.my_platform_permission('platform.support') then
    raise exception 'this needs platform.support' using errcode = '42501', detail = 'CN068';
  end if;
  if coalesce(length(trim(p_reason)), 0) not between 3 and 500 then
    raise exception 'say why, in 3 to 500 characters' using errcode = '22023', detail = 'CN069';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION identity.role_display_name(p_organization_role text, p_system_roles text[], p_support_role text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE WHEN ((p_support_role IS NOT NULL) AND (p_organization_role IS NULL)) THEN CASE p_support_role WHEN 'managed_admin'::text THEN 'Managed Admin'::text WHEN 'mentor_coach'::text THEN 'Mentor/Coach'::text WHEN 'triad_intelligence_operator'::text THEN 'Triad Intelligence'::text WHEN 'accountability_partner'::text THEN 'Accountability Partner'::text ELSE NULL::text END WHEN ((p_organization_role = 'admin'::text) AND ('admin'::text = ANY (p_system_roles))) THEN 'Organization Administrator'::text WHEN (p_organization_role = 'admin'::text) THEN 'Organization Admin'::text WHEN ('admin'::text = ANY (p_system_roles)) THEN 'System Administrator'::text WHEN (p_organization_role = 'manager'::text) THEN 'Manager'::text WHEN (p_organization_role = 'auditor'::text) THEN 'Auditor'::text WHEN ('moderator'::text = ANY (p_system_roles)) THEN 'Moderator'::text WHEN ('partner'::text = ANY (p_system_roles)) THEN 'Partner'::text WHEN ('manager'::text = ANY (p_system_roles)) THEN 'Manager'::text ELSE 'Member'::text END;

CREATE OR REPLACE FUNCTION identity.roles_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' then perform identity.refresh_tier(old.user_id); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.user_id <> old.user_id) then perform identity.refresh_tier(new.user_id); end if;
  if tg_table_name = 'organization_members' then
    perform identity.refresh_plan(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION identity.tier_of(p_user uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when not exists (select from public.user_roles r where r.user_id = p_user and r.role = 'admin' and r.deleted_at is null)
      then 'personal_consumer'
    -- Everybody administers their private space: that is no organisation to have a plan for.
    when exists (select from public.organization_members m
        join public.organizations o on o.id = m.organization_id and o.kind = 'company' and o.deleted_at is null
        where m.user_id = p_user and m.role = 'admin' and m.deleted_at is null)
      then 'company_enterprise'
    else 'personal_creator' end
$function$;

CREATE OR REPLACE FUNCTION identity.token_hash(p_token text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN sha256(convert_to(COALESCE(p_token, ''::text), 'UTF8'::name));

CREATE OR REPLACE FUNCTION identity.valid_wanted_grants(p_wanted jsonb)
 RETURNS SETOF jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select w from jsonb_array_elements(p_wanted) with ordinality as all_wanted (w, at)
  where w ->> 'until' is null or (w ->> 'until')::timestamptz > now() order by at
$function$;
