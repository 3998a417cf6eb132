-- Tasks and their series: tables.

create table tasks (
  id                uuid primary key default gen_random_uuid(),
  organization_id   uuid not null references organizations (id) on delete cascade,
  site_id           uuid,
  playbook_id       uuid,
  parent_id         uuid,                                         -- of a sub-task
  title             text not null check (btrim(title) <> '' and char_length(title) <= 300),
  notes             text check (char_length(notes) <= 20000),
  status            text not null default 'todo' check (status in ('todo', 'in_progress', 'blocked', 'in_review', 'done', 'reopened', 'not_applicable', 'cancelled')),
  status_reason     text check (char_length(status_reason) <= 2000),   -- why blocked, why not applicable
  priority          text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  due_day           date check (due_day >= date '1970-01-02' and due_day < date '2199-12-31'),
  due_time          text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- on the clocks of the zone; null: by the end of the day
  due_zone          text check (due_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),   -- IANA name
  due_at            timestamptz,                                  -- follows from the three
  start_day         date check (start_day >= date '1970-01-01' and start_day < date '2200-01-01'),
  assignee_id       uuid references auth.users (id) on delete set null,
  reviewer_id       uuid references auth.users (id) on delete set null,   -- who alone says that it is done
  watcher_ids       jsonb not null default '[]' check (jsonb_typeof(watcher_ids) = 'array' and jsonb_array_length(watcher_ids) <= 50),   -- ids of people
  labels            jsonb not null default '[]' check (jsonb_typeof(labels) = 'array' and jsonb_array_length(labels) <= 20 and pg_column_size(labels) <= 2000),   -- words
  needs_ids         jsonb not null default '[]' check (jsonb_typeof(needs_ids) = 'array' and jsonb_array_length(needs_ids) <= 50),   -- ids of tasks to be done before
  estimate_minutes  integer check (estimate_minutes between 1 and 100000),   -- minutes
  evidence_required boolean not null default false,
  media_ids         jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 100),   -- ids of media
  source_type       text not null default 'manual' check (source_type in ('manual', 'import', 'inspection', 'issue_report', 'policy', 'action_item')),
  source_id         uuid,
  ended_at          timestamptz,                                  -- device time
  ended_by          uuid references auth.users (id) on delete set null,
  created_by        uuid references auth.users (id) on delete set null,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  series_id         uuid,
  occurs_on         date check (occurs_on >= date '1970-01-01' and occurs_on < date '2200-01-01'),   -- the day its rule says
  is_exception      boolean not null default false,               -- somebody changed this one by itself: it follows its series no more
  external_id       text check (btrim(external_id) <> '' and char_length(external_id) <= 200),
  submitted_at      timestamptz,                                  -- server time; null: its author's own device sent all of it
  submitted_by      uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (organization_id, id),
  constraint task_needs_reason check (status not in ('blocked', 'not_applicable') or btrim(coalesce(status_reason, '')) <> ''),
  check (parent_id <> id),
  check (due_day is not null or due_time is null),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete set null (site_id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, parent_id) references tasks (organization_id, id) on delete set null (parent_id),
  constraint tasks_occurrence check ((series_id is null) = (occurs_on is null))
);
create index tasks_organization on tasks (organization_id, site_id);
create index tasks_playbook on tasks (organization_id, playbook_id);
create index tasks_parent on tasks (organization_id, parent_id) where parent_id is not null;
create index tasks_assignee on tasks (assignee_id);
create index tasks_due on tasks (due_at) where deleted_at is null and due_at is not null and status not in ('done', 'not_applicable', 'cancelled');
create unique index tasks_once on tasks (series_id, occurs_on) where series_id is not null;
create index tasks_series on tasks (organization_id, series_id) where series_id is not null;
create unique index tasks_external on tasks (organization_id, created_by, external_id) where external_id is not null and deleted_at is null;
create index tasks_files on tasks using gin (media_ids) where media_ids <> '[]';
-- What is nobody's is its maker's: without this, each reading would look through every task.
create index tasks_unassigned on tasks (created_by) where assignee_id is null and deleted_at is null;
create index tasks_submitted_by on tasks (submitted_by) where submitted_by is not null;
create index tasks_overdue on public.tasks (organization_id, due_at)
  where deleted_at is null and status not in ('done', 'not_applicable', 'cancelled');
select sync.add_table('tasks', 34, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, assignee_id),
    sync.member_scope(organization_id, reviewer_id), sync.member_scope(organization_id, created_by)) || sync.member_scopes(organization_id, watcher_ids) $$,
  p_groups => '[["status","status_reason","ended_at","ended_by"],["due_day","due_time","due_zone","due_at"]]',
  p_server_columns => array['is_exception', 'submitted_at', 'submitted_by']);

