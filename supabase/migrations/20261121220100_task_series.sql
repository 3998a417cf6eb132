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
  estimate_minutes  integer check (estimate_minutes between 1 and 100000),       -- minutes
  evidence_required boolean not null default false,
  steps             jsonb not null default '[]' check (jsonb_typeof(steps) = 'array' and jsonb_array_length(steps) <= 50),   -- [{title, required}]
  recurrence        text not null check (recurrence ~ '^[A-Z0-9=;,+-]+$' and char_length(recurrence) between 6 and 300),   -- RRULE
  start_day         date not null check (start_day >= date '1970-01-02' and start_day < date '2199-01-01'),
  due_time          text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- on the clocks of the zone; null: by the end of the day
  zone              text not null check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),      -- IANA name
  based_on          text not null default 'scheduled' check (based_on in ('scheduled', 'completed')),
  state             text not null default 'active' check (state in ('active', 'ended')),
  active_since      timestamptz not null default now(),          -- server time it began or its rule changed: nothing before is owed
  created_by        uuid references auth.users (id) on delete set null,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete set null (site_id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id)
);
create index task_series_organization on task_series (organization_id, site_id);
create index task_series_playbook on task_series (organization_id, playbook_id);
create index task_series_assignee on task_series (assignee_id);
select sync.add_table('task_series', 32,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, assignee_id), sync.member_scope(organization_id, created_by)) $$,
  p_groups => '[["recurrence","start_day","due_time","zone","based_on"]]', p_server_columns => array['active_since']);

create policy "scope reads" on task_series for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "planners add" on task_series for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('task.create'))
    and (site_id is null or site_id in (select my_sites())));
create policy "who made it and managers edit" on task_series for update to authenticated
  using ((select sync.pushing()) and (created_by = (select auth.uid()) or organization_id in (select my_organizations_with('task.manage')))
    and organization_id in (select my_organizations_with('task.create')) and (site_id is null or site_id in (select my_sites())));
grant insert, update on task_series to authenticated;

create trigger a0_need_push before insert on task_series for each statement execute function sync.need_push();
create trigger b_outsider before insert on task_series for each row execute function sync.guard_outsider();
create trigger b_creator before insert or update on task_series for each row execute function sync.set_creator();
create trigger b_keep_organization before update on task_series for each row execute function sync.keep_organization();

