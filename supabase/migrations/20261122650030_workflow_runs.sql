-- What rules do: read by the clock, each event once for each rule, in the server's own transaction and never in that of the person
-- whose work it is about (docs/decisions/0501-rules-read-events.md, 0502-what-a-rule-made-makes-nothing.md).

create table workflow.run (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references public.organizations (id) on delete cascade,
  rule_id         uuid not null references public.workflow_rules (id) on delete cascade,
  event_id        bigint not null references workflow.event (id) on delete cascade,
  outcome         text not null check (outcome in ('fired', 'conditions', 'made', 'right', 'plan', 'failed', 'waiting', 'approved', 'refused')),
  checks          jsonb not null default '[]',                   -- of each condition, whether it held
  steps           jsonb not null default '[]',                   -- those of the rule as it fired
  next_step       integer not null default 0,                    -- from 0
  done            jsonb not null default '[]',                   -- of each step: {"kind", "table", "id", "path", "people"}
  error           text,                                          -- why it failed: a word of ours, or the code of the database
  at              timestamptz not null default clock_timestamp(),
  unique (rule_id, event_id)
);
create index run_event on workflow.run (event_id);
create index run_rule on workflow.run (rule_id, at);
create index run_organization on workflow.run (organization_id);
create index run_approved on workflow.run (id) where outcome = 'approved';

create function workflow.rank_of(p_word text) returns integer
  language sql immutable parallel safe return case p_word when 'none' then 0 when 'low' then 1 when 'medium' then 2 when 'high' then 3
    when 'urgent' then 4 when 'critical' then 4 end;

-- Whether a condition holds of the facts. packages/core/src/workflows/evaluate.ts says the same; a test keeps them one.
create function workflow.holds(p_condition jsonb, p_facts jsonb) returns boolean
  language sql immutable parallel safe set search_path = '' return
  workflow.fits(p_condition ->> 'field', p_condition ->> 'op') and coalesce(case p_condition ->> 'op'
    when 'is' then p_facts ->> (p_condition ->> 'field') = p_condition ->> 'value'
    when 'is_not' then p_facts ->> (p_condition ->> 'field') is distinct from p_condition ->> 'value'
    when 'at_least' then workflow.rank_of(p_facts ->> (p_condition ->> 'field')) >= workflow.rank_of(p_condition ->> 'value')
    when 'contains' then position(p_condition ->> 'value' in p_facts ->> (p_condition ->> 'field')) > 0
    when 'has' then jsonb_typeof(p_facts -> 'labels') = 'array' and p_facts -> 'labels' ? (p_condition ->> 'value')
    when 'has_not' then not coalesce(jsonb_typeof(p_facts -> 'labels') = 'array' and p_facts -> 'labels' ? (p_condition ->> 'value'), false) end, false);

create function workflow.checks(p_conditions jsonb, p_facts jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' return
  coalesce((select jsonb_agg(workflow.holds(c, p_facts) order by n) from jsonb_array_elements(p_conditions) with ordinality x (c, n)), '[]');

create function workflow.matches(p_matching text, p_checks jsonb) returns boolean
  language sql immutable parallel safe return case when p_checks = '[]' then true when p_matching = 'any' then p_checks @> 'true'
    else not p_checks @> 'false' end;

-- What makes something, or asks somebody: a record of its own.
create function workflow.makes(p_steps jsonb) returns boolean
  language sql immutable parallel safe return workflow.has_step(p_steps, 'action', 'task', 'approval');

-- A rule does no more than who answers for it may: manage workflows there, and see what it is about.
create function workflow.may_act(p_person uuid, e workflow.event) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_person in (select inbox.people_with('workflow.manage', e.organization_id, e.site_id)) and sync.sees(p_person, e.organization_id, e.scopes), false);

