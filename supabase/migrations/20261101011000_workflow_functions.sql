-- Workflow rules and their runs: functions.

set local check_function_bodies = off;   -- what they call may be made later

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
      coalesce(workflow.acting(), (select m.rule_id from workflow.created_record m where m.tbl = p_table and m.id = (p_row ->> 'id')::uuid)))
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
create function workflow.localized_text(p_words jsonb) returns text
  language sql immutable parallel safe return case jsonb_typeof(p_words) when 'string' then p_words #>> '{}'
    when 'object' then (select coalesce(p_words ->> 'en', (select value from jsonb_each_text(p_words) order by key limit 1))) end;

-- Failing a critical question makes a critical action item, whatever priority its author wrote.
create function workflow.note_answer(a public.inspection_answers, i public.inspections) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  q jsonb;
  is_critical boolean;
begin
  select workflow.question_at(v.definition, a.question) into q from public.form_versions v where v.id = i.form_version_id;
  is_critical := coalesce((q -> 'scoring' ->> 'critical')::boolean, false);
  perform workflow.note('inspection.item_failed', 'answer/' || a.id::text, 'inspections', to_jsonb(i),
    i.title || ': ' || coalesce(workflow.localized_text(q -> 'on_fail' -> 'title'), workflow.localized_text(q -> 'label'), a.question), '/field/' || i.id::text,
    jsonb_build_object('critical', case when is_critical then 'yes' else 'no' end,
      'priority', case when is_critical then 'critical' else coalesce(q -> 'on_fail' ->> 'priority', 'medium') end, 'site', i.site_id, 'asset', i.asset_id, 'form', i.form_id,
      'title', coalesce(workflow.localized_text(q -> 'on_fail' -> 'title'), workflow.localized_text(q -> 'label'), a.question), 'question', a.question,
      'evidence', q -> 'on_fail' ->> 'photo' = 'required', 'signature', i.signature is not null), i.conducted_by, i.conducted_by);
end $$;

-- Of a row as JSON: the rows of a statement have no type of their own.
create function workflow.action_facts(p_row jsonb) returns jsonb
  language sql immutable parallel safe return jsonb_strip_nulls(jsonb_build_object('priority', p_row -> 'priority', 'site', p_row -> 'site_id',
    'asset', p_row -> 'asset_id', 'title', p_row -> 'title', 'evidence', p_row -> 'evidence_required'));

create function workflow.note_action(a public.action_items, p_kind text, p_key text) returns void
  language sql volatile security definer set search_path = '' as $$
  select workflow.note(p_kind, p_key, 'action_items', to_jsonb(a), a.title, '/action-items/' || a.id::text, workflow.action_facts(to_jsonb(a)),
    coalesce(auth.uid(), a.created_by), coalesce(a.assignee_id, a.created_by))
$$;

create function workflow.task_facts(p_row jsonb) returns jsonb
  language sql immutable parallel safe return jsonb_strip_nulls(jsonb_build_object('priority', p_row -> 'priority', 'site', p_row -> 'site_id',
    'labels', p_row -> 'labels', 'title', p_row -> 'title', 'evidence', p_row -> 'evidence_required',
    'signature', p_row ->> 'reviewer_id' is not null));

create function workflow.note_task(t public.tasks, p_kind text, p_key text) returns void
  language sql volatile security definer set search_path = '' as $$
  select workflow.note(p_kind, p_key, 'tasks', to_jsonb(t), t.title, '/tasks/' || t.id::text, workflow.task_facts(to_jsonb(t)),
    coalesce(auth.uid(), t.created_by), coalesce(t.assignee_id, t.created_by))
$$;

