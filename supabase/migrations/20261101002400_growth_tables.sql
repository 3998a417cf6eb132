-- Wellness, habits and goals: tables.

-- Wellness: how a person says they are, once or several times a day. The rows belong to the person and to no
-- organisation: their only audience is that person, whatever space is open, and nobody's role reaches them.
-- Why notes are closed text: they are sealed on the device with a key the server never has (decision 19).
create table note_keys (
  id          uuid primary key default gen_random_uuid(),         -- named in every note it closes
  user_id     uuid not null references auth.users (id) on delete cascade,
  by_password jsonb check (jsonb_typeof(by_password) = 'object' and pg_column_size(by_password) <= 1000),   -- {salt, iv, body}: base64; null: the person never gave a password
  by_recovery jsonb not null check (jsonb_typeof(by_recovery) = 'object' and pg_column_size(by_recovery) <= 1000),   -- the same, opened by the recovery code
  made_at     timestamptz not null,                               -- device time; the oldest key closes new notes
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index note_keys_user on note_keys (user_id);
select sync.add_table('note_keys', 2, $$ sync.scopes(sync.user_scope(user_id)) $$);

create table wellness_check_ins (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users (id) on delete cascade,
  day           date not null check (day >= date '1970-01-01' and day < date '2200-01-01'),   -- the person's local day it is about
  at            timestamptz not null,                             -- device time it is about; of a day filled in later: when that was written
  mood          smallint check (mood between 1 and 5),            -- 1 rough … 5 great
  energy        smallint check (energy between 1 and 5),          -- 1 empty … 5 full
  stress        smallint check (stress between 1 and 5),          -- 1 none … 5 very high
  sleep_hours   numeric check (sleep_hours between 0 and 24),     -- hours
  sleep_quality smallint check (sleep_quality between 1 and 5),   -- 1 bad … 5 very good
  tags          jsonb not null default '[]' check (jsonb_typeof(tags) = 'array' and pg_column_size(tags) <= 4000),   -- what played a part, words
  note          text check (note ~ '^1\.[0-9a-f-]{36}\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+$' and char_length(note) <= 30000),   -- closed on the device
  skipped       text check (skipped in ('no_time', 'sick', 'holiday', 'rather_not')),   -- why there is no answer that day
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  version       bigint not null default 1
);
create index wellness_check_ins_user_day on wellness_check_ins (user_id, day);
select sync.add_table('wellness_check_ins', 41, $$ sync.scopes(sync.user_scope(user_id)) $$);

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
  times       integer not null default 1 check (times between 1 and 365),   -- of yes/no: so many days …
  per_days    integer not null default 1 check (per_days between 1 and 365),   -- … in so many days
  position    integer not null default 0,                         -- order on the screen, lower first
  started_on  date not null check (started_on >= date '1970-01-01' and started_on < date '2200-01-01'),
  archived_at timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1,
  remind_at   text check (remind_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- HH:MM on the person's clocks; null: never
  check (times <= per_days),
  check (kind = 'yes_no' or target is not null)
);
create index habits_user on habits (user_id);
select sync.add_table('habits', 42, $$ sync.scopes(sync.user_scope(user_id)) $$);

create table habit_entries (
  id         uuid primary key default gen_random_uuid(),          -- derived from habit and day, so that two devices make one
  user_id    uuid not null references auth.users (id) on delete cascade,
  habit_id   uuid not null references habits (id) on delete cascade,
  day        date not null check (day >= date '1970-01-01' and day < date '2200-01-01'),   -- the person's local day
  value      text not null check (value in ('done', 'no', 'skip', 'unknown')),   -- done by rule is reckoned, never stored
  amount     numeric check (amount >= 0 and amount <= 1000000000),   -- of a number, in the habit's unit
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index habit_entries_habit on habit_entries (habit_id, day);
create index habit_entries_user on habit_entries (user_id);
create unique index habit_entries_day on public.habit_entries (habit_id, day) where deleted_at is null;
select sync.add_table('habit_entries', 43, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_groups => '[["value","amount"]]');

create table habit_pauses (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  habit_id   uuid references habits (id) on delete cascade,       -- null: all of them
  from_day   date not null check (from_day >= date '1970-01-01' and from_day < date '2200-01-01'),
  until_day  date check (until_day >= from_day and until_day < date '2200-01-01'),   -- the last day; null: until it is ended
  reason     text not null default 'other' check (reason in ('sick', 'holiday', 'other')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index habit_pauses_user on habit_pauses (user_id);
create index habit_pauses_habit on habit_pauses (habit_id);
select sync.add_table('habit_pauses', 43, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_groups => '[["from_day","until_day"]]');

-- Goals: what a person wants to reach, the steps on the way, what they tie to it, and what they said about it on the way.
-- Like check-ins and habits they are the person's alone, whatever space is open; no row of an organisation points at one.
create table goals (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  area       text not null check (area in ('health-wellness-foundation', 'career-growth-essentials', 'personal-development-basics',
    'financial-literacy', 'relationship-building', 'mindfulness-focus')),   -- growth area
  title      text not null check (btrim(title) <> '' and char_length(title) <= 300),   -- what, in one sentence
  why        text check (char_length(why) <= 1000),
  metric     text check (char_length(metric) <= 100),             -- what is counted; null: milestones or a guess say how far it is
  unit       text check (char_length(unit) <= 40),
  baseline   numeric,                                             -- in the unit, where it began
  target     numeric,                                             -- in the unit
  due_on     date check (due_on >= date '1970-01-01' and due_on < date '2200-01-01'),
  difficulty text check (difficulty in ('easy', 'steady', 'hard')),
  state      text not null default 'draft' check (state in ('draft', 'active', 'paused', 'achieved', 'revised', 'dropped')),
  started_on date check (started_on >= date '1970-01-01' and started_on < date '2200-01-01'),   -- the local day it became active first
  ended_on   date check (ended_on >= date '1970-01-01' and ended_on < date '2200-01-01'),   -- achieved, revised or dropped
  learned    text check (char_length(learned) <= 2000),           -- at its end
  follows_id uuid references goals (id) on delete set null,       -- the goal this one took the place of
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  check (metric is null or (baseline is not null and target is not null and baseline <> target))
);
create index goals_user on goals (user_id);
create index goals_follows on goals (follows_id);
select sync.add_table('goals', 42, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_groups => '[["metric","unit","baseline","target"],["state","ended_on","learned"]]');

create table goal_milestones (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  goal_id    uuid not null references goals (id) on delete cascade,
  title      text not null check (btrim(title) <> '' and char_length(title) <= 300),
  due_on     date check (due_on >= date '1970-01-01' and due_on < date '2200-01-01'),
  done_on    date check (done_on >= date '1970-01-01' and done_on < date '2200-01-01'),
  position   integer not null default 0,                          -- order on the screen, lower first
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index goal_milestones_user on goal_milestones (user_id);
create index goal_milestones_goal on goal_milestones (goal_id);
select sync.add_table('goal_milestones', 43, $$ sync.scopes(sync.user_scope(user_id)) $$);

-- A habit or an action item that serves a goal. The item is named and not referred to: whether there is one with that id is
-- nobody's to find out by linking it, and what is gone is not shown.
create table goal_links (
  id         uuid primary key default gen_random_uuid(),          -- derived from goal and item, so that two devices make one
  user_id    uuid not null references auth.users (id) on delete cascade,
  goal_id    uuid not null references goals (id) on delete cascade,
  kind       text not null check (kind in ('habit', 'action')),
  item_id    uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index goal_links_user on goal_links (user_id);
create index goal_links_goal on goal_links (goal_id);
select sync.add_table('goal_links', 43, $$ sync.scopes(sync.user_scope(user_id)) $$);

create table goal_check_ins (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  goal_id    uuid not null references goals (id) on delete cascade,
  day        date not null check (day >= date '1970-01-01' and day < date '2200-01-01'),   -- the person's local day it is about
  at         timestamptz not null,                                -- device time it was written
  value      numeric,                                             -- in the goal's unit: how far it is
  progress   smallint check (progress between 0 and 100),         -- per cent, of a goal without a metric
  confidence smallint check (confidence between 1 and 5),         -- 1 not at all … 5 sure to reach it
  obstacle   text check (char_length(obstacle) <= 1000),
  next_step  text check (char_length(next_step) <= 300),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index goal_check_ins_user on goal_check_ins (user_id);
create index goal_check_ins_goal on goal_check_ins (goal_id, day);
select sync.add_table('goal_check_ins', 43, $$ sync.scopes(sync.user_scope(user_id)) $$);

-- Days that count for nothing for a goal's momentum.
create table goal_pauses (
  id         uuid primary key default gen_random_uuid(),          -- derived from goal and first day
  user_id    uuid not null references auth.users (id) on delete cascade,
  goal_id    uuid not null references goals (id) on delete cascade,
  from_day   date not null check (from_day >= date '1970-01-01' and from_day < date '2200-01-01'),
  until_day  date check (until_day >= from_day and until_day < date '2200-01-01'),   -- the last day; null: it goes on
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
create index goal_pauses_user on goal_pauses (user_id);
create index goal_pauses_goal on goal_pauses (goal_id);
select sync.add_table('goal_pauses', 43, $$ sync.scopes(sync.user_scope(user_id)) $$,
  p_groups => '[["from_day","until_day"]]');

create table wellness_settings (
  id          uuid primary key default gen_random_uuid(),         -- derived from the person, so that two devices make one
  user_id     uuid not null unique references auth.users (id) on delete cascade,
  check_in_at text check (check_in_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- HH:MM on the person's clocks; null: no reminder
  quiet_until timestamptz,                                        -- until then reminders wait; device time plus a day
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
select sync.add_table('wellness_settings', 14, $$ sync.scopes(sync.user_scope(user_id)) $$);
