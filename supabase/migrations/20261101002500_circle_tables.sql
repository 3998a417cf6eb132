-- The support circle: tables.

-- The colleagues of an organisation as an audience, under an id that nobody can trace back to it: a person's row is in
-- the circles of all their organisations, and colleagues who read it must not learn which others these are.
create table sync.circle (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  id              uuid not null unique default gen_random_uuid()
);

-- Who supports whom. It says that somebody helps, not what they see: that takes a grant of the subject.
create table circle_relationships (
  id           uuid primary key default gen_random_uuid(),
  subject_id   uuid not null references auth.users (id) on delete cascade,
  helper_id    uuid not null references auth.users (id) on delete cascade,
  role         text not null check (role in ('managed_admin', 'mentor_coach', 'triad_intelligence_operator', 'accountability_partner')),
  state        text not null default 'active' check (state in ('active', 'paused', 'ended')),
  started_at   timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  deleted_at   timestamptz,
  version      bigint not null default 1,
  -- Somebody of another organisation is known by no name here: each side's goes with the relationship.
  subject_name text check (char_length(subject_name) <= 200),
  helper_name  text check (char_length(helper_name) <= 200),
  purpose      text check (char_length(purpose) <= 500),
  -- How often they mean to talk; either side may say.
  cadence_days integer check (cadence_days between 1 and 366),    -- days from one session to the next
  check (subject_id <> helper_id)
);
create index circle_relationships_helper on circle_relationships (helper_id);
create unique index circle_relationships_once on circle_relationships (subject_id, helper_id, role)
  where state <> 'ended' and deleted_at is null;
select sync.add_table('circle_relationships', 12, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['helper_name', 'purpose', 'started_at', 'subject_name']);

-- The support circle: who helps whom was there; here is what they see of it. Nothing, until the person grants it: one
-- grant per scope and level, from–until, made by them alone. What is granted leaves the server only through
-- `read_circle`, which reads and writes it down in one transaction; plain select gives a helper no row of it.

-- What each role may be granted at most (domain 1.5); what is missing here cannot be granted at all, so that notes and
-- journals are not. The same table stands in packages/core/src/support-circle/visibility.ts; a test holds the two together.
create table circle_visibility (
  role   text not null,                                           -- circle role
  scope  text not null,                                           -- habits, wellness, tasks
  level  text not null,                                           -- how much of it
  chosen boolean not null,                                        -- only items the person picked one by one
  primary key (role, scope, level),
  constraint circle_visibility_level_bounded check (char_length(level) <= 100),
  constraint circle_visibility_role_bounded check (char_length(role) <= 100),
  constraint circle_visibility_scope_bounded check (char_length(scope) <= 100)
);

create table consent_grants (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- who grants, and whose data it is
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  role            text not null,                                  -- copied from the relationship
  scope           text not null,
  level           text not null,
  item_ids        jsonb check (jsonb_typeof(item_ids) = 'array' and pg_column_size(item_ids) <= 20000),   -- null: everything of the scope
  valid_from      timestamptz not null default now(),
  valid_until     timestamptz check (valid_until > valid_from),   -- null: until it is taken back
  revoked_at      timestamptz,                                    -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  constraint consent_grants_level_bounded check (char_length(level) <= 100),
  constraint consent_grants_role_bounded check (char_length(role) <= 100),
  constraint consent_grants_scope_bounded check (char_length(scope) <= 100)
);
create index consent_grants_relationship on consent_grants (relationship_id);
create index consent_grants_subject on consent_grants (subject_id);
create index consent_grants_helper on consent_grants (helper_id);
select sync.add_table('consent_grants', 44, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_groups => '[["valid_until","revoked_at"]]',
  p_server_columns => array['helper_id', 'role']);

