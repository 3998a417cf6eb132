-- Roles as bundles of permissions, for the three kinds of role; circle roles; memberships that are limited in time and
-- to sites; where a person stands. What a permission counts for is said by its first word: `platform.` the installation,
-- `circle.` the person who asked for the support, every other one an organisation the holder belongs to.

alter table role_permissions drop constraint role_permissions_role_kind_check,
  add constraint role_permissions_role_kind_check check (role_kind in ('system', 'organization', 'circle'));

alter table permissions add column reach text not null
  generated always as (case split_part(key, '.', 1) when 'platform' then 'platform' when 'circle' then 'circle' else 'organization' end) stored;

insert into permissions (key, description) values
  ('content.manage', 'Create and change learning content and packs'),
  ('analytics.view', 'See analytics'),
  ('marketplace.access', 'Install packs from the marketplace'),
  ('partner.link', 'Make partner links and name the programme'),
  ('unsent.review', 'Accept or decline work that somebody could not send before they left'),
  ('platform.moderate', 'Moderate listings, comments and reported content'),
  ('platform.support', 'Read any company, each time with a reason and a log entry'),
  ('platform.fulfil', 'Decide purchase requests'),
  ('circle.view', 'See what was shared with them'),
  ('circle.nudge', 'Send encouragement'),
  ('circle.session', 'Hold sessions and agree next steps'),
  ('circle.manage', 'Act for the person in what they handed over'),
  ('circle.brief', 'Review the weekly brief before the person approves it');

insert into role_permissions (role_kind, role, permission)
  select 'organization', 'admin', unnest(array['content.manage', 'analytics.view', 'marketplace.access', 'partner.link', 'unsent.review'])
  union all
  -- A system role widens what one may do in the organisations one belongs to; it opens no other one.
  select 'system', 'admin', unnest(array['people.manage', 'content.manage', 'analytics.view', 'marketplace.access', 'partner.link',
    'platform.moderate', 'platform.fulfil'])
  union all
  select 'system', 'moderator', 'platform.moderate'
  union all
  select 'system', 'partner', unnest(array['content.manage', 'marketplace.access', 'partner.link'])
  union all
  select 'system', 'customer_support', unnest(array['analytics.view', 'platform.support'])
  union all
  select 'circle', 'managed_admin', unnest(array['analytics.view', 'circle.view', 'circle.nudge', 'circle.manage'])
  union all
  select 'circle', 'mentor_coach', unnest(array['circle.view', 'circle.nudge', 'circle.session'])
  union all
  select 'circle', 'accountability_partner', unnest(array['circle.view', 'circle.nudge'])
  union all
  select 'circle', 'triad_intelligence_operator', unnest(array['circle.view', 'circle.brief']);

-- Who supports whom. It says that somebody helps, not what they see: that takes a grant of the subject.
create table circle_relationships (
  id         uuid primary key default gen_random_uuid(),
  subject_id uuid not null references auth.users (id) on delete cascade,
  helper_id  uuid not null references auth.users (id) on delete cascade,
  role       text not null check (role in ('managed_admin', 'mentor_coach', 'triad_intelligence_operator', 'accountability_partner')),
  state      text not null default 'active' check (state in ('active', 'paused', 'ended')),
  started_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  check (subject_id <> helper_id),
  unique (subject_id, helper_id, role)
);
create index circle_relationships_helper on circle_relationships (helper_id);
select sync.add_table('circle_relationships', 12, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['started_at']);

create policy "both sides read" on circle_relationships for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "both sides pause and end" on circle_relationships for update to authenticated
  using ((select sync.pushing()) and (subject_id = (select auth.uid()) or helper_id = (select auth.uid())));
grant update on circle_relationships to authenticated;
-- No insert: a relationship begins with an invitation of the subject.

create function sync.guard_relationship() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if (new.subject_id, new.helper_id, new.role) is distinct from (old.subject_id, old.helper_id, old.role) then
    raise exception 'a relationship keeps its people and its role' using errcode = '42501';
  end if;
  if old.state = 'ended' and new.state <> 'ended' then
    raise exception 'what has ended begins with a new invitation' using errcode = '42501';
  end if;
  if auth.uid() = old.helper_id and new.state = 'active' and old.state <> 'active' then
    raise exception 'only the person themselves resumes' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger b_guard before update on circle_relationships for each row execute function sync.guard_relationship();

