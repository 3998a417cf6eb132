-- Habits: what a person wants to do again and again, an entry for each day they said something about, and the ranges of
-- days that count for nothing (sick, on holiday). Like check-ins they are the person's alone, whatever space is open.

create table habits (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  name        text not null check (btrim(name) <> '' and char_length(name) <= 200),
  question    text check (char_length(question) <= 300),
  kind        text not null default 'yes_no' check (kind in ('yes_no', 'number')),
  unit        text check (char_length(unit) <= 40),               -- of a number: "km"
  target      numeric check (target >= 0),                        -- of a number, in its unit, within `per_days`
  target_kind text not null default 'at_least' check (target_kind in ('at_least', 'at_most')),
  times       integer not null default 1 check (times between 1 and 365),      -- of yes/no: so many days …
  per_days    integer not null default 1 check (per_days between 1 and 365),   -- … in so many days
  position    integer not null default 0,                         -- order on the screen, lower first
  started_on  date not null check (started_on >= date '1970-01-01' and started_on < date '2200-01-01'),
  archived_at timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1,
  check (times <= per_days),
  check (kind = 'yes_no' or target is not null)
);
create index habits_user on habits (user_id);

create table habit_entries (
  id          uuid primary key default gen_random_uuid(),         -- derived from habit and day, so that two devices make one
  user_id     uuid not null references auth.users (id) on delete cascade,
  habit_id    uuid not null references habits (id) on delete cascade,
  day         date not null check (day >= date '1970-01-01' and day < date '2200-01-01'),   -- the person's local day
  value       text not null check (value in ('done', 'no', 'skip', 'unknown')),             -- done by rule is reckoned, never stored
  amount      numeric check (amount >= 0 and amount <= 1000000000),                         -- of a number, in the habit's unit
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index habit_entries_habit on habit_entries (habit_id, day);
create index habit_entries_user on habit_entries (user_id);

create table habit_pauses (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  habit_id    uuid references habits (id) on delete cascade,      -- null: all of them
  from_day    date not null check (from_day >= date '1970-01-01' and from_day < date '2200-01-01'),
  until_day   date check (until_day >= from_day and until_day < date '2200-01-01'),   -- the last day; null: until it is ended
  reason      text not null default 'other' check (reason in ('sick', 'holiday', 'other')),
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index habit_pauses_user on habit_pauses (user_id);
create index habit_pauses_habit on habit_pauses (habit_id);

select sync.add_table('habits', 42, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('habit_entries', 43, $$ sync.scopes(sync.user_scope(user_id)) $$, p_groups => '[["value","amount"]]');
select sync.add_table('habit_pauses', 43, $$ sync.scopes(sync.user_scope(user_id)) $$, p_groups => '[["from_day","until_day"]]');

create policy "the person reads" on habits for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on habits for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on habits for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

create policy "the person reads" on habit_entries for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on habit_entries for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and habit_id in (select h.id from habits h where h.user_id = (select auth.uid())));
create policy "the person edits" on habit_entries for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and habit_id in (select h.id from habits h where h.user_id = (select auth.uid())));

create policy "the person reads" on habit_pauses for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on habit_pauses for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and (habit_id is null or habit_id in (select h.id from habits h where h.user_id = (select auth.uid()))));
create policy "the person edits" on habit_pauses for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()))
  with check ((select sync.pushing()) and user_id = (select auth.uid())
    and (habit_id is null or habit_id in (select h.id from habits h where h.user_id = (select auth.uid()))));
grant insert, update on habits, habit_entries, habit_pauses to authenticated;