-- What a rule does about an event: `fires`, or why not. The simulation asks the same.
create function workflow.verdict(r public.workflow_rules, e workflow.event) returns text
  language sql stable security definer set search_path = '' return case
    when not workflow.matches(r.matching, workflow.checks(r.conditions, e.facts)) then 'conditions'
    when e.made_by is not null and workflow.makes(r.steps) then 'made'
    when not workflow.may_act(r.acts_for, e) then 'right'
    when workflow.has_step(r.steps, 'approval')
      and (select o.plan <> 'enterprise' from public.organizations o where o.id = e.organization_id) then 'plan'
    else 'fires' end;

-- Who is meant, of those who may read what it is about.
create function workflow.people(p_to text, e workflow.event) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = e.organization_id and sync.is_member(m.organization_id, m.user_id) and sync.sees(m.user_id, e.organization_id, e.scopes)
    and case when p_to = 'responsible' then m.user_id = e.responsible_id
      when p_to like 'role:%' then m.role = substr(p_to, 6) else m.user_id::text = substr(p_to, 8) end
$$;

-- One of them who may do such work: who has least to do.
create function workflow.person(p_to text, p_permission text, e workflow.event) returns uuid
  language sql stable security definer set search_path = '' as $$
  select p from workflow.people(p_to, e) p where p in (select inbox.people_with(p_permission, e.organization_id, e.site_id))
  order by (select count(*) from public.action_items a where a.assignee_id = p and a.deleted_at is null and not inbox.action_ended(a.status))
    + (select count(*) from public.tasks t where t.assignee_id = p and t.deleted_at is null and not sync.task_ended(t.status)), p limit 1
$$;

create function workflow.need(p_person uuid, p_permission text, e workflow.event) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_person not in (select inbox.people_with(p_permission, e.organization_id, e.site_id)) then
    raise exception 'who answers for the rule lacks %', p_permission using errcode = '42501', hint = 'right';
  end if;
end $$;

create function workflow.source_of(e workflow.event) returns text
  language sql immutable parallel safe return case e.subject_table when 'inspections' then 'inspection' when 'issue_reports' then 'issue_report'
    when 'policies' then 'policy' when 'action_items' then 'action_item' else 'manual' end;