-- By the clock, in portions: what is late. Also where nobody has it, and nobody is told.
-- By organisations in turn, 50 at once.
create function workflow.note_overdue(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  o uuid;
  a public.action_items;
  t public.tasks;
  done integer := 0;
  taken integer := 0;
  before integer;
  ends timestamptz;                                    -- from the first company on: looking for them may take longer than a round has
begin
  -- One server at a time.
  if not pg_try_advisory_xact_lock(hashtextextended('workflow/overdue', 0)) then return 0; end if;
  loop
    before := taken;
    for o in
      select c.id from public.organizations c left join workflow.turn x on x.organization_id = c.id and x.kind = 'action'
      where c.kind = 'company' and exists (select from public.action_items i where i.organization_id = c.id and i.deleted_at is null
        and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid') and i.due_at > p_now - interval '7 days' and i.due_at <= p_now)
      order by x.served_at nulls first, c.id
    loop
      exit when taken >= p_limit or clock_timestamp() > ends;
      ends := coalesce(ends, inbox.sweep_deadline());
      for a in
        select i.* from public.action_items i
        where i.organization_id = o and i.deleted_at is null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
          -- Not what has long been late: a first run would flood.
          and i.due_at > p_now - interval '7 days' and i.due_at <= p_now and not exists (select from workflow.event e
            where e.organization_id = i.organization_id and e.key = 'action/' || i.id::text || '/overdue/' || extract(epoch from i.due_at)::text)
        order by i.due_at limit least(50, p_limit - taken)
      loop
        perform workflow.note_action(a, 'action.overdue', 'action/' || a.id::text || '/overdue/' || extract(epoch from a.due_at)::text);
        taken := taken + 1;
        exit when clock_timestamp() > ends;
      end loop;
      perform workflow.had_turn(o, 'action');
    end loop;
    exit when taken = before or taken >= p_limit or clock_timestamp() > ends;
  end loop;
  done := taken;
  taken := 0;
  ends := null;
  loop
    before := taken;
    for o in
      select c.id from public.organizations c left join workflow.turn x on x.organization_id = c.id and x.kind = 'task'
      where c.kind = 'company' and exists (select from public.tasks i where i.organization_id = c.id and i.deleted_at is null
        and i.status not in ('done', 'not_applicable', 'cancelled') and i.due_at > p_now - interval '7 days' and i.due_at <= p_now)
      order by x.served_at nulls first, c.id
    loop
      exit when taken >= p_limit or clock_timestamp() > ends;
      ends := coalesce(ends, inbox.sweep_deadline());
      for t in
        select i.* from public.tasks i
        where i.organization_id = o and i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled')
          and i.due_at > p_now - interval '7 days' and i.due_at <= p_now and not exists (select from workflow.event e
            where e.organization_id = i.organization_id and e.key = 'task/' || i.id::text || '/overdue/' || extract(epoch from i.due_at)::text)
        order by i.due_at limit least(50, p_limit - taken)
      loop
        perform workflow.note_task(t, 'task.overdue', 'task/' || t.id::text || '/overdue/' || extract(epoch from t.due_at)::text);
        taken := taken + 1;
        exit when clock_timestamp() > ends;
      end loop;
      perform workflow.had_turn(o, 'task');
    end loop;
    exit when taken = before or taken >= p_limit or clock_timestamp() > ends;
  end loop;
  return done + taken;
end $$;

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
create function workflow.creates_records(p_steps jsonb) returns boolean
  language sql immutable parallel safe return workflow.has_step(p_steps, 'action', 'task', 'approval');

-- A rule does no more than who answers for it may: manage workflows there, and see what it is about.
create function workflow.may_act(p_person uuid, e workflow.event) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_person in (select inbox.people_with('workflow.manage', e.organization_id, e.site_id)) and access.user_sees_scopes(p_person, e.organization_id, e.scopes), false);

-- What a rule does about an event: `fires`, or why not. The simulation asks the same.
create function workflow.verdict(r public.workflow_rules, e workflow.event) returns text
  language sql stable security definer set search_path = '' return case
    when not workflow.matches(r.matching, workflow.checks(r.conditions, e.facts)) then 'conditions'
    when e.made_by is not null and workflow.creates_records(r.steps) then 'made'
    when not workflow.may_act(r.acts_for, e) then 'right'
    when workflow.has_step(r.steps, 'approval')
      and (select o.plan <> 'enterprise' from public.organizations o where o.id = e.organization_id) then 'plan'
    else 'fires' end;

-- Who is meant, of those who may read what it is about.
create function workflow.people(p_to text, e workflow.event) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = e.organization_id and access.is_member(m.organization_id, m.user_id) and access.user_sees_scopes(m.user_id, e.organization_id, e.scopes)
    and case when p_to = 'responsible' then m.user_id = e.responsible_id
      when p_to like 'role:%' then m.role = substr(p_to, 6) else m.user_id::text = substr(p_to, 8) end
$$;

-- One of them who may do such work: who has least to do.
create function workflow.person(p_to text, p_permission text, e workflow.event) returns uuid
  language sql stable security definer set search_path = '' as $$
  select p from workflow.people(p_to, e) p where p in (select inbox.people_with(p_permission, e.organization_id, e.site_id))
  order by (select count(*) from public.action_items a where a.assignee_id = p and a.deleted_at is null and not inbox.action_ended(a.status))
    + (select count(*) from public.tasks t where t.assignee_id = p and t.deleted_at is null and not task.task_ended(t.status)), p limit 1
$$;

create function workflow.require_permission(p_person uuid, p_permission text, e workflow.event) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_person not in (select inbox.people_with(p_permission, e.organization_id, e.site_id)) then
    raise exception 'who answers for the rule lacks %', p_permission using errcode = '42501', hint = 'right', detail = 'CN223';
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
  perform workflow.require_permission(r.acts_for, 'action.create', e);
  insert into workflow.created_record (tbl, id, rule_id) values ('action_items', made, r.id);
  -- Read by access.note_assignment: whoever answers for the rule named who has it, so that person may look at the other's work.
  perform set_config('sync.assigned_by', r.acts_for::text, true);
  insert into public.action_items (id, organization_id, site_id, playbook_id, title, description, status, priority, due_at, assignee_id, source_type,
      source_id, source_question, asset_id, created_by, evidence_required)
    values (made, e.organization_id, e.site_id, e.playbook_id, left(replace(step ->> 'title', '{title}', e.title), 300), r.title,
      case when person is null then 'open' else 'assigned' end, step ->> 'priority', now() + make_interval(days => (step ->> 'days')::integer), person,
      source, case when source <> 'manual' then e.subject_id end, e.facts ->> 'question', (e.facts ->> 'asset')::uuid, r.acts_for,
      coalesce((e.facts ->> 'evidence')::boolean, false));
  perform set_config('sync.assigned_by', '', true);
  return jsonb_build_object('kind', 'action', 'table', 'action_items', 'id', made, 'path', '/action-items/' || made::text, 'people', jsonb_build_array(person));
end $$;

create function workflow.make_task(run workflow.run, r public.workflow_rules, e workflow.event, step jsonb, n integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made constant uuid := extensions.uuid_generate_v5(run.id, 'step/' || n);
  person constant uuid := workflow.person(step ->> 'to', 'task.work', e);
  source constant text := workflow.source_of(e);
begin
  perform workflow.require_permission(r.acts_for, 'task.create', e);
  insert into workflow.created_record (tbl, id, rule_id) values ('tasks', made, r.id);
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
create function workflow.request_approval(run workflow.run, r public.workflow_rules, e workflow.event, step jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  able constant uuid[] := array(select h from approval.holders('workflow.approve', e.organization_id) h where access.user_sees_scopes(h, e.organization_id, e.scopes));
  asked uuid[] := array(select p from workflow.people(step ->> 'to', e) p where p = any (able) and p is distinct from e.actor_id order by p limit 20);
begin
  if asked = '{}' then asked := array(select p from unnest(able) p where p is distinct from e.actor_id order by p limit 20); end if;
  if asked = '{}' and able = array[e.actor_id] and not approval.somebody_else_decides(e.organization_id, 'workflow.approve', able) then asked := able; end if;
  if asked = '{}' then raise exception 'nobody could be asked' using errcode = '23514', hint = 'nobody', detail = 'CN224'; end if;
  return jsonb_build_object('kind', 'approval', 'table', 'approval_requests', 'path', '/workflows/runs/' || run.id::text, 'people', to_jsonb(asked),
    'id', approval.open_approval(e.organization_id, 'workflow.approve', 'workflow_runs', run.id, '/workflows/runs/' || run.id::text,
      -- Requests are read by everybody who may approve: a title is told only where all of them may read what it is of.
      case when exists (select from approval.holders('workflow.approve', e.organization_id) h where not access.user_sees_scopes(h, e.organization_id, e.scopes))
        then r.title else e.title end,
      jsonb_build_array(jsonb_build_object('name', '', 'rule', 'any', 'people', to_jsonb(asked))), r.title));
end $$;

create function workflow.assign(r public.workflow_rules, e workflow.event, step jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  person constant uuid := workflow.person(step ->> 'to', case e.subject_table when 'tasks' then 'task.work' else 'action.work' end, e);
begin
  if person is null then raise exception 'nobody could be given it' using errcode = '23514', hint = 'nobody', detail = 'CN225'; end if;
  -- Read by access.note_assignment.
  perform set_config('sync.assigned_by', r.acts_for::text, true);
  if e.subject_table = 'tasks' then
    update public.tasks t set assignee_id = person where t.id = e.subject_id and t.deleted_at is null and not task.task_ended(t.status);
  else
    update public.action_items a set assignee_id = person, status = case a.status when 'open' then 'assigned' else a.status end
      where a.id = e.subject_id and a.deleted_at is null and not inbox.action_ended(a.status);
  end if;
  perform set_config('sync.assigned_by', '', true);
  return jsonb_build_object('kind', 'assign', 'path', e.path, 'people', jsonb_build_array(person));
end $$;

create function workflow.notify_step(run workflow.run, e workflow.event, step jsonb, n integer) returns jsonb
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
    when 'approval' then return workflow.request_approval(run, r, e, step);
    when 'assign' then return workflow.assign(r, e, step);
    when 'notify' then return workflow.notify_step(run, e, step, n);
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
  step_result jsonb;
  n integer;
begin
  select * into strict run from workflow.run x where x.id = p_run;
  select * into strict r from public.workflow_rules x where x.id = run.rule_id;
  select * into strict e from workflow.event x where x.id = run.event_id;
  r.acts_for := run.acts_for;
  r.title := run.title;
  perform set_config('workflow.acting', r.id::text, true);
  run.outcome := 'fired';
  for n in run.next_step .. jsonb_array_length(run.steps) - 1 loop
    step_result := workflow.do_step(run, r, e, run.steps -> n, n);
    run.done := run.done || jsonb_build_array(step_result);
    run.next_step := n + 1;
    if step_result ->> 'kind' = 'approval' then run.outcome := 'waiting'; exit; end if;
  end loop;
  perform set_config('workflow.acting', '', true);
  update workflow.run x set outcome = run.outcome, done = run.done, next_step = run.next_step where x.id = run.id;
  perform audit.note(run.organization_id, 'workflow.' || run.outcome, 'workflow_rules', run.rule_id,
    jsonb_build_object('run_id', run.id, 'steps', run.next_step));
end $$;

-- The same, where a step that cannot be done undoes all of it and is written down, and only that.
create function workflow.run_steps_atomically(p_run uuid) returns void
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
  insert into workflow.run (organization_id, rule_id, event_id, outcome, checks, steps, acts_for, title)
    values (e.organization_id, r.id, e.id, case word when 'fires' then 'fired' else word end, workflow.checks(r.conditions, e.facts),
      case word when 'fires' then r.steps else '[]' end, r.acts_for, r.title)
    on conflict (rule_id, event_id) do nothing returning id into made;
  if made is not null and word = 'fires' then perform workflow.run_steps_atomically(made); end if;
end $$;

-- By the clock, in portions: goes on with what was approved, then takes what happened, in its order. Of two servers each takes what
-- the other has not; what a server does not finish was never begun.
create function workflow.sweep(p_limit integer default 100) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  each_kind text;
  o uuid;
  done integer := 0;
  taken integer;
  before integer;
  ends timestamptz;
  own_ends timestamptz;
  took boolean;
  -- What follows from it is for the next round.
  upto constant bigint := (select max(x.id) from workflow.event x);
begin
  foreach each_kind in array array['run', 'event'] loop
    ends := null;                                      -- from the first one on, as in note_overdue
    taken := 0;
    loop
      before := taken;
      for o in select w from workflow.waiting(each_kind) w left join workflow.turn t on t.organization_id = w and t.kind = each_kind
        order by t.served_at nulls first, w
      loop
        exit when taken >= p_limit or clock_timestamp() > ends;
        ends := coalesce(ends, inbox.sweep_deadline());
        -- Another server has it: nobody waits for its end.
        continue when not pg_try_advisory_xact_lock(hashtextextended('workflow/' || each_kind || '/' || o::text, 0));
        own_ends := least(ends, clock_timestamp() + interval '500 milliseconds');
        if each_kind = 'run' then took := workflow.take_run(o); else took := workflow.take_event(o, upto, own_ends); end if;
        taken := taken + took::integer;
        perform workflow.had_turn(o, each_kind);
      end loop;
      exit when taken = before or taken >= p_limit or clock_timestamp() > ends;
    end loop;
    done := done + taken;
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

create function workflow.require_manager(p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or not access.may('workflow.manage', p_organization) then
    raise exception 'this needs workflow.manage in that organisation' using errcode = '42501', detail = 'CN226';
  end if;
end $$;

-- When an event was, as people are told: of a report without a name the day (UTC), as everywhere.
create function workflow.told_at(e workflow.event) returns timestamptz
  language sql stable security definer set search_path = '' return
  case when e.actor_id is null and e.subject_table = 'issue_reports'
      and exists (select from public.issue_reports r where r.id = e.subject_id and r.is_anonymous) then date_trunc('day', e.at, 'UTC')
    else e.at end;

-- What a rule would have done about the last 31 days, of what the caller may see: {"since", "events", "fires", "list": the latest 100,
-- each {"at", "title", "path", "verdict", "checks"}}.
create function simulate_workflow(p_organization uuid, p_rule jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  r public.workflow_rules;
begin
  perform workflow.require_manager(p_organization);
  if jsonb_typeof(p_rule) is distinct from 'object' or jsonb_typeof(p_rule -> 'conditions') is distinct from 'array'
    or jsonb_typeof(p_rule -> 'steps') is distinct from 'array' or coalesce(p_rule ->> 'matching', '') not in ('all', 'any')
    or pg_column_size(p_rule) > 60000 or workflow.rule_fault(p_rule ->> 'trigger', p_rule -> 'conditions', p_rule -> 'steps') is not null then
    raise exception 'this is no rule' using errcode = '22023', hint = 'rule', detail = 'CN227';
  end if;
  r.organization_id := p_organization;
  r.trigger := p_rule ->> 'trigger';
  r.matching := p_rule ->> 'matching';
  r.conditions := p_rule -> 'conditions';
  r.steps := p_rule -> 'steps';
  r.acts_for := auth.uid();
  return (
    with seen as (
      select x.*, workflow.told_at(x) as told_at, workflow.verdict(r, x) as verdict from workflow.event x
      where x.organization_id = p_organization and x.kind = r.trigger and x.at > now() - interval '31 days' and workflow.may_act(auth.uid(), x)
      order by x.id desc limit 5000
    )
    select jsonb_build_object('since', now() - interval '31 days', 'events', count(*), 'fires', count(*) filter (where s.verdict = 'fires'),
      'list', coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'at', l.told_at, 'title', l.title, 'path', l.path, 'verdict', l.verdict,
        'checks', workflow.checks(r.conditions, l.facts)) order by l.id desc) from (select * from seen order by id desc limit 100) l), '[]'))
    from seen s);
end $$;

-- When a rule ran, as people are told: as coarse as when what it ran for was, for a rule runs moments later.
create function workflow.ran_at(x workflow.run, e workflow.event) returns timestamptz
  language sql stable security definer set search_path = '' return
  case when workflow.told_at(e) is distinct from e.at then date_trunc('day', x.at, 'UTC') else x.at end;

create function workflow.notification_of_run(x workflow.run, e workflow.event) returns jsonb
  language sql stable security definer set search_path = '' return jsonb_build_object('id', x.id, 'at', workflow.ran_at(x, e), 'outcome', x.outcome, 'checks', x.checks,
    'done', x.done, 'steps', jsonb_array_length(x.steps), 'error', x.error, 'title', e.title, 'path', e.path, 'happened_at', workflow.told_at(e));

-- What a rule did and did not do, the latest first: a list of {"id", "at", "outcome", "checks", "done", "steps", "error", "title", "path",
-- "happened_at"}. Its order and its pages (behind the run p_before) go by what is told of each: neighbours, or an instant to ask with,
-- would tell the rest.
create function read_workflow_runs(p_rule uuid, p_before uuid default null, p_limit integer default 50) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  r public.workflow_rules;
begin
  select * into r from public.workflow_rules x where x.id = p_rule;
  -- One that a device made and has not sent yet has done nothing.
  if not found or auth.uid() is null or not access.may('workflow.manage', r.organization_id) then return '[]'; end if;
  return coalesce((
    with told as (
      select x, e, (x).id as id, workflow.ran_at(x, e) as at from workflow.run x join workflow.event e on e.id = x.event_id
      where x.rule_id = p_rule and workflow.may_act(auth.uid(), e)
    )
    select jsonb_agg(workflow.notification_of_run(l.x, l.e) order by l.at desc, l.id desc) from (
      select t.* from told t
      where p_before is null or (t.at, t.id) < (select b.at, b.id from told b where b.id = p_before)
      order by t.at desc, t.id desc limit least(greatest(coalesce(p_limit, 50), 1), 200)) l), '[]');
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
  if auth.uid() is null or x.id is null or not (access.may('workflow.approve', x.organization_id) or access.may('workflow.manage', x.organization_id))
    or not access.user_sees_scopes(auth.uid(), e.organization_id, e.scopes) then
    raise exception 'no such run' using errcode = '42501', detail = 'CN228';
  end if;
  return workflow.notification_of_run(x, e) || jsonb_build_object('rule', (select r.title from public.workflow_rules r where r.id = x.rule_id));
end $$;

create function workflow.had_turn(p_organization uuid, p_kind text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into workflow.turn as t (organization_id, kind, served_at) values (p_organization, p_kind, clock_timestamp())
    on conflict (organization_id, kind) do update set served_at = excluded.served_at
$$;

create function workflow.waiting(p_kind text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  o uuid;
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    if p_kind = 'run' then
      select x.organization_id into o from workflow.run x where x.outcome = 'approved' and x.organization_id > last order by x.organization_id limit 1;
    else
      select x.organization_id into o from workflow.event x where x.handled_at is null and x.organization_id > last order by x.organization_id limit 1;
    end if;
    exit when not found;
    return next o;
    last := o;
  end loop;
end $$;

-- Goes on with a run that was approved. @returns false where there is none, or another server has it
create function workflow.take_run(p_organization uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  run workflow.run;
  r public.workflow_rules;
  e workflow.event;
begin
  select x.* into run from workflow.run x where x.organization_id = p_organization and x.outcome = 'approved'
    order by x.at, x.id limit 1 for update skip locked;
  if not found then return false; end if;
  select * into r from public.workflow_rules x where x.id = run.rule_id;
  select * into e from workflow.event x where x.id = run.event_id;
  if not r.is_on or not workflow.may_act(run.acts_for, e) then
    update workflow.run x set outcome = 'failed', error = case when r.is_on then 'right' else 'off' end where x.id = run.id;
  else
    perform workflow.run_steps_atomically(run.id);
  end if;
  return true;
end $$;

-- Asks the rules about the oldest event; those that time leaves are asked in the next turn, each has its run by then.
create function workflow.take_event(p_organization uuid, p_upto bigint, p_ends timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  e workflow.event;
  r public.workflow_rules;
  asked boolean := false;
begin
  select x.* into e from workflow.event x where x.organization_id = p_organization and x.handled_at is null and x.id <= p_upto
    order by x.id limit 1 for update skip locked;
  if not found then return false; end if;
  for r in select * from public.workflow_rules x where x.organization_id = e.organization_id and x.trigger = e.kind and x.is_on
    and x.deleted_at is null and x.on_since <= e.at
    and not exists (select from workflow.run y where y.rule_id = x.id and y.event_id = e.id) order by x.created_at, x.id
  loop
    if asked and clock_timestamp() > p_ends then return true; end if;
    begin
      perform workflow.apply(r, e);
    exception
      when serialization_failure or deadlock_detected or lock_not_available or query_canceled then raise;
      when others then raise warning 'workflow: rule % could not be asked (%)', r.id, sqlstate;
    end;
    asked := true;
  end loop;
  update workflow.event x set handled_at = clock_timestamp() where x.id = e.id;
  return true;
end $$;

-- Who may call what.
revoke execute on function workflow.told_at(workflow.event), workflow.subject_of(text), workflow.fits(text, text), workflow.is_target(text), workflow.is_text(jsonb, integer),
  workflow.is_step(jsonb, text), workflow.is_days(jsonb), workflow.rule_fault(text, jsonb, jsonb), workflow.has_step(jsonb, text[]), workflow.acting(),
  workflow.note(text, text, text, jsonb, text, text, jsonb, uuid, uuid), workflow.question_at(jsonb, text), workflow.localized_text(jsonb),
  workflow.note_answer(public.inspection_answers, public.inspections), workflow.action_facts(jsonb),
  workflow.note_action(public.action_items, text, text), workflow.task_facts(jsonb), workflow.note_task(public.tasks, text, text),
  workflow.note_overdue(timestamp with time zone, integer), workflow.rank_of(text), workflow.holds(jsonb, jsonb), workflow.checks(jsonb, jsonb),
  workflow.matches(text, jsonb), workflow.creates_records(jsonb), workflow.may_act(uuid, workflow.event),
  workflow.verdict(public.workflow_rules, workflow.event), workflow.people(text, workflow.event), workflow.person(text, text, workflow.event),
  workflow.require_permission(uuid, text, workflow.event), workflow.source_of(workflow.event),
  workflow.make_action(workflow.run, public.workflow_rules, workflow.event, jsonb, integer),
  workflow.make_task(workflow.run, public.workflow_rules, workflow.event, jsonb, integer),
  workflow.request_approval(workflow.run, public.workflow_rules, workflow.event, jsonb), workflow.assign(public.workflow_rules, workflow.event, jsonb),
  workflow.notify_step(workflow.run, workflow.event, jsonb, integer), workflow.do_step(workflow.run, public.workflow_rules, workflow.event, jsonb, integer),
  workflow.do_steps(uuid), workflow.run_steps_atomically(uuid), workflow.apply(public.workflow_rules, workflow.event), workflow.sweep(integer),
  workflow.tidy(timestamp with time zone, integer), workflow.require_manager(uuid), workflow.ran_at(workflow.run, workflow.event), workflow.notification_of_run(workflow.run, workflow.event),
  workflow.had_turn(uuid, text), workflow.waiting(text), workflow.take_run(uuid), workflow.take_event(uuid, bigint, timestamp with time zone) from public;
revoke execute on function simulate_workflow(uuid, jsonb), read_workflow_runs(uuid, uuid, integer), read_workflow_run(uuid) from public, anon;
