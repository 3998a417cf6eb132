-- The sync engine: tables.

create table sync.tables (
  name           text primary key,
  priority       integer not null,                                -- pulled and pushed in this order, lower first: parents before children
  groups         jsonb not null default '[]',                     -- [["status","closed_at"], …]: fields that conflict together
  server_columns text[] not null,                                 -- ignored in what a device sends
  columns        text[] not null,                                 -- every column a device gets: all but scopes
  json_columns   text[] not null,                                 -- those of type jsonb
  generated      text[] not null,                                 -- those nobody may write
  goes_alone     boolean not null default false
);

-- One counter per scope. A new epoch (after a restored backup) makes every device read the scope from its start.
create table sync.scope (
  id      text collate "C" primary key,
  version bigint not null default 0,
  epoch   uuid not null default gen_random_uuid()
);

-- The latest entry per row and scope: compact, and it keeps the tombstones.
create table sync.change (
  scope       text collate "C" not null,
  version     bigint not null,
  tbl         text collate "C" not null,
  id          uuid not null,
  gone        boolean not null,
  device      uuid,                                               -- sync.writer_of the person and device whose push made the row what it is, if one did
  row_version bigint not null default 0,                          -- of the row, when this entry was published
  bytes       integer not null default 0,                         -- what the row weighed then, as text: a page is bounded by it too (sync.page_bytes)
  primary key (scope, tbl, id)
);
create index change_feed on sync.change (scope, version, tbl, id);

-- What the running transaction touched; emptied before it commits, so it needs no log.
create unlogged table sync.touched (
  xid     xid8 not null,
  scope   text collate "C" not null,
  tbl     text collate "C" not null,
  id      uuid not null,
  gone    boolean not null,
  version bigint not null,                                        -- of the row
  bytes   integer not null default 0,                             -- of the row as text; 0 where it is gone
  primary key (xid, scope, tbl, id)
);

-- Rows the running push wrote for its device (sync.writer_of), with the version it left them at.
create unlogged table sync.transaction_write (
  xid     xid8 not null,
  tbl     text collate "C" not null,
  id      uuid not null,
  version bigint not null,
  device  uuid not null,
  primary key (xid, tbl, id)
);

-- One row per transaction that touched something: it carries the deferred trigger that publishes at commit.
create unlogged table sync.pending (
  xid xid8 primary key
);

-- sync_push (docs/sync-protocol.md): edits of a device, each applied once, merged by field, never silently lost.

-- What became of every mutation, kept at least 30 days, so that a repeated one has no second effect.
create table sync.mutation (
  user_id   uuid not null references auth.users (id) on delete cascade,
  mid       uuid not null,
  hash      bytea not null,                                       -- sha-256 over the mutation without `at`
  device    uuid,
  tbl       text not null,
  row_id    uuid not null,
  op        text not null,
  client_at text,                                                 -- the device's clock: evidence, orders nothing
  at        timestamptz not null default now(),
  result    jsonb,                                                -- null only inside the transaction that applies it
  primary key (user_id, mid)
);
create index mutation_at on sync.mutation (at);
-- How many reports somebody made of late (issue.limit_reports).
create index mutation_reports on sync.mutation (user_id, at) where tbl = 'issue_reports' and op = 'insert';

-- The losing values of a conflict, kept until somebody chose.
create table sync.conflict (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users (id) on delete cascade,
  mid         uuid not null,
  tbl         text not null,
  row_id      uuid not null,
  kind        text not null check (kind in ('fields', 'deleted_remotely', 'edited_remotely', 'missing_or_hidden')),
  fields      jsonb not null,                                     -- [{"f","base","mine","theirs"}]
  patch       jsonb not null,                                     -- the edit as the device sent it
  at          timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references auth.users (id) on delete set null
);
create index conflict_row on sync.conflict (tbl, row_id);
-- An inspection that two phones answered made a notice for each of its answers. What waits for a choice stands on one page, so that
-- one unread notice says it; it needs no reading once nothing of its person waits any more.
create index conflict_open on sync.conflict (user_id) where resolved_at is null;

