-- The audit log: tables.

create table audit_entries (
  organization_id uuid not null references organizations (id) on delete cascade,
  seq             bigint not null check (seq > 0),                -- 1, 2, 3 … without a gap
  at              timestamptz not null,                           -- server time at which it was linked, at commit
  actor_id        uuid,                                           -- who did it, by id; null: the system. No foreign key: it is part of the hash
  act             text not null check (act ~ '^[a-z_]+(\.[a-z_]+)+$'),
  subject_table   text not null,
  subject_id      uuid not null,
  detail          jsonb not null default '{}',                    -- states, roles, numbers, hashes; never what a person wrote
  prev            text not null check (prev ~ '^[0-9a-f]{64}$'),   -- hash of the entry before; 64 zeros before the first
  hash            text not null check (hash ~ '^[0-9a-f]{64}$'),
  id              uuid not null unique generated always as (left(hash, 32)::uuid) stored,
  primary key (organization_id, seq),
  constraint audit_entries_act_bounded check (char_length(act) <= 200),
  constraint audit_entries_detail_bounded check (octet_length(detail::text) <= 1000000),
  constraint audit_entries_subject_table_bounded check (char_length(subject_table) <= 100)
);
create index audit_entries_act on audit_entries (organization_id, act, seq);
create index audit_entries_actor on audit_entries (organization_id, actor_id, seq);

-- The head of each day on which something was done (UTC), written with the first entry of a later day. Whoever keeps a copy
-- elsewhere can tell when the end of the log was cut off or all of it was reckoned anew.
create table audit_heads (
  organization_id uuid not null references organizations (id) on delete cascade,
  day             date not null,
  seq             bigint not null,                                -- of the last entry of that day
  hash            text not null check (hash ~ '^[0-9a-f]{64}$'),
  id              uuid not null unique generated always as (left(hash, 32)::uuid) stored,
  primary key (organization_id, day)
);

-- The end of each chain, and the lock of who adds to it.
create table audit.chain (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  seq             bigint not null default 0,
  hash            text not null default repeat('0', 64),
  at              timestamptz
);

-- What the running transaction did; emptied before it commits.
create unlogged table audit.pending_entry (
  xid             xid8 not null,
  n               bigint generated always as identity,
  organization_id uuid not null,
  actor_id        uuid,
  act             text not null,
  subject_table   text not null,
  subject_id      uuid not null,
  detail          jsonb not null,
  primary key (xid, n)
);
