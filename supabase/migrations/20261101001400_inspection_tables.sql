-- Inspections, their answers, review and log: tables.

create table inspections (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  playbook_id     uuid,
  form_id         uuid not null,
  form_version_id uuid not null,                                  -- what was answered, for good
  asset_id        uuid,
  title           text not null check (title <> ''),
  status          text not null default 'in_progress' check (status in ('scheduled', 'in_progress', 'finalised', 'has_issues', 'approved', 'rejected', 'closed')),
  due_at          timestamptz,
  assigned_to     uuid references auth.users (id) on delete set null,
  conducted_by    uuid references auth.users (id) on delete set null,
  started_at      timestamptz,                                    -- device time
  finished_at    timestamptz,                                    -- device time
  received_at     timestamptz,                                    -- server time of the first finalised state
  score           numeric,                                        -- points reached
  score_max       numeric,                                        -- points that counted
  result          text check (result in ('pass', 'fail')),
  signature       jsonb check (jsonb_typeof(signature) = 'object'),   -- {width, height, strokes: [[[x, y], …], …]} in css px
  signed_by       text,                                           -- name as signed
  signed_at       timestamptz,                                    -- device time
  content_hash    text,                                           -- sha-256, hex, over version id and answers as signed
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  round           integer not null default 1 check (round > 0),   -- 1, and one more each time a sent-back one is finished again
  reviewed_by     uuid references auth.users (id) on delete set null,
  reviewed_at     timestamptz,                                    -- device time of the last decision
  schedule_id     uuid,
  occurs_on       text check (occurs_on ~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'),   -- the day its rule says
  assigned_team   uuid,                                           -- who may do it where no person is named
  opens_at        timestamptz,                                    -- from when it may be begun
  closes_at       timestamptz,                                    -- from when it counts as missed
  missed_at       timestamptz,                                    -- server time at which nobody had done it
  signed_account  text check (char_length(signed_account) <= 200),   -- of whose account signed, likewise
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, form_id) references forms (organization_id, id),
  foreign key (form_id, form_version_id) references form_versions (form_id, id),
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id),
  constraint inspections_occurrence check ((schedule_id is null) = (occurs_on is null)),
  foreign key (organization_id, schedule_id) references schedules (organization_id, id) on delete cascade,
  constraint inspections_title_bounded check (char_length(title) <= 1000),
  constraint inspections_signature_bounded check (octet_length(signature::text) <= 1000000),
  constraint inspections_signed_by_bounded check (char_length(signed_by) <= 500),
  constraint inspections_content_hash_bounded check (char_length(content_hash) <= 128)
);
-- What foreign keys and the removal of sample data look up.
create index inspections_organization on inspections (organization_id, site_id);
create index inspections_form on inspections (form_id, form_version_id);
create index inspections_conductor on inspections (conducted_by);
create index inspections_asset on inspections (asset_id);
create index inspections_reviewer on inspections (reviewed_by);
create unique index inspections_once on inspections (schedule_id, occurs_on) where schedule_id is not null;
create index inspections_schedule on inspections (organization_id, schedule_id) where schedule_id is not null;
create index inspections_open on inspections (closes_at) where status = 'scheduled' and schedule_id is not null and missed_at is null;
create index inspections_submitted_by on inspections (submitted_by) where submitted_by is not null;
select sync.add_table('inspections', 30, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conducted_by), sync.member_scope(organization_id, assigned_to)) $$,
  p_groups => '[["status","finished_at","score","score_max","result","round"],["signature","signed_by","signed_at","content_hash"]]',
  p_server_columns => array['assigned_team', 'closes_at', 'missed_at', 'occurs_on', 'opens_at', 'received_at', 'reviewed_by', 'round', 'schedule_id', 'signed_account', 'submitted_at', 'submitted_by']);

create table inspection_answers (
  id              uuid primary key,                               -- derivedId(inspection_id, 'answer/' || question)
  organization_id uuid not null,                                  -- copied from the inspection
  site_id         uuid,                                           -- copied from the inspection
  inspection_id   uuid not null,
  question        text not null check (question <> ''),           -- path in the form, e.g. brakes.parking
  value           jsonb,
  outcome         text check (outcome in ('pass', 'fail', 'na')),
  score           numeric,                                        -- points reached
  score_max       numeric,                                        -- points that counted
  note            text,
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array'),   -- ids of media
  answered_by     uuid references auth.users (id) on delete set null,
  answered_at     timestamptz,                                    -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  -- Apart from media_ids: a voice note is said beside an answer and stands for no photo the form asks for.
  voice_ids       jsonb not null default '[]' check (jsonb_typeof(voice_ids) = 'array'),   -- ids of media
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (inspection_id, question),
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade,
  constraint inspection_answers_question_bounded check (char_length(question) <= 2000),
  constraint inspection_answers_value_bounded check (octet_length(value::text) <= 1000000),
  constraint inspection_answers_note_bounded check (char_length(note) <= 20000),
  constraint inspection_answers_media_ids_bounded check (octet_length(media_ids::text) <= 40000),
  constraint inspection_answers_voice_ids_bounded check (octet_length(voice_ids::text) <= 40000)
);
create index inspection_answers_inspection on inspection_answers (organization_id, inspection_id);
create index inspection_answers_files on inspection_answers using gin (media_ids) where media_ids <> '[]';
create index inspection_answers_submitted_by on inspection_answers (submitted_by) where submitted_by is not null;
select sync.add_table('inspection_answers', 31, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, answered_by)) $$,
  p_groups => '[["value","outcome","score","score_max"]]',
  p_server_columns => array['submitted_at', 'submitted_by']);

