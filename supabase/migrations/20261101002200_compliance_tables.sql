-- Evidence, controls, findings and plans of action: tables.

create table evidence (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  series_id       uuid not null,                                  -- id of its first revision; its own for that one
  revision        integer not null default 1 check (revision > 0),   -- counted by the server as they arrive
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  description     text check (char_length(description) <= 4000),
  owner_id        uuid references auth.users (id) on delete set null,   -- who answers for it and is told when it runs out
  period_from     date,                                           -- the time it speaks of
  period_to       date,
  effective_on    date,                                           -- the day it holds from, as it says itself
  expires_on      date,                                           -- the last day it holds
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 20),   -- ids of media
  state           text not null default 'collected' check (state in ('collected', 'sent_back', 'accepted', 'superseded', 'withdrawn')),
  review_note     text check (char_length(review_note) <= 2000),   -- of who sent it back or withdrew it
  reviewed_by     uuid references auth.users (id) on delete set null,
  reviewed_at     timestamptz,                                    -- server time
  collected_at    timestamptz not null,                           -- device time
  received_at     timestamptz not null default clock_timestamp(),   -- server time; never changes
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (organization_id, id),
  check (period_to >= period_from),
  check (expires_on >= effective_on),
  check (least(period_from, period_to, effective_on, expires_on) >= date '1970-01-01'
    and greatest(period_from, period_to, effective_on, expires_on) < date '2200-01-01')
);
create index evidence_organization on evidence (organization_id, series_id);
create index evidence_expiry on evidence (expires_on) where state = 'accepted' and deleted_at is null;
-- What somebody decided on stays as they saw it: the inspection, its photos, the files a decision names
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md). What an answer or a record named before the decision may still arrive.
create index evidence_files on evidence using gin (media_ids) where media_ids <> '[]';
create index evidence_submitted_by on evidence (submitted_by) where submitted_by is not null;
-- After media: its files stand before it.
select sync.add_table('evidence', 34, $$ sync.scopes(sync.holder_scope('evidence.read', organization_id), sync.member_scope(organization_id, owner_id),
      sync.member_scope(organization_id, created_by)) $$,
  p_groups => '[["state","review_note"]]',
  p_server_columns => array['received_at', 'reviewed_at', 'reviewed_by', 'revision', 'submitted_at', 'submitted_by']);

-- What a piece of evidence is about.
create table evidence_links (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the evidence
  evidence_id     uuid not null,
  owner_id        uuid references auth.users (id) on delete set null,   -- copied from the evidence: who sees it besides its readers
  target_table    text not null check (target_table in ('policies', 'action_items', 'inspections', 'controls')),
  target_id       uuid not null,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade
);
create index evidence_links_evidence on evidence_links (organization_id, evidence_id);
create index evidence_links_target on evidence_links (target_id);
create index evidence_links_submitted_by on evidence_links (submitted_by) where submitted_by is not null;
select sync.add_table('evidence_links', 35, $$ sync.scopes(sync.holder_scope('evidence.read', organization_id), sync.member_scope(organization_id, owner_id),
      sync.member_scope(organization_id, created_by)) $$,
  p_server_columns => array['owner_id', 'submitted_at', 'submitted_by']);

create table frameworks (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  edition         text check (char_length(edition) <= 100),       -- the version its publisher gave it
  source_id       text check (char_length(source_id) <= 100),     -- uuid of the catalogue it came from
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);
select sync.add_table('frameworks', 26, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create table controls (
  id              uuid primary key,                               -- derivedId(framework_id, 'control/<code>')
  organization_id uuid not null,                                  -- copied from the framework
  framework_id    uuid not null,
  code            text not null check (code ~ '^[a-z0-9][a-z0-9._-]{0,49}$'),   -- as the catalogue names it: ac-1
  label           text not null check (label <> '' and char_length(label) <= 50),   -- as people name it: AC-1
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  family          text not null check (family <> '' and char_length(family) <= 200),
  statement       text not null default '' check (char_length(statement) <= 40000),
  position        integer not null check (position between 0 and 10000),   -- in its framework
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  unique (framework_id, code),
  foreign key (organization_id, framework_id) references frameworks (organization_id, id) on delete cascade
);
select sync.add_table('controls', 27, $$ sync.scopes(sync.org_scope(organization_id)) $$);

-- Which policies and forms answer to a control.
create table control_links (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                  -- copied from the control
  control_id      uuid not null,
  target_table    text not null check (target_table in ('policies', 'forms', 'action_items')),
  target_id       uuid not null,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, control_id) references controls (organization_id, id) on delete cascade
);
create index control_links_control on control_links (organization_id, control_id);
create index control_links_target on control_links (target_id);
select sync.add_table('control_links', 35, $$ sync.scopes(sync.org_scope(organization_id)) $$);

