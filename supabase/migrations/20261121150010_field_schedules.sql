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
  assigned_to     uuid references auth.users (id) on delete set null,    -- one person,
  assigned_team   uuid,                                          -- or a team, or neither: anybody at the place
  recurrence      text not null check (recurrence ~ '^[A-Z0-9=;,+-]+$' and char_length(recurrence) between 6 and 300),   -- RRULE, packages/core/src/occurrences/recurrence.ts
  start_day       text not null check (start_day ~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'),
  due_time        text not null check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- on the clocks of the zone
  zone            text not null check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),               -- IANA name
  based_on        text not null default 'scheduled' check (based_on in ('scheduled', 'completed')),
  opens_minutes   integer check (opens_minutes between 0 and 525600),      -- before it is due; null: at once
  closes_minutes  integer check (closes_minutes between 0 and 525600),     -- after it is due; null: when the next is due
  state           text not null default 'active' check (state in ('active', 'paused', 'ended')),
  active_since    timestamptz not null default now(),            -- server time it began, went on or changed: nothing before is owed
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
select sync.add_table('schedules', 29, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$,
  p_groups => '[["recurrence","start_day","due_time","zone","based_on"],["assigned_to","assigned_team"]]',
  p_server_columns => array['active_since']);

create policy "scope reads" on schedules for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "planners add" on schedules for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('inspection.assign'))
    and (site_id is null or site_id in (select my_sites())));
create policy "planners edit" on schedules for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('inspection.assign'))
    and (site_id is null or site_id in (select my_sites())));
grant insert, update on schedules to authenticated;

create trigger b_creator before insert or update on schedules for each row execute function sync.set_creator();
create trigger b_keep_organization before update on schedules for each row execute function sync.keep_organization();

create function sync.guard_schedule() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or old.state <> 'active' and new.state = 'active'
    or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    if auth.uid() is not null then new.active_since := now(); end if;
  elsif auth.uid() is not null then
    new.active_since := old.active_since;
  end if;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended schedule stays ended' using errcode = '42501';
  end if;
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = new.zone) then
    raise exception 'no such time zone' using errcode = '22023';
  end if;
  if new.assigned_to is not null and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) and not exists (
    select from public.organization_members m
    where m.organization_id = new.organization_id and m.user_id = new.assigned_to and m.deleted_at is null) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  if new.assigned_team is not null and not exists (
    select from public.teams t where t.id = new.assigned_team and t.organization_id = new.organization_id) then
    raise exception 'the team is not of this organisation' using errcode = '23503';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on schedules for each row execute function sync.guard_schedule();

