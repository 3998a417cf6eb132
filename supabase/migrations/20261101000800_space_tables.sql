-- Spaces: organisations, their people, sites, teams and playbooks: tables.

-- Spaces and people: organisations, who belongs to them, playbooks, sites, teams, profiles, preferences.
-- Every synced table has: id, version (raised on each update), created_at, updated_at, deleted_at (tombstone), and a
-- generated column `scopes` that names its audience (added by sync.add_table; docs/sync-protocol.md). Policies read
-- the same column.
create table organizations (
  id                       uuid primary key default gen_random_uuid(),
  name                     text not null check (name <> ''),
  slug                     text not null unique,
  description              text,
  kind                     text not null default 'company' check (kind in ('company', 'private')),
  program_name             text,
  program_description      text,
  settings                 jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  sample                   boolean not null default false,        -- removable demo data
  created_by               uuid references auth.users (id) on delete set null,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  deleted_at               timestamptz,
  version                  bigint not null default 1,
  -- An organisation has the enterprise plan while one of its administrators has the enterprise tier.
  plan                     text not null default 'standard' check (plan in ('standard', 'enterprise')),
  -- Whether people may report without their name.
  allows_anonymous_reports boolean not null default true,
  constraint organizations_name_bounded check (char_length(name) <= 500),
  constraint organizations_slug_bounded check (char_length(slug) <= 200),
  constraint organizations_description_bounded check (char_length(description) <= 20000),
  constraint organizations_program_name_bounded check (char_length(program_name) <= 500),
  constraint organizations_program_description_bounded check (char_length(program_description) <= 20000),
  constraint organizations_settings_bounded check (octet_length(settings::text) <= 200000)
);
select sync.add_table('organizations', 10, $$ sync.scopes(sync.org_scope(id)) $$,
  p_server_columns => array['kind', 'plan', 'sample', 'slug']);

create table organization_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  role            text not null default 'member' check (role in ('admin', 'manager', 'member', 'auditor')),
  joined_at       timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  -- Memberships that end by themselves, and that see chosen sites only: an auditor's are always limited in time.
  valid_until     timestamptz,
  site_limited    boolean not null default false,                 -- place.all counts for their own sites only
  unique (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id);
create index organization_members_ends on organization_members (valid_until) where valid_until is not null;
-- In the person's own scope, so that their devices hear at once that they joined or left.
select sync.add_table('organization_members', 11, $$ sync.scopes(sync.org_scope(organization_id), sync.user_scope(user_id)) $$,
  p_server_columns => array['joined_at']);

create table organization_activations (
  id                uuid primary key default gen_random_uuid(),
  organization_id   uuid not null references organizations (id) on delete cascade,
  user_id           uuid not null references auth.users (id) on delete cascade,
  activation_source text not null,                                -- partner_link, partner_link_v2, others
  activated_at      timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  unique (organization_id, user_id, activation_source),
  constraint organization_activations_activation_source_bounded check (char_length(activation_source) <= 200)
);
select sync.add_table('organization_activations', 12, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_server_columns => array['activated_at']);

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
select sync.add_table('user_roles', 12, $$ sync.scopes(sync.user_scope(user_id)) $$);

create table profiles (
  id                      uuid primary key references auth.users (id) on delete cascade,   -- the person
  email                   text,
  full_name               text,
  display_name            text,
  job_title               text,
  phone                   text,
  bio                     text,
  avatar_url              text,
  locale                  text,
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now(),
  deleted_at              timestamptz,
  version                 bigint not null default 1,
  -- Only the person sees their profile row; colleagues know the name (docs/decisions/03-row-level-security-and-sync-scopes.md).
  emergency_contact_name  text check (char_length(emergency_contact_name) <= 200),
  emergency_contact_phone text check (char_length(emergency_contact_phone) <= 60),
  constraint profiles_lengths check (
    char_length(full_name) <= 200 and char_length(display_name) <= 200 and char_length(job_title) <= 200
    and char_length(phone) <= 60 and char_length(bio) <= 2000 and char_length(avatar_url) <= 500),
  constraint profiles_email_bounded check (char_length(email) <= 400),
  constraint profiles_locale_bounded check (char_length(locale) <= 100)
);
select sync.add_table('profiles', 12, $$ sync.scopes(sync.user_scope(id)) $$,
  p_server_columns => array['email']);

create table sites (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text not null check (name <> ''),
  address         text,
  timezone        text not null default 'UTC',                    -- IANA name
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  constraint sites_name_bounded check (char_length(name) <= 500),
  constraint sites_address_bounded check (char_length(address) <= 4000),
  constraint sites_timezone_bounded check (char_length(timezone) <= 100)
);
select sync.add_table('sites', 14, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create table site_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  site_id         uuid not null,
  user_id         uuid not null references auth.users (id) on delete cascade,
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, user_id) references organization_members (organization_id, user_id) on delete cascade,
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
);
create index site_members_user on site_members (user_id);
create unique index site_members_person on site_members (site_id, user_id) where deleted_at is null;
select sync.add_table('site_members', 15, $$ sync.scopes(sync.org_scope(organization_id)) $$);

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
  foreign key (organization_id, site_id) references sites (organization_id, id),
  constraint teams_name_bounded check (char_length(name) <= 500)
);
select sync.add_table('teams', 15, $$ sync.scopes(sync.org_scope(organization_id)) $$);

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
select sync.add_table('team_members', 16, $$ sync.scopes(sync.org_scope(organization_id)) $$);

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
  -- An archived playbook is listed apart and taken back by clearing the time; like a deleted one it gives its name free.
  archived_at     timestamptz,
  unique (organization_id, id),
  constraint playbooks_name_bounded check (char_length(name) <= 500),
  constraint playbooks_description_bounded check (char_length(description) <= 20000),
  constraint playbooks_settings_bounded check (octet_length(settings::text) <= 200000),
  constraint playbooks_locations_bounded check (octet_length(locations::text) <= 200000)
);
create unique index playbooks_name on playbooks (organization_id, name) where deleted_at is null and archived_at is null;
-- A personal playbook is nobody's but its owner's, whatever organisation it stands in.
select sync.add_table('playbooks', 14, $$ sync.scopes(case when type = 'personal' then sync.user_scope(owner_id) else sync.org_scope(organization_id) end) $$);

create table playbook_members (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the playbook
  playbook_id     uuid not null,
  user_id         uuid not null references auth.users (id) on delete cascade,
  role            text not null default 'member' check (role in ('admin', 'member')),
  joined_at       timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, user_id) references organization_members (organization_id, user_id) on delete cascade,
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete cascade on update cascade
);
create index playbook_members_user on playbook_members (user_id);
create unique index playbook_members_person on playbook_members (playbook_id, user_id) where deleted_at is null;
select sync.add_table('playbook_members', 16, $$ sync.scopes(sync.org_scope(organization_id), sync.member_scope(organization_id, user_id)) $$,
  p_server_columns => array['joined_at']);

-- What colleagues may know of each other: the name. Kept by triggers from profiles and memberships, so that a profile
-- (phone, e-mail) never leaves its owner by way of the feed (docs/decisions/03-row-level-security-and-sync-scopes.md).
create table people (
  id           uuid primary key references auth.users (id) on delete cascade,   -- the person
  display_name text,
  avatar_url   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  deleted_at   timestamptz,
  version      bigint not null default 1,
  constraint people_display_name_bounded check (char_length(display_name) <= 500),
  constraint people_avatar_url_bounded check (char_length(avatar_url) <= 4000)
);
select sync.add_table('people', 13, null,
  p_server_columns => array['avatar_url', 'display_name']);
