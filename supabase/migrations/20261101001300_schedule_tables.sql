-- Schedules of inspections: tables.

-- Schedules of inspections. The rule is worked out by packages/core/src/occurrences, where every area's rules are; what is
-- due becomes an inspection of state `scheduled`, whose id is derived from the schedule and the day, so that it exists once
-- however often and by whomever it is planned.
create table schedules (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  playbook_id     uuid,
  form_id         uuid not null,
  asset_id        uuid,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  assigned_to     uuid references auth.users (id) on delete set null,   -- one person,
  assigned_team   uuid,                                           -- or a team, or neither: anybody at the place
  recurrence      text not null check (recurrence ~ '^[A-Z0-9=;,+-]+$' and char_length(recurrence) between 6 and 300),   -- RRULE, packages/core/src/occurrences/recurrence.ts
  start_day       text not null check (start_day ~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'),
  due_time        text not null check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- on the clocks of the zone
  zone            text not null check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),   -- IANA name
  based_on        text not null default 'scheduled' check (based_on in ('scheduled', 'completed')),
  opens_minutes   integer check (opens_minutes between 0 and 525600),   -- before it is due; null: at once
  closes_minutes  integer check (closes_minutes between 0 and 525600),   -- after it is due; null: when the next is due
  state           text not null default 'active' check (state in ('active', 'paused', 'ended')),
  active_since    timestamptz not null default now(),             -- server time it began, went on or changed: nothing before is owed
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  check (assigned_to is null or assigned_team is null),
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, form_id) references forms (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id)
);
create index schedules_organization on schedules (organization_id, site_id);
create index schedules_form on schedules (organization_id, form_id);
create index schedules_asset on schedules (organization_id, asset_id);
create index schedules_assignee on schedules (assigned_to);
create index schedules_going on schedules (created_by) where state <> 'ended' and deleted_at is null;   -- how many a person has
select sync.add_table('schedules', 29, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$,
  p_groups => '[["recurrence","start_day","due_time","zone","based_on"],["assigned_to","assigned_team"]]',
  p_server_columns => array['active_since']);

-- Where the planning of each schedule stands. Not synced: it is nobody's to read.
create table sync.schedule_plan (
  schedule_id    uuid primary key references public.schedules (id) on delete cascade,
  version        bigint not null,                                 -- of the schedule, when it was planned
  planned_at     timestamptz not null,
  failed_version bigint,                                          -- of the schedule, when it last could not be planned
  retry_at       timestamptz                                      -- not before, where that is still its version
);
