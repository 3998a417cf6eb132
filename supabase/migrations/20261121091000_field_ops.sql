-- Field operations: assets, forms and their versions, inspections with answers, media, and the corrective actions
-- that come from them. A row belongs to the place it happened at: its site, or the whole organisation without one.
-- Composite foreign keys keep every reference inside one organisation. A site that rows stand at cannot be deleted
-- for good: its rows would silently become everybody's.

create table assets (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  parent_id       uuid,
  name            text not null check (name <> ''),
  category        text,
  code            text,                                          -- what its tag or barcode says
  location        text,                                          -- e.g. "Bay 2"
  status          text not null default 'operational' check (status in ('operational', 'standby', 'down', 'retired')),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, parent_id) references assets (organization_id, id) on delete set null (parent_id)
);
create unique index assets_code on assets (organization_id, code) where deleted_at is null;

create table forms (
  id                 uuid primary key default gen_random_uuid(),
  organization_id    uuid not null references organizations (id) on delete cascade,
  playbook_id        uuid,
  name               text not null check (name <> ''),
  description        text,
  category           text,
  asset_category     text,                                       -- offered for assets of this category
  minutes            integer check (minutes > 0),                -- how long it usually takes
  state              text not null default 'draft' check (state in ('draft', 'published', 'archived')),
  current_version_id uuid,                                       -- the version new inspections start with
  created_by         uuid references auth.users (id) on delete set null,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  version            bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id)
);

create table form_versions (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the form
  form_id         uuid not null,
  number          integer not null check (number > 0),           -- 1, 2, 3 …
  definition      jsonb not null check (jsonb_typeof(definition) = 'object'),   -- packages/core/src/field-ops/form-definition.ts
  source          text not null default 'built' check (source in ('built', 'xlsform', 'seed')),
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (form_id, number),
  unique (form_id, id),
  foreign key (organization_id, form_id) references forms (organization_id, id) on delete cascade
);
alter table forms add foreign key (id, current_version_id) references form_versions (form_id, id)
  on delete set null (current_version_id) deferrable initially deferred;

create table inspections (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  playbook_id     uuid,
  form_id         uuid not null,
  form_version_id uuid not null,                                 -- what was answered, for good
  asset_id        uuid,
  title           text not null check (title <> ''),
  status          text not null default 'in_progress' check (status in ('scheduled', 'in_progress', 'finalised', 'approved', 'rejected', 'closed')),
  due_at          timestamptz,
  assigned_to     uuid references auth.users (id) on delete set null,
  conducted_by    uuid references auth.users (id) on delete set null,
  started_at      timestamptz,                                   -- device time
  finished_at     timestamptz,                                   -- device time
  received_at     timestamptz,                                   -- server time of the first finalised state
  score           numeric,                                       -- points reached
  score_max       numeric,                                       -- points that counted
  result          text check (result in ('pass', 'fail')),
  signature       jsonb check (jsonb_typeof(signature) = 'object'),   -- {width, height, strokes: [[[x, y], …], …]} in css px
  signed_by       text,                                          -- name as signed
  signed_at       timestamptz,                                   -- device time
  content_hash    text,                                          -- sha-256, hex, over version id and answers as signed
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, form_id) references forms (organization_id, id),
  foreign key (form_id, form_version_id) references form_versions (form_id, id),
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id)
);

create table inspection_answers (
  id              uuid primary key,                              -- derivedId(inspection_id, 'answer/' || question)
  organization_id uuid not null,                                 -- copied from the inspection
  site_id         uuid,                                          -- copied from the inspection
  inspection_id   uuid not null,
  question        text not null check (question <> ''),          -- path in the form, e.g. brakes.parking
  value           jsonb,
  outcome         text check (outcome in ('pass', 'fail', 'na')),
  score           numeric,                                       -- points reached
  score_max       numeric,                                       -- points that counted
  note            text,
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array'),   -- ids of media
  answered_by     uuid references auth.users (id) on delete set null,
  answered_at     timestamptz,                                   -- device time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (inspection_id, question),
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade
);

create table action_items (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  playbook_id     uuid,
  title           text not null check (title <> ''),
  description     text,
  status          text not null default 'open' check (status in ('open', 'assigned', 'in_progress', 'ready_for_verification', 'needs_revision', 'closed', 'risk_accepted', 'duplicate', 'not_valid')),
  priority        text not null default 'medium' check (priority in ('low', 'medium', 'high', 'critical')),
  due_at          timestamptz,
  assignee_id     uuid references auth.users (id) on delete set null,
  source_type     text check (source_type in ('inspection', 'manual')),
  source_id       uuid,                                          -- the inspection
  source_question text,
  asset_id        uuid,
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array'),   -- ids of media
  created_by      uuid references auth.users (id) on delete set null,
  closed_at       timestamptz,                                   -- device time
  closed_by       uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id)
);

create table media (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  inspection_id   uuid,
  question        text,                                          -- the question it was taken for
  kind            text not null default 'photo' check (kind in ('photo', 'file')),
  mime            text not null,
  bytes           bigint not null check (bytes > 0),             -- size in bytes
  sha256          text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  width           integer,                                       -- px
  height          integer,                                       -- px
  state           text not null default 'pending' check (state in ('pending', 'complete')),
  captured_at     timestamptz not null,                          -- device time
  captured_by     uuid references auth.users (id) on delete set null,
  completed_at    timestamptz,                                   -- server time, when its bytes were verified
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, inspection_id) references inspections (organization_id, id) on delete cascade
);

-- What foreign keys and the removal of sample data look up.
create index inspections_organization on inspections (organization_id, site_id);
create index inspections_form on inspections (form_id, form_version_id);
create index inspections_conductor on inspections (conducted_by);
create index inspections_asset on inspections (asset_id);
create index inspection_answers_inspection on inspection_answers (organization_id, inspection_id);
create index action_items_organization on action_items (organization_id, site_id);
create index action_items_source on action_items (source_id);
create index action_items_asset on action_items (asset_id);
create index media_inspection on media (organization_id, inspection_id);
-- The name of a file in the bucket `media`.
create unique index media_object on media ((organization_id::text || '/' || id::text));

-- Whoever did the work, or is to do it, keeps it in their feed when they change site, and loses it when they leave the
-- organisation: work of an organisation is never in a person's own scope.
select sync.add_table('assets', 20, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$);
select sync.add_table('forms', 21, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('form_versions', 22, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('inspections', 30,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, conducted_by), sync.member_scope(organization_id, assigned_to)) $$,
  p_groups => '[["status","finished_at","score","score_max","result"],["signature","signed_by","signed_at","content_hash"]]',
  p_server_columns => array['received_at']);
select sync.add_table('inspection_answers', 31,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, answered_by)) $$,
  p_groups => '[["value","outcome","score","score_max"]]');
select sync.add_table('action_items', 32,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, assignee_id), sync.member_scope(organization_id, created_by)) $$,
  p_groups => '[["status","closed_at","closed_by"]]');
select sync.add_table('media', 33,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, captured_by)) $$,
  p_server_columns => array['state', 'completed_at']);