-- Plans of action and milestones (OSCAL): the file an assessor or an authority keeps of what is to be mended. Each item of it is an
-- action item here; everything the columns of one do not know stays in the plan, word for word, and goes out with it again
-- (docs/decisions/32-action-items-findings-and-guests.md).
create table poams (
  id              uuid primary key,                               -- derivedId(organization_id, 'poam/<source_id at first>')
  organization_id uuid not null references organizations (id) on delete cascade,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 300),
  edition         text check (char_length(edition) <= 100),       -- the version its writer gave it
  source_id       text not null check (source_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),   -- uuid of the document; another with each edition
  state           text not null default 'followed' check (state in ('followed', 'put_away')),
  document        text not null check (char_length(document) between 2 and 2000000),   -- JSON, as it was brought last
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);
-- It names weaknesses: for those who see evidence, not for everybody there.
select sync.add_table('poams', 28, $$ sync.scopes(sync.holder_scope('evidence.read', organization_id)) $$,
  p_groups => '[["title","edition","source_id","document","state"]]');

create table findings (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,   -- copied from what it is about
  subject_table   text not null check (subject_table in ('controls', 'policies', 'evidence', 'inspections')),
  subject_id      uuid not null,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  body            text not null default '' check (char_length(body) <= 8000),   -- what was seen
  requirement     text check (char_length(requirement) <= 300),   -- what asks for it: "ISO 45001, 8.1.2"
  severity        text not null default 'minor' check (severity in ('observation', 'minor', 'major', 'critical')),
  state           text not null default 'open' check (state in ('open', 'answered', 'closed', 'reopened')),
  owner_id        uuid references auth.users (id) on delete set null,   -- who is responsible in the company
  answer          text check (char_length(answer) <= 4000),
  answered_by     uuid references auth.users (id) on delete set null,
  answered_at     timestamptz,                                    -- device time
  verdict         text check (char_length(verdict) <= 2000),      -- of who closed it, or opened it again
  decided_by      uuid references auth.users (id) on delete set null,
  decided_at      timestamptz,                                    -- device time
  raised_by       uuid references auth.users (id) on delete set null,
  raised_at       timestamptz not null,                           -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);
create index findings_organization on findings (organization_id, state);
create index findings_subject on findings (subject_id);
create index findings_owner on findings (owner_id);
-- Before action items: those that answer it follow it.
select sync.add_table('findings', 31, $$ sync.scopes(sync.holder_scope('evidence.read', organization_id), sync.member_scope(organization_id, owner_id), sync.member_scope(organization_id, raised_by)) $$,
  p_groups => '[["state","answer","answered_by","answered_at","verdict","decided_by","decided_at"]]');

-- Whoever wrote of a piece of evidence (made it, answered for it, changed it, took a file of it, said what it is about) does not decide on it
-- while somebody else can, and a decision changes nothing of what it decides on
-- (docs/decisions/22-separation-of-duties-and-frozen-records.md).
create table sync.evidence_author (
  evidence_id uuid not null references public.evidence (id) on delete cascade,
  user_id     uuid not null references auth.users (id) on delete cascade,
  primary key (evidence_id, user_id)
);
create index evidence_author_user on sync.evidence_author (user_id);
comment on table sync.evidence_author is 'who changed a piece of evidence, its files or its links before it was decided on';
