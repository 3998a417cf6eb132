-- A week somebody took an answer out of is shown no more (docs/decisions/0432-a-week-taken-back.md).

-- A week of which the person takes an answer back is gone for whoever reads from then on, also for who read it before: worked out
-- anew, the two readings would tell the answer.
alter table sync.wellness_week alter column mood drop not null, add column is_gone boolean not null default false;

create function sync.forget_week() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update sync.wellness_week w set is_gone = true, n = null, mood = null, energy = null, stress = null
    where w.user_id = old.user_id and w.week = date_trunc('week', old.day)::date;
  return null;
end $$;
create trigger x_week_gone after update of deleted_at on wellness_check_ins for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.mood is not null) execute function sync.forget_week();
create trigger x_week_removed after delete on wellness_check_ins for each row when (old.mood is not null) execute function sync.forget_week();

-- As before; a week that was taken back is not shown.
create or replace function sync.wellness_weeks(p_subject uuid) returns table (week date, n bigint, mood numeric, energy numeric, stress numeric)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  this_week constant date := date_trunc('week', (now() at time zone 'UTC') - interval '12 hours')::date;
begin
  insert into sync.wellness_week (user_id, week, n, mood, energy, stress)
    select p_subject, date_trunc('week', c.day)::date, case when count(*) >= 5 then count(*) end,
      round(avg(c.mood), 1), round(avg(c.energy), 1), round(avg(c.stress), 1)
    from public.wellness_check_ins c
    where c.user_id = p_subject and c.deleted_at is null and c.skipped is null and c.mood is not null
      and c.day >= this_week - 56 and c.day < this_week
    group by 2 having count(*) >= 2 order by 2
    on conflict do nothing;
  return query select w.week, w.n, w.mood, w.energy, w.stress from sync.wellness_week w
    where w.user_id = p_subject and w.week >= this_week - 56 and w.week < this_week and not w.is_gone
      and exists (select from public.wellness_check_ins c where c.user_id = p_subject and c.deleted_at is null and c.skipped is null
        and c.mood is not null and c.day >= w.week and c.day < w.week + 7)
    order by w.week;
end $$;

revoke execute on function sync.forget_week() from public;
