-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema growth as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION growth.due_looks(p_now timestamp with time zone)
 RETURNS TABLE(user_id uuid, form_id uuid, title text, key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.user_id, l.form_id, l.title, l.key
  from (
    select o.created_by as user_id, f.id as form_id, f.name as title,
      'look/' || f.id::text || '/' || (a.since + 14 * ((z.day - a.since) / 14))::text as key
    from public.forms f
    join public.organizations o on o.id = f.organization_id and o.kind = 'private' and o.deleted_at is null and o.created_by is not null
    left join public.wellness_settings w on w.user_id = o.created_by and w.deleted_at is null
    cross join lateral (select st.zone, (inbox.struck_at(p_now, st.zone, coalesce(w.check_in_at, st.daily::text)) at time zone st.zone)::date as day
      from inbox.settings(o.created_by) st) z
    cross join lateral (select (coalesce(max(i.finished_at), f.updated_at) at time zone z.zone)::date as since from public.inspections i
      where i.form_id = f.id and i.deleted_at is null and i.status not in ('scheduled', 'in_progress')) a
    where f.category = 'wellness' and f.state = 'published' and f.deleted_at is null and z.day >= a.since + 14
      and coalesce(w.quiet_until <= p_now, true)
  ) l
  where not exists (select from public.notifications n where n.user_id = l.user_id and n.key = l.key)
$function$;

CREATE OR REPLACE FUNCTION growth.guard_goal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.follows_id is not null and (tg_op = 'INSERT' or new.follows_id is distinct from old.follows_id)
    and not exists (select from public.goals g where g.id = new.follows_id and g.user_id = new.user_id) then
    raise exception 'no such goal' using errcode = '23503';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION growth.habit_days_done(p_user uuid, p_from date, p_to date)
 RETURNS TABLE(habit_id uuid, day date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select e.habit_id, e.day
  from public.habit_entries e
  join public.habits h on h.id = e.habit_id
  where e.user_id = p_user and e.deleted_at is null and e.value = 'done' and e.day between p_from and p_to
    and case
      when h.kind = 'yes_no' then true
      when h.target_kind = 'at_most' then coalesce(h.target, 0) >= (
        select coalesce(sum(x.amount), 0) from public.habit_entries x
        where x.habit_id = h.id and x.deleted_at is null and x.value = 'done' and x.day > e.day - h.per_days and x.day <= e.day)
      else (e.amount > 0 or coalesce(h.target, 0) = 0) and exists (
        select from public.habit_entries b
        where b.habit_id = h.id and b.deleted_at is null and b.value = 'done' and b.day > e.day - h.per_days and b.day <= e.day
          and (b.amount > 0 or coalesce(h.target, 0) = 0)
          and coalesce(h.target, 0) <= (
            select coalesce(sum(x.amount), 0) from public.habit_entries x
            where x.habit_id = h.id and x.deleted_at is null and x.value = 'done' and x.day >= b.day and x.day < b.day + h.per_days))
    end
$function$;

CREATE OR REPLACE FUNCTION growth.habit_is_covered(h habits, p_day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when h.kind = 'yes_no' then h.times <= (
      select count(*) from public.habit_entries e
      where e.habit_id = h.id and e.value = 'done' and e.deleted_at is null and e.day > p_day - h.per_days and e.day < p_day)
    when h.target_kind = 'at_most' then exists (
      select from public.habit_entries e
      where e.habit_id = h.id and e.value = 'done' and e.deleted_at is null and e.day > p_day - h.per_days and e.day < p_day)
    else exists (
      select from public.habit_entries b
      where b.habit_id = h.id and b.value = 'done' and b.deleted_at is null and b.amount > 0 and b.day > p_day - h.per_days and b.day < p_day
        and coalesce(h.target, 0) <= (
          select sum(x.amount) from public.habit_entries x
          where x.habit_id = h.id and x.deleted_at is null and x.value = 'done' and x.day >= b.day and x.day < p_day))
  end
$function$;

CREATE OR REPLACE FUNCTION growth.sweep_growth(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r record;
  told integer := 0;
  ends timestamptz := inbox.sweep_ends();
begin
  for r in
    select h.id, h.user_id, h.name, z.day, 'habit/' || h.id::text || '/' || z.day::text as key,
      row_number() over (partition by h.user_id order by h.id) as turn
    from public.habits h
    cross join lateral (select (inbox.struck_at(p_now, s.zone, h.remind_at) at time zone s.zone)::date as day from inbox.settings(h.user_id) s) z
    where h.remind_at is not null and h.deleted_at is null and h.archived_at is null and h.started_on <= z.day
      and coalesce(inbox.quiet_until(h.user_id) <= p_now, true)
      and not exists (select from public.habit_entries e
        where e.habit_id = h.id and e.day = z.day and e.value <> 'unknown' and e.deleted_at is null)
      and not exists (select from public.habit_pauses p where p.user_id = h.user_id and p.deleted_at is null
        and (p.habit_id is null or p.habit_id = h.id) and p.from_day <= z.day and coalesce(p.until_day, z.day) >= z.day)
      and not growth.habit_is_covered(h, z.day)
      and not exists (select from public.notifications n where n.user_id = h.user_id and n.key = 'habit/' || h.id::text || '/' || z.day::text)
    order by turn limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.notify(r.user_id, 'habit.reminder', r.key, '/wellness/habits', jsonb_build_object('title', r.name), r.id);
    told := told + 1;
  end loop;
  ends := inbox.sweep_ends();
  for r in
    select w.user_id, 'check-in/' || z.day::text as key
    from public.wellness_settings w
    cross join lateral (select (inbox.struck_at(p_now, s.zone, w.check_in_at) at time zone s.zone)::date as day from inbox.settings(w.user_id) s) z
    where w.check_in_at is not null and w.deleted_at is null and z.day is not null
      and coalesce(w.quiet_until <= p_now, true)
      and not exists (select from public.wellness_check_ins c where c.user_id = w.user_id and c.day = z.day and c.deleted_at is null)
      and not exists (select from public.notifications n where n.user_id = w.user_id and n.key = 'check-in/' || z.day::text)
    limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.notify(r.user_id, 'wellness.reminder', r.key, '/wellness', '{}', r.user_id);
    told := told + 1;
  end loop;
  return told;
end $function$;

CREATE OR REPLACE FUNCTION growth.sweep_looks(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r record;
  told integer := 0;
begin
  for r in select * from growth.due_looks(p_now) limit p_limit loop
    perform inbox.notify(r.user_id, 'wellness.look', r.key, '/wellness', jsonb_build_object('title', r.title), r.form_id);
    told := told + 1;
  end loop;
  return told;
end $function$;
