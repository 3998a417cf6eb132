-- Habits with an amount, counted as the devices count them (packages/core/src/habits): a day counts once its target is met, at least
-- or at most, on the day or over the days its rule names. Zero is a value. What was skipped or paused in between is not passed over
-- here: a count of days needs no stretch across a pause.

-- The days of a person, p_from to p_to, on which a habit was done and its target met.
create function sync.habit_days_done(p_user uuid, p_from date, p_to date) returns table (habit_id uuid, day date)
  language sql stable security definer set search_path = '' as $$
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
$$;

-- Whether a day of a habit needs nothing more, by what was said on the days before it.
create function sync.habit_is_covered(h public.habits, p_day date) returns boolean
  language sql stable security definer set search_path = '' as $$
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
$$;

-- Habits as figures, for `summary`: how many there are, and on how many days of the last 7 and 30 one was done.
create or replace function sync.habit_figures(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'habits', (select count(*) from public.habits h where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null),
    'days_7', count(distinct e.day) filter (where e.day > current_date - 7), 'days_30', count(distinct e.day))
  from sync.habit_days_done(p_subject, current_date - 29, current_date) e
$$;

-- As before; the days of habits are those whose target is met.
create or replace function sync.brief_lines(g public.consent_grants, p_week date)
  returns table (kind text, level text, place integer, figures jsonb, item_ids jsonb)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  last_day constant date := p_week + 6;
  w record;
  before record;
begin
  case g.scope || '/' || g.level
  when 'goals/summary' then
    return query
      select 'goals', 'summary', 1, jsonb_build_object('active', count(*) filter (where s.state = 'active'),
        'moved', count(*) filter (where s.state = 'active' and s.moved), 'paused', count(*) filter (where s.state = 'paused'),
        'achieved', count(*) filter (where s.state = 'achieved')), jsonb_agg(s.id order by s.id)
      from (
        select o.id, o.state,
          exists (select from public.goal_check_ins c where c.goal_id = o.id and c.user_id = o.user_id and c.deleted_at is null
            and c.day between p_week and last_day)
          or exists (select from public.goal_milestones m where m.goal_id = o.id and m.user_id = o.user_id and m.deleted_at is null
            and m.done_on between p_week and last_day) as moved
        from public.goals o
        where o.user_id = g.subject_id and o.deleted_at is null and (o.started_on is null or o.started_on <= last_day)
          and (o.state in ('active', 'paused') or o.state = 'achieved' and o.ended_on between p_week and last_day)) s
      having count(*) > 0;
  when 'habits/summary' then
    return query
      select 'habits', 'summary', 2, jsonb_build_object('habits', count(distinct h.id),
        'days', count(distinct e.day) filter (where e.day between p_week and last_day),
        'days_before', count(distinct e.day) filter (where e.day between p_week - 7 and p_week - 1)), jsonb_agg(distinct h.id)
      from public.habits h
      left join sync.habit_days_done(g.subject_id, p_week - 7, last_day) e on e.habit_id = h.id
      where h.user_id = g.subject_id and h.deleted_at is null and h.archived_at is null and h.started_on <= last_day
      having count(distinct h.id) > 0;
  when 'wellness/summary' then
    select x.* into w from sync.wellness_weeks(g.subject_id) x where x.week = p_week;
    if w.week is null then return; end if;
    select x.* into before from sync.wellness_weeks(g.subject_id) x where x.week = p_week - 7;
    return query select 'wellness', 'summary', 3, jsonb_strip_nulls(jsonb_build_object('n', w.n, 'mood', w.mood, 'energy', w.energy,
      'stress', w.stress, 'mood_before', before.mood, 'energy_before', before.energy, 'stress_before', before.stress)), '[]'::jsonb;
    -- The same as a partner may be told.
    return query select 'week', 'ok', 4, jsonb_build_object('ok', w.mood >= 3 and coalesce(w.stress, 1) < 4), '[]'::jsonb;
  when 'tasks/counts' then
    return query
      select 'tasks', 'counts', 5, jsonb_build_object('done', count(*) filter (where a.closed_at is not null),
        'open', count(*) filter (where a.closed_at is null), 'late', count(*) filter (where a.closed_at is null and a.due_at < now())),
        jsonb_agg(a.id order by a.id)
      from public.action_items a
      join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = g.subject_id
      where a.deleted_at is null and (a.closed_at is null
        or a.closed_at >= p_week::timestamp at time zone 'UTC' and a.closed_at < (p_week + 7)::timestamp at time zone 'UTC')
      having count(*) > 0;
  else return;
  end case;
end $$;

-- As before; a habit with an amount is covered as any other.
create or replace function sync.sweep_growth(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  told integer := 0;
begin
  for r in
    select h.id, h.user_id, h.name, z.day, 'habit/' || h.id::text || '/' || z.day::text as key
    from public.habits h
    cross join lateral (select (inbox.struck_at(p_now, s.zone, h.remind_at) at time zone s.zone)::date as day from inbox.settings(h.user_id) s) z
    where h.remind_at is not null and h.deleted_at is null and h.archived_at is null and h.started_on <= z.day
      and coalesce(inbox.quiet_until(h.user_id) <= p_now, true)
      and not exists (select from public.habit_entries e
        where e.habit_id = h.id and e.day = z.day and e.value <> 'unknown' and e.deleted_at is null)
      and not exists (select from public.habit_pauses p where p.user_id = h.user_id and p.deleted_at is null
        and (p.habit_id is null or p.habit_id = h.id) and p.from_day <= z.day and coalesce(p.until_day, z.day) >= z.day)
      and not sync.habit_is_covered(h, z.day)
      and not exists (select from public.notifications n where n.user_id = h.user_id and n.key = 'habit/' || h.id::text || '/' || z.day::text)
    limit p_limit
  loop
    perform inbox.notify(r.user_id, 'habit.reminder', r.key, '/wellness/habits', jsonb_build_object('title', r.name), r.id);
    told := told + 1;
  end loop;
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
    perform inbox.notify(r.user_id, 'wellness.reminder', r.key, '/wellness', '{}', r.user_id);
    told := told + 1;
  end loop;
  return told;
end $$;

revoke execute on function sync.habit_days_done(uuid, date, date), sync.habit_is_covered(public.habits, date) from public;