alter table inspections
  add column schedule_id   uuid,
  add column occurs_on     text check (occurs_on ~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'),   -- the day its rule says
  add column assigned_team uuid,                                 -- who may do it where no person is named
  add column opens_at      timestamptz,                          -- from when it may be begun
  add column closes_at     timestamptz,                          -- from when it counts as missed
  add column missed_at     timestamptz,                          -- server time at which nobody had done it
  add constraint inspections_occurrence check ((schedule_id is null) = (occurs_on is null)),
  add foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade;
create unique index inspections_once on inspections (schedule_id, occurs_on) where schedule_id is not null;
create index inspections_schedule on inspections (organization_id, schedule_id) where schedule_id is not null;
create index inspections_open on inspections (closes_at) where status = 'scheduled' and schedule_id is not null and missed_at is null;
update sync.tables set server_columns = server_columns || array['schedule_id', 'occurs_on', 'opens_at', 'closes_at', 'missed_at', 'assigned_team']
  where name = 'inspections';
do $$
declare c text;
begin
  foreach c in array array['opens_at', 'closes_at', 'missed_at'] loop
    execute format('alter table public.inspections add constraint %I check (%I >= timestamptz %L and %I < timestamptz %L)',
      'inspections_' || c || '_in_time', c, '1970-01-01T00:00:00Z', c, '2200-01-01T00:00:00Z');
  end loop;
end $$;
select sync.refresh_table('inspections');

-- Planned for a team: its members may begin it, and whoever plans.
create function sync.guard_occurrence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.schedule_id := null; new.occurs_on := null; new.missed_at := null;
    new.opens_at := null; new.closes_at := null; new.assigned_team := null;
    return new;
  end if;
  if old.status = 'scheduled' and new.status <> 'scheduled' and new.assigned_team is not null
    and not sync.may('inspection.assign', new.organization_id)
    and not exists (select from public.team_members m
      where m.team_id = new.assigned_team and m.user_id = auth.uid() and m.deleted_at is null) then
    raise exception 'this is planned for a team' using errcode = '42501';
  end if;
  -- Done in time, and only told late: it was not missed.
  if new.missed_at is not null and new.finished_at is not null and new.finished_at <= new.closes_at then
    new.missed_at := null;
  end if;
  return new;
end $$;
create trigger c_occurrence before insert or update on inspections for each row execute function sync.guard_occurrence();

-- A newly published version is what planned inspections will be done on; what has begun keeps its own.
create function sync.plan_on_new_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspections set form_version_id = new.current_version_id
    where form_id = new.id and schedule_id is not null and status = 'scheduled' and missed_at is null and deleted_at is null;
  return null;
end $$;
create trigger x_plan after update of current_version_id on forms for each row
  when (new.current_version_id is not null and old.current_version_id is distinct from new.current_version_id)
  execute function sync.plan_on_new_version();

-- Where the planning of each schedule stands. Not synced: it is nobody's to read.
create table sync.schedule_plan (
  schedule_id uuid primary key references public.schedules (id) on delete cascade,
  version     bigint not null,                                   -- of the schedule, when it was planned
  planned_at  timestamptz not null
);
alter table sync.schedule_plan enable row level security;

-- Schedules whose plan is not as they are now, is of yesterday, or has nothing left to do (counted from completion), with
-- what the rule needs to know of what was done.
create function sync.schedules_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'settled_day', (select max(i.occurs_on) from public.inspections i
      where i.schedule_id = s.id and i.deleted_at is null and i.due_at <= p_now),
    'done', (select count(*) from public.inspections i where i.schedule_id = s.id and i.deleted_at is null
      and (i.finished_at is not null or i.missed_at is not null)),
    'last', (select jsonb_build_object('day', i.occurs_on, 'open', i.status in ('scheduled', 'in_progress') and i.missed_at is null,
        'ended_at', coalesce(i.finished_at, i.missed_at))
      from public.inspections i where i.schedule_id = s.id and i.deleted_at is null order by i.occurs_on desc limit 1))
  from public.schedules s left join sync.schedule_plan p on p.schedule_id = s.id
  where p.schedule_id is null or p.version <> s.version
    or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
      or s.based_on = 'completed' and not exists (select from public.inspections i
        where i.schedule_id = s.id and i.deleted_at is null and i.status in ('scheduled', 'in_progress') and i.missed_at is null))
  order by p.planned_at nulls first limit p_limit
$$;

-- Makes what is planned equal to what the rule says: [{id, day, due_at, opens_at, closes_at}]. What has begun, was missed or
-- lies in the past stays; what is planned for later and not in the list is taken back. Answers how many rows it touched.
create function sync.plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb, p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s public.schedules;
  form_version uuid;
  touched integer := 0;
  n integer;
begin
  select * into s from public.schedules where id = p_schedule for update;
  if not found or s.version <> p_version then return 0; end if;
  select f.current_version_id into form_version from public.forms f where f.id = s.form_id and f.deleted_at is null and f.state = 'published';
  if s.state <> 'active' or s.deleted_at is not null or form_version is null then p_occurrences := '[]'; end if;

  update public.inspections i set deleted_at = p_now
    where i.schedule_id = p_schedule and i.deleted_at is null and i.status = 'scheduled' and i.missed_at is null and i.due_at > p_now
      and i.id not in (select (o ->> 'id')::uuid from jsonb_array_elements(p_occurrences) o);
  get diagnostics n = row_count;
  touched := touched + n;

  insert into public.inspections as i (id, organization_id, site_id, playbook_id, form_id, form_version_id, asset_id, title, status,
      due_at, assigned_to, assigned_team, schedule_id, occurs_on, opens_at, closes_at)
    select (o ->> 'id')::uuid, s.organization_id, s.site_id, s.playbook_id, s.form_id, form_version, s.asset_id, s.title, 'scheduled',
      (o ->> 'due_at')::timestamptz, s.assigned_to, s.assigned_team, s.id, o ->> 'day', (o ->> 'opens_at')::timestamptz, (o ->> 'closes_at')::timestamptz
    from jsonb_array_elements(p_occurrences) o
    on conflict (id) do update set
      deleted_at = null, site_id = excluded.site_id, playbook_id = excluded.playbook_id, form_id = excluded.form_id,
      form_version_id = excluded.form_version_id, asset_id = excluded.asset_id, title = excluded.title, due_at = excluded.due_at,
      assigned_to = excluded.assigned_to, assigned_team = excluded.assigned_team, opens_at = excluded.opens_at, closes_at = excluded.closes_at
      where i.schedule_id = excluded.schedule_id and i.status = 'scheduled' and i.missed_at is null
        and (i.deleted_at is not null or (i.site_id, i.playbook_id, i.form_id, i.form_version_id, i.asset_id, i.title, i.due_at, i.assigned_to,
            i.assigned_team, i.opens_at, i.closes_at)
          is distinct from (excluded.site_id, excluded.playbook_id, excluded.form_id, excluded.form_version_id, excluded.asset_id, excluded.title,
            excluded.due_at, excluded.assigned_to, excluded.assigned_team, excluded.opens_at, excluded.closes_at));
  get diagnostics n = row_count;
  insert into sync.schedule_plan (schedule_id, version, planned_at) values (s.id, s.version, p_now)
    on conflict (schedule_id) do update set version = excluded.version, planned_at = excluded.planned_at;
  return touched + n;
