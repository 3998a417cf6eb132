-- A habit has one entry a day, by its derived id alone: rows of ids a device chose made many of one day, and reckoning a habit with them was
-- quadratic. What two devices once wrote of one day under other ids is brought together: what was said last stands.

-- Which of a day stands, and under which id.
create temporary table merged on commit drop as
  select e.habit_id, e.day, (array_agg(e.id order by e.updated_at desc, e.id))[1] as stands,
    extensions.uuid_generate_v5(e.habit_id, 'habits/' || e.day::text) as id
  from public.habit_entries e where e.deleted_at is null
  group by e.habit_id, e.day
  having count(*) > 1 or bool_or(e.id <> extensions.uuid_generate_v5(e.habit_id, 'habits/' || e.day::text));
insert into public.habit_entries as h (id, user_id, habit_id, day, value, amount)
  select m.id, e.user_id, e.habit_id, e.day, e.value, e.amount from merged m join public.habit_entries e on e.id = m.stands
  on conflict (id) do update set value = excluded.value, amount = excluded.amount, deleted_at = null
    where (h.value, h.amount, h.deleted_at) is distinct from (excluded.value, excluded.amount, null::timestamptz);
update public.habit_entries e set deleted_at = now()
  from merged m where e.habit_id = m.habit_id and e.day = m.day and e.id <> m.id and e.deleted_at is null;
create unique index habit_entries_day on public.habit_entries (habit_id, day) where deleted_at is null;

-- Also with an id that is none of the derived form.
drop trigger d_derived_id on public.habit_entries;
create trigger d_derived_id before insert on public.habit_entries for each row execute function sync.guard_derived_id();
create function sync.keep_entry_day() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    raise exception 'an entry keeps its habit and its day' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  return new;
end $$;
create trigger d_keep_day before update on public.habit_entries for each row
  when ((old.habit_id, old.day) is distinct from (new.habit_id, new.day)) execute function sync.keep_entry_day();

-- As before, each entry looked at once: the sum of the days from the first with an amount is the sum of them all.
create or replace function sync.habit_is_covered(h public.habits, p_day date) returns boolean
  language sql stable security definer set search_path = '' as $$
  select case
    when h.kind = 'yes_no' then count(*) >= h.times
    when h.target_kind = 'at_most' then count(*) > 0
    else count(*) filter (where e.amount > 0) > 0 and coalesce(sum(e.amount), 0) >= coalesce(h.target, 0) end
  from public.habit_entries e
  where e.habit_id = h.id and e.value = 'done' and e.deleted_at is null and e.day > p_day - h.per_days and e.day < p_day
$$;

-- As before, each day summed once: what was done up to each day, and of stretches the difference of two.
create or replace function sync.habit_days_done(p_user uuid, p_from date, p_to date) returns table (habit_id uuid, day date)
  language sql stable security definer set search_path = '' as $$
  with said as materialized (
    select e.habit_id, e.day, e.amount from public.habit_entries e join public.habits h on h.id = e.habit_id
    where e.user_id = p_user and e.deleted_at is null and e.value = 'done' and e.day between p_from - h.per_days and p_to + h.per_days
  ),
  counted as (
    select h.id, h.per_days, h.target_kind, coalesce(h.target, 0) as target, d::date as day, s.habit_id is not null as is_said, s.amount,
      coalesce(sum(s.amount) over w, 0) as total
    from public.habits h
    cross join lateral generate_series((p_from - h.per_days)::timestamp, (p_to + h.per_days)::timestamp, interval '1 day') d
    left join said s on s.habit_id = h.id and s.day = d::date
    where h.kind = 'number' and h.id in (select x.habit_id from said x where x.day between p_from and p_to)
    window w as (partition by h.id order by d)
  ),
  -- Of each day: the sum of the days up to it, and whether a stretch begins with it that meets the target.
  stretches as (
    select c.*, c.total - coalesce(lag(c.total, c.per_days) over w, 0) as until,
      c.is_said and (c.amount > 0 or c.target = 0)
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
  select s.habit_id, s.day from said s join public.habits h on h.id = s.habit_id
    where s.day between p_from and p_to and h.kind = 'yes_no'
  union all
  select k.id, k.day from kept k
    where k.is_said and k.day between p_from and p_to
      and case when k.target_kind = 'at_most' then k.until <= k.target
        else (k.amount > 0 or k.target = 0) and k.stretches_here > 0 end
$$;

revoke execute on function sync.keep_entry_day() from public;
