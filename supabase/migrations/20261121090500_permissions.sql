-- The permission registry: roles are bundles of permissions; policies and screens ask for a permission, never a role.

create table permissions (
  key         text primary key,                                  -- e.g. inspection.conduct
  description text not null
);

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
