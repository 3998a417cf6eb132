-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema schedule as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION schedule.guard_occurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.schedule_id := null; new.occurs_on := null; new.missed_at := null;
    new.opens_at := null; new.closes_at := null; new.assigned_team := null;
    return new;
  end if;
  if old.status = 'scheduled' and new.status <> 'scheduled' and new.assigned_team is not null
    and not access.may('inspection.assign', new.organization_id)
    and not exists (select from public.team_members m
      where m.team_id = new.assigned_team and m.user_id = auth.uid() and m.deleted_at is null) then
    raise exception 'this is planned for a team' using errcode = '42501', detail = 'CN259';
  end if;
  -- Done in time, and only told late: it was not missed.
  if new.missed_at is not null and new.finished_at is not null and new.finished_at <= new.closes_at then
    new.missed_at := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION schedule.guard_schedule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' or old.state <> 'active' and new.state = 'active'
    or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    if auth.uid() is not null then new.active_since := now(); end if;
  elsif auth.uid() is not null and coalesce(current_setting('cairn.form_is_back', true), '') <> 'yes' then
    new.active_since := old.active_since;
  end if;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended schedule stays ended' using errcode = '42501', detail = 'CN255';
  end if;
  if (tg_op = 'INSERT' or new.zone <> old.zone) and not task.is_zone(new.zone) then
    raise exception 'no such time zone' using errcode = '22023', detail = 'CN256';
  end if;
  if new.assigned_to is not null and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) and not access.is_member(new.organization_id, new.assigned_to) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  if new.assigned_team is not null and not exists (
    select from public.teams t where t.id = new.assigned_team and t.organization_id = new.organization_id) then
    raise exception 'the team is not of this organisation' using errcode = '23503', detail = 'CN257';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION schedule.limit_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and new.created_by = auth.uid() and new.state <> 'ended' and new.deleted_at is null
    and (tg_op = 'INSERT' or old.state = 'ended' or old.deleted_at is not null)
    and (select count(*) from (select from public.schedules s
      where s.created_by = new.created_by and s.state <> 'ended' and s.deleted_at is null limit 2000) x) >= 2000 then
    raise exception 'at most 2000 schedules go on at once' using errcode = '23514', hint = 'many', detail = 'CN258';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION schedule.plan_failed(p_kind text, p_id uuid, p_version bigint, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION schedule.plan_on_new_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.inspections set form_version_id = new.current_version_id
    where form_id = new.id and schedule_id is not null and status = 'scheduled' and missed_at is null and deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION schedule.plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION schedule.schedules_to_plan(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 200)
 RETURNS SETOF jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION schedule.sweep_occurrences(p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;
