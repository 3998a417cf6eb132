-- Action items and decisions on what recurs: tables.

create table action_items (
  id                uuid primary key default gen_random_uuid(),
  organization_id   uuid not null references organizations (id) on delete cascade,
  site_id           uuid,
  playbook_id       uuid,
  title             text not null check (title <> ''),
  description       text,
  status            text not null default 'open' check (status in ('open', 'assigned', 'in_progress', 'ready_for_verification', 'needs_revision', 'closed', 'risk_accepted', 'duplicate', 'not_valid')),
  priority          text not null default 'medium' check (priority in ('low', 'medium', 'high', 'critical')),
  due_at            timestamptz,
  assignee_id       uuid references auth.users (id) on delete set null,
  source_type       text check (source_type in ('inspection', 'manual', 'issue_report', 'poam', 'finding')),
  source_id         uuid,                                         -- the inspection
  source_question   text,
  asset_id          uuid,
  media_ids         jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array'),   -- ids of media
  created_by        uuid references auth.users (id) on delete set null,
  closed_at         timestamptz,                                  -- device time
  closed_by         uuid references auth.users (id) on delete set null,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  deleted_at        timestamptz,
  version           bigint not null default 1,
  kind              text check (kind in ('corrective', 'preventive')),
  root_cause        text check (char_length(root_cause) <= 4000),
  done_by           uuid references auth.users (id) on delete set null,   -- who last said that it is ready to be checked
  check_on          date check (check_on >= date '1970-01-01' and check_on < date '2200-01-01'),   -- day to look whether it worked
  outcome           text check (outcome in ('effective', 'not_effective')),   -- what was found then
  outcome_note      text check (char_length(outcome_note) <= 2000),
  outcome_by        uuid references auth.users (id) on delete set null,
  outcome_at        timestamptz,                                  -- device time
  risk_until        date,                                         -- last day the risk is, or is asked to be, accepted
  risk_reason       text check (char_length(risk_reason) <= 2000),
  escalation        integer not null default 0 check (escalation between 0 and 3),   -- how far up its delay was told
  evidence_required boolean not null default false,
  submitted_at      timestamptz,                                  -- server time; null: its author's own device sent all of it
  submitted_by      uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  source_fields     jsonb
    check (jsonb_typeof(source_fields) = 'object' and pg_column_size(source_fields) < 40000),   -- {title, description, priority, media_ids}; null: not made by an answer, or by an older build
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, playbook_id) references playbooks (organization_id, id) on delete set null (playbook_id),
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id),
  constraint action_items_title_bounded check (char_length(title) <= 1000),
  constraint action_items_description_bounded check (char_length(description) <= 20000),
  constraint action_items_source_question_bounded check (char_length(source_question) <= 2000),
  constraint action_items_media_ids_bounded check (octet_length(media_ids::text) <= 40000)
);
create index action_items_organization on action_items (organization_id, site_id);
create index action_items_source on action_items (source_id);
create index action_items_asset on action_items (asset_id);
-- By the clock: what is due soon or late, what was claimed and never settled, what is old. Idempotent, so that our server
-- and pg_cron may both call it.
create index action_items_due on action_items (due_at)
  where deleted_at is null and due_at is not null and status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid');
create index action_items_done_by on action_items (done_by);
create index action_items_check on action_items (check_on) where status = 'closed' and outcome is null and deleted_at is null;
create index action_items_risk on action_items (risk_until) where status = 'risk_accepted' and deleted_at is null;
create index action_items_files on action_items using gin (media_ids) where media_ids <> '[]';
create index action_items_submitted_by on action_items (submitted_by) where submitted_by is not null;
create index action_items_holds on action_items (asset_id) where priority = 'critical' and deleted_at is null;
create index action_items_overdue on public.action_items (organization_id, due_at)
  where deleted_at is null and status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid');
-- What somebody has: asked by their list, and when their account ends.
create index action_items_assignee on public.action_items (assignee_id);
select sync.add_table('action_items', 32, $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, assignee_id), sync.member_scope(organization_id, created_by)) $$,
  p_groups => '[["status","closed_at","closed_by","done_by"],["outcome","outcome_note","outcome_by","outcome_at"]]',
  p_server_columns => array['escalation', 'evidence_required', 'risk_reason', 'risk_until', 'submitted_at', 'submitted_by']);

-- What is decided about something that goes wrong again and again: a measure that changes a policy or a training, or nothing, and why
-- (docs/decisions/32-action-items-findings-and-guests.md). What recurs every device works out itself, from the rows its person may see.
create table recurrence_decisions (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,                                           -- where it happened last
  about           text not null check (about ~ '^(question|cause)/' and char_length(about) <= 1000),   -- packages/core/src/action-items/recurrence.ts
  decision        text not null check (decision in ('measure', 'dismissed')),
  action_id       uuid,                                           -- the measure, an action item
  changes         text check (changes in ('policy', 'training')),   -- what the measure changes
  reason          text check (char_length(reason) <= 2000),       -- why nothing is done
  source_ids      jsonb not null check (jsonb_typeof(source_ids) = 'array' and jsonb_array_length(source_ids) between 1 and 200),   -- ids of action items it answers
  decided_at      timestamptz not null,                           -- device time
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  constraint recurrence_decision_says check (case decision
    when 'measure' then action_id is not null and changes is not null and reason is null
    else action_id is null and changes is null and btrim(coalesce(reason, '')) <> '' end),
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete set null (site_id)
);
create index recurrence_decisions_organization on recurrence_decisions (organization_id, site_id);
create index recurrence_decisions_creator on recurrence_decisions (created_by);
create index recurrence_decisions_action on recurrence_decisions (action_id) where action_id is not null;
-- After action items: the measure is there when the decision names it.
select sync.add_table('recurrence_decisions', 33, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$);
