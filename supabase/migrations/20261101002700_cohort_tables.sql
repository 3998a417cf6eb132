-- Group figures with noise: tables.

-- What an organisation may see of how its people are: never a person, a week or a word of one, only in which quarter of a
-- group the people with a good week lie (docs/decisions/44-differential-privacy-of-group-figures.md). Three locks, one behind the other:
--  1. of a person nothing but one bit a week goes in (above or below the middle of the scale, by a coin where exactly
--     there), so that whoever knows everything else learns no more than that bit;
--  2. a group is shown only where it, every piece that figures of the same week cut out of it, and its difference from
--     every figure of twelve weeks have as many people as the organisation's minimum, or none;
--  3. a week is reckoned once, two days after it ended, and never again.

-- A person's yes for one employer; theirs alone, the employer does not learn who gave it.
create table cohort_consents (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  employer_id uuid not null references organizations (id) on delete cascade,   -- not organization_id: the row is no work of it
  revoked_at  timestamptz,                                        -- device time
  created_at  timestamptz not null default now(),                 -- server time; counts from the week after
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
create index cohort_consents_user on cohort_consents (user_id);
create index cohort_consents_employer on cohort_consents (employer_id) where revoked_at is null;
select sync.add_table('cohort_consents', 42, $$ sync.scopes(sync.user_scope(user_id)) $$);

-- Whether an organisation asks for figures at all, and from how many people on.
create table cohort_settings (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null unique references organizations (id) on delete cascade,
  is_on           boolean not null default false,
  minimum         integer not null default 60 check (minimum between 60 and 1000),   -- people; 5 is the floor, 10 what a screen offers
  scope           text not null generated always as (sync.org_scope(organization_id)) stored   -- who reads it
);

-- A figure that was released; what is not here is withheld, whatever the reason.
create table cohort_figures (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  week            date not null,                                  -- its Monday
  measure         text not null check (measure in ('mood', 'energy', 'stress')),
  kind            text not null check (kind in ('organization', 'site', 'team')),
  place_id        uuid not null,                                  -- of the organisation, site or team
  people          integer not null,                               -- rounded down to fives
  overdue         integer,                                        -- with stress: the organisation's own open overdue action items there
  overdue_before  integer,                                        -- the same four weeks earlier
  scope           text not null generated always as (sync.org_scope(organization_id)) stored,   -- who reads it
  percent         smallint not null check (percent between 0 and 100),   -- estimate: people above the middle of the scale, those at it half
  margin          smallint not null check (margin between 1 and 100),   -- points; 19 of 20 estimates are no further off
  unique (organization_id, week, measure, kind, place_id)
);
comment on column public.cohort_figures.week is 'Monday of the first of its four weeks';
comment on column public.cohort_figures.people is 'an estimate with noise, rounded down to fives';

create table cohort.salt (
  key uuid primary key default gen_random_uuid()
);

create table cohort.computed_window (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  week            date not null,
  primary key (organization_id, week)
);

-- Since when somebody has belonged without a break, by the server's clock: `joined_at` outlives an end that is taken back.
create table cohort.membership (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  since           timestamptz not null,
  primary key (organization_id, user_id)
);
create index membership_user on cohort.membership (user_id);

-- What a person has given of their budget for life. It outlives a consent, so that agreeing again does not begin it anew.
create table cohort.spent_budget (
  user_id uuid primary key references auth.users (id) on delete cascade,
  units   smallint not null check (units between 0 and 80),       -- 4: counted in figures; 1: counted where none came of it
  week    date not null                                           -- of the newest four weeks; nobody is counted twice in the same
);

-- A person as counted: -1 below the middle of the scale, 1 above, 0 at it or not said.
create type cohort.counted_member as (user_id uuid, site_id uuid, team_id uuid, mood integer, energy integer, stress integer);
