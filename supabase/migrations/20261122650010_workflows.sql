-- Workflows: a company's rules of the kind "when this happens, if it is so, then do that". A rule is a row like any other; what
-- happens is noted by triggers of the areas, kept for 40 days, and read by the clock (docs/decisions/0501-rules-read-events.md).

create schema workflow;                                          -- never exposed by the API, and nobody is granted its use

insert into permissions (key, description, is_audience) values
  ('workflow.manage', 'Make, change and switch workflow rules; see what they did', true),
  ('workflow.approve', 'Approve what a workflow asks about', true);
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, permission
  from unnest(array['admin', 'manager']) role, unnest(array['workflow.manage', 'workflow.approve']) permission;

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
  on_since        timestamptz,                                   -- server time; of what happened before, it does nothing
  acts_for        uuid references auth.users (id) on delete set null,   -- who last changed what it does; it does no more than they may
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index workflow_rules_organization on workflow_rules (organization_id, trigger);
create index workflow_rules_acts_for on workflow_rules (acts_for);
create index workflow_rules_created_by on workflow_rules (created_by);
select sync.add_table('workflow_rules', 38, $$ sync.scopes(sync.holder_scope('workflow.manage', organization_id)) $$,
  p_groups => '[["trigger","matching","conditions","steps"]]', p_server_columns => array['on_since', 'acts_for']);

create policy "scope reads" on workflow_rules for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on workflow_rules for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('workflow.manage')));
create policy "managers change" on workflow_rules for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('workflow.manage')));
grant insert, update on workflow_rules to authenticated;
-- No delete policy: clients set deleted_at so that other devices hear about it.

create trigger a0_need_push before insert on workflow_rules for each statement execute function sync.need_push();
create trigger b_creator before insert or update on workflow_rules for each row execute function sync.set_creator();
create trigger b_keep_organization before update on workflow_rules for each row execute function sync.keep_organization();

-- What a trigger is about.
create function workflow.subject_of(p_trigger text) returns text
  language sql immutable parallel safe return case p_trigger
    when 'inspection.finalised' then 'inspections' when 'inspection.item_failed' then 'inspections'
    when 'action.created' then 'action_items' when 'action.overdue' then 'action_items' when 'action.done' then 'action_items'
    when 'task.created' then 'tasks' when 'task.overdue' then 'tasks' when 'task.done' then 'tasks'
    when 'issue.reported' then 'issue_reports' when 'policy.published' then 'policies' when 'acknowledgement.overdue' then 'policies'
    when 'evidence.expiring' then 'evidence' end;

create function workflow.fits(p_field text, p_op text) returns boolean
  language sql immutable parallel safe return coalesce(case p_field
    when 'priority' then p_op in ('is', 'is_not', 'at_least')
    when 'severity' then p_op in ('is', 'is_not', 'at_least')
    when 'site' then p_op in ('is', 'is_not') when 'asset' then p_op in ('is', 'is_not') when 'form' then p_op in ('is', 'is_not')
    when 'category' then p_op in ('is', 'is_not') when 'result' then p_op = 'is' when 'critical' then p_op = 'is'
    when 'title' then p_op = 'contains' when 'label' then p_op in ('has', 'has_not') end, false);

create function workflow.is_target(p_to text) returns boolean
  language sql immutable parallel safe return coalesce(p_to in ('responsible', 'role:admin', 'role:manager', 'role:member', 'role:auditor')
    or p_to ~ '^person:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', false);