-- Proof of arrival: receipts, and files whose bytes were verified.
create table sync.receipt (
  id          uuid primary key,                                   -- made by the device
  user_id     uuid not null references auth.users (id) on delete cascade,
  device      uuid,
  no          text not null unique,                               -- R-7Q2K-41AB
  received_at timestamptz not null default now(),
  device_at   timestamptz                              -- the device's clock: evidence
    check (device_at >= timestamptz '1970-01-01T00:00:00Z' and device_at < timestamptz '2200-01-01T00:00:00Z'),
  mids        uuid[] not null,
  contents    jsonb not null,                                     -- {"inspections": 1, …}: distinct records by table
  files_at    timestamptz                                         -- when the last file it covers was complete; null without files
);
comment on column sync.receipt.received_at is 'when the last record it covers arrived: the time that record itself shows as received';
comment on column sync.receipt.device_at is 'the device''s clock when its person did the last of what is receipted: evidence';

create table sync.digest (
  scope text collate "C" not null,
  tbl   text collate "C" not null,
  n     bigint not null,                                          -- rows
  h     bigint not null,                                          -- exclusive or of sync.row_hash
  primary key (scope, tbl)
);

-- What devices told of differences; content is never part of it. One row per person, scope and table.
create table sync.mismatch (
  user_id uuid not null references auth.users (id) on delete cascade,
  scope   text not null,
  tbl     text not null,
  times   integer not null default 1,
  buckets integer not null,                                       -- that differed, the last time
  device  uuid,                                                   -- the last one
  at      timestamptz not null default now(),                     -- the last time
  primary key (user_id, scope, tbl)
);

-- A server restored from a backup (docs/restore.md): devices have rows and acknowledged edits it has lost. Raising the
-- epochs makes every device read its scopes anew and send again, from its journal, what the ledger does not know.
create table sync.restored (
  at timestamptz primary key
);

-- What came back of a row since the restore: where it stood, how often replays moved it on, and which of the lost versions
-- have been made again. Another order of return may make two lost versions in one step, so counting alone is not enough.
create table sync.replayed (
  tbl    text not null,
  row_id uuid not null,
  base   bigint not null,                                         -- the row's version before the first replay; 0: there was no row
  steps  bigint not null,                                         -- versions made by replays
  seen   bigint[] not null,                                       -- lost versions whose edit has come
  -- Versions made since the restore by edits that were not among the lost ones.
  others bigint not null default 0,
  primary key (tbl, row_id)
);
comment on column sync.replayed.seen is 'lost versions that have been made again';

-- A time zone is a name that devices and this database read alike. PostgreSQL also takes rules such as QQQ5 and abbreviations such as
-- CEST, which a device counts as UTC. Kept here, for pg_timezone_names reads some hundred files each time it is asked.
create table sync.zones (
  name text primary key
);

-- Ready pages (decision 09): what stands still in a place is put together once, and not for each device that reads the place
-- for the first time. A page holds changes of one scope that follow each other in its feed, with their rows as they are; whoever moves
-- one of these changes deletes the page in the same transaction, so that none holds what was changed, deleted or taken away.
create unlogged table sync.snapshot_page (
  scope     text collate "C" not null,
  after_v   bigint not null,                                      -- the change it begins behind: a place in the feed, as cursors name them
  after_t   text collate "C" not null,
  after_id  uuid not null,
  upto_v    bigint not null,                                      -- the change it ends with
  upto_t    text collate "C" not null,
  upto_id   uuid not null,
  n         integer not null,                                     -- changes
  bytes     integer not null default 0,                           -- of parts
  parts     json not null,                                        -- [{"t", "cols", "vals", "aud"}]: a table, packed; `aud` has for each row the number of its audience
  audiences jsonb not null,                                       -- for each part the scopes of its audiences, by number
  shape     text not null,                                        -- of the columns and policies it was made under
  primary key (scope, after_v, after_t, after_id)
);
-- Read far more often than written, and sent compressed anyway.
alter table sync.snapshot_page alter parts set storage external;

-- How far each scope was looked through.
create unlogged table sync.snapshot_state (
  scope   text collate "C" primary key,
  version bigint not null,
  at      timestamptz not null default now()
);
