-- Spaces and people: organisations, who belongs to them, playbooks, sites, teams, profiles, preferences.
-- Every synced table has: id, version (raised on each update), created_at, updated_at, deleted_at (tombstone), and a
-- generated column `scopes` that names its audience (added by sync.add_table; docs/sync-protocol.md). Policies read
-- the same column.

create table organizations (
  id                  uuid primary key default gen_random_uuid(),
  name                text not null check (name <> ''),
  slug                text not null unique,
  description         text,
  kind                text not null default 'company' check (kind in ('company', 'private')),
  program_name        text,
  program_description text,
  settings            jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  sample              boolean not null default false,            -- removable demo data
  created_by          uuid references auth.users (id) on delete set null,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  deleted_at          timestamptz,
  version             bigint not null default 1
);

create table organization_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  role            text not null default 'member' check (role in ('admin', 'manager', 'member', 'auditor')),
  joined_at       timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id);

create table organization_activations (
  id                uuid primary key default gen_random_uuid(),
  organization_id   uuid not null references organizations (id) on delete cascade,
  user_id           uuid not null references auth.users (id) on delete cascade,
  activation_source text not null,                               -- partner_link, partner_link_v2, others
  activated_at      timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  unique (organization_id, user_id, activation_source)
);

create table user_roles (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  role       text not null check (role in ('admin', 'moderator', 'partner', 'manager', 'user', 'customer_support')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  unique (user_id, role)
);

create table profiles (
  id           uuid primary key references auth.users (id) on delete cascade,   -- the person
  email        text,
  full_name    text,
  display_name text,
  job_title    text,
  phone        text,
  bio          text,
  avatar_url   text,
  locale       text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  deleted_at   timestamptz,
  version      bigint not null default 1
);

create table user_preferences (
  id                      uuid primary key generated always as (user_id) stored,
  user_id                 uuid not null unique references auth.users (id) on delete cascade,
  theme_mode              text not null default 'system' check (theme_mode in ('system', 'light', 'dark')),
  email_notifications     boolean not null default true,
  text_notifications      boolean not null default false,
  notification_time       text not null default '09:00',         -- HH:MM, local
  primary_color           text not null default 'blue',
  language                text not null default 'en',
  timezone                text not null default 'UTC',           -- IANA name
  date_format             text not null default 'MM/dd/yyyy',
  time_format             text not null default '12h' check (time_format in ('12h', '24h')),
  font_size               text not null default 'medium',
  high_contrast           boolean not null default false,
  reduce_motion           boolean not null default false,
  sidebar_collapsed       boolean not null default false,
  show_activity_status    boolean not null default true,
  profile_visibility      text not null default 'public' check (profile_visibility in ('public', 'members', 'private')),
  quiet_hours_enabled     boolean not null default false,
  quiet_hours_start       text not null default '22:00',         -- HH:MM, local
  quiet_hours_end         text not null default '08:00',         -- HH:MM, local
  dashboard_layout        text not null default 'default',
  wellness_coach_avatar   text not null default 'friendly-professional',
  custom_avatar_url       text,
  dashboard_config        jsonb not null default '{"show_wellness_widgets":true,"show_compliance_overview":true,"default_view":"today"}' check (jsonb_typeof(dashboard_config) = 'object'),
  notification_settings   jsonb not null default '{"email_enabled":true,"push_enabled":true,"wellness_reminders":true,"task_deadlines":true}' check (jsonb_typeof(notification_settings) = 'object'),
  preferred_playbook_type text not null default 'company' check (preferred_playbook_type in ('company', 'personal')),
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now(),
  deleted_at              timestamptz,
  version                 bigint not null default 1
);

create table sites (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text not null check (name <> ''),
  address         text,
  timezone        text not null default 'UTC',                   -- IANA name
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);

create table site_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  site_id         uuid not null,
  user_id         uuid not null references auth.users (id) on delete cascade,
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (site_id, user_id),
  foreign key (organization_id, user_id) references organization_members (organization_id, user_id) on delete cascade,
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);
create index site_members_user on site_members (user_id);

create table teams (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  name            text not null check (name <> ''),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id)
);

create table team_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  team_id         uuid not null,
  user_id         uuid not null references auth.users (id) on delete cascade,
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (team_id, user_id),
  foreign key (organization_id, user_id) references organization_members (organization_id, user_id) on delete cascade,
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
);
create index team_members_user on team_members (user_id);

create table playbooks (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text not null check (name <> ''),
  description     text,
  type            text not null default 'company' check (type in ('company', 'personal')),
  locations       jsonb not null default '[]' check (jsonb_typeof(locations) = 'array'),   -- names of sites
  settings        jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  owner_id        uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);
-- An archived playbook does not keep its name.
create unique index playbooks_name on playbooks (organization_id, name) where deleted_at is null;

create table playbook_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the playbook
  playbook_id     uuid not null,
  user_id         uuid not null references auth.users (id) on delete cascade,
  role            text not null default 'member' check (role in ('admin', 'member')),
  joined_at       timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (playbook_id, user_id),
  foreign key (organization_id, user_id) references organization_members (organization_id, user_id) on delete cascade,
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete cascade on update cascade
);
create index playbook_members_user on playbook_members (user_id);

-- What colleagues may know of each other: the name. Kept by triggers from profiles and memberships, so that a profile
-- (phone, e-mail) never leaves its owner by way of the feed (docs/decisions/0005-people-projection.md).
create table people (
  id           uuid primary key references auth.users (id) on delete cascade,   -- the person
  display_name text,
  avatar_url   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  deleted_at   timestamptz,
  version      bigint not null default 1
);

-- The colleagues of an organisation as an audience, under an id that nobody can trace back to it: a person's row is in
-- the circles of all their organisations, and colleagues who read it must not learn which others these are.
create table sync.circle (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  id              uuid not null unique default gen_random_uuid()
);

select sync.add_table('organizations', 10, $$ sync.scopes(sync.org_scope(id)) $$,
  p_server_columns => array['kind', 'slug', 'sample']);
-- In the person's own scope, so that their devices hear at once that they joined or left.
select sync.add_table('organization_members', 11, $$ sync.scopes(sync.org_scope(organization_id), sync.user_scope(user_id)) $$,
  p_server_columns => array['joined_at']);
select sync.add_table('organization_activations', 12, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_server_columns => array['activated_at']);
select sync.add_table('user_roles', 12, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('profiles', 12, $$ sync.scopes(sync.user_scope(id)) $$, p_server_columns => array['email']);
select sync.add_table('people', 13, null, p_server_columns => array['display_name', 'avatar_url']);
select sync.add_table('user_preferences', 12, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('sites', 14, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('site_members', 15, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('teams', 15, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('team_members', 16, $$ sync.scopes(sync.org_scope(organization_id)) $$);
-- A personal playbook is nobody's but its owner's, whatever organisation it stands in.
select sync.add_table('playbooks', 14, $$ sync.scopes(case when type = 'personal' then sync.user_scope(owner_id) else sync.org_scope(organization_id) end) $$);
select sync.add_table('playbook_members', 16, $$ sync.scopes(sync.org_scope(organization_id), sync.member_scope(organization_id, user_id)) $$,
  p_server_columns => array['joined_at']);
