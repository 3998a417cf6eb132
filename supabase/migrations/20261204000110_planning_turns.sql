-- Planning has a time: a round ends after some seconds, and the next one begins with the organisation whose last turn was longest ago, so
-- that long and many series of one keep nobody else's waiting. What could not be planned rests for ten minutes, or until it is changed.

alter table sync.series_plan
  add column failed_version bigint,                              -- of the series, when it last could not be planned
  add column retry_at timestamptz;                               -- not before, where that is still its version
alter table sync.schedule_plan
  add column failed_version bigint,                              -- of the schedule, when it last could not be planned
  add column retry_at timestamptz;                               -- not before, where that is still its version

create or replace function sync.series_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  with waiting as materialized (
    select s.id, s.organization_id, s.updated_at, p.planned_at
    from public.task_series s left join sync.series_plan p on p.series_id = s.id
    where (p.series_id is null or p.version <> s.version
      or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
        or s.based_on = 'completed'
          and not exists (select from public.tasks t
            where t.series_id = s.id and t.deleted_at is null and not sync.task_ended(t.status))
          and exists (select from public.tasks t where t.series_id = s.id and t.updated_at > p.planned_at - interval '2 minutes')))
      and not coalesce(p.failed_version = s.version and p.retry_at > p_now, false)
  ),
  -- Who has had no turn yet stands where they came.
  turns as (
    select w.organization_id, coalesce((
        select greatest(max(p.planned_at), max(p.retry_at) - interval '10 minutes')
        from public.task_series s join sync.series_plan p on p.series_id = s.id where s.organization_id = w.organization_id), min(w.updated_at)) as last
    from waiting w group by w.organization_id
  ),
  due as (
    select w.id, t.last, row_number() over (partition by w.organization_id order by w.planned_at nulls first, w.id) as turn
    from waiting w join turns t using (organization_id)
  )
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'done', (select count(*) from public.tasks t where t.series_id = s.id and t.deleted_at is null and sync.task_ended(t.status)),
    'last', (select jsonb_build_object('day', t.occurs_on, 'open', not sync.task_ended(t.status), 'ended_at', t.ended_at)
      from public.tasks t where t.series_id = s.id and t.deleted_at is null order by t.occurs_on desc limit 1))
  from due join public.task_series s on s.id = due.id
  where due.turn <= 50
  order by due.turn, due.last, due.id limit p_limit
$$;

create or replace function sync.schedules_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
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

-- That something of this version could not be planned. What was never planned keeps waiting, from so long ago that its turn is not counted.
create function sync.plan_failed(p_kind text, p_id uuid, p_version bigint, p_now timestamptz default now()) returns void
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
    raise exception 'schedules and series are planned' using errcode = '22023';
  end if;
end $$;

create function plan_failed(p_kind text, p_id uuid, p_version bigint) returns void
  language sql volatile security definer set search_path = '' as $$
  select sync.plan_failed(p_kind, p_id, p_version)
$$;
revoke execute on function sync.plan_failed(text, uuid, bigint, timestamptz) from public;
revoke execute on function plan_failed(text, uuid, bigint) from public, anon, authenticated;
grant execute on function plan_failed(text, uuid, bigint) to service_role;
