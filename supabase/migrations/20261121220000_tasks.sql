-- Tasks: planned work of an organisation, at a place or for all of it, or of a person in their private space. What is due is
-- kept as it was said (a day, perhaps a time, the zone it was said in); `due_at` follows from it, so that everybody orders and
-- reminds by the same instant.

insert into permissions (key, description) values
  ('task.create', 'Make tasks'),
  ('task.work', 'Work on tasks one may see'),
  ('task.manage', 'Change, reassign, close and delete any task one may see');
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, permission from unnest(array['admin', 'manager']) role, unnest(array['task.create', 'task.work', 'task.manage']) permission
  union all select 'organization', 'member', unnest(array['task.create', 'task.work']);

create table tasks (
  id                uuid primary key default gen_random_uuid(),
  organization_id   uuid not null references organizations (id) on delete cascade,
  site_id           uuid,
  playbook_id       uuid,
  parent_id         uuid,                                        -- of a sub-task
  title             text not null check (btrim(title) <> '' and char_length(title) <= 300),
  notes             text check (char_length(notes) <= 20000),
  status            text not null default 'todo' check (status in ('todo', 'in_progress', 'blocked', 'in_review', 'done', 'reopened', 'not_applicable', 'cancelled')),
  status_reason     text check (char_length(status_reason) <= 2000),             -- why blocked, why not applicable
  priority          text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  due_day           date check (due_day >= date '1970-01-02' and due_day < date '2199-12-31'),
  due_time          text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- on the clocks of the zone; null: by the end of the day
  due_zone          text check (due_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),           -- IANA name
  due_at            timestamptz,                                 -- follows from the three
  start_day         date check (start_day >= date '1970-01-01' and start_day < date '2200-01-01'),
  assignee_id       uuid references auth.users (id) on delete set null,
  reviewer_id       uuid references auth.users (id) on delete set null,          -- who alone says that it is done
  watcher_ids       jsonb not null default '[]' check (jsonb_typeof(watcher_ids) = 'array' and jsonb_array_length(watcher_ids) <= 50),   -- ids of people
  labels            jsonb not null default '[]' check (jsonb_typeof(labels) = 'array' and jsonb_array_length(labels) <= 20 and pg_column_size(labels) <= 2000),   -- words
  needs_ids         jsonb not null default '[]' check (jsonb_typeof(needs_ids) = 'array' and jsonb_array_length(needs_ids) <= 50),       -- ids of tasks to be done before
  estimate_minutes  integer check (estimate_minutes between 1 and 100000),       -- minutes
  evidence_required boolean not null default false,
  media_ids         jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 100),      -- ids of media
  source_type       text not null default 'manual' check (source_type in ('manual', 'import', 'inspection', 'issue_report', 'policy', 'action_item')),
  source_id         uuid,
  ended_at          timestamptz,                                 -- device time
  ended_by          uuid references auth.users (id) on delete set null,
  created_by        uuid references auth.users (id) on delete set null,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  unique (organization_id, id),
  constraint task_needs_reason check (status not in ('blocked', 'not_applicable') or btrim(coalesce(status_reason, '')) <> ''),
  check (parent_id <> id),
  check (due_day is not null or due_time is null),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete set null (site_id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, parent_id) references tasks (organization_id, id) on delete set null (parent_id)
);
create index tasks_organization on tasks (organization_id, site_id);
create index tasks_playbook on tasks (organization_id, playbook_id);
create index tasks_parent on tasks (organization_id, parent_id) where parent_id is not null;
create index tasks_assignee on tasks (assignee_id);
create index tasks_due on tasks (due_at) where deleted_at is null and due_at is not null and status not in ('done', 'not_applicable', 'cancelled');

-- Steps of a task, a row each, so that two people may tick at once. A device sends them before the task they belong to, so
-- that "done" finds its steps ticked: a step may therefore come before its task, and is its maker's alone until that is there.
create table task_items (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  task_id         uuid not null,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  required        boolean not null default false,                -- the task cannot be done without it
  position        integer not null default 0,                    -- order on the screen, lower first
  done_at         timestamptz,                                   -- device time
  done_by         uuid references auth.users (id) on delete set null,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index task_items_task on task_items (task_id, position);
create index task_items_organization on task_items (organization_id);

-- What a person looks at again and again: a name and a filter of theirs.
create table task_views (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references auth.users (id) on delete cascade,
  name            text not null check (btrim(name) <> '' and char_length(name) <= 60),
  filter          jsonb not null default '{}' check (jsonb_typeof(filter) = 'object' and pg_column_size(filter) <= 4000),   -- packages/core/src/tasks/task-filter.ts
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index task_views_user on task_views (user_id);

-- The audiences of people named in a list; what is no id names nobody.
create function sync.member_scopes(p_organization uuid, p_people jsonb) returns text[]
  language sql immutable parallel safe
  return (select coalesce(array_agg('member:' || p_organization::text || ':' || lower(p)), '{}')
    from jsonb_array_elements_text(p_people) p where p ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');

select sync.add_table('task_items', 33, null, p_groups => '[["done_at","done_by"]]');
select sync.add_table('tasks', 34,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, assignee_id),
    sync.member_scope(organization_id, reviewer_id), sync.member_scope(organization_id, created_by)) || sync.member_scopes(organization_id, watcher_ids) $$,
  p_groups => '[["status","status_reason","ended_at","ended_by"],["due_day","due_time","due_zone","due_at"]]');
select sync.add_table('task_views', 44, $$ sync.scopes(sync.user_scope(user_id)) $$);

create policy "scope reads" on tasks for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "planners add" on tasks for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('task.create'))
    and (site_id is null or site_id in (select my_sites())));
create policy "workers edit what they see" on tasks for update to authenticated
  using ((select sync.pushing())
    and (organization_id in (select my_organizations_with('task.work')) or organization_id in (select my_organizations_with('task.manage')))
    and (site_id is null or site_id in (select my_sites())
      or assignee_id = (select auth.uid()) or reviewer_id = (select auth.uid()) or created_by = (select auth.uid())));
grant insert, update on tasks to authenticated;
-- Who may assign, close, move and delete: trigger guard_task.

create policy "scope reads" on task_items for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "workers add" on task_items for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('task.work')));
create policy "workers edit what they see" on task_items for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('task.work'))
    and scopes && (select array(select my_scopes())));
grant insert, update on task_items to authenticated;
-- Whose task it is: trigger guard_task_item.

create policy "the person reads" on task_views for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on task_views for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on task_views for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
grant insert, update on task_views to authenticated;
