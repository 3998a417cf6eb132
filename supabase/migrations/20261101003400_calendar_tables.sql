-- Calendar feeds: tables.

create table calendar.feed (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users (id) on delete cascade,
  kind       text not null check (kind in ('tasks', 'day')),      -- tasks alone, or all that is in "my day"
  hash       bytea not null unique,                               -- sha-256 of the token
  zone       text not null check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),   -- IANA name: the clocks of whoever made it
  renewed_at timestamptz not null default now(),                  -- since when its present token holds
  read_at    timestamptz,                                         -- when a calendar last read it
  unique (user_id, kind)
);
