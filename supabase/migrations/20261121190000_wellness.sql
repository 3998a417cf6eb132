-- Wellness: how a person says they are, once or several times a day. The rows belong to the person and to no
-- organisation: their only audience is that person, whatever space is open, and nobody's role reaches them.
-- Why notes are closed text: they are sealed on the device with a key the server never has (decision 0180).

create table note_keys (
  id          uuid primary key default gen_random_uuid(),        -- named in every note it closes
  user_id     uuid not null references auth.users (id) on delete cascade,
  by_password jsonb check (jsonb_typeof(by_password) = 'object' and pg_column_size(by_password) <= 1000),   -- {salt, iv, body}: base64; null: the person never gave a password
  by_recovery jsonb not null check (jsonb_typeof(by_recovery) = 'object' and pg_column_size(by_recovery) <= 1000),   -- the same, opened by the recovery code
  made_at     timestamptz not null,                              -- device time; the oldest key closes new notes
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index note_keys_user on note_keys (user_id);

create table wellness_check_ins (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users (id) on delete cascade,
  day           date not null check (day >= date '1970-01-01' and day < date '2200-01-01'),   -- the person's local day it is about
  at            timestamptz not null,                            -- device time it is about; of a day filled in later: when that was written
  mood          smallint check (mood between 1 and 5),           -- 1 rough … 5 great
  energy        smallint check (energy between 1 and 5),         -- 1 empty … 5 full
  stress        smallint check (stress between 1 and 5),         -- 1 none … 5 very high
  sleep_hours   numeric check (sleep_hours between 0 and 24),    -- hours
  sleep_quality smallint check (sleep_quality between 1 and 5),  -- 1 bad … 5 very good
  tags          jsonb not null default '[]' check (jsonb_typeof(tags) = 'array' and pg_column_size(tags) <= 4000),   -- what played a part, words
  note          text check (note ~ '^1\.[0-9a-f-]{36}\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+$' and char_length(note) <= 30000),   -- closed on the device
  skipped       text check (skipped in ('no_time', 'sick', 'holiday', 'rather_not')),   -- why there is no answer that day
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  version       bigint not null default 1
);
create index wellness_check_ins_user_day on wellness_check_ins (user_id, day);

select sync.add_table('note_keys', 2, $$ sync.scopes(sync.user_scope(user_id)) $$);
select sync.add_table('wellness_check_ins', 41, $$ sync.scopes(sync.user_scope(user_id)) $$);

create policy "the person reads" on wellness_check_ins for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on wellness_check_ins for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on wellness_check_ins for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
grant insert, update on wellness_check_ins to authenticated;

create policy "the person reads" on note_keys for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on note_keys for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person closes anew" on note_keys for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
grant insert, update on note_keys to authenticated;
