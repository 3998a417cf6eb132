-- A helper's weeks are over and stand as they were first shown, so that two readings never tell what came between them
-- (docs/decisions/0364-shown-weeks-stand.md); and limits of the circle hold for calls at once.

create table sync.wellness_week (
  user_id uuid not null references auth.users (id) on delete cascade,
  week    date not null,                                -- its Monday
  n       bigint,                                       -- answers; null where so few would tell each
  mood    numeric not null,
  energy  numeric,
  stress  numeric,
  primary key (user_id, week)
);
alter table sync.wellness_week enable row level security;

-- Eight weeks of means, never a day, a tag or a note; only weeks that are over in every zone, of two answers or more. A week that
-- was shown once stands, whatever is added or corrected later; it goes when all of its answers are gone.
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
    where w.user_id = p_subject and w.week >= this_week - 56 and w.week < this_week
      and exists (select from public.wellness_check_ins c where c.user_id = p_subject and c.deleted_at is null and c.skipped is null
        and c.mood is not null and c.day >= w.week and c.day < w.week + 7)
    order by w.week;
end $$;
-- They write down what they show.
alter function sync.shared_data(public.consent_grants) volatile;

-- One person's invitations of a day are counted one after the other.
create function sync.count_circle_invitation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  perform pg_advisory_xact_lock(hashtext('circle-invitations'), hashtext(new.subject_id::text));
  if (select count(*) from public.circle_invitations x where x.subject_id = new.subject_id and x.created_at > now() - interval '1 day') >= 50 then
    raise exception 'at most 50 invitations a day' using errcode = 'P0001';
  end if;
  return new;
end $$;
create trigger b_count before insert on circle_invitations for each row execute function sync.count_circle_invitation();

-- So are the words of a day (b_guard counts them).
create function sync.wait_for_circle_words() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('circle-messages'), hashtext(new.relationship_id::text));
  return new;
end $$;
create trigger b_a_wait before insert on circle_messages for each row execute function sync.wait_for_circle_words();

revoke execute on function sync.count_circle_invitation(), sync.wait_for_circle_words() from public;