-- Every read under a grant. Nobody changes or removes an entry.
create table grant_reads (
  id              uuid primary key default gen_random_uuid(),
  grant_id        uuid not null references consent_grants (id) on delete cascade,
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,
  helper_id       uuid not null references auth.users (id) on delete cascade,
  scope           text not null default '',                       -- copied from the grant, as the level
  level           text not null default '',
  offline         boolean not null default true,                  -- read from the copy on the helper's device, with no network
  read_at         timestamptz not null,                           -- device time of an offline read, else the server's
  received_at     timestamptz not null default now(),             -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  -- What was sent in a brief is in the access log too, under the grants of those who received it.
  brief_id        uuid,
  times           integer not null default 1 check (times between 1 and 10000),   -- so often in those five minutes
  constraint grant_reads_level_bounded check (char_length(level) <= 100),
  constraint grant_reads_scope_bounded check (char_length(scope) <= 100)
);
create index grant_reads_subject on grant_reads (subject_id, received_at);
create index grant_reads_helper on grant_reads (helper_id);
create index grant_reads_grant on grant_reads (grant_id);
create index grant_reads_relationship on grant_reads (relationship_id);
create index grant_reads_brief on grant_reads (brief_id);
create index grant_reads_offline on public.grant_reads (grant_id, received_at) where offline;
select sync.add_table('grant_reads', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['brief_id', 'level', 'offline', 'received_at', 'relationship_id', 'scope', 'subject_id', 'times']);

-- A nudge and its reply; they travel like any record, so both may be written with no network.
create table circle_messages (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  from_id         uuid not null references auth.users (id) on delete cascade,
  body            text not null check (btrim(body) <> '' and char_length(body) <= 500),
  written_at      timestamptz not null,                           -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index circle_messages_relationship on circle_messages (relationship_id, written_at);
create index circle_messages_subject on circle_messages (subject_id);
create index circle_messages_helper on circle_messages (helper_id);
create index circle_messages_from on circle_messages (from_id);
create index circle_messages_day on circle_messages (relationship_id, from_id, created_at);
select sync.add_table('circle_messages', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['helper_id', 'subject_id']);

-- The calls of the support circle: the invitation, and the one way in which granted data leaves the server.
create table circle_invitations (
  id          uuid primary key default gen_random_uuid(),
  subject_id  uuid not null references auth.users (id) on delete cascade,
  role        text not null check (role in ('managed_admin', 'mentor_coach', 'triad_intelligence_operator', 'accountability_partner')),
  purpose     text check (char_length(purpose) <= 500),
  wanted      jsonb not null check (jsonb_typeof(wanted) = 'array' and pg_column_size(wanted) <= 40000),   -- [{scope, level, item_ids?, until?}]: granted when it is accepted
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '14 days',
  accepted_at timestamptz,
  accepted_by uuid references auth.users (id) on delete set null,
  declined_at timestamptz,
  revoked_at  timestamptz
);
create index circle_invitations_subject on circle_invitations (subject_id, created_at);
create index circle_invitations_accepted_by on circle_invitations (accepted_by);
alter table identity.circle_invitation_token add foreign key (invitation_id) references public.circle_invitations (id) on delete cascade;

-- Written by one of the two. The person has all of them; a helper has their own, and reads the person's like anything that is
-- granted: by `read_circle`, which writes it down.
create table circle_sessions (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  author_id       uuid not null references auth.users (id) on delete cascade,
  at              timestamptz not null,                           -- when it is or was, device time
  state           text not null default 'held' check (state in ('planned', 'held', 'cancelled', 'missed')),
  minutes         integer check (minutes between 1 and 1440),
  note            text not null default '' check (char_length(note) <= 4000),   -- for both of them; private notes are check-ins'
  next_steps      jsonb not null default '[]' check (jsonb_typeof(next_steps) = 'array' and pg_column_size(next_steps) <= 8000),   -- [{id, title, due_on?}]
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  reason          text not null default '' check (char_length(reason) <= 500),   -- why it was missed or cancelled, if somebody says so
  concluded_by    uuid references auth.users (id) on delete set null   -- who said what became of it; null while planned, and of older ones
);
create index circle_sessions_relationship on circle_sessions (relationship_id, at);
create index circle_sessions_subject on circle_sessions (subject_id);
create index circle_sessions_helper on circle_sessions (helper_id);
create index circle_sessions_author on circle_sessions (author_id);
create index circle_sessions_planned on circle_sessions (at) where state = 'planned' and deleted_at is null;
-- Sessions have a bound, 50 in a day and 100 ahead of each of the two, and relationships take turns: many planned for one hour kept everybody's reminders back.
-- Whoever has several ahead at once hears of the next one.
create index circle_sessions_made on public.circle_sessions (relationship_id, created_at);
create index circle_sessions_concluded_by on public.circle_sessions (concluded_by);
select sync.add_table('circle_sessions', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(author_id)) $$,
  p_server_columns => array['helper_id', 'concluded_by', 'subject_id']);

