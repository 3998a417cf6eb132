-- Schedules of inspections: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Schedules whose plan is not as they are now, is of yesterday, or has nothing left to do (counted from completion), with
-- what the rule needs to know of what was done.
create function schedule.schedules_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  with waiting as materialized (
    select s.id, s.organization_id, s.updated_at, p.planned_at
    from public.schedules s left join sync.schedule_plan p on p.schedule_id = s.id
    where (p.schedule_id is null or p.version <> s.version
      or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
        or s.based_on = 'completed'
          and not exists (select from public.inspections i
            where i.schedule_id = s.id and i.deleted_at is null and i.status in ('scheduled', 'in_progress') and i.missed_at is null)
          and exists (select from public.inspections i where i.schedule_id = s.id and i.updated_at > p.planned_at - interval '2 minutes')))
      and not coalesce(p.failed_version = s.version and p.retry_at > p_now, false)
  ),
  -- Who has had no turn yet stands where they came.
  turns as (
    select w.organization_id, coalesce((
        select greatest(max(p.planned_at), max(p.retry_at) - interval '10 minutes')
        from public.schedules s join sync.schedule_plan p on p.schedule_id = s.id where s.organization_id = w.organization_id), min(w.updated_at)) as last
    from waiting w group by w.organization_id
  ),
  due as (
    select w.id, t.last, row_number() over (partition by w.organization_id order by w.planned_at nulls first, w.id) as turn
    from waiting w join turns t using (organization_id)
  )
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'settled_day', (select max(i.occurs_on) from public.inspections i
      where i.schedule_id = s.id and i.deleted_at is null and i.due_at <= p_now),
    'done', (select count(*) from public.inspections i where i.schedule_id = s.id and i.deleted_at is null
      and (i.finished_at is not null or i.missed_at is not null)),
    'last', (select jsonb_build_object('day', i.occurs_on, 'open', i.status in ('scheduled', 'in_progress') and i.missed_at is null,
        'ended_at', coalesce(i.finished_at, i.missed_at))
      from public.inspections i where i.schedule_id = s.id and i.deleted_at is null order by i.occurs_on desc limit 1))
  from due join public.schedules s on s.id = due.id
  where due.turn <= 50
  order by due.turn, due.last, due.id limit p_limit
$$;

-- Makes what is planned equal to what the rule says: [{id, day, due_at, opens_at, closes_at}]. What has begun, was missed or
-- lies in the past stays; what is planned for later and not in the list is taken back. Answers how many rows it touched.
create function schedule.plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb, p_now timestamptz default now()) returns integer
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
  -- Who has left is named on nothing new: it is planned for anybody at the place.
  if not access.is_member(s.organization_id, s.assigned_to) then
    s.assigned_to := null;
  end if;
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

-- By the clock: what is due within two hours is called out, what nobody has begun when its time is over is missed. Idempotent.
create function schedule.sweep_occurrences(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  i public.inspections;
  told uuid;
  ends timestamptz;
begin
  for r in
    select o as item, t.turn from public.inspections o join (
      select o.id, o.closes_at, row_number() over (partition by o.organization_id order by o.closes_at, o.id) as turn from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null and o.closes_at <= p_now) t on t.id = o.id
    where o.status = 'scheduled' and o.missed_at is null order by t.turn, t.closes_at limit 500 for update of o skip locked
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    i := r.item;
    update public.inspections o set missed_at = p_now where o.id = i.id;
    perform inbox.mark_resolved_read(i.id, array['inspection.due_soon']);
    -- Not what was long over when a server came back: it would flood.
    continue when i.closes_at < p_now - interval '7 days';
    for told in select inbox.occurrence_people(i) union select inbox.people_with('inspection.assign', i.organization_id, i.site_id) loop
      perform inbox.notify(told, 'inspection.missed', 'inspection/' || i.id::text || '/missed', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
  ends := null;
  for r in
    select o as item, t.turn from public.inspections o join (
      select o.id, o.due_at, row_number() over (partition by o.organization_id order by o.due_at, o.id) as turn from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null
        and o.due_at > p_now and o.due_at <= p_now + interval '2 hours'
        -- Of the whole occurrence: nobody may be there to be told.
        and not exists (select from inbox.sweep_mark x where x.key = 'inspection/' || o.id::text || '/due_soon')) t on t.id = o.id
    order by t.turn, t.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    i := r.item;
    insert into inbox.sweep_mark (key) values ('inspection/' || i.id::text || '/due_soon') on conflict do nothing;
    for told in select inbox.occurrence_people(i) loop
      perform inbox.notify(told, 'inspection.due_soon', 'inspection/' || i.id::text || '/due_soon', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
end $$;

-- For whoever plans from outside the database: our server by its own connection, an edge function by the service key.
create function schedules_to_plan() returns setof jsonb language sql volatile security definer set search_path = '' as $$
  select schedule.schedules_to_plan()
$$;

create function plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb) returns integer
  language sql volatile security definer set search_path = '' as $$
  select schedule.plan_schedule(p_schedule, p_version, p_occurrences)
$$;

-- That something of this version could not be planned. What was never planned keeps waiting, from so long ago that its turn is not counted.
create function schedule.plan_failed(p_kind text, p_id uuid, p_version bigint, p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_kind = 'series' then
    insert into sync.series_plan as p (series_id, version, planned_at, failed_version, retry_at)
      select s.id, 0, '-infinity', p_version, p_now + interval '10 minutes' from public.task_series s where s.id = p_id
      on conflict (series_id) do update set failed_version = excluded.failed_version, retry_at = excluded.retry_at;
  elsif p_kind = 'schedule' then
    insert into sync.schedule_plan as p (schedule_id, version, planned_at, failed_version, retry_at)
      select s.id, 0, '-infinity', p_version, p_now + interval '10 minutes' from public.schedules s where s.id = p_id
      on conflict (schedule_id) do update set failed_version = excluded.failed_version, retry_at = excluded.retry_at;
  else
    raise exception 'schedules and series are planned' using errcode = '22023', detail = 'CN108';
  end if;
end $$;

create function plan_failed(p_kind text, p_id uuid, p_version bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  select schedule.plan_failed(p_kind, p_id, p_version)
$$;

-- Who may call what.
revoke execute on function schedule.schedules_to_plan(timestamp with time zone, integer),
  schedule.plan_schedule(uuid, bigint, jsonb, timestamp with time zone), schedule.sweep_occurrences(timestamp with time zone),
  schedule.plan_failed(text, uuid, bigint, timestamp with time zone) from public;
revoke execute on function schedules_to_plan(), plan_schedule(uuid, bigint, jsonb), plan_failed(text, uuid, bigint) from public, anon, authenticated;