create function workflow.is_text(p_value jsonb, p_most integer) returns boolean
  language sql immutable parallel safe return coalesce(jsonb_typeof(p_value) = 'string' and btrim(p_value #>> '{}') <> '' and char_length(p_value #>> '{}') <= p_most, false);

-- Whether one step can be done about what the trigger is about; what is left out of it is judged as wrong where it is needed.
create function workflow.is_step(p_step jsonb, p_subject text) returns boolean
  language plpgsql immutable parallel safe set search_path = '' as $$
begin
  if jsonb_typeof(p_step) is distinct from 'object' then return false; end if;
  return coalesce(case p_step ->> 'kind'
    when 'action' then workflow.is_text(p_step -> 'title', 200) and workflow.is_target(p_step ->> 'to')
      and p_step ->> 'priority' in ('low', 'medium', 'high', 'critical') and workflow.is_days(p_step -> 'days')
    when 'task' then workflow.is_text(p_step -> 'title', 200) and workflow.is_target(p_step ->> 'to')
      and p_step ->> 'priority' in ('none', 'low', 'medium', 'high', 'urgent') and workflow.is_days(p_step -> 'days')
    when 'assign' then p_subject in ('action_items', 'tasks') and workflow.is_target(p_step ->> 'to')
    when 'approval' then workflow.is_target(p_step ->> 'to')
    when 'notify' then workflow.is_target(p_step ->> 'to') and workflow.is_text(p_step -> 'text', 500)
    when 'comment' then p_subject in ('inspections', 'action_items', 'tasks', 'issue_reports') and workflow.is_text(p_step -> 'text', 2000)
    when 'label' then p_subject = 'tasks' and workflow.is_text(p_step -> 'text', 50) end, false);
end $$;

create function workflow.is_days(p_value jsonb) returns boolean
  language sql immutable parallel safe return coalesce(jsonb_typeof(p_value) = 'number' and (p_value #>> '{}') ~ '^[0-9]{1,3}$' and (p_value #>> '{}')::integer <= 365, false);

-- What is wrong with a rule; null where nothing is. Deny by default: what is not known here is wrong.
create function workflow.rule_fault(p_trigger text, p_conditions jsonb, p_steps jsonb) returns text
  language sql immutable parallel safe set search_path = '' return case
    when workflow.subject_of(p_trigger) is null then 'trigger'
    when jsonb_typeof(p_conditions) is distinct from 'array' then 'condition'
    when jsonb_typeof(p_steps) is distinct from 'array' then 'step'
    when jsonb_array_length(p_conditions) > 10 or exists (select from jsonb_array_elements(p_conditions) c
      where jsonb_typeof(c) <> 'object' or not workflow.fits(c ->> 'field', c ->> 'op') or not workflow.is_text(c -> 'value', 200)) then 'condition'
    when jsonb_array_length(p_steps) not between 1 and 6 or exists (select from jsonb_array_elements(p_steps) s
      where not workflow.is_step(s, workflow.subject_of(p_trigger))) then 'step' end;

create function workflow.has_step(p_steps jsonb, variadic p_kinds text[]) returns boolean
  language sql immutable parallel safe return exists (select from jsonb_array_elements(p_steps) s where s ->> 'kind' = any (p_kinds));

create function workflow.guard_rule() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  o public.organizations;
  fault constant text := workflow.rule_fault(new.trigger, new.conditions, new.steps);
begin
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of what is there
  select * into o from public.organizations x where x.id = new.organization_id;
  if o.kind is distinct from 'company' then
    raise exception 'workflows belong to companies' using errcode = '42501', hint = 'company';
  end if;
  if fault is not null then raise exception 'this is no rule' using errcode = '23514', hint = fault; end if;
  if tg_op = 'INSERT' and auth.uid() is not null then
    -- One after another, so that two at once do not both fit.
    perform from public.organizations x where x.id = new.organization_id for no key update;
    if (select count(*) from public.workflow_rules r where r.organization_id = new.organization_id and r.deleted_at is null) >= 50 then
      raise exception 'at most 50 rules' using errcode = '23514', hint = 'many';
    end if;
  end if;
  if new.deleted_at is not null then new.is_on := false; end if;
  -- Approvals belong to the enterprise plan (R6.27).
  if new.is_on and o.plan <> 'enterprise' and workflow.has_step(new.steps, 'approval') then
    raise exception 'approvals belong to the enterprise plan' using errcode = '42501', hint = 'plan';
  end if;
  if tg_op = 'INSERT' or (new.trigger, new.matching, new.conditions, new.steps, new.is_on)
      is distinct from (old.trigger, old.matching, old.conditions, old.steps, old.is_on) then
    new.acts_for := coalesce(auth.uid(), new.acts_for, new.created_by);
    new.on_since := case when new.is_on then clock_timestamp() end;
  else
    new.acts_for := case when new.acts_for is null then null else old.acts_for end;   -- null: their account is gone
    new.on_since := old.on_since;
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on workflow_rules for each row execute function workflow.guard_rule();

create function audit.note_workflow() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'workflow.made', 'workflow_rules', new.id, jsonb_build_object('trigger', new.trigger));
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'workflow.removed', 'workflow_rules', new.id);
  elsif (new.trigger, new.matching, new.conditions, new.steps) is distinct from (old.trigger, old.matching, old.conditions, old.steps) then
    perform audit.note(new.organization_id, 'workflow.changed', 'workflow_rules', new.id, jsonb_build_object('trigger', new.trigger));
  end if;
  if new.is_on and (tg_op = 'INSERT' or not old.is_on) or tg_op = 'UPDATE' and old.is_on and not new.is_on then
    perform audit.note(new.organization_id, case when new.is_on then 'workflow.switched_on' else 'workflow.switched_off' end, 'workflow_rules', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on workflow_rules for each row execute function audit.note_workflow();

-- What happened, with the facts a condition can ask about, as they were then. The subject's scopes say who may read it.
create table workflow.event (
  id              bigint generated always as identity primary key,
  organization_id uuid not null references public.organizations (id) on delete cascade,
  kind            text not null,
  key             text not null,                                 -- what it tells of: noted once
  subject_table   text not null,
  subject_id      uuid not null,
  site_id         uuid,
  playbook_id     uuid,
  scopes          text[] not null,
  actor_id        uuid references auth.users (id) on delete set null,        -- who did it
  responsible_id  uuid references auth.users (id) on delete set null,        -- who has it, or made it
  title           text not null,
  path            text not null,
  facts           jsonb not null,
  made_by         uuid,                                          -- the rule that made what it is about
  at              timestamptz not null default clock_timestamp(),
  handled_at      timestamptz,
  unique (organization_id, key)
);
create index event_waiting on workflow.event (id) where handled_at is null;
create index event_kind on workflow.event (organization_id, kind, id);
create index event_age on workflow.event (at);
create index event_actor on workflow.event (actor_id);
create index event_responsible on workflow.event (responsible_id);

-- What rules made: whatever happens to it later makes nothing more.
create table workflow.made (
  tbl     text not null,
  id      uuid not null,
  rule_id uuid not null references public.workflow_rules (id) on delete cascade,
  primary key (tbl, id)
);
create index made_rule on workflow.made (rule_id);

-- The rule whose steps are done in this transaction, if any.
create function workflow.acting() returns uuid
  language sql stable return nullif(current_setting('workflow.acting', true), '')::uuid;

create function workflow.note(p_kind text, p_key text, p_table text, p_row jsonb, p_title text, p_path text, p_facts jsonb,
  p_actor uuid, p_responsible uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (select from public.organizations o where o.id = (p_row ->> 'organization_id')::uuid and o.kind = 'company') then return; end if;
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    values ((p_row ->> 'organization_id')::uuid, p_kind, p_key, p_table, (p_row ->> 'id')::uuid, (p_row ->> 'site_id')::uuid,
      (p_row ->> 'playbook_id')::uuid, array(select jsonb_array_elements_text(p_row -> 'scopes')), p_actor, p_responsible, left(p_title, 300), p_path,
      jsonb_strip_nulls(p_facts),
      coalesce(workflow.acting(), (select m.rule_id from workflow.made m where m.tbl = p_table and m.id = (p_row ->> 'id')::uuid)))
    on conflict do nothing;
end $$;

-- The question of a form at a path such as `brakes[k3].parking`.
create function workflow.question_at(p_definition jsonb, p_path text) returns jsonb
  language plpgsql immutable parallel safe set search_path = '' as $$
declare
  found jsonb := p_definition;
  part text;
begin
  foreach part in array string_to_array(regexp_replace(p_path, '\[[^][]*\]', '', 'g'), '.') loop
    select e into found from jsonb_array_elements(case when jsonb_typeof(found -> 'items') = 'array' then found -> 'items' else '[]' end) e
      where e ->> 'name' = part limit 1;
    if found is null then return null; end if;
  end loop;
  return found;
end $$;

-- Words of a form, in its first language where it has several.
create function workflow.words(p_words jsonb) returns text
  language sql immutable parallel safe return case jsonb_typeof(p_words) when 'string' then p_words #>> '{}'
    when 'object' then (select coalesce(p_words ->> 'en', (select value from jsonb_each_text(p_words) order by key limit 1))) end;

create function workflow.note_answer(a public.inspection_answers, i public.inspections) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  q jsonb;
begin
  select workflow.question_at(v.definition, a.question) into q from public.form_versions v where v.id = i.form_version_id;
  perform workflow.note('inspection.item_failed', 'answer/' || a.id::text, 'inspections', to_jsonb(i),
    i.title || ': ' || coalesce(workflow.words(q -> 'on_fail' -> 'title'), workflow.words(q -> 'label'), a.question), '/field/' || i.id::text,
    jsonb_build_object('critical', case when coalesce((q -> 'scoring' ->> 'critical')::boolean, false) then 'yes' else 'no' end,
      'priority', coalesce(q -> 'on_fail' ->> 'priority', 'medium'), 'site', i.site_id, 'asset', i.asset_id, 'form', i.form_id,
      'title', coalesce(workflow.words(q -> 'on_fail' -> 'title'), workflow.words(q -> 'label'), a.question), 'question', a.question,
      'evidence', q -> 'on_fail' ->> 'photo' = 'required', 'signature', i.signature is not null), i.conducted_by, i.conducted_by);
end $$;

-- A failed answer counts once its inspection is finished, whichever of the two arrives first.
create function workflow.answer_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  i public.inspections;
begin
  select * into i from public.inspections x where x.id = new.inspection_id;
  if i.received_at is not null and i.deleted_at is null and coalesce(i.finished_at, now()) > now() - interval '30 days' then
    perform workflow.note_answer(new, i);
  end if;
  return null;
end $$;
create trigger x_workflow after insert or update on inspection_answers for each row
  when (new.outcome = 'fail' and new.deleted_at is null) execute function workflow.answer_moved();

create function workflow.inspection_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if old.received_at is not null then return null; end if;
  end if;
  -- What happened long ago and is only now written down moves nothing.
  if new.deleted_at is not null or coalesce(new.finished_at, now()) <= now() - interval '30 days' then return null; end if;
  perform workflow.note('inspection.finalised', 'inspection/' || new.id::text || '/finalised', 'inspections', to_jsonb(new), new.title, '/field/' || new.id::text,
    jsonb_build_object('site', new.site_id, 'asset', new.asset_id, 'form', new.form_id, 'result', new.result, 'title', new.title,
      'signature', new.signature is not null), new.conducted_by, coalesce(new.assigned_to, new.conducted_by));
  perform workflow.note_answer(a, new) from public.inspection_answers a
    where a.inspection_id = new.id and a.outcome = 'fail' and a.deleted_at is null order by a.question;
  return null;
end $$;
-- Without a list of columns: another trigger says when it was received.
create trigger x_workflow after insert or update on inspections for each row
  when (new.received_at is not null) execute function workflow.inspection_moved();

-- Of a row as JSON: the rows of a statement have no type of their own.
create function workflow.action_facts(p_row jsonb) returns jsonb
  language sql immutable parallel safe return jsonb_strip_nulls(jsonb_build_object('priority', p_row -> 'priority', 'site', p_row -> 'site_id',
    'asset', p_row -> 'asset_id', 'title', p_row -> 'title', 'evidence', p_row -> 'evidence_required'));
create function workflow.note_action(a public.action_items, p_kind text, p_key text) returns void
  language sql volatile security definer set search_path = '' as $$
  select workflow.note(p_kind, p_key, 'action_items', to_jsonb(a), a.title, '/action-items/' || a.id::text, workflow.action_facts(to_jsonb(a)),
    coalesce(auth.uid(), a.created_by), coalesce(a.assignee_id, a.created_by))
$$;
-- What is made together is noted together: a push brings hundreds of action items at once, and a call for each was a sixth of its time.
create function workflow.actions_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    select a.organization_id, 'action.created', 'action/' || a.id::text || '/created', 'action_items', a.id, a.site_id, a.playbook_id, a.scopes,
      coalesce((select auth.uid()), a.created_by), coalesce(a.assignee_id, a.created_by), left(a.title, 300), '/action-items/' || a.id::text,
      workflow.action_facts(to_jsonb(a)), coalesce((select workflow.acting()), m.rule_id)
    from added a
      join public.organizations o on o.id = a.organization_id and o.kind = 'company'
      left join workflow.made m on m.tbl = 'action_items' and m.id = a.id
    where a.deleted_at is null and a.status in ('open', 'assigned', 'in_progress')
    on conflict do nothing;
  return null;
end $$;
create trigger x_workflow_insert after insert on action_items referencing new table as added
  for each statement execute function workflow.actions_added();
create function workflow.action_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform workflow.note_action(new, 'action.done', 'action/' || new.id::text || '/done/' || new.version::text);
  return null;
end $$;
create trigger x_workflow_update after update on action_items for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function workflow.action_moved();

create function workflow.task_facts(p_row jsonb) returns jsonb
  language sql immutable parallel safe return jsonb_strip_nulls(jsonb_build_object('priority', p_row -> 'priority', 'site', p_row -> 'site_id',
    'labels', p_row -> 'labels', 'title', p_row -> 'title', 'evidence', p_row -> 'evidence_required',
    'signature', p_row ->> 'reviewer_id' is not null));
create function workflow.note_task(t public.tasks, p_kind text, p_key text) returns void
  language sql volatile security definer set search_path = '' as $$
  select workflow.note(p_kind, p_key, 'tasks', to_jsonb(t), t.title, '/tasks/' || t.id::text, workflow.task_facts(to_jsonb(t)),
    coalesce(auth.uid(), t.created_by), coalesce(t.assignee_id, t.created_by))
$$;
-- What a series plans a year ahead was made by no one; each of it can be late and done.
create function workflow.tasks_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    select t.organization_id, 'task.created', 'task/' || t.id::text || '/created', 'tasks', t.id, t.site_id, t.playbook_id, t.scopes,
      coalesce((select auth.uid()), t.created_by), coalesce(t.assignee_id, t.created_by), left(t.title, 300), '/tasks/' || t.id::text,
      workflow.task_facts(to_jsonb(t)), coalesce((select workflow.acting()), m.rule_id)
    from added t
      join public.organizations o on o.id = t.organization_id and o.kind = 'company'
      left join workflow.made m on m.tbl = 'tasks' and m.id = t.id
    where t.deleted_at is null and t.series_id is null and t.status in ('todo', 'in_progress', 'blocked')
    on conflict do nothing;
  return null;
end $$;
create trigger x_workflow_insert after insert on tasks referencing new table as added
  for each statement execute function workflow.tasks_added();
create function workflow.task_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform workflow.note_task(new, 'task.done', 'task/' || new.id::text || '/done/' || new.version::text);
  return null;
end $$;
create trigger x_workflow_update after update on tasks for each row
  when (new.status = 'done' and old.status <> 'done') execute function workflow.task_moved();

create function workflow.report_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform workflow.note('issue.reported', 'report/' || new.id::text, 'issue_reports', to_jsonb(new), new.title, '/field/reports/' || new.id::text,
    jsonb_build_object('severity', new.severity, 'category', new.category, 'site', new.site_id, 'asset', new.asset_id, 'title', new.title),
    new.reported_by, new.reported_by);
  return null;
end $$;
create trigger x_workflow after insert on issue_reports for each row
  when (new.deleted_at is null and new.status = 'reported') execute function workflow.report_moved();

create function workflow.policy_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform workflow.note('policy.published', 'policy/' || new.id::text || '/published', 'policies', to_jsonb(p), new.title, '/policies/' || p.id::text,
    jsonb_build_object('title', new.title), auth.uid(), p.owner_id) from public.policies p where p.id = new.policy_id;
  return null;
end $$;
create trigger x_workflow after update on policy_versions for each row
  when (new.state = 'published' and old.state <> 'published') execute function workflow.policy_moved();

-- The clock of these two areas tells people already; each time it does is an event.
create function workflow.was_told() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.type = 'policy.overdue' then
    perform workflow.note('acknowledgement.overdue', new.key || '/' || new.user_id::text, 'policies', to_jsonb(p), p.title, new.path,
      jsonb_build_object('title', p.title), new.user_id, new.user_id) from public.policies p where p.id = new.subject_id;
  else
    perform workflow.note('evidence.expiring', new.key, 'evidence', to_jsonb(e), e.title, new.path,
      jsonb_build_object('title', e.title, 'evidence', true), null, coalesce(e.owner_id, e.created_by)) from public.evidence e where e.id = new.subject_id;
  end if;
  return null;
end $$;
create trigger x_workflow after insert on notifications for each row
  when (new.type in ('policy.overdue', 'evidence.expiring')) execute function workflow.was_told();

-- By the clock, in portions: what is late. Also where nobody has it, and nobody is told.
create function workflow.note_overdue(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a public.action_items;
  t public.tasks;
  done integer := 0;
begin
  for a in
    select i.* from public.action_items i join public.organizations o on o.id = i.organization_id and o.kind = 'company'
    where i.deleted_at is null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
      -- Not what has long been late: a first run would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now and not exists (select from workflow.event e
        where e.organization_id = i.organization_id and e.key = 'action/' || i.id::text || '/overdue/' || extract(epoch from i.due_at)::text)
    order by i.due_at limit p_limit
  loop
    perform workflow.note_action(a, 'action.overdue', 'action/' || a.id::text || '/overdue/' || extract(epoch from a.due_at)::text);
    done := done + 1;
  end loop;
  for t in
    select i.* from public.tasks i join public.organizations o on o.id = i.organization_id and o.kind = 'company'
    where i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled')
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now and not exists (select from workflow.event e
        where e.organization_id = i.organization_id and e.key = 'task/' || i.id::text || '/overdue/' || extract(epoch from i.due_at)::text)
    order by i.due_at limit p_limit
  loop
    perform workflow.note_task(t, 'task.overdue', 'task/' || t.id::text || '/overdue/' || extract(epoch from t.due_at)::text);
    done := done + 1;
  end loop;
  return done;
end $$;

revoke execute on all functions in schema workflow from public;
revoke execute on function audit.note_workflow() from public;