create function sync.guard_task_series() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- Refuses a zone that is none.
  perform now() at time zone new.zone;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended series stays ended' using errcode = '42501';
  end if;
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    new.active_since := now();
  else
    new.active_since := old.active_since;
  end if;
  if exists (select from (values (new.assignee_id, case when tg_op = 'UPDATE' then old.assignee_id end),
        (new.reviewer_id, case when tg_op = 'UPDATE' then old.reviewer_id end)) as named (now, before)
      where named.now is not null and named.now is distinct from named.before and not exists (
        select from public.organization_members m where m.organization_id = new.organization_id and m.user_id = named.now and m.deleted_at is null)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on task_series for each row execute function sync.guard_task_series();

alter table tasks
  add column series_id    uuid,
  add column occurs_on    date check (occurs_on >= date '1970-01-01' and occurs_on < date '2200-01-01'),   -- the day its rule says
  add column is_exception boolean not null default false,        -- somebody changed this one by itself: it follows its series no more
  add constraint tasks_occurrence check ((series_id is null) = (occurs_on is null)),
  add foreign key (organization_id, series_id) references task_series (organization_id, id) on delete cascade;
create unique index tasks_once on tasks (series_id, occurs_on) where series_id is not null;
create index tasks_series on tasks (organization_id, series_id) where series_id is not null;
update sync.tables set server_columns = server_columns || array['is_exception'] where name = 'tasks';
select sync.refresh_table('tasks');

-- Only the task of a series and its day has the id that follows from them, and it has no other.
create function sync.guard_task_occurrence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    if sync.is_derived(new.id) or new.series_id is not null then
      if new.id is distinct from extensions.uuid_generate_v5(new.series_id, 'occurrence/' || to_char(new.occurs_on, 'YYYY-MM-DD')) then
        raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
      end if;
      if not exists (select from public.task_series s where s.id = new.series_id and s.organization_id = new.organization_id and sync.is_in_sight(s.scopes)) then
        raise exception 'a task of a series needs its series' using errcode = '23503';
      end if;
    end if;
    return new;
  end if;
  if (new.series_id, new.occurs_on) is distinct from (old.series_id, old.occurs_on) then
    raise exception 'a task keeps its series' using errcode = '42501';
  end if;
  new.is_exception := old.is_exception or new.series_id is not null and
    (new.title, new.notes, new.priority, new.due_day, new.due_time, new.due_zone, new.assignee_id, new.reviewer_id, new.labels, new.deleted_at, new.site_id)
      is distinct from (old.title, old.notes, old.priority, old.due_day, old.due_time, old.due_zone, old.assignee_id, old.reviewer_id, old.labels, old.deleted_at, old.site_id);
  return new;
end $$;
create trigger d_occurrence before insert or update on tasks for each row execute function sync.guard_task_occurrence();

create function sync.guard_derived_step() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and not exists (select from generate_series(0, 49) n
      where new.id = extensions.uuid_generate_v5(new.task_id, 'step/' || n)) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger d_derived_id before insert on task_items for each row
  when (sync.is_derived(new.id)) execute function sync.guard_derived_step();

-- Where the planning of each series stands. Not synced: it is nobody's to read.
create table sync.series_plan (
  series_id  uuid primary key references public.task_series (id) on delete cascade,
  version    bigint not null,                                    -- of the series, when it was planned
  planned_at timestamptz not null
);
alter table sync.series_plan enable row level security;

create function sync.series_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'done', (select count(*) from public.tasks t where t.series_id = s.id and t.deleted_at is null and sync.task_ended(t.status)),
    'last', (select jsonb_build_object('day', t.occurs_on, 'open', not sync.task_ended(t.status), 'ended_at', t.ended_at)
      from public.tasks t where t.series_id = s.id and t.deleted_at is null order by t.occurs_on desc limit 1))
  from public.task_series s left join sync.series_plan p on p.series_id = s.id
  where p.series_id is null or p.version <> s.version
    or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
      or s.based_on = 'completed' and not exists (select from public.tasks t
        where t.series_id = s.id and t.deleted_at is null and not sync.task_ended(t.status)))
  order by p.planned_at nulls first limit p_limit
$$;