-- Memberships that end by themselves, and that see chosen sites only: an auditor's are always limited in time.
alter table organization_members
  add column valid_until timestamptz
    constraint organization_members_valid_until_in_time check (valid_until >= timestamptz '1970-01-01T00:00:00Z' and valid_until < timestamptz '2200-01-01T00:00:00Z'),
  add column site_limited boolean not null default false;        -- place.all counts for their own sites only
select sync.refresh_table('organization_members');

create function sync.limit_membership() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.role = 'auditor' and new.role <> 'auditor' then
    if new.valid_until is not distinct from old.valid_until then new.valid_until := null; end if;
    if new.site_limited is not distinct from old.site_limited then new.site_limited := false; end if;
  end if;
  if new.role = 'admin' and (new.valid_until is not null or new.site_limited) then
    raise exception 'an administrator has no limits' using errcode = '22023';
  end if;
  if new.role = 'auditor' then
    new.valid_until := coalesce(new.valid_until, now() + interval '90 days');
    if new.valid_until > now() + interval '366 days' then
      raise exception 'an auditor is let in for a year at most' using errcode = '22023';
    end if;
  end if;
  return new;
end $$;
create trigger c_limit before insert or update on organization_members for each row execute function sync.limit_membership();

-- A membership that counts: not ended, its time not over, its organisation still there.
create function sync.my_memberships() returns setof public.organization_members
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.* from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and (m.valid_until is null or m.valid_until > now());
end $$;

create function sync.my_system_permissions() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select p.permission from public.user_roles r
    join public.role_permissions p on p.role_kind = 'system' and p.role = r.role and p.deleted_at is null
    where r.user_id = auth.uid() and r.deleted_at is null;
end $$;

