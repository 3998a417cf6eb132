-- Issue reports: tables.

create table issue_reports (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  asset_id        uuid,
  title           text not null check (title <> '' and char_length(title) <= 200),
  description     text check (char_length(description) <= 10000),
  category        text not null default 'other' check (category in ('hazard', 'injury', 'near_miss', 'damage', 'environment', 'security', 'quality', 'other')),
  severity        text not null default 'medium' check (severity in ('low', 'medium', 'high', 'critical')),
  status          text not null default 'reported' check (status in ('reported', 'triaged', 'acting', 'resolved', 'closed', 'dismissed')),
  location        text check (char_length(location) <= 200),      -- in words: "Bay 2"
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 20),   -- ids of media
  is_anonymous    boolean not null default false,
  reported_by     uuid references auth.users (id) on delete set null,   -- null where no name was given
  reported_at     timestamptz not null default now(),             -- device time
  look_up_hash    text check (look_up_hash ~ '^[0-9a-f]{64}$'),   -- sha-256 of the private code its nameless author holds
  answer          text check (char_length(answer) <= 4000),       -- what its author is told: the measure taken, or why none
  decided_at      timestamptz,                                    -- device time of the last change of state
  decided_by      uuid references auth.users (id) on delete set null,
  answered_by     uuid references auth.users (id) on delete set null,   -- who wrote the answer as it stands
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  -- No write: submit_public_report.
  source          text not null default 'app' check (source in ('app', 'public_code')),
  reference       text unique check (reference ~ '^P-[0-9A-Z]{4}-[0-9A-Z]{4}$'),   -- what a visitor may call it by
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (organization_id, id),
  -- Judged at the end, so that sample data can go in one act; the guard below says sooner what is wrong.
  foreign key (organization_id, site_id) references sites (organization_id, id) deferrable initially deferred,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id),
  check (not is_anonymous or reported_by is null)
);
create index issue_reports_organization on issue_reports (organization_id, site_id);
create index issue_reports_asset on issue_reports (asset_id);
create unique index issue_reports_look_up on issue_reports (look_up_hash);
create index issue_reports_files on issue_reports using gin (media_ids) where media_ids <> '[]';
create index issue_reports_answered_by on issue_reports (answered_by) where answered_by is not null;
create index issue_reports_submitted_by on issue_reports (submitted_by) where submitted_by is not null;
-- After media: a report's photos stand before it.
select sync.add_table('issue_reports', 34, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, reported_by)) $$,
  p_groups => '[["status","answer","decided_at","decided_by"]]',
  p_server_columns => array['answered_by', 'reference', 'source', 'submitted_at', 'submitted_by']);
