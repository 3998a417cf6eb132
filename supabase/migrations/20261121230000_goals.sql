-- Goals: what a person wants to reach, the steps on the way, what they tie to it, and what they said about it on the way.
-- Like check-ins and habits they are the person's alone, whatever space is open; no row of an organisation points at one.

create table goals (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  area        text not null check (area in ('health-wellness-foundation', 'career-growth-essentials', 'personal-development-basics',
                'financial-literacy', 'relationship-building', 'mindfulness-focus')),          -- growth area
  title       text not null check (btrim(title) <> '' and char_length(title) <= 300),         -- what, in one sentence
  why         text check (char_length(why) <= 1000),
  metric      text check (char_length(metric) <= 100),            -- what is counted; null: milestones or a guess say how far it is
  unit        text check (char_length(unit) <= 40),
  baseline    numeric,                                            -- in the unit, where it began
  target      numeric,                                            -- in the unit
  due_on      date check (due_on >= date '1970-01-01' and due_on < date '2200-01-01'),
  difficulty  text check (difficulty in ('easy', 'steady', 'hard')),
  state       text not null default 'draft' check (state in ('draft', 'active', 'paused', 'achieved', 'revised', 'dropped')),
  started_on  date check (started_on >= date '1970-01-01' and started_on < date '2200-01-01'),   -- the local day it became active first
  ended_on    date check (ended_on >= date '1970-01-01' and ended_on < date '2200-01-01'),       -- achieved, revised or dropped
  learned     text check (char_length(learned) <= 2000),          -- at its end
  follows_id  uuid references goals (id) on delete set null,      -- the goal this one took the place of
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1,
  check (metric is null or (baseline is not null and target is not null and baseline <> target))
);
create index goals_user on goals (user_id);
create index goals_follows on goals (follows_id);

create table goal_milestones (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  goal_id     uuid not null references goals (id) on delete cascade,
  title       text not null check (btrim(title) <> '' and char_length(title) <= 300),
  due_on      date check (due_on >= date '1970-01-01' and due_on < date '2200-01-01'),
  done_on     date check (done_on >= date '1970-01-01' and done_on < date '2200-01-01'),
  position    integer not null default 0,                         -- order on the screen, lower first
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index goal_milestones_user on goal_milestones (user_id);
create index goal_milestones_goal on goal_milestones (goal_id);

-- A habit or an action item that serves a goal. The item is named and not referred to: whether there is one with that id is
-- nobody's to find out by linking it, and what is gone is not shown.
create table goal_links (
  id          uuid primary key default gen_random_uuid(),         -- derived from goal and item, so that two devices make one
  user_id     uuid not null references auth.users (id) on delete cascade,
  goal_id     uuid not null references goals (id) on delete cascade,
  kind        text not null check (kind in ('habit', 'action')),
  item_id     uuid not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index goal_links_user on goal_links (user_id);
create index goal_links_goal on goal_links (goal_id);

create table goal_check_ins (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  goal_id     uuid not null references goals (id) on delete cascade,
  day         date not null check (day >= date '1970-01-01' and day < date '2200-01-01'),   -- the person's local day it is about
  at          timestamptz not null,                               -- device time it was written
  value       numeric,                                            -- in the goal's unit: how far it is
  progress    smallint check (progress between 0 and 100),        -- per cent, of a goal without a metric
  confidence  smallint check (confidence between 1 and 5),        -- 1 not at all … 5 sure to reach it
  obstacle    text check (char_length(obstacle) <= 1000),
  next_step   text check (char_length(next_step) <= 300),
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index goal_check_ins_user on goal_check_ins (user_id);
create index goal_check_ins_goal on goal_check_ins (goal_id, day);

-- Days that count for nothing for a goal's momentum.
create table goal_pauses (
  id          uuid primary key default gen_random_uuid(),         -- derived from goal and first day
  user_id     uuid not null references auth.users (id) on delete cascade,
  goal_id     uuid not null references goals (id) on delete cascade,
  from_day    date not null check (from_day >= date '1970-01-01' and from_day < date '2200-01-01'),
  until_day   date check (until_day >= from_day and until_day < date '2200-01-01'),   -- the last day; null: it goes on
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index goal_pauses_user on goal_pauses (user_id);
create index goal_pauses_goal on goal_pauses (goal_id);

select sync.add_table('goals', 42, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_groups => '[["metric","unit","baseline","target"],["state","ended_on","learned"]]');
select sync.add_table('goal_milestones', 43, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('goal_links', 43, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('goal_check_ins', 43, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('goal_pauses', 43, $$ sync.scopes(sync.user_scope(user_id)) $$, p_groups => '[["from_day","until_day"]]');

-- A goal follows one of the same person's; asked for by the trigger, because a policy on goals cannot read goals.
create function sync.guard_goal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.follows_id is not null and (tg_op = 'INSERT' or new.follows_id is distinct from old.follows_id)
    and not exists (select from public.goals g where g.id = new.follows_id and g.user_id = new.user_id) then
    raise exception 'no such goal' using errcode = '23503';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on goals for each row execute function sync.guard_goal();
revoke execute on function sync.guard_goal() from public;

create policy "the person reads" on goals for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goals for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on goals for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

create policy "the person reads" on goal_milestones for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_milestones for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_milestones for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

create policy "the person reads" on goal_links for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_links for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_links for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

create policy "the person reads" on goal_check_ins for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_check_ins for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_check_ins for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));

create policy "the person reads" on goal_pauses for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on goal_pauses for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
create policy "the person edits" on goal_pauses for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and goal_id in (select g.id from goals g where g.user_id = (select auth.uid())));
grant insert, update on goals, goal_milestones, goal_links, goal_check_ins, goal_pauses to authenticated;
