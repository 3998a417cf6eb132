-- Policies, their versions and acknowledgements: tables.

-- Policies: what an organisation asks of its people, or a person of themselves. What people read is a version, which never
-- changes once it was sent for approval; the states are decided by the calls below, never by a device.
create table policies (
  id                 uuid primary key default gen_random_uuid(),
  organization_id    uuid not null references organizations (id) on delete cascade,
  title              text not null check (btrim(title) <> '' and char_length(title) <= 200),   -- of the version in force
  code               text check (char_length(code) <= 40),        -- what people call it by: "SAF-04"
  summary            text check (char_length(summary) <= 1000),
  classification     text not null default 'internal' check (classification in ('public', 'internal', 'confidential')),
  owner_id           uuid references auth.users (id) on delete set null,   -- who answers for it
  review_by          text check (review_by ~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'),   -- day on which it should be looked at again
  review_months      integer check (review_months between 1 and 120),   -- from each publishing
  state              text not null default 'draft' check (state in ('draft', 'published', 'archived')),
  current_version_id uuid,                                        -- the one in force
  current_major      integer,
  major_since        timestamptz,                                 -- server time since which its major is in force: what is owed is counted from here
  archived_at        timestamptz,
  created_by         uuid references auth.users (id) on delete set null,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  version            bigint not null default 1,
  unique (organization_id, id)
);
create index policies_organization on policies (organization_id, state);
create index policies_owner on policies (owner_id);
select sync.add_table('policies', 24, $$ sync.scopes(case when state = 'draft' then sync.holder_scope('policy.approve', organization_id) else sync.org_scope(organization_id) end) $$,
  p_server_columns => array['archived_at', 'current_major', 'current_version_id', 'major_since', 'state']);

create table policy_versions (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the policy
  policy_id       uuid not null,
  state           text not null default 'draft' check (state in ('draft', 'in_review', 'change_requested', 'approved', 'published', 'superseded', 'archived')),
  change          text not null default 'major' check (change in ('major', 'minor')),   -- major: everybody acknowledges anew
  major           integer check (major > 0),                      -- null until published
  minor           integer check (minor >= 0),
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  body            text not null default '' check (char_length(body) <= 400000),   -- Markdown
  changelog       text check (char_length(changelog) <= 2000),    -- what is different, in a line or two
  content_hash    text not null default '' check (content_hash ~ '^([0-9a-f]{64})?$'),   -- sha-256 (hex) of title, an empty line, body
  based_on_id     uuid,                                           -- the version it was written from
  source          text not null default 'written' check (source in ('written', 'markdown', 'seed', 'pack', 'file')),
  approval_id     uuid,                                           -- the last request for approval
  approved_at     timestamptz,
  published_at    timestamptz,                                    -- server time
  published_by    uuid references auth.users (id) on delete set null,
  superseded_at   timestamptz,
  editing_by      uuid references auth.users (id) on delete set null,   -- who has the pen
  editing_since   timestamptz,                                    -- server time they last said so
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  quiz            text constraint policy_versions_quiz_is_one check (policy.is_quiz(quiz)),
  variables       jsonb,                                          -- {"<key>": "<value>"} as they were when it was sent for approval: what is approved is what is published
  template        jsonb,                                          -- {"title", "body", "quiz"} before they were filled in; null where nothing was
  file            jsonb constraint policy_versions_file_is_one check (policy.is_policy_file(file)),   -- null: the words are in `body`
  unique (organization_id, id),
  unique (policy_id, major, minor),
  check ((major is null) = (state in ('draft', 'in_review', 'change_requested', 'approved'))),
  check ((major is null) = (minor is null)),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  constraint policy_versions_file_bounded check (octet_length(file::text) <= 4000),
  constraint policy_versions_quiz_bounded check (char_length(quiz) <= 60000),
  constraint policy_versions_template_bounded check (octet_length(template::text) <= 4000000),
  constraint policy_versions_variables_bounded check (octet_length(variables::text) <= 100000)
);
create index policy_versions_policy on policy_versions (organization_id, policy_id);
-- What is written next stands once.
create unique index policy_versions_next on policy_versions (policy_id) where major is null and deleted_at is null;
create index policy_versions_file on policy_versions ((file ->> 'id')) where file is not null;
select sync.add_table('policy_versions', 25, $$ sync.scopes(case when major is null then sync.holder_scope('policy.approve', organization_id) else sync.org_scope(organization_id) end) $$,
  p_server_columns => array['approval_id', 'approved_at', 'content_hash', 'editing_by', 'editing_since', 'major', 'minor', 'published_at',
    'published_by', 'state', 'superseded_at', 'template', 'variables']);
alter table policies add foreign key (organization_id, current_version_id) references policy_versions (organization_id, id) deferrable initially deferred;

create table acknowledgement_campaigns (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the policy
  policy_id       uuid not null,
  audience        jsonb not null check (policy.is_audience(audience)),   -- {"kind": "all"} or {"kind": "roles|sites|teams|people", "ids": […]}
  due_days        integer check (due_days between 1 and 365),     -- from when it is owed; null: no day
  state           text not null default 'active' check (state in ('active', 'ended')),
  starts_at       timestamptz not null default now(),             -- server time
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  quiz_required   boolean not null default false,                 -- nobody signs a version that has a quiz without passing it
  quiz_right      integer check (quiz_right between 1 and 10),    -- questions that must be right; null: all
  unique (organization_id, id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  constraint acknowledgement_campaigns_audience_bounded check (octet_length(audience::text) <= 40000)
);
create index acknowledgement_campaigns_policy on acknowledgement_campaigns (organization_id, policy_id);
select sync.add_table('acknowledgement_campaigns', 26, $$ sync.scopes(sync.org_scope(organization_id)) $$,
  p_server_columns => array['starts_at']);

create table policy_acknowledgements (
  id               uuid primary key,                              -- derivedId(version_id, 'acknowledgement/<user_id>')
  organization_id  uuid not null,                                 -- copied from the version
  policy_id        uuid not null,                                 -- copied from the version
  version_id       uuid not null,
  user_id          uuid references auth.users (id) on delete set null,
  state            text not null default 'opened' check (state in ('opened', 'acknowledged', 'declined', 'exempt', 'void')),
  content_hash     text check (content_hash ~ '^[0-9a-f]{64}$'),   -- of what was on the screen when it was decided
  opened_at        timestamptz not null,                          -- device time
  sections_read    integer not null default 0 check (sections_read between 0 and 10000),
  sections         integer not null default 0 check (sections between 0 and 10000),
  method           text check (method in ('typed', 'drawn')),
  signed_name      text check (char_length(signed_name) <= 200),
  signature        jsonb check (pg_column_size(signature) < 200000),   -- strokes (decision 25)
  reason           text check (char_length(reason) <= 2000),      -- of who declined, or who exempted
  decided_at       timestamptz,                                   -- device time
  received_at      timestamptz,                                   -- server time at which the decision arrived
  exempted_by      uuid references auth.users (id) on delete set null,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  deleted_at       timestamptz,
  version          bigint not null default 1,
  -- 28 letters of Crockford's base 32, 140 random bits: what stands on the certificate. Companies only.
  certificate_code text unique check (certificate_code ~ '^[0-9A-HJKMNP-TV-Z]{28}$'),
  -- server time since which it was asked for, as it was known when the word arrived; null: nobody asked
  requested_at     timestamptz,
  quiz_attempts    integer not null default 0 check (quiz_attempts between 0 and 1000000),   -- as the device counted
  quiz_answers     jsonb constraint policy_acknowledgements_quiz_answers_are_some check (policy.is_quiz_answers(quiz_answers)),   -- of the last attempt
  quiz_at          timestamptz,                                   -- device time of the last attempt
  quiz_right       integer,                                       -- how many of them are right, as the server found
  quiz_needed      integer,                                       -- how many had to be when the word arrived; null: none
  witness_id       uuid references auth.users (id) on delete set null,   -- on whose device it was said; null: their own
  proof            text check (proof in ('pin', 'witness')),      -- of a word at a kiosk: how it was shown whose it is
  device           text check (char_length(device) <= 100),       -- of a word at a kiosk: what the device calls itself
  account_name     text check (char_length(account_name) <= 200),   -- of whoever signed, when it was received; null before this was kept
  witness_name     text check (char_length(witness_name) <= 200),   -- of the witness at a kiosk, likewise
  declined_reason  text check (char_length(declined_reason) <= 2000),   -- why its person declined, the last time; kept whatever came after
  declined_at      timestamptz,
  unique (version_id, user_id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, version_id) references policy_versions (organization_id, id) on delete cascade,
  constraint policy_acknowledgements_quiz_answers_bounded check (octet_length(quiz_answers::text) <= 20000)
);
create index policy_acknowledgements_policy on policy_acknowledgements (policy_id, user_id);
create index policy_acknowledgements_user on policy_acknowledgements (user_id);
create index policy_acknowledgements_witness on policy_acknowledgements (witness_id);
-- Nobody's but the person's on devices; who may see the others' asks the report, online.
select sync.add_table('policy_acknowledgements', 27, $$ sync.scopes(sync.member_scope(organization_id, user_id)) $$,
  p_groups => '[["state","content_hash","method","signed_name","signature","reason","decided_at"],["quiz_attempts","quiz_answers","quiz_at"]]',
  p_server_columns => array['account_name', 'certificate_code', 'declined_at', 'declined_reason', 'device', 'exempted_by', 'proof',
    'quiz_needed', 'quiz_right', 'received_at', 'requested_at', 'witness_id', 'witness_name']);

-- Nobody approves what they wrote while somebody else can, whoever sent it in. Who wrote is noted as it is written.
create table sync.policy_author (
  version_id uuid not null references public.policy_versions (id) on delete cascade,
  user_id    uuid not null references auth.users (id) on delete cascade,
  primary key (version_id, user_id)
);
create index policy_author_user on sync.policy_author (user_id);

-- Words of an organisation that its policies name: {{hotline}}. They are kept in one place, filled in when a version is published, and
-- frozen with it (docs/decisions/29-policies-versions-and-acknowledgements.md). The marks, what a value may be, and how it is filled in are
-- those of packs (marketplace_functions.sql).
create table policy_variables (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  key             text not null check (key ~ '^[a-z][a-z0-9_]{0,59}$'),
  value           text not null default '' check (char_length(value) <= 200),   -- empty: not known yet
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create unique index policy_variables_key on policy_variables (organization_id, key) where deleted_at is null;
create index policy_variables_creator on policy_variables (created_by);
select sync.add_table('policy_variables', 24, $$ sync.scopes(sync.org_scope(organization_id)) $$);