-- Makes the tasks of a series equal to what its rule says: [{id, day}]. What somebody began or changed by itself, and what fell due
-- already, stays; what is planned for later and not in the list is taken back. Answers how many rows it touched.
create function sync.plan_series(p_series uuid, p_version bigint, p_occurrences jsonb, p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s public.task_series;
  touched integer := 0;
  n integer;
begin
  select * into s from public.task_series where id = p_series for update;
  if not found or s.version <> p_version then return 0; end if;
  -- Who has left is named on nothing new.
  if not exists (select from public.organization_members m
    where m.organization_id = s.organization_id and m.user_id = s.assignee_id and m.deleted_at is null) then s.assignee_id := null; end if;
  if not exists (select from public.organization_members m
    where m.organization_id = s.organization_id and m.user_id = s.reviewer_id and m.deleted_at is null) then s.reviewer_id := null; end if;
  if s.state <> 'active' or s.deleted_at is not null then p_occurrences := '[]'; end if;

  update public.tasks t set deleted_at = p_now
    where t.series_id = p_series and t.deleted_at is null and t.status = 'todo' and not t.is_exception and t.due_at > p_now
      and t.id not in (select (o ->> 'id')::uuid from jsonb_array_elements(p_occurrences) o);
  get diagnostics n = row_count;
  touched := touched + n;

  insert into public.tasks as t (id, organization_id, site_id, playbook_id, title, notes, priority, due_day, due_time, due_zone, assignee_id,
      reviewer_id, labels, estimate_minutes, evidence_required, series_id, occurs_on, created_by)
    select (o ->> 'id')::uuid, s.organization_id, s.site_id, s.playbook_id, s.title, s.notes, s.priority, (o ->> 'day')::date, s.due_time, s.zone,
      s.assignee_id, s.reviewer_id, s.labels, s.estimate_minutes, s.evidence_required, s.id, (o ->> 'day')::date, s.created_by
    from jsonb_array_elements(p_occurrences) o
    on conflict (id) do update set
      deleted_at = null, site_id = excluded.site_id, playbook_id = excluded.playbook_id, title = excluded.title, notes = excluded.notes,
      priority = excluded.priority, due_day = excluded.due_day, due_time = excluded.due_time, due_zone = excluded.due_zone,
      assignee_id = excluded.assignee_id, reviewer_id = excluded.reviewer_id, labels = excluded.labels,
      estimate_minutes = excluded.estimate_minutes, evidence_required = excluded.evidence_required
      where t.series_id = excluded.series_id and t.status = 'todo' and not t.is_exception
        and (t.deleted_at is not null or (t.site_id, t.playbook_id, t.title, t.notes, t.priority, t.due_day, t.due_time, t.due_zone, t.assignee_id,
            t.reviewer_id, t.labels, t.estimate_minutes, t.evidence_required)
          is distinct from (excluded.site_id, excluded.playbook_id, excluded.title, excluded.notes, excluded.priority, excluded.due_day,
            excluded.due_time, excluded.due_zone, excluded.assignee_id, excluded.reviewer_id, excluded.labels, excluded.estimate_minutes,
            excluded.evidence_required));
  get diagnostics n = row_count;
  insert into public.task_items (id, organization_id, task_id, title, required, position, created_by)
    select extensions.uuid_generate_v5(t.id, 'step/' || (step.n - 1)), t.organization_id, t.id, left(step.value ->> 'title', 300),
      coalesce((step.value ->> 'required')::boolean, false), step.n - 1, s.created_by
    from public.tasks t cross join lateral jsonb_array_elements(s.steps) with ordinality as step (value, n)
    where t.series_id = s.id and t.deleted_at is null and t.status = 'todo' and t.due_at > p_now
      and btrim(coalesce(step.value ->> 'title', '')) <> ''
    on conflict (id) do nothing;
  insert into sync.series_plan (series_id, version, planned_at) values (s.id, s.version, p_now)
    on conflict (series_id) do update set version = excluded.version, planned_at = excluded.planned_at;
  return touched + n;
end $$;

-- A year of one duty is not a hundred pieces of news: the reminder before each is.
drop trigger x_notify_insert on tasks;
create trigger x_notify_insert after insert on tasks for each row
  when (new.series_id is null and (new.assignee_id is not null or new.status = 'in_review')) execute function inbox.task_changed();

create function inbox.series_given() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.notify(new.assignee_id, 'task.assigned', 'series/' || new.id::text || '/assigned/' || new.version::text, '/tasks',
    jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  return null;
end $$;
create trigger x_notify_insert after insert on task_series for each row
  when (new.assignee_id is not null and new.assignee_id is distinct from new.created_by) execute function inbox.series_given();

-- For whoever plans from outside the database: our server by its own connection, an edge function by the service key.
create function task_series_to_plan() returns setof jsonb language sql volatile security definer set search_path = '' as $$
  select sync.series_to_plan()
$$;
create function plan_task_series(p_series uuid, p_version bigint, p_occurrences jsonb) returns integer
  language sql volatile security definer set search_path = '' as $$
  select sync.plan_series(p_series, p_version, p_occurrences)
$$;
revoke execute on function task_series_to_plan(), plan_task_series(uuid, bigint, jsonb) from public, anon, authenticated;
grant execute on function task_series_to_plan(), plan_task_series(uuid, bigint, jsonb) to service_role;
revoke execute on function sync.guard_task_series(), sync.guard_task_occurrence(), sync.guard_derived_step(), sync.series_to_plan(timestamptz, integer),
  sync.plan_series(uuid, bigint, jsonb, timestamptz), inbox.series_given() from public;