-- Written by the server alone: a device cannot leave out what it changed.
create table inspection_events (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  site_id         uuid,
  conductor_id    uuid references auth.users (id) on delete set null,
  inspection_id   uuid not null,
  kind            text not null check (kind in ('state', 'answer', 'signature')),
  question        text,                                           -- of an answer
  before          jsonb,                                          -- a state's name, or {value, note, media_ids}
  after           jsonb,
  by_id           uuid references auth.users (id) on delete set null,
  at              timestamptz not null,                           -- device time where the device said it, else the server's
  created_at      timestamptz not null default clock_timestamp(),   -- server time
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade,
  constraint inspection_events_question_bounded check (char_length(question) <= 2000),
  constraint inspection_events_before_bounded check (octet_length(before::text) <= 1100000),
  constraint inspection_events_after_bounded check (octet_length(after::text) <= 1100000)
);
create index inspection_events_inspection on inspection_events (organization_id, inspection_id, created_at);
create index inspection_events_signatures on inspection_events (organization_id) where kind = 'signature';   -- whose names go with an account
select sync.add_table('inspection_events', 35, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conductor_id)) $$,
  p_server_columns => array['after', 'at', 'before', 'by_id', 'conductor_id', 'inspection_id', 'kind', 'organization_id', 'question',
    'site_id']);

-- Field operations: what proves that somebody was there. Each thing that happened at an inspection whose form asks for it (begun, tag
-- scanned, position taken or not, photo, signature, finished) is an entry; its text covers the hash of the entry before it, so that
-- none can be altered, taken out or put elsewhere unseen (docs/decisions/25-inspections.md). Entries are only ever added.
create table presence_entries (
  id              uuid primary key,                               -- derivedId(strand, position)
  organization_id uuid not null,                                  -- copied from the inspection
  site_id         uuid,                                           -- copied from the inspection
  conductor_id    uuid references auth.users (id) on delete set null,   -- copied from the inspection: who is to read it
  inspection_id   uuid not null,
  strand          uuid not null,                                  -- one person on one device: two of them never write one chain
  position        integer not null check (position between 1 and 5000),   -- 1, 2, 3 …
  body            text not null check (char_length(body) between 2 and 4000),   -- canonical JSON: packages/core/src/field-ops/presence-chain.ts
  hash            text not null check (hash ~ '^[0-9a-f]{64}$'),   -- sha-256 of body, hex
  by_id           uuid references auth.users (id) on delete set null,
  received_at     timestamptz,                                    -- server time: when it arrived
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (inspection_id, strand, position),                       -- a fork is refused
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade
);
create index presence_entries_inspection on presence_entries (organization_id, inspection_id);
create index presence_entries_conductor on presence_entries (conductor_id);
create index presence_entries_by on presence_entries (by_id);
-- Field operations: what the guard of presence entries let pass. A strand belongs to one inspection and one person, an entry's text says
-- each thing once and only what can be shown, entries go when their inspection is thrown away, and they are field work like the rest of it.

-- The id of an entry is made of its strand: whoever has read a strand could take its next places at an inspection of their own.
create index presence_entries_strand on presence_entries (strand);
create index presence_entries_submitted_by on presence_entries (submitted_by) where submitted_by is not null;
select sync.add_table('presence_entries', 36, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conductor_id)) $$,
  p_server_columns => array['by_id', 'conductor_id', 'received_at', 'site_id', 'submitted_at', 'submitted_by']);

-- What was signed stays as it was signed (docs/decisions/22-separation-of-duties-and-frozen-records.md): an answer that another device brings once an inspection was finished
-- went into the signed report, where its question had none yet or its person chose to keep theirs. A finish is the work of one
-- device: what it still has of it belongs to it, and may come behind the finish; anything else waits until the inspection is sent back.
create table sync.finishes (
  inspection_id uuid primary key references public.inspections (id) on delete cascade,
  device        uuid,                                             -- null: none is known, as where an administrator took work from a review queue
  person        uuid references auth.users (id) on delete set null
);
create index finishes_person on sync.finishes (person);
comment on table sync.finishes is 'who finished an inspection, and with which device; gone while it is sent back';
