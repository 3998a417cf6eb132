-- Comments, follows and the activity of a record: tables.

-- Comments on any record that people work on together: one table, one set of rules (docs/decisions/32-action-items-findings-and-guests.md).
-- A comment is seen by whoever sees its record, and written by whoever works on it. It names people, carries files, is ticked off.
create table comments (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,   -- copied from the record
  subject_table   text not null check (subject_table in ('inspections', 'action_items', 'tasks', 'issue_reports', 'policy_versions', 'findings')),
  subject_id      uuid not null,
  question        text check (question <> ''),                    -- path in the form of an inspection; null: about the whole
  round           integer check (round > 0),                      -- the inspection's when it was written
  body            text not null check (btrim(body) <> '' and char_length(body) <= 4000),
  mention_ids     jsonb not null default '[]' check (jsonb_typeof(mention_ids) = 'array' and jsonb_array_length(mention_ids) <= 20),   -- ids of people
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 10),   -- ids of media
  author_id       uuid references auth.users (id) on delete set null,
  written_at      timestamptz not null,                           -- device time
  resolved_at     timestamptz,                                    -- device time at which it was ticked off
  resolved_by     uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),             -- server time
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  -- Under which name it was said, where nobody who said it has an account here.
  outside_name    text check (outside_name <> '' and char_length(outside_name) <= 100),
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  check (question is null or subject_table = 'inspections'),
  -- Files belong to a place; drafts of policies are read by less than everybody there.
  check (subject_table <> 'policy_versions' or media_ids = '[]'),
  constraint comments_findings_no_files check (subject_table <> 'findings' or media_ids = '[]'),
  constraint comments_question_bounded check (char_length(question) <= 2000)
);
create index comments_subject on comments (subject_id);
create index comments_organization on comments (organization_id);
create index comments_author on comments (author_id, created_at);   -- how many a person writes a day
create index comments_files on comments using gin (media_ids) where media_ids <> '[]';
create index comments_submitted_by on comments (submitted_by) where submitted_by is not null;
select sync.add_table('comments', 36, null,
  p_groups => '[["resolved_at","resolved_by"]]',
  p_server_columns => array['outside_name', 'submitted_at', 'submitted_by']);
alter table intake.guest_reply add foreign key (comment_id) references public.comments (id) on delete set null;

-- Whether a person wants to hear of a record, said by themselves; without a row the record's people and who spoke there do.
create table record_follows (
  id              uuid primary key,                               -- derivedId(user_id, 'follow/' || subject_id)
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  subject_table   text not null check (subject_table in ('inspections', 'action_items', 'tasks', 'issue_reports', 'policy_versions', 'findings')),
  subject_id      uuid not null,
  is_following    boolean not null default true,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (user_id, subject_id)
);
create index record_follows_subject on record_follows (subject_id);
create index record_follows_organization on record_follows (organization_id);
select sync.add_table('record_follows', 45, $$ sync.scopes(sync.member_scope(organization_id, user_id)) $$);

-- What happened to a record: which field, from what to what, who, when. Of words only that they changed, never which: a log is
-- read by more people, and for longer, than what it tells of. Written by the database from what arrives; read on line, by page.
-- Inspections have a log of their own that travels (docs/decisions/25-inspections.md).
create table sync.activity (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  tbl             text not null,
  record_id       uuid not null,
  at              timestamptz not null default clock_timestamp(),   -- server time
  by_id           uuid,                                           -- null: the server itself
  field           text not null,
  before          text,                                           -- null for words
  after           text,
  outside         text default nullif(current_setting('sync.outside', true), ''),
  submitted_by    uuid                                            -- who brought the change that `by_id` is said to have made
);
create index activity_record on sync.activity (record_id, id);
create index activity_organization on sync.activity (organization_id);
