-- Planning costs each organisation its own turn only. What counts from completion and has no date left, or whose only task was
-- taken away, was handed out again every five seconds, for good: now after a change of one of its tasks, or a day.

-- A task that was changed in a transaction still open when its series was planned carries an earlier time: so long it is looked at
-- once more.
create or replace function sync.series_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'done', (select count(*) from public.tasks t where t.series_id = s.id and t.deleted_at is null and sync.task_ended(t.status)),
    'last', (select jsonb_build_object('day', t.occurs_on, 'open', not sync.task_ended(t.status), 'ended_at', t.ended_at)
      from public.tasks t where t.series_id = s.id and t.deleted_at is null order by t.occurs_on desc limit 1))
  from (
    select s.id, p.planned_at, row_number() over (partition by s.organization_id order by p.planned_at nulls first, s.id) as turn
    from public.task_series s left join sync.series_plan p on p.series_id = s.id
    where p.series_id is null or p.version <> s.version
      or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
        or s.based_on = 'completed'
          and not exists (select from public.tasks t
            where t.series_id = s.id and t.deleted_at is null and not sync.task_ended(t.status))
          and exists (select from public.tasks t where t.series_id = s.id and t.updated_at > p.planned_at - interval '2 minutes'))
  ) due join public.task_series s on s.id = due.id
  where due.turn <= 50
  order by due.turn, due.planned_at nulls first, due.id limit p_limit
$$;

create or replace function sync.schedules_to_plan(p_now timestamptz default now(), p_limit integer default 200) returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select to_jsonb(s) - 'scopes' || jsonb_build_object(
    'settled_day', (select max(i.occurs_on) from public.inspections i
      where i.schedule_id = s.id and i.deleted_at is null and i.due_at <= p_now),
    'done', (select count(*) from public.inspections i where i.schedule_id = s.id and i.deleted_at is null
      and (i.finished_at is not null or i.missed_at is not null)),
    'last', (select jsonb_build_object('day', i.occurs_on, 'open', i.status in ('scheduled', 'in_progress') and i.missed_at is null,
        'ended_at', coalesce(i.finished_at, i.missed_at))
      from public.inspections i where i.schedule_id = s.id and i.deleted_at is null order by i.occurs_on desc limit 1))
  from (
    select s.id, p.planned_at, row_number() over (partition by s.organization_id order by p.planned_at nulls first, s.id) as turn
    from public.schedules s left join sync.schedule_plan p on p.schedule_id = s.id
    where p.schedule_id is null or p.version <> s.version
      or s.state = 'active' and s.deleted_at is null and (p.planned_at < p_now - interval '1 day'
        or s.based_on = 'completed'
          and not exists (select from public.inspections i
            where i.schedule_id = s.id and i.deleted_at is null and i.status in ('scheduled', 'in_progress') and i.missed_at is null)
          and exists (select from public.inspections i where i.schedule_id = s.id and i.updated_at > p.planned_at - interval '2 minutes'))
  ) due join public.schedules s on s.id = due.id
  where due.turn <= 50
  order by due.turn, due.planned_at nulls first, due.id limit p_limit
$$;

-- What cannot be made into a step keeps the whole series from being planned: it is refused where it comes from.
create function sync.guard_series_steps() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if exists (select from jsonb_array_elements(new.steps) step where jsonb_typeof(step) <> 'object'
      or coalesce(jsonb_typeof(step -> 'title'), 'null') not in ('string', 'null')
      or coalesce(jsonb_typeof(step -> 'required'), 'null') not in ('boolean', 'null')) then
    raise exception 'a step has a title, and is required or not' using errcode = '23514', constraint = 'steps_shape';
  end if;
  return new;
end $$;
create trigger c_steps before insert or update of steps on task_series for each row
  when (jsonb_array_length(new.steps) > 0) execute function sync.guard_series_steps();
revoke execute on function sync.guard_series_steps() from public;
