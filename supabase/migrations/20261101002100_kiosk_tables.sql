-- The kiosk, and acknowledgement rates over time: tables.

-- With what somebody shows at a kiosk who they are: one for each organisation, 4 to 8 digits.
create table kiosk.pin (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  hash            text not null,                                  -- bcrypt
  set_by          uuid references auth.users (id) on delete set null,
  set_at          timestamptz not null default now(),
  wrong           integer not null default 0,                     -- attempts since the last right one
  locked_until    timestamptz,
  primary key (organization_id, user_id)
);
create index pin_user on kiosk.pin (user_id);
create index pin_set_by on kiosk.pin (set_by);

-- That the right PIN was given on the device of a witness, for one policy; good for one word.
create table kiosk.pass (
  id         uuid primary key default gen_random_uuid(),
  policy_id  uuid not null references public.policies (id) on delete cascade,
  user_id    uuid not null references auth.users (id) on delete cascade,
  witness_id uuid not null references auth.users (id) on delete cascade,
  given_at   timestamptz not null default clock_timestamp(),
  used_at    timestamptz
);
create index pass_policy on kiosk.pass (policy_id);
create index pass_user on kiosk.pass (user_id);
create index pass_witness on kiosk.pass (witness_id);

-- One word said at a kiosk, as its device keeps and sends it. What was signed stands in the acknowledgement alone: here it goes
-- when it was received.
create table kiosk_acknowledgements (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the version
  policy_id       uuid not null,                                  -- copied from the version
  version_id      uuid not null,
  user_id         uuid references auth.users (id) on delete set null,   -- whose word it is
  witness_id      uuid references auth.users (id) on delete set null,   -- on whose device; whoever sent it
  device          text not null default '' check (char_length(device) <= 100),   -- what the device calls itself: its browser and system
  pass_id         uuid,                                           -- that the PIN was right; null: the witness stands for who it was
  decision        text not null check (decision in ('acknowledged', 'declined')),
  content_hash    text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  opened_at       timestamptz not null,                           -- device time
  decided_at      timestamptz not null,                           -- device time
  sections_read   integer not null default 0 check (sections_read between 0 and 10000),
  sections        integer not null default 0 check (sections between 0 and 10000),
  method          text check (method in ('typed', 'drawn')),
  signed_name     text check (char_length(signed_name) <= 200),
  signature       jsonb check (pg_column_size(signature) < 200000),   -- strokes (decision 25)
  reason          text check (char_length(reason) <= 2000),       -- of who declined
  quiz_attempts   integer not null default 0 check (quiz_attempts between 0 and 10000),
  quiz_answers    jsonb check (pg_column_size(quiz_answers) < 20000),
  quiz_at         timestamptz,                                    -- device time of the last attempt
  proof           text check (proof in ('pin', 'witness')),       -- how it was shown whose word it is, as the server found
  outcome         text check (outcome in ('counted', 'void', 'already', 'not_owed')),   -- what became of it
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, version_id) references policy_versions (organization_id, id) on delete cascade
);
create index kiosk_acknowledgements_policy on kiosk_acknowledgements (policy_id, user_id);
create index kiosk_acknowledgements_version on kiosk_acknowledgements (organization_id, version_id);
create index kiosk_acknowledgements_user on kiosk_acknowledgements (user_id);
create index kiosk_acknowledgements_witness on kiosk_acknowledgements (witness_id);
select sync.add_table('kiosk_acknowledgements', 27, $$ sync.scopes(sync.member_scope(organization_id, witness_id)) $$,
  p_server_columns => array['outcome', 'proof']);

-- Since when somebody belonged, and until when: a device sees only how it is now. A row a stretch of time.
create table rates.belonging (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  kind            text not null check (kind in ('member', 'site', 'team')),
  what            text not null,                                  -- role of a member; id of the site or the team
  joined_at       timestamptz,                                    -- of a member
  valid_until     timestamptz,                                    -- of a member whose time ends by itself
  since           timestamptz not null,
  until           timestamptz check (until >= since)              -- null: still
);
create index belonging_organization on rates.belonging (organization_id, kind, user_id);
create index belonging_user on rates.belonging (user_id);

-- Since when a campaign asked with this time to answer, and until when.
create table rates.request_period (
  id          bigint generated always as identity primary key,
  campaign_id uuid not null references public.acknowledgement_campaigns (id) on delete cascade,
  due_days    integer,                                            -- days; null: no day
  since       timestamptz not null,
  until       timestamptz check (until >= since)                  -- null: still
);
create index asking_campaign on rates.request_period (campaign_id);

-- Since when a major was in force, and until when.
create table rates.in_force (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  policy_id       uuid not null references public.policies (id) on delete cascade,
  major           integer not null,
  major_since     timestamptz not null,
  since           timestamptz not null,
  until           timestamptz check (until >= since)              -- null: still
);
create index in_force_policy on rates.in_force (organization_id, policy_id);
create index in_force_of on rates.in_force (policy_id);

-- How a policy stood at the end of a day; no row where nobody was asked.
create table rates.acknowledgement_day (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  place_id        uuid not null,                                  -- a site or a team; the organisation itself: everybody
  day             date not null,                                  -- in the organisation's time zone
  policy_id       uuid not null references public.policies (id) on delete cascade,
  asked           integer not null check (asked > 0),             -- people
  done            integer not null check (done between 0 and asked),   -- of them: acknowledged, or exempt
  overdue         integer not null check (overdue between 0 and asked - done),   -- of them: their day had passed without
  primary key (organization_id, place_id, day, policy_id)
);
create index acknowledgement_day_policy on rates.acknowledgement_day (policy_id);

-- The day of an organisation that is counted next; locked by whoever counts it.
create table rates.counting_start (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  day             date not null,                                  -- in the organisation's time zone
  ends_at         timestamptz not null,                           -- its end
  -- A day of each organisation in turn; what could not be counted rests for an hour.
  served_at       timestamptz not null default '-infinity',
  retry_at        timestamptz not null default '-infinity'
);
create index counting_ends on rates.counting_start (ends_at);
create index counting_start_turn on rates.counting_start (served_at, ends_at);
