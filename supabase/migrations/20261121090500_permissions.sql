-- The permission registry: roles are bundles of permissions; policies and screens ask for a permission, never a role.

create table permissions (
  key         text primary key,                                  -- e.g. inspection.conduct
  description text not null
);
alter table permissions enable row level security;
revoke all on permissions from anon, authenticated;
grant select on permissions to authenticated;
create policy "signed-in people read" on permissions for select to authenticated using (true);
-- No other policy: the registry changes by migration only.

-- Read by every signed-in person, so that a device without signal knows what its owner may do.
create table role_permissions (
  id         uuid primary key default gen_random_uuid(),
  role_kind  text not null check (role_kind in ('system', 'organization')),
  role       text not null,
  permission text not null references permissions (key),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  unique (role_kind, role, permission)
);
select sync.add_table('role_permissions', 9, $$ array['all'] $$, p_server_columns => array['role_kind', 'role', 'permission']);

insert into permissions (key, description) values
  ('organization.manage', 'Change the organisation, its sites and teams'),
  ('people.manage', 'Invite people, change roles, remove members'),
  ('playbook.create', 'Create playbooks'),
  ('playbook.manage', 'Change and archive any playbook of the organisation'),
  ('place.all', 'See the rows of every site of the organisation'),
  ('asset.manage', 'Add and change assets'),
  ('form.manage', 'Import, publish and archive forms'),
  ('inspection.conduct', 'Start, answer and finish inspections'),
  ('inspection.assign', 'Schedule inspections for others'),
  ('inspection.review', 'Review inspections, see their conflicts'),
  ('action.create', 'Create action items'),
  ('action.work', 'Change the state of action items one may see'),
  ('action.manage', 'Change, reassign and delete any action item one may see'),
  ('sample.remove', 'Remove the sample data');

insert into role_permissions (role_kind, role, permission)
  select 'organization', 'admin', key from permissions
  union all
  select 'organization', 'manager', unnest(array['playbook.create', 'place.all', 'asset.manage', 'form.manage', 'inspection.conduct',
    'inspection.assign', 'inspection.review', 'action.create', 'action.work', 'action.manage'])
  union all
  select 'organization', 'member', unnest(array['playbook.create', 'inspection.conduct', 'action.create', 'action.work'])
  union all
  select 'organization', 'auditor', 'place.all';

-- Who may see and do what. These functions are the only place where memberships turn into rights; policies and the
-- feed ask them once per statement. They are plpgsql because that keeps its plans from call to call: as plain SQL they
-- are planned anew each time, which made a push of 50 edits three times as slow.

-- A push asks for them several times per edit and cannot afford it: sync.keep_rights reads them once at its start, into
-- settings that end with the transaction. A change of what rights are made of, inside the same push, drops them again
-- (sync.drop_rights): from there on every statement reads anew. A right that somebody else takes away while a push of at
-- most 50 edits runs ends with that push.
create function sync.kept_rights(p_kind text) returns text
  language sql stable parallel safe                    -- no search_path, so that it is inlined: it runs for every row of a push
  return nullif(current_setting('sync.kept_' || p_kind, true), '');

create function sync.drop_rights() returns trigger language plpgsql set search_path = '' as $$
begin
  perform set_config('sync.kept_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind;
  return null;
end $$;

create function my_organizations_with(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant jsonb := sync.kept_rights('organizations')::jsonb;
begin
  if kept is not null then
    return query select o::uuid from jsonb_array_elements_text(kept -> p_permission) o;
    return;
  end if;
  return query
    select m.organization_id
    from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    join public.role_permissions p
      on p.role_kind = 'organization' and p.role = m.role and p.permission = p_permission and p.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null;
end $$;

-- The sites whose rows the caller sees: those they belong to, and every site where they hold place.all.
create function my_sites() returns setof uuid
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
    join public.organization_members o using (organization_id, user_id)
    join public.organizations g on g.id = m.organization_id and g.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and o.deleted_at is null
    union
    select s.id from public.sites s where s.organization_id in (select public.my_organizations_with('place.all'));
end $$;

create function my_scopes() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant text[] := sync.kept_rights('scopes')::text[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  return query
    with mine as (
      select m.organization_id, m.role
      from public.organization_members m
      join public.organizations o on o.id = m.organization_id and o.deleted_at is null
      where m.user_id = auth.uid() and m.deleted_at is null
    )
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

create function my_administered_playbooks() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.playbook_id from public.playbook_members m
    join public.organization_members o using (organization_id, user_id)
    where m.user_id = auth.uid() and m.role = 'admin' and m.deleted_at is null and o.deleted_at is null
    union
    select p.id from public.playbooks p
    where p.type = 'company' and p.organization_id in (select public.my_organizations_with('playbook.manage'));
end $$;

create function sync.keep_rights() returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('sync.kept_scopes', array(select public.my_scopes())::text, true);
  perform set_config('sync.kept_sites', array(select public.my_sites())::text, true);
  perform set_config('sync.kept_organizations', (
    select coalesce(jsonb_object_agg(p.key, o.ids), '{}')::text from public.permissions p
    cross join lateral (select coalesce(jsonb_agg(m), '[]') as ids from public.my_organizations_with(p.key) m) o), true);
end $$;

do $$
declare
  t text;
begin
  foreach t in array array['organizations', 'organization_members', 'sites', 'site_members', 'team_members', 'role_permissions'] loop
    execute format('create trigger y_rights after insert or update or delete on public.%I
      for each statement execute function sync.drop_rights()', t);
  end loop;
end $$;

-- For triggers: may the caller do this there? Work of the server itself (no signed-in person) is always allowed.
create function sync.may(p_permission text, p_organization uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return auth.uid() is null or p_organization in (select public.my_organizations_with(p_permission));
end $$;

create policy "signed-in people read" on role_permissions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No other policy: bundles change by migration only.
