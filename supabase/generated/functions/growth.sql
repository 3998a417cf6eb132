-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema growth as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION growth.bound_questionnaires()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and old.category = 'wellness' and old.state = 'published' and old.deleted_at is null then return new; end if;
  if exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'private' and o.created_by = auth.uid())
    and (select count(*) from public.forms f where f.organization_id = new.organization_id and f.id <> new.id
      and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null) >= 20 then
    raise exception 'at most 20 questionnaires ask again' using errcode = '23514', hint = 'many', detail = 'CN365';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION growth.bound_reminded_habits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- What had one already keeps it.
  if tg_op = 'UPDATE' and old.remind_at is not null and old.deleted_at is null and old.archived_at is null then return new; end if;
  -- Of others nothing is told: the policy refuses them.
  if new.user_id = auth.uid() and (select count(*) from public.habits h
      where h.user_id = new.user_id and h.id <> new.id and h.remind_at is not null and h.deleted_at is null and h.archived_at is null) >= 200 then
    raise exception 'at most 200 habits have a reminder' using errcode = '23514', hint = 'many', detail = 'CN364';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION growth.due_look(p_user uuid, p_day date, p_zone text)
 RETURNS TABLE(form_id uuid, title text, key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.form_id, l.title, l.key
  from (
    select f.id as form_id, f.name as title, a.since, 'look/' || f.id::text || '/' || (a.since + 14 * ((p_day - a.since) / 14))::text as key
    from public.organizations o
    join public.forms f on f.organization_id = o.id and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null
    cross join lateral (select (coalesce(max(i.finished_at), f.updated_at) at time zone p_zone)::date as since from public.inspections i
      where i.form_id = f.id and i.deleted_at is null and i.status not in ('scheduled', 'in_progress')) a
    where o.created_by = p_user and o.kind = 'private' and o.deleted_at is null
  ) l
  where p_day >= l.since + 14 and not exists (select from public.notifications n where n.user_id = p_user and n.key = l.key)
  order by l.since, l.form_id limit 1
$function$;

CREATE OR REPLACE FUNCTION growth.guard_entry_day()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then
    raise exception 'an entry keeps its habit and its day' using errcode = '23514', constraint = 'id_is_derived', detail = 'CN366';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION growth.guard_goal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.follows_id is not null and (tg_op = 'INSERT' or new.follows_id is distinct from old.follows_id)
    and not exists (select from public.goals g where g.id = new.follows_id and g.user_id = new.user_id) then
    raise exception 'no such goal' using errcode = '23503', detail = 'CN363';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION growth.habit_days_done(p_user uuid, p_from date, p_to date)
 RETURNS TABLE(habit_id uuid, day date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with answered as materialized (
    select e.habit_id, e.day, e.amount from public.habit_entries e join public.habits h on h.id = e.habit_id
    where e.user_id = p_user and e.deleted_at is null and e.value = 'done' and e.day between p_from - h.per_days and p_to + h.per_days
  ),
  counted as (
    select h.id, h.per_days, h.target_kind, coalesce(h.target, 0) as target, d::date as day, s.habit_id is not null as is_answered, s.amount,
      coalesce(sum(s.amount) over w, 0) as total
    from public.habits h
    cross join lateral generate_series((p_from - h.per_days)::timestamp, (p_to + h.per_days)::timestamp, interval '1 day') d
    left join answered s on s.habit_id = h.id and s.day = d::date
    where h.kind = 'number' and h.id in (select x.habit_id from answered x where x.day between p_from and p_to)
    window w as (partition by h.id order by d)
  ),
  -- Of each day: the sum of the days up to it, and whether a stretch begins with it that meets the target.
  stretches as (
    select c.*, c.total - coalesce(lag(c.total, c.per_days) over w, 0) as until,
      c.is_answered and (c.amount > 0 or c.target = 0)
        and coalesce(lead(c.total, c.per_days - 1) over w, last_value(c.total) over (partition by c.id order by c.day rows between unbounded preceding and unbounded following))
          - coalesce(lag(c.total) over w, 0) >= c.target as begins
    from counted c window w as (partition by c.id order by c.day)
  ),
  met as (
    select s.*, count(*) filter (where s.begins) over w as begun from stretches s window w as (partition by s.id order by s.day)
  ),
  kept as (
    select m.*, m.begun - coalesce(lag(m.begun, m.per_days) over (partition by m.id order by m.day), 0) as stretches_here from met m
  )
  select s.habit_id, s.day from answered s join public.habits h on h.id = s.habit_id
    where s.day between p_from and p_to and h.kind = 'yes_no'
  union all
  select k.id, k.day from kept k
    where k.is_answered and k.day between p_from and p_to
      and case when k.target_kind = 'at_most' then k.until <= k.target
        else (k.amount > 0 or k.target = 0) and k.stretches_here > 0 end
$function$;

CREATE OR REPLACE FUNCTION growth.habit_is_covered(h habits, p_day date)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when h.kind = 'yes_no' then count(*) >= h.times
    when h.target_kind = 'at_most' then count(*) > 0
    else count(*) filter (where e.amount > 0) > 0 and coalesce(sum(e.amount), 0) >= coalesce(h.target, 0) end
  from public.habit_entries e
  where e.habit_id = h.id and e.value = 'done' and e.deleted_at is null and e.day > p_day - h.per_days and e.day < p_day
$function$;

CREATE OR REPLACE FUNCTION growth.sweep_growth(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r record;
  h public.habits;
  struck date;
  told integer := 0;
  ends timestamptz;
begin
  for r in select * from inbox.due_reminders('habit', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    struck := inbox.strike('habit', r.subject_id, r.user_id, p_now);
    continue when struck is null;
    select * into h from public.habits x where x.id = r.subject_id;
    continue when h.started_on > struck
      or exists (select from public.habit_entries e where e.habit_id = h.id and e.day = struck and e.value <> 'unknown' and e.deleted_at is null)
      or exists (select from public.habit_pauses p where p.user_id = h.user_id and p.deleted_at is null
        and (p.habit_id is null or p.habit_id = h.id) and p.from_day <= struck and coalesce(p.until_day, struck) >= struck)
      or growth.habit_is_covered(h, struck);
    perform inbox.notify(h.user_id, 'habit.reminder', 'habit/' || h.id::text || '/' || struck::text, '/wellness/habits',
      jsonb_build_object('title', h.name), h.id);
    told := told + 1;
  end loop;
  ends := null;
  for r in select * from inbox.due_reminders('check_in', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    struck := inbox.strike('check_in', r.subject_id, r.user_id, p_now);
    continue when struck is null or exists (select from public.wellness_check_ins c
      where c.user_id = r.user_id and c.day = struck and c.deleted_at is null);
    perform inbox.notify(r.user_id, 'wellness.reminder', 'check-in/' || struck::text, '/wellness', '{}', r.user_id);
    told := told + 1;
  end loop;
  return told;
end $function$;

CREATE OR REPLACE FUNCTION growth.sweep_questionnaires(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r record;
  l record;
  day date;
  told integer := 0;
begin
  for r in select * from inbox.due_reminders('look', p_now, p_limit) loop
    day := inbox.strike('look', r.subject_id, r.user_id, p_now);
    continue when day is null;
    select * into l from growth.due_look(r.user_id, day, (inbox.settings(r.user_id)).zone);
    continue when l.form_id is null;
    -- The next one with the next round.
    if inbox.notify(r.user_id, 'wellness.look', l.key, '/wellness', jsonb_build_object('title', l.title), l.form_id) is not null then
      update inbox.reminder x set next_at = p_now where x.kind = 'look' and x.subject_id = r.subject_id and x.user_id = r.user_id;
      told := told + 1;
    end if;
  end loop;
  return told;
end $function$;