-- What a helper did in somebody's name: "A for B". Both read it, nobody changes it.
create table circle_acts (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- for whom
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- who did it
  act             text not null check (act in ('task_added', 'task_done', 'task_reopened')),
  item_id         uuid not null,                                  -- the action item
  title           text not null,                                  -- its name at that time
  at              timestamptz not null default now(),             -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  constraint circle_acts_title_bounded check (char_length(title) <= 1000)
);
create index circle_acts_relationship on circle_acts (relationship_id, at);
create index circle_acts_subject on circle_acts (subject_id);
create index circle_acts_helper on circle_acts (helper_id);
select sync.add_table('circle_acts', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$);

-- A helper's weeks are over and stand as they were first shown, so that two readings never tell what came between them
-- (docs/decisions/35-support-circle-and-briefs.md); and limits of the circle hold for calls at once.
create table sync.wellness_week (
  user_id uuid not null references auth.users (id) on delete cascade,
  week    date not null,                                          -- its Monday
  n       bigint,                                                 -- answers; null where so few would tell each
  mood    numeric,
  energy  numeric,
  stress  numeric,
  is_gone boolean not null default false,
  primary key (user_id, week)
);

create table countersignatures (
  id              uuid primary key,                               -- derivedId(grant_id, 'countersignature')
  grant_id        uuid not null unique references consent_grants (id) on delete cascade,
  relationship_id uuid not null references circle_relationships (id) on delete cascade,   -- copied from the grant, as both people
  subject_id      uuid not null references auth.users (id) on delete cascade,
  helper_id       uuid not null references auth.users (id) on delete cascade,
  policy_id       uuid not null references policies (id) on delete cascade,   -- copied from the version
  version_id      uuid not null references policy_versions (id) on delete cascade,
  decision        text not null check (decision in ('signed', 'declined')),
  content_hash    text not null check (content_hash ~ '^[0-9a-f]{64}$'),   -- of what was on the partner's screen
  method          text check (method in ('typed', 'drawn')),
  signed_name     text check (char_length(signed_name) <= 200),
  signature       jsonb check (pg_column_size(signature) < 200000),   -- strokes (decision 25)
  reason          text not null default '' check (char_length(reason) <= 2000),   -- of who declined; may be empty
  decided_at      timestamptz not null,                           -- device time
  received_at     timestamptz not null default now(),             -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  account_name    text check (char_length(account_name) <= 200)   -- likewise
);
create index countersignatures_relationship on countersignatures (relationship_id);
create index countersignatures_subject on countersignatures (subject_id);
create index countersignatures_helper on countersignatures (helper_id);
create index countersignatures_policy on countersignatures (policy_id);
create index countersignatures_version on countersignatures (version_id);
-- Nobody's but these two people's: no organisation, and nobody else of the circle. It holds no word of the principle.
select sync.add_table('countersignatures', 46, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$,
  p_server_columns => array['account_name', 'policy_id', 'received_at', 'relationship_id', 'subject_id']);
