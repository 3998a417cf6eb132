-- Who may do what: permissions, roles and what follows from them: tables.

-- The permission registry: roles are bundles of permissions; policies and screens ask for a permission, never a role.
create table permissions (
  key         text primary key,                                   -- e.g. inspection.conduct
  description text not null,
  reach       text not null
    generated always as (case split_part(key, '.', 1) when 'platform' then 'platform' when 'circle' then 'circle' else 'organization' end) stored,
  is_audience boolean not null default false,
  constraint permissions_key_bounded check (char_length(key) <= 200),
  constraint permissions_description_bounded check (char_length(description) <= 2000)
);

-- No other policy: the registry changes by migration only.

-- Read by every signed-in person, so that a device without signal knows what its owner may do.
create table role_permissions (
  id         uuid primary key default gen_random_uuid(),
  role_kind  text not null check (role_kind in ('system', 'organization', 'circle')),
  role       text not null,
  permission text not null references permissions (key),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  unique (role_kind, role, permission),
  constraint role_permissions_role_bounded check (char_length(role) <= 100)
);
select sync.add_table('role_permissions', 9, $$ array['all'] $$,
  p_server_columns => array['permission', 'role', 'role_kind']);

-- A read that must be written down takes two calls (docs/decisions/03-row-level-security-and-sync-scopes.md): the first writes it down and answers a ticket, the
-- second gives the data for it. A call whose answer breaks on its way out takes its own entry along, but never an earlier one.
create table sync.read_tickets (
  id        uuid primary key default gen_random_uuid(),
  person_id uuid not null references auth.users (id) on delete cascade,
  kind      text not null,                                        -- the function that gave it
  about     jsonb not null,                                       -- what was written down: ids, numbers, names of tables; never words
  xid       xid8 not null default pg_current_xact_id(),
  at        timestamptz not null default now()
);
create index read_tickets_person on sync.read_tickets (person_id);
create index read_tickets_at on sync.read_tickets (at);

-- Nobody decides on their own in two steps (docs/decisions/22-separation-of-duties-and-frozen-records.md): who ever had a record counts as having it, an
-- action item ends by somebody else's word in whatever way, and a file is kept by the word of its own author or of a second person.

-- Who ever had an action item or answered for evidence, for as long as the record lives, and who first gave it to them.
create table sync.past_assignee (
  tbl    text not null,                                           -- public table
  id     uuid not null,
  person uuid not null references auth.users (id) on delete cascade,
  by_id  uuid references auth.users (id) on delete set null,      -- null: the server
  no     bigint generated always as identity,                     -- who was named first
  primary key (tbl, id, person)
);
create index past_assignee_person on sync.past_assignee (person);
create index past_assignee_by on sync.past_assignee (by_id);
