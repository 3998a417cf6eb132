-- Approvals: tables.

create table approval_requests (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  permission      text not null references permissions (key),     -- what deciding takes; its holders see the request
  subject_table   text not null check (subject_table in ('policy_versions', 'action_items', 'workflow_runs')),
  subject_id      uuid not null,
  path            text not null check (path ~ '^/([^/\\]|$)'),    -- screen of the subject
  title           text not null check (title <> ''),
  note            text check (char_length(note) <= 2000),         -- from who asks to who decides
  stages          jsonb not null check (approval.are_stages(stages)),
  stage           integer not null default 1 check (stage between 1 and 5),   -- the one that is open, from 1
  state           text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'change_requested', 'withdrawn')),
  requested_by    uuid references auth.users (id) on delete set null,
  requested_at    timestamptz not null default now(),             -- server time
  decided_at      timestamptz,                                    -- server time at which it ended
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  constraint approval_requests_title_bounded check (char_length(title) <= 1000),
  constraint approval_requests_path_bounded check (char_length(path) <= 2000),
  constraint approval_requests_stages_bounded check (octet_length(stages::text) <= 100000)
);
create index approval_requests_organization on approval_requests (organization_id, state);
create unique index approval_requests_open on approval_requests (subject_table, subject_id) where state = 'pending' and deleted_at is null;
select sync.add_table('approval_requests', 26, $$ sync.scopes(sync.holder_scope(permission, organization_id), sync.member_scope(organization_id, requested_by)) $$,
  p_server_columns => array['decided_at', 'note', 'organization_id', 'path', 'permission', 'requested_at', 'requested_by', 'stage', 'stages',
    'state', 'subject_id', 'subject_table', 'title']);

-- While somebody is away, who decides in their name.
create table approval_delegations (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  from_id         uuid not null references auth.users (id) on delete cascade,   -- who is away
  to_id           uuid not null references auth.users (id) on delete cascade,   -- who stands in
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,
  reason          text check (char_length(reason) <= 500),
  revoked_at      timestamptz,                                    -- device time
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  check (from_id <> to_id),
  check (ends_at > starts_at and ends_at <= starts_at + interval '366 days')
);
create index approval_delegations_from on approval_delegations (organization_id, from_id);
-- Who stands in for somebody is looked up at once, and a person has 50 open deputies at most: each was looked up among all of them, so that
-- many of one pair took the time in which everybody is told. Requests take turns as policies do.
create index approval_delegations_open on public.approval_delegations (organization_id, from_id, ends_at) where revoked_at is null and deleted_at is null;
select sync.add_table('approval_delegations', 26, $$ sync.scopes(sync.org_scope(organization_id)) $$);

create table approval_decisions (
  id              uuid primary key,                               -- derivedId(request_id, 'stage/<stage>/<approver_id>')
  organization_id uuid not null,                                  -- copied from the request
  permission      text not null default '',                       -- copied from the request
  request_id      uuid not null,
  stage           integer not null,                               -- the one that was open on the screen
  approver_id     uuid references auth.users (id) on delete set null,   -- in whose name
  decided_by      uuid references auth.users (id) on delete set null,   -- who pressed the button
  delegation_id   uuid,                                           -- why they could, where the two differ
  decision        text not null check (decision in ('approve', 'reject', 'request_change')),
  reason          text check (char_length(reason) <= 2000),
  at              timestamptz not null,                           -- device time
  counted_at      timestamptz,                                    -- server time; null on a device means: not counted yet
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (request_id, stage, approver_id),
  foreign key (organization_id, request_id) references approval_requests (organization_id, id) on delete cascade,
  foreign key (organization_id, delegation_id) references approval_delegations (organization_id, id) deferrable initially deferred,
  constraint approval_decisions_permission_bounded check (char_length(permission) <= 100)
);
create index approval_decisions_request on approval_decisions (organization_id, request_id);
select sync.add_table('approval_decisions', 27, $$ sync.scopes(sync.holder_scope(permission, organization_id), sync.member_scope(organization_id, decided_by)) $$,
  p_server_columns => array['counted_at', 'delegation_id', 'permission']);