-- Steps of a task, a row each, so that two people may tick at once. A device sends them before the task they belong to, so
-- that "done" finds its steps ticked: a step may therefore come before its task, and is its maker's alone until that is there.
create table task_items (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  task_id         uuid not null,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  required        boolean not null default false,                 -- the task cannot be done without it
  position        integer not null default 0,                     -- order on the screen, lower first
  done_at         timestamptz,                                    -- device time
  done_by         uuid references auth.users (id) on delete set null,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null   -- null beside a time: their account is gone
);
create index task_items_task on task_items (task_id, position);
create index task_items_organization on task_items (organization_id);
create index task_items_submitted_by on task_items (submitted_by) where submitted_by is not null;
select sync.add_table('task_items', 33, null,
  p_groups => '[["done_at","done_by"]]',
  p_server_columns => array['submitted_at', 'submitted_by']);

-- What a person looks at again and again: a name and a filter of theirs.
create table task_views (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  name       text not null check (btrim(name) <> '' and char_length(name) <= 60),
  filter     jsonb not null default '{}' check (jsonb_typeof(filter) = 'object' and pg_column_size(filter) <= 4000),   -- packages/core/src/tasks/task-filter.ts
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index task_views_user on task_views (user_id);
select sync.add_table('task_views', 44, $$ sync.scopes(sync.user_scope(user_id)) $$);

-- Duties that come again: a series is the rule and what each of its tasks begins with; each date is a task of its own, with its
-- own state, steps and evidence. Its id is derived from the series and the day the rule says, so that a device without a network
-- and the server make the same one. The rule is worked out by packages/core/src/occurrences, for 13 months ahead.
create table task_series (
  id                uuid primary key default gen_random_uuid(),
  organization_id   uuid not null references organizations (id) on delete cascade,
  site_id           uuid,
  playbook_id       uuid,
  title             text not null check (btrim(title) <> '' and char_length(title) <= 300),
  notes             text check (char_length(notes) <= 20000),
  priority          text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  assignee_id       uuid references auth.users (id) on delete set null,
  reviewer_id       uuid references auth.users (id) on delete set null,
  labels            jsonb not null default '[]' check (jsonb_typeof(labels) = 'array' and jsonb_array_length(labels) <= 20 and pg_column_size(labels) <= 2000),
  estimate_minutes  integer check (estimate_minutes between 1 and 100000),   -- minutes
  evidence_required boolean not null default false,
  steps             jsonb not null default '[]' check (jsonb_typeof(steps) = 'array' and jsonb_array_length(steps) <= 50),   -- [{title, required}]
  recurrence        text not null check (recurrence ~ '^[A-Z0-9=;,+-]+$' and char_length(recurrence) between 6 and 300),   -- RRULE
  start_day         date not null check (start_day >= date '1970-01-02' and start_day < date '2199-01-01'),
  due_time          text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- on the clocks of the zone; null: by the end of the day
  zone              text not null check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),   -- IANA name
  based_on          text not null default 'scheduled' check (based_on in ('scheduled', 'completed')),
  state             text not null default 'active' check (state in ('active', 'ended')),
  active_since      timestamptz not null default now(),           -- server time it began or its rule changed: nothing before is owed
  created_by        uuid references auth.users (id) on delete set null,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  submitted_at      timestamptz,                                  -- server time; null: its author's own device sent all of it
  submitted_by      uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete set null (site_id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id)
);
create index task_series_organization on task_series (organization_id, site_id);
create index task_series_playbook on task_series (organization_id, playbook_id);
create index task_series_assignee on task_series (assignee_id);
create index task_series_going on task_series (created_by) where state <> 'ended' and deleted_at is null;   -- how many a person has
create index task_series_submitted_by on task_series (submitted_by) where submitted_by is not null;
select sync.add_table('task_series', 32, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, assignee_id), sync.member_scope(organization_id, created_by)) $$,
  p_groups => '[["recurrence","start_day","due_time","zone","based_on"]]',
  p_server_columns => array['active_since', 'submitted_at', 'submitted_by']);
alter table tasks add foreign key (organization_id, series_id) references task_series (organization_id, id) on delete cascade;

-- Where the planning of each series stands. Not synced: it is nobody's to read.
create table sync.series_plan (
  series_id      uuid primary key references public.task_series (id) on delete cascade,
  version        bigint not null,                                 -- of the series, when it was planned
  planned_at     timestamptz not null,
  failed_version bigint,                                          -- of the series, when it last could not be planned
  retry_at       timestamptz                                      -- not before, where that is still its version
);