create function workflow.make_action(run workflow.run, r public.workflow_rules, e workflow.event, step jsonb, n integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made constant uuid := extensions.uuid_generate_v5(run.id, 'step/' || n);
  person constant uuid := workflow.person(step ->> 'to', 'action.work', e);
  source constant text := case when e.subject_table in ('inspections', 'issue_reports') then workflow.source_of(e) else 'manual' end;
begin
  perform workflow.need(r.acts_for, 'action.create', e);
  insert into workflow.made (tbl, id, rule_id) values ('action_items', made, r.id);
  insert into public.action_items (id, organization_id, site_id, playbook_id, title, description, status, priority, due_at, assignee_id, source_type,
      source_id, source_question, asset_id, created_by, evidence_required)
    values (made, e.organization_id, e.site_id, e.playbook_id, left(replace(step ->> 'title', '{title}', e.title), 300), r.title,
      case when person is null then 'open' else 'assigned' end, step ->> 'priority', now() + make_interval(days => (step ->> 'days')::integer), person,
      source, case when source <> 'manual' then e.subject_id end, e.facts ->> 'question', (e.facts ->> 'asset')::uuid, r.acts_for,
      coalesce((e.facts ->> 'evidence')::boolean, false));
  return jsonb_build_object('kind', 'action', 'table', 'action_items', 'id', made, 'path', '/action-items/' || made::text, 'people', jsonb_build_array(person));
end $$;

create function workflow.make_task(run workflow.run, r public.workflow_rules, e workflow.event, step jsonb, n integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made constant uuid := extensions.uuid_generate_v5(run.id, 'step/' || n);
  person constant uuid := workflow.person(step ->> 'to', 'task.work', e);
  source constant text := workflow.source_of(e);
begin
  perform workflow.need(r.acts_for, 'task.create', e);
  insert into workflow.made (tbl, id, rule_id) values ('tasks', made, r.id);
  insert into public.tasks (id, organization_id, site_id, playbook_id, title, notes, priority, due_day, assignee_id, reviewer_id, source_type, source_id,
      created_by, evidence_required)
    values (made, e.organization_id, e.site_id, e.playbook_id, left(replace(step ->> 'title', '{title}', e.title), 300), r.title, step ->> 'priority',
      (now() at time zone 'UTC')::date + (step ->> 'days')::integer, person,
      -- What was signed for is looked at by a second person.
      case when coalesce((e.facts ->> 'signature')::boolean, false) and person is distinct from r.acts_for then r.acts_for end,
      source, case when source <> 'manual' then e.subject_id end, r.acts_for, coalesce((e.facts ->> 'evidence')::boolean, false));
  return jsonb_build_object('kind', 'task', 'table', 'tasks', 'id', made, 'path', '/tasks/' || made::text, 'people', jsonb_build_array(person));
end $$;

-- Of whom the step means, any may say yes; who did it is not asked about it while another can be.
create function workflow.ask(run workflow.run, r public.workflow_rules, e workflow.event, step jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  able constant uuid[] := array(select h from sync.holders('workflow.approve', e.organization_id) h where sync.sees(h, e.organization_id, e.scopes));
  asked uuid[] := array(select p from workflow.people(step ->> 'to', e) p where p = any (able) and p is distinct from e.actor_id order by p limit 20);
begin
  if asked = '{}' then asked := array(select p from unnest(able) p where p is distinct from e.actor_id order by p limit 20); end if;
  if asked = '{}' and able = array[e.actor_id] and not sync.somebody_else_decides(e.organization_id, 'workflow.approve', able) then asked := able; end if;
  if asked = '{}' then raise exception 'nobody could be asked' using errcode = '23514', hint = 'nobody'; end if;
  return jsonb_build_object('kind', 'approval', 'table', 'approval_requests', 'path', '/workflows/runs/' || run.id::text, 'people', to_jsonb(asked),
    'id', sync.open_approval(e.organization_id, 'workflow.approve', 'workflow_runs', run.id, '/workflows/runs/' || run.id::text,
      -- Requests are read by everybody who may approve: a title is told only where all of them may read what it is of.
      case when exists (select from sync.holders('workflow.approve', e.organization_id) h where not sync.sees(h, e.organization_id, e.scopes))
        then r.title else e.title end,
      jsonb_build_array(jsonb_build_object('name', '', 'rule', 'any', 'people', to_jsonb(asked))), r.title));
end $$;

create function workflow.assign(e workflow.event, step jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  person constant uuid := workflow.person(step ->> 'to', case e.subject_table when 'tasks' then 'task.work' else 'action.work' end, e);
begin
  if person is null then raise exception 'nobody could be given it' using errcode = '23514', hint = 'nobody'; end if;
  if e.subject_table = 'tasks' then
    update public.tasks t set assignee_id = person where t.id = e.subject_id and t.deleted_at is null and not sync.task_ended(t.status);
  else
    update public.action_items a set assignee_id = person, status = case a.status when 'open' then 'assigned' else a.status end
      where a.id = e.subject_id and a.deleted_at is null and not inbox.action_ended(a.status);
  end if;
  return jsonb_build_object('kind', 'assign', 'path', e.path, 'people', jsonb_build_array(person));
end $$;

create function workflow.tell(run workflow.run, e workflow.event, step jsonb, n integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  people constant uuid[] := array(select p from workflow.people(step ->> 'to', e) p order by p limit 200);
begin
  perform inbox.notify(p, 'workflow.told', 'workflow/' || run.id::text || '/' || n::text, e.path,
    jsonb_build_object('title', e.title, 'text', step ->> 'text'), e.subject_id, e.organization_id) from unnest(people) p;
  return jsonb_build_object('kind', 'notify', 'people', to_jsonb(people));
end $$;

create function workflow.do_step(run workflow.run, r public.workflow_rules, e workflow.event, step jsonb, n integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  case step ->> 'kind'
    when 'action' then return workflow.make_action(run, r, e, step, n);
    when 'task' then return workflow.make_task(run, r, e, step, n);
    when 'approval' then return workflow.ask(run, r, e, step);
    when 'assign' then return workflow.assign(e, step);
    when 'notify' then return workflow.tell(run, e, step, n);
    when 'comment' then
      insert into public.comments (organization_id, subject_table, subject_id, body, author_id, written_at)
        values (e.organization_id, e.subject_table, e.subject_id, step ->> 'text', r.acts_for, clock_timestamp());
      return jsonb_build_object('kind', 'comment', 'path', e.path);
    when 'label' then
      update public.tasks t set labels = t.labels || jsonb_build_array(step ->> 'text')
        where t.id = e.subject_id and t.deleted_at is null and not t.labels ? (step ->> 'text') and jsonb_array_length(t.labels) < 20;
      return jsonb_build_object('kind', 'label', 'path', e.path);
  end case;
end $$;

-- Does the steps that are left, up to one that asks somebody. Whatever is made meanwhile is known as this rule's.
create function workflow.do_steps(p_run uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  run workflow.run;
  r public.workflow_rules;
  e workflow.event;
  said jsonb;
  n integer;
begin
  select * into strict run from workflow.run x where x.id = p_run;
  select * into strict r from public.workflow_rules x where x.id = run.rule_id;
  select * into strict e from workflow.event x where x.id = run.event_id;
  perform set_config('workflow.acting', r.id::text, true);
  run.outcome := 'fired';
  for n in run.next_step .. jsonb_array_length(run.steps) - 1 loop
    said := workflow.do_step(run, r, e, run.steps -> n, n);
    run.done := run.done || jsonb_build_array(said);
    run.next_step := n + 1;
    if said ->> 'kind' = 'approval' then run.outcome := 'waiting'; exit; end if;
  end loop;
  perform set_config('workflow.acting', '', true);
  update workflow.run x set outcome = run.outcome, done = run.done, next_step = run.next_step where x.id = run.id;
  perform audit.note(run.organization_id, 'workflow.' || run.outcome, 'workflow_rules', run.rule_id,
    jsonb_build_object('run_id', run.id, 'steps', run.next_step));
end $$;

-- The same, where a step that cannot be done undoes all of it and is written down, and only that.
create function workflow.try_steps(p_run uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  word text;
begin
  perform workflow.do_steps(p_run);
exception
  when serialization_failure or deadlock_detected or lock_not_available or query_canceled then raise;
  when others then
    get stacked diagnostics word = pg_exception_hint;
    update workflow.run x set outcome = 'failed', error = coalesce(nullif(word, ''), sqlstate) where x.id = p_run;
end $$;

create function workflow.apply(r public.workflow_rules, e workflow.event) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  word constant text := workflow.verdict(r, e);
  made uuid;
begin
  insert into workflow.run (organization_id, rule_id, event_id, outcome, checks, steps)
    values (e.organization_id, r.id, e.id, case word when 'fires' then 'fired' else word end, workflow.checks(r.conditions, e.facts),
      case word when 'fires' then r.steps else '[]' end)
    on conflict (rule_id, event_id) do nothing returning id into made;
  if made is not null and word = 'fires' then perform workflow.try_steps(made); end if;
end $$;

-- By the clock, in portions: goes on with what was approved, then takes what happened, in its order. Of two servers each takes what
-- the other has not; what a server does not finish was never begun.
create function workflow.sweep(p_limit integer default 100) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  run workflow.run;
  r public.workflow_rules;
  e workflow.event;
  done integer := 0;
begin
  for run in select * from workflow.run x where x.outcome = 'approved' limit p_limit for update skip locked loop
    select * into r from public.workflow_rules x where x.id = run.rule_id;
    select * into e from workflow.event x where x.id = run.event_id;
    if not r.is_on or not workflow.may_act(r.acts_for, e) then
      update workflow.run x set outcome = 'failed', error = case when r.is_on then 'right' else 'off' end where x.id = run.id;
    else
      perform workflow.try_steps(run.id);
    end if;
    done := done + 1;
  end loop;
  for e in select * from workflow.event x where x.handled_at is null order by x.id limit p_limit for update skip locked loop
    for r in select * from public.workflow_rules x where x.organization_id = e.organization_id and x.trigger = e.kind and x.is_on
      and x.deleted_at is null and x.on_since <= e.at order by x.created_at, x.id loop
      perform workflow.apply(r, e);
    end loop;
    update workflow.event x set handled_at = clock_timestamp() where x.id = e.id;
    done := done + 1;
  end loop;
  return done;
end $$;

-- Events of 40 days, 500 runs of a rule; what waits for a decision stays.
create function workflow.tidy(p_now timestamptz default now(), p_limit integer default 5000) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  gone integer;
begin
  delete from workflow.run x where x.id in (select n.id from (
    select q.id, row_number() over (partition by q.rule_id order by q.at desc) as place from workflow.run q where q.outcome not in ('waiting', 'approved')) n
    where n.place > 500 limit p_limit);
  delete from workflow.event x where x.id in (select e.id from workflow.event e where e.at < p_now - interval '40 days' and e.handled_at is not null
    and not exists (select from workflow.run q where q.event_id = e.id and q.outcome in ('waiting', 'approved')) limit p_limit);
  get diagnostics gone = row_count;
  return gone;
end $$;

alter table approval_requests drop constraint approval_requests_subject_table_check;
alter table approval_requests add constraint approval_requests_subject_table_check
  check (subject_table in ('policy_versions', 'action_items', 'workflow_runs'));

create or replace function sync.approval_ended(r public.approval_requests) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if r.subject_table = 'policy_versions' then perform sync.policy_approval_ended(r); end if;
  if r.subject_table = 'action_items' then perform sync.risk_approval_ended(r); end if;
  -- Its steps are done by the clock, with the rule's rights and not with those of whoever said yes.
  if r.subject_table = 'workflow_runs' then
    update workflow.run x set outcome = case r.state when 'approved' then 'approved' else 'refused' end where x.id = r.subject_id and x.outcome = 'waiting';
  end if;
end $$;

-- As before; about what a workflow asks, whoever did what it is about is as who wrote a text.
create or replace function sync.authors_of(p_table text, p_subject uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select a.user_id from sync.policy_author a where p_table = 'policy_versions' and a.version_id = p_subject
  union all
  select e.actor_id from workflow.run x join workflow.event e on e.id = x.event_id
    where p_table = 'workflow_runs' and x.id = p_subject and e.actor_id is not null
$$;

-- As before; nobody (a workflow asked, no person) is no author.
create or replace function sync.somebody_else_decides(p_organization uuid, p_permission text, p_authors uuid[]) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from sync.holders(p_permission, p_organization) h where h <> all (array_remove(p_authors, null)))
$$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('workflow.told', 'workflows', 'normal', null, 'immediate', 'immediate', 'daily');

create function workflow.need_manager(p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or not sync.may('workflow.manage', p_organization) then
    raise exception 'this needs workflow.manage in that organisation' using errcode = '42501';
  end if;
end $$;

-- What a rule would have done about the last 31 days, of what the caller may see: {"since", "events", "fires", "list": the latest 100,
-- each {"at", "title", "path", "verdict", "checks"}}.
create function simulate_workflow(p_organization uuid, p_rule jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  r public.workflow_rules;
begin
  perform workflow.need_manager(p_organization);
  if jsonb_typeof(p_rule) is distinct from 'object' or jsonb_typeof(p_rule -> 'conditions') is distinct from 'array'
    or jsonb_typeof(p_rule -> 'steps') is distinct from 'array' or coalesce(p_rule ->> 'matching', '') not in ('all', 'any')
    or pg_column_size(p_rule) > 60000 or workflow.rule_fault(p_rule ->> 'trigger', p_rule -> 'conditions', p_rule -> 'steps') is not null then
    raise exception 'this is no rule' using errcode = '22023', hint = 'rule';
  end if;
  r.organization_id := p_organization;
  r.trigger := p_rule ->> 'trigger';
  r.matching := p_rule ->> 'matching';
  r.conditions := p_rule -> 'conditions';
  r.steps := p_rule -> 'steps';
  r.acts_for := auth.uid();
  return (
    with seen as (
      select x.*, workflow.verdict(r, x) as verdict from workflow.event x
      where x.organization_id = p_organization and x.kind = r.trigger and x.at > now() - interval '31 days' and workflow.may_act(auth.uid(), x)
      order by x.id desc limit 5000
    )
    select jsonb_build_object('since', now() - interval '31 days', 'events', count(*), 'fires', count(*) filter (where s.verdict = 'fires'),
      'list', coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'at', l.at, 'title', l.title, 'path', l.path, 'verdict', l.verdict,
        'checks', workflow.checks(r.conditions, l.facts)) order by l.id desc) from (select * from seen order by id desc limit 100) l), '[]'))
    from seen s);
end $$;

create function workflow.told(x workflow.run, e workflow.event) returns jsonb
  language sql stable security definer set search_path = '' return jsonb_build_object('id', x.id, 'at', x.at, 'outcome', x.outcome, 'checks', x.checks,
    'done', x.done, 'steps', jsonb_array_length(x.steps), 'error', x.error, 'title', e.title, 'path', e.path, 'happened_at', e.at);

-- What a rule did and did not do, the latest first: a list of {"id", "at", "outcome", "checks", "done", "steps", "error", "title", "path",
-- "happened_at"}.
create function read_workflow_runs(p_rule uuid, p_before timestamptz default null, p_limit integer default 50) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  r public.workflow_rules;
begin
  select * into r from public.workflow_rules x where x.id = p_rule;
  -- One that a device made and has not sent yet has done nothing.
  if not found then return '[]'; end if;
  perform workflow.need_manager(r.organization_id);
  return coalesce((select jsonb_agg(workflow.told(l.x, l.e) order by (l.x).at desc) from (
    select x, e from workflow.run x join workflow.event e on e.id = x.event_id
    where x.rule_id = p_rule and (p_before is null or x.at < p_before) and workflow.may_act(auth.uid(), e)
    order by x.at desc limit least(greatest(coalesce(p_limit, 50), 1), 200)) l), '[]');
end $$;

-- One run, for whoever is asked about it: as above, and the rule's title.
create function read_workflow_run(p_run uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  x workflow.run;
  e workflow.event;
begin
  select * into x from workflow.run q where q.id = p_run;
  select * into e from workflow.event q where q.id = x.event_id;
  if auth.uid() is null or x.id is null or not (sync.may('workflow.approve', x.organization_id) or sync.may('workflow.manage', x.organization_id))
    or not sync.sees(auth.uid(), e.organization_id, e.scopes) then
    raise exception 'no such run' using errcode = '42501';
  end if;
  return workflow.told(x, e) || jsonb_build_object('rule', (select r.title from public.workflow_rules r where r.id = x.rule_id));
end $$;

revoke execute on all functions in schema workflow from public;
revoke execute on function simulate_workflow(uuid, jsonb), read_workflow_runs(uuid, timestamptz, integer), read_workflow_run(uuid)
  from public, anon, authenticated;
grant execute on function simulate_workflow(uuid, jsonb), read_workflow_runs(uuid, timestamptz, integer), read_workflow_run(uuid) to authenticated;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-workflows', '* * * * *', 'select workflow.note_overdue(), workflow.sweep()') $cron$;
    execute $cron$ select cron.schedule('cairn-workflows-tidy', '47 * * * *', 'select workflow.tidy()') $cron$;
  end if;
end $$;
