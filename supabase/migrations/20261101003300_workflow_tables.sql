-- Workflow rules and their runs: tables.

-- Conditions: [{"field", "op", "value"}], steps: [{"kind", "to", "title", "text", "priority", "days"}]; the words and what goes with
-- what stand in packages/core/src/workflows/rule.ts, and workflow.rule_fault says the same.
create table workflow_rules (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  trigger         text not null,
  matching        text not null default 'all' check (matching in ('all', 'any')),
  conditions      jsonb not null default '[]' check (jsonb_typeof(conditions) = 'array' and pg_column_size(conditions) <= 20000),
  steps           jsonb not null default '[]' check (jsonb_typeof(steps) = 'array' and pg_column_size(steps) <= 40000),
  is_on           boolean not null default false,
  on_since        timestamptz,                                    -- server time; of what happened before, it does nothing
  acts_for        uuid references auth.users (id) on delete set null,   -- who last changed what it does; it does no more than they may
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  constraint workflow_rules_trigger_bounded check (char_length(trigger) <= 100)
);
create index workflow_rules_organization on workflow_rules (organization_id, trigger);
create index workflow_rules_acts_for on workflow_rules (acts_for);
create index workflow_rules_created_by on workflow_rules (created_by);
select sync.add_table('workflow_rules', 38, $$ sync.scopes(sync.holder_scope('workflow.manage', organization_id)) $$,
  p_groups => '[["title","trigger","matching","conditions","steps","is_on"]]',
  p_server_columns => array['acts_for', 'on_since']);

-- What happened, with the facts a condition can ask about, as they were then. The subject's scopes say who may read it.
create table workflow.event (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  kind            text not null,
  key             text not null,                                  -- what it tells of: noted once
  subject_table   text not null,
  subject_id      uuid not null,
  site_id         uuid,
  playbook_id     uuid,
  scopes          text[] not null,
  actor_id        uuid references auth.users (id) on delete set null,   -- who did it
  responsible_id  uuid references auth.users (id) on delete set null,   -- who has it, or made it
  title           text not null,
  path            text not null,
  facts           jsonb not null,
  made_by         uuid,                                           -- the rule that made what it is about
  at              timestamptz not null default clock_timestamp(),
  handled_at      timestamptz,
  unique (organization_id, key)
);
create index event_kind on workflow.event (organization_id, kind, id);
create index event_age on workflow.event (at);
create index event_actor on workflow.event (actor_id);
create index event_responsible on workflow.event (responsible_id);
create index event_waiting on workflow.event (organization_id, id) where handled_at is null;

-- What rules made: whatever happens to it later makes nothing more.
create table workflow.created_record (
  tbl     text not null,
  id      uuid not null,
  rule_id uuid not null references public.workflow_rules (id) on delete cascade,
  primary key (tbl, id)
);
create index made_rule on workflow.created_record (rule_id);

-- What rules do: read by the clock, each event once for each rule, in the server's own transaction and never in that of the person
-- whose work it is about (docs/decisions/33-workflows-and-deputies.md).
create table workflow.run (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations (id) on delete cascade,
  rule_id         uuid not null references public.workflow_rules (id) on delete cascade,
  event_id        bigint not null references workflow.event (id) on delete cascade,
  outcome         text not null check (outcome in ('fired', 'conditions', 'made', 'right', 'plan', 'failed', 'waiting', 'approved', 'refused')),
  checks          jsonb not null default '[]',                    -- of each condition, whether it held
  steps           jsonb not null default '[]',                    -- those of the rule as it fired
  next_step       integer not null default 0,                     -- from 0
  done            jsonb not null default '[]',                    -- of each step: {"kind", "table", "id", "path", "people"}
  error           text,                                           -- why it failed: a word of ours, or the code of the database
  at              timestamptz not null default clock_timestamp(),
  acts_for        uuid references auth.users (id) on delete set null,   -- who answered for the rule as it fired
  title           text,                                           -- what the rule was called then
  unique (rule_id, event_id)
);
create index run_event on workflow.run (event_id);
create index run_rule on workflow.run (rule_id, at);
create index run_organization on workflow.run (organization_id);
create index run_acts_for on workflow.run (acts_for);
create index run_approved on workflow.run (organization_id, at, id) where outcome = 'approved';

-- What rules wait for is done by organisations in turn: the next round begins with the one whose last turn was longest ago, each has half a
-- second at once, and a round has its time however long the list of one is. What fails is its own organisation's
-- (docs/decisions/41-notifications-email-and-push.md).
create table workflow.turn (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  kind            text not null check (kind in ('run', 'event', 'action', 'task')),
  served_at       timestamptz not null,
  primary key (organization_id, kind)
);
comment on table workflow.turn is 'when an organisation last had its turn of what rules wait for';