create or replace function my_organizations_with(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant jsonb := sync.kept_rights('organizations')::jsonb;
begin
  if kept is not null then
    return query select o::uuid from jsonb_array_elements_text(kept -> p_permission) o;
    return;
  end if;
  if not exists (select from public.permissions p where p.key = p_permission and p.reach = 'organization') then return; end if;
  return query
    select m.organization_id
    from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and (exists (select from public.role_permissions p
          where p.role_kind = 'organization' and p.role = m.role and p.permission = p_permission and p.deleted_at is null)
        or exists (select from public.user_roles r
          join public.role_permissions p on p.role_kind = 'system' and p.role = r.role and p.permission = p_permission and p.deleted_at is null
          where r.user_id = auth.uid() and r.deleted_at is null));
end $$;

-- Whether a system role of the caller's gives them something of the whole installation.
create function my_platform_permission(p_permission text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return p_permission like 'platform.%' and p_permission in (select sync.my_system_permissions());
end $$;

-- The people whom the caller supports with this permission at present.
create function my_circle_with(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select distinct c.subject_id from public.circle_relationships c
    join public.role_permissions p
      on p.role_kind = 'circle' and p.role = c.role and p.permission = p_permission and p.deleted_at is null
    where c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null;
end $$;

create or replace function my_sites() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant uuid[] := sync.kept_rights('sites')::uuid[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  return query
    select m.site_id from public.site_members m
    join sync.my_memberships() o on o.organization_id = m.organization_id and o.user_id = m.user_id
    where m.user_id = auth.uid() and m.deleted_at is null
    union
    select s.id from public.sites s
    join sync.my_memberships() o on o.organization_id = s.organization_id and not o.site_limited
    where s.organization_id in (select public.my_organizations_with('place.all'));
end $$;

create or replace function my_scopes() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant text[] := sync.kept_rights('scopes')::text[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  return query
    with mine as (select m.organization_id from sync.my_memberships() m)
    select sync.user_scope(auth.uid()) where auth.uid() is not null
    union all select 'all' where auth.uid() is not null
    union all select sync.org_scope(organization_id) from mine
    union all select sync.member_scope(organization_id, auth.uid()) from mine
    union all select 'circle:' || c.id::text from sync.circle c join mine using (organization_id)
    union all select 'site:' || s::text from public.my_sites() s
    union all
    select 'team:' || t.team_id::text from public.team_members t
    join mine using (organization_id)
    where t.user_id = auth.uid() and t.deleted_at is null;
end $$;

-- Keeping a playbook takes the right to make one: who may only read the organisation keeps none.
create or replace function my_administered_playbooks() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.playbook_id from public.playbook_members m
    where m.user_id = auth.uid() and m.role = 'admin' and m.deleted_at is null
      and m.organization_id in (select public.my_organizations_with('playbook.create'))
    union
    select p.id from public.playbooks p
    where p.type = 'company' and p.organization_id in (select public.my_organizations_with('playbook.manage'));
end $$;

-- All at once, at the start of a push: asking for one permission after the other would cost more than many pushes do.
create or replace function sync.keep_rights() returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('sync.kept_organizations', (
    select coalesce(jsonb_object_agg(r.permission, r.ids), '{}')::text from (
      select x.permission, jsonb_agg(x.organization_id) as ids from (
        select p.permission, m.organization_id from sync.my_memberships() m
        join public.role_permissions p on p.role_kind = 'organization' and p.role = m.role and p.deleted_at is null
        union
        select s, m.organization_id from sync.my_memberships() m cross join sync.my_system_permissions() s
      ) x join public.permissions k on k.key = x.permission and k.reach = 'organization' group by x.permission) r), true);
  perform set_config('sync.kept_sites', array(select public.my_sites())::text, true);
  perform set_config('sync.kept_scopes', array(select public.my_scopes())::text, true);
  -- Memberships that ended: nearly everybody has none, and then no edit need be asked about them.
  perform set_config('sync.kept_former', array(select m.organization_id from public.organization_members m
    where m.user_id = auth.uid() and (m.deleted_at is not null or m.valid_until <= now()))::text, true);
end $$;

create trigger y_rights after insert or update or delete on user_roles for each statement execute function sync.drop_rights();

-- What a person is called where they stand; packages/core/src/roles/display-name.ts says the same, and a test compares.
create function sync.role_display_name(p_organization_role text, p_system_roles text[], p_support_role text) returns text
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

-- One's organisations, and the people one supports: these stand under the person's private space, which it does not open.
create or replace function get_user_organization_contexts(user_id_param uuid)
  returns table (
    organization_id uuid, organization_name text, program_name text, program_description text, activation_source text,
    display_name text, user_role text, support_role text, joined_at timestamptz
  ) language sql stable security definer set search_path = '' as $$
  with me as (
    select coalesce(array_agg(u.role), '{}') as roles from public.user_roles u where u.user_id = auth.uid() and u.deleted_at is null
  )
  select c.* from (
    select o.id, o.name, o.program_name, o.program_description, a.activation_source,
      sync.role_display_name(m.role, me.roles, null), m.role, null::text, m.joined_at
    from me, sync.my_memberships() m
    join public.organizations o on o.id = m.organization_id
    left join lateral (
      select x.activation_source from public.organization_activations x
      where x.organization_id = m.organization_id and x.user_id = m.user_id and x.deleted_at is null
      order by x.activated_at desc limit 1) a on true
    union all
    select o.id, coalesce(p.display_name, o.name), null, null, null, sync.role_display_name(null, me.roles, r.role), null, r.role, r.started_at
    from me, public.circle_relationships r
    join public.organizations o on o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null
    left join public.people p on p.id = r.subject_id
    where r.helper_id = auth.uid() and r.state = 'active' and r.deleted_at is null
  ) c (organization_id, organization_name, program_name, program_description, activation_source, display_name, user_role, support_role, joined_at)
  where user_id_param = auth.uid()                               -- one's own, or nothing
  order by c.joined_at desc, c.organization_id, c.support_role
$$;

revoke execute on all functions in schema sync from public;
revoke execute on function my_platform_permission(text), my_circle_with(text) from public, anon, authenticated;
grant execute on function my_platform_permission(text), my_circle_with(text) to authenticated;