end $$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('inspection.due_soon', 'field', 'normal', 'task_deadlines', 'immediate', 'immediate', 'off'),
  ('inspection.missed', 'field', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily');

-- Twenty occurrences of one schedule are not twenty pieces of news: the reminder before each is.
drop trigger x_notify_insert on inspections;
create trigger x_notify_insert after insert on inspections for each row
  when (new.schedule_id is null and (new.status = 'scheduled' or new.result = 'fail' and new.finished_at > now() - interval '30 days'))
  execute function inbox.inspection_changed();

-- Who an occurrence is for: the person, the team, or who does inspections at its place.
create function inbox.occurrence_people(i public.inspections) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select i.assigned_to where i.assigned_to is not null
  union select m.user_id from public.team_members m where i.assigned_to is null and m.team_id = i.assigned_team and m.deleted_at is null
  union select m.user_id from public.site_members m
    where i.assigned_to is null and i.assigned_team is null and m.site_id = i.site_id and m.deleted_at is null
$$;

-- By the clock: what is due within two hours is called out, what nobody has begun when its time is over is missed. Idempotent.
create function sync.sweep_occurrences(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  i public.inspections;
  told uuid;
begin
  for i in
    update public.inspections o set missed_at = p_now
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null and o.closes_at <= p_now
      returning o.*
  loop
    perform inbox.settled(i.id, array['inspection.due_soon']);
    -- Not what was long over when a server came back: it would flood.
    continue when i.closes_at < p_now - interval '7 days';
    for told in select inbox.occurrence_people(i) union select inbox.people_with('inspection.assign', i.organization_id, i.site_id) loop
      perform inbox.notify(told, 'inspection.missed', 'inspection/' || i.id::text || '/missed', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
  for i in
    select o.* from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null
        and o.due_at > p_now and o.due_at <= p_now + interval '2 hours'
        and not exists (select from public.notifications n where n.subject_id = o.id and n.type = 'inspection.due_soon')
      order by o.due_at limit 500
  loop
    for told in select inbox.occurrence_people(i) loop
      perform inbox.notify(told, 'inspection.due_soon', 'inspection/' || i.id::text || '/due_soon', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
end $$;

-- Begun, moved or taken back: the reminder is settled.
create function inbox.occurrence_begun() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.settled(new.id, array['inspection.due_soon', 'inspection.missed']);
  return null;
end $$;
create trigger x_notify_begun after update of status, deleted_at on inspections for each row
  when (old.schedule_id is not null and old.status = 'scheduled' and (new.status <> 'scheduled' or new.deleted_at is not null))
  execute function inbox.occurrence_begun();

-- For whoever plans from outside the database: our server by its own connection, an edge function by the service key.
create function schedules_to_plan() returns setof jsonb language sql volatile security definer set search_path = '' as $$
  select sync.schedules_to_plan()
$$;
create function plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb) returns integer
  language sql volatile security definer set search_path = '' as $$
  select sync.plan_schedule(p_schedule, p_version, p_occurrences)
$$;
revoke execute on function schedules_to_plan(), plan_schedule(uuid, bigint, jsonb) from public, anon, authenticated;
grant execute on function schedules_to_plan(), plan_schedule(uuid, bigint, jsonb) to service_role;
revoke execute on function sync.guard_schedule(), sync.guard_occurrence(), sync.plan_on_new_version(), sync.schedules_to_plan(timestamptz, integer),
  sync.plan_schedule(uuid, bigint, jsonb, timestamptz), sync.sweep_occurrences(timestamptz), inbox.occurrence_people(public.inspections),
  inbox.occurrence_begun() from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-occurrences', '* * * * *', 'select sync.sweep_occurrences()') $cron$;
  end if;
end $$;
