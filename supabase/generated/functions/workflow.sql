-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema workflow as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION workflow.acting()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('workflow.acting'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION workflow.action_facts(p_row jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN jsonb_strip_nulls(jsonb_build_object('priority', (p_row -> 'priority'::text), 'site', (p_row -> 'site_id'::text), 'asset', (p_row -> 'asset_id'::text), 'title', (p_row -> 'title'::text), 'evidence', (p_row -> 'evidence_required'::text)));

CREATE OR REPLACE FUNCTION workflow.action_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform workflow.note_action(new, 'action.done', 'action/' || new.id::text || '/done/' || new.version::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.actions_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    select a.organization_id, 'action.created', 'action/' || a.id::text || '/created', 'action_items', a.id, a.site_id, a.playbook_id, a.scopes,
      coalesce((select auth.uid()), a.created_by), coalesce(a.assignee_id, a.created_by), left(a.title, 300), '/action-items/' || a.id::text,
      workflow.action_facts(to_jsonb(a)), coalesce((select workflow.acting()), m.rule_id)
    from added a
      join public.organizations o on o.id = a.organization_id and o.kind = 'company'
      left join workflow.created_record m on m.tbl = 'action_items' and m.id = a.id
    where a.deleted_at is null and a.status in ('open', 'assigned', 'in_progress')
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.answer_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  i public.inspections;
begin
  select * into i from public.inspections x where x.id = new.inspection_id;
  if i.received_at is not null and i.deleted_at is null and coalesce(i.finished_at, now()) > now() - interval '30 days' then
    perform workflow.note_answer(new, i);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.apply(r workflow_rules, e workflow.event)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  word constant text := workflow.verdict(r, e);
  made uuid;
begin
  insert into workflow.run (organization_id, rule_id, event_id, outcome, checks, steps, acts_for, title)
    values (e.organization_id, r.id, e.id, case word when 'fires' then 'fired' else word end, workflow.checks(r.conditions, e.facts),
      case word when 'fires' then r.steps else '[]' end, r.acts_for, r.title)
    on conflict (rule_id, event_id) do nothing returning id into made;
  if made is not null and word = 'fires' then perform workflow.run_steps_atomically(made); end if;
end $function$;

CREATE OR REPLACE FUNCTION workflow.assign(r workflow_rules, e workflow.event, step jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.checks(p_conditions jsonb, p_facts jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN COALESCE((SELECT jsonb_agg(workflow.holds(x.c, checks.p_facts) ORDER BY x.n) AS jsonb_agg FROM jsonb_array_elements(checks.p_conditions) WITH ORDINALITY x(c, n)), '[]'::jsonb);

CREATE OR REPLACE FUNCTION workflow.creates_records(p_steps jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN workflow.has_step(p_steps, VARIADIC ARRAY['action'::text, 'task'::text, 'approval'::text]);

CREATE OR REPLACE FUNCTION workflow.do_step(run workflow.run, r workflow_rules, e workflow.event, step jsonb, n integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.do_steps(p_run uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.fits(p_field text, p_op text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(CASE p_field WHEN 'priority'::text THEN (p_op = ANY (ARRAY['is'::text, 'is_not'::text, 'at_least'::text])) WHEN 'severity'::text THEN (p_op = ANY (ARRAY['is'::text, 'is_not'::text, 'at_least'::text])) WHEN 'site'::text THEN (p_op = ANY (ARRAY['is'::text, 'is_not'::text])) WHEN 'asset'::text THEN (p_op = ANY (ARRAY['is'::text, 'is_not'::text])) WHEN 'form'::text THEN (p_op = ANY (ARRAY['is'::text, 'is_not'::text])) WHEN 'category'::text THEN (p_op = ANY (ARRAY['is'::text, 'is_not'::text])) WHEN 'result'::text THEN (p_op = 'is'::text) WHEN 'critical'::text THEN (p_op = 'is'::text) WHEN 'title'::text THEN (p_op = 'contains'::text) WHEN 'label'::text THEN (p_op = ANY (ARRAY['has'::text, 'has_not'::text])) ELSE NULL::boolean END, false);

CREATE OR REPLACE FUNCTION workflow.guard_rule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  o public.organizations;
  fault constant text := workflow.rule_fault(new.trigger, new.conditions, new.steps);
begin
  if access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of what is there
  select * into o from public.organizations x where x.id = new.organization_id;
  if o.kind is distinct from 'company' then
    raise exception 'workflows belong to companies' using errcode = '42501', hint = 'company', detail = 'CN407';
  end if;
  if fault is not null then raise exception 'this is no rule' using errcode = '23514', hint = fault, detail = 'CN408'; end if;
  if tg_op = 'INSERT' and auth.uid() is not null then
    -- One after another, so that two at once do not both fit.
    perform from public.organizations x where x.id = new.organization_id for no key update;
    if (select count(*) from public.workflow_rules r where r.organization_id = new.organization_id and r.deleted_at is null) >= 50 then
      raise exception 'at most 50 rules' using errcode = '23514', hint = 'many', detail = 'CN409';
    end if;
  end if;
  if new.deleted_at is not null then new.is_on := false; end if;
  -- Approvals belong to the enterprise plan (R6.27).
  if new.is_on and o.plan <> 'enterprise' and workflow.has_step(new.steps, 'approval') then
    raise exception 'approvals belong to the enterprise plan' using errcode = '42501', hint = 'plan', detail = 'CN410';
  end if;
  if tg_op = 'UPDATE' and new.title is distinct from old.title
      and (new.trigger, new.matching, new.conditions, new.steps, new.is_on) is not distinct from (old.trigger, old.matching, old.conditions, old.steps, old.is_on) then
    new.acts_for := coalesce(auth.uid(), new.acts_for, new.created_by);
    new.on_since := old.on_since;
  elsif tg_op = 'INSERT' or (new.trigger, new.matching, new.conditions, new.steps, new.is_on)
      is distinct from (old.trigger, old.matching, old.conditions, old.steps, old.is_on) then
    new.acts_for := coalesce(auth.uid(), new.acts_for, new.created_by);
    new.on_since := case when new.is_on then clock_timestamp() end;
  else
    new.acts_for := case when new.acts_for is null then null else old.acts_for end;   -- null: their account is gone
    new.on_since := old.on_since;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION workflow.had_turn(p_organization uuid, p_kind text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into workflow.turn as t (organization_id, kind, served_at) values (p_organization, p_kind, clock_timestamp())
    on conflict (organization_id, kind) do update set served_at = excluded.served_at
$function$;

CREATE OR REPLACE FUNCTION workflow.has_step(p_steps jsonb, VARIADIC p_kinds text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (EXISTS (SELECT FROM jsonb_array_elements(has_step.p_steps) s(value) WHERE ((s.value ->> 'kind'::text) = ANY (has_step.p_kinds))));

CREATE OR REPLACE FUNCTION workflow.holds(p_condition jsonb, p_facts jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN (workflow.fits((p_condition ->> 'field'::text), (p_condition ->> 'op'::text)) AND COALESCE(CASE (p_condition ->> 'op'::text) WHEN 'is'::text THEN ((p_facts ->> (p_condition ->> 'field'::text)) = (p_condition ->> 'value'::text)) WHEN 'is_not'::text THEN ((p_facts ->> (p_condition ->> 'field'::text)) IS DISTINCT FROM (p_condition ->> 'value'::text)) WHEN 'at_least'::text THEN (workflow.rank_of((p_facts ->> (p_condition ->> 'field'::text))) >= workflow.rank_of((p_condition ->> 'value'::text))) WHEN 'contains'::text THEN (POSITION(((p_condition ->> 'value'::text)) IN ((p_facts ->> (p_condition ->> 'field'::text)))) > 0) WHEN 'has'::text THEN ((jsonb_typeof((p_facts -> 'labels'::text)) = 'array'::text) AND ((p_facts -> 'labels'::text) ? (p_condition ->> 'value'::text))) WHEN 'has_not'::text THEN (NOT COALESCE(((jsonb_typeof((p_facts -> 'labels'::text)) = 'array'::text) AND ((p_facts -> 'labels'::text) ? (p_condition ->> 'value'::text))), false)) ELSE NULL::boolean END, false));

CREATE OR REPLACE FUNCTION workflow.inspection_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.is_days(p_value jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(((jsonb_typeof(p_value) = 'number'::text) AND ((p_value #>> '{}'::text[]) ~ '^[0-9]{1,3}$'::text) AND (((p_value #>> '{}'::text[]))::integer <= 365)), false);

CREATE OR REPLACE FUNCTION workflow.is_step(p_step jsonb, p_subject text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.is_target(p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(((p_to = ANY (ARRAY['responsible'::text, 'role:admin'::text, 'role:manager'::text, 'role:member'::text, 'role:auditor'::text])) OR (p_to ~ '^person:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text)), false);

CREATE OR REPLACE FUNCTION workflow.is_text(p_value jsonb, p_most integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(((jsonb_typeof(p_value) = 'string'::text) AND (btrim((p_value #>> '{}'::text[])) <> ''::text) AND (char_length((p_value #>> '{}'::text[])) <= p_most)), false);

CREATE OR REPLACE FUNCTION workflow.localized_text(p_words jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(p_words) WHEN 'string'::text THEN (p_words #>> '{}'::text[]) WHEN 'object'::text THEN (SELECT COALESCE((p_words ->> 'en'::text), (SELECT jsonb_each_text.value FROM jsonb_each_text(localized_text.p_words) jsonb_each_text(key, value) ORDER BY jsonb_each_text.key LIMIT 1)) AS "coalesce") ELSE NULL::text END;

CREATE OR REPLACE FUNCTION workflow.make_action(run workflow.run, r workflow_rules, e workflow.event, step jsonb, n integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.make_task(run workflow.run, r workflow_rules, e workflow.event, step jsonb, n integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.matches(p_matching text, p_checks jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_checks = '[]'::jsonb) THEN true WHEN (p_matching = 'any'::text) THEN (p_checks @> 'true'::jsonb) ELSE (NOT (p_checks @> 'false'::jsonb)) END;

CREATE OR REPLACE FUNCTION workflow.may_act(p_person uuid, e workflow.event)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN COALESCE(((p_person IN (SELECT inbox.people_with('workflow.manage'::text, (e).organization_id, (e).site_id) AS people_with)) AND access.user_sees_scopes(p_person, (e).organization_id, (e).scopes)), false);

CREATE OR REPLACE FUNCTION workflow.note(p_kind text, p_key text, p_table text, p_row jsonb, p_title text, p_path text, p_facts jsonb, p_actor uuid, p_responsible uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.organizations o where o.id = (p_row ->> 'organization_id')::uuid and o.kind = 'company') then return; end if;
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    values ((p_row ->> 'organization_id')::uuid, p_kind, p_key, p_table, (p_row ->> 'id')::uuid, (p_row ->> 'site_id')::uuid,
      (p_row ->> 'playbook_id')::uuid, array(select jsonb_array_elements_text(p_row -> 'scopes')), p_actor, p_responsible, left(p_title, 300), p_path,
      jsonb_strip_nulls(p_facts),
      coalesce(workflow.acting(), (select m.rule_id from workflow.created_record m where m.tbl = p_table and m.id = (p_row ->> 'id')::uuid)))
    on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION workflow.note_action(a action_items, p_kind text, p_key text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select workflow.note(p_kind, p_key, 'action_items', to_jsonb(a), a.title, '/action-items/' || a.id::text, workflow.action_facts(to_jsonb(a)),
    coalesce(auth.uid(), a.created_by), coalesce(a.assignee_id, a.created_by))
$function$;

CREATE OR REPLACE FUNCTION workflow.note_answer(a inspection_answers, i inspections)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.note_overdue(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 500)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.note_task(t tasks, p_kind text, p_key text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select workflow.note(p_kind, p_key, 'tasks', to_jsonb(t), t.title, '/tasks/' || t.id::text, workflow.task_facts(to_jsonb(t)),
    coalesce(auth.uid(), t.created_by), coalesce(t.assignee_id, t.created_by))
$function$;

CREATE OR REPLACE FUNCTION workflow.notification_of_run(x workflow.run, e workflow.event)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN jsonb_build_object('id', (x).id, 'at', workflow.ran_at(x, e), 'outcome', (x).outcome, 'checks', (x).checks, 'done', (x).done, 'steps', jsonb_array_length((x).steps), 'error', (x).error, 'title', (e).title, 'path', (e).path, 'happened_at', workflow.told_at(e));

CREATE OR REPLACE FUNCTION workflow.notify_step(run workflow.run, e workflow.event, step jsonb, n integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  people constant uuid[] := array(select p from workflow.people(step ->> 'to', e) p order by p limit 200);
begin
  perform inbox.notify(p, 'workflow.told', 'workflow/' || run.id::text || '/' || n::text, e.path,
    jsonb_build_object('title', e.title, 'text', step ->> 'text'), e.subject_id, e.organization_id) from unnest(people) p;
  return jsonb_build_object('kind', 'notify', 'people', to_jsonb(people));
end $function$;

CREATE OR REPLACE FUNCTION workflow.on_notified()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.type = 'policy.overdue' then
    perform workflow.note('acknowledgement.overdue', new.key || '/' || new.user_id::text, 'policies', to_jsonb(p), p.title, new.path,
      jsonb_build_object('title', p.title), new.user_id, new.user_id) from public.policies p where p.id = new.subject_id;
  else
    perform workflow.note('evidence.expiring', new.key, 'evidence', to_jsonb(e), e.title, new.path,
      jsonb_build_object('title', e.title, 'evidence', true), null, coalesce(e.owner_id, e.created_by)) from public.evidence e where e.id = new.subject_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.people(p_to text, e workflow.event)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id from public.organization_members m
  where m.organization_id = e.organization_id and access.is_member(m.organization_id, m.user_id) and access.user_sees_scopes(m.user_id, e.organization_id, e.scopes)
    and case when p_to = 'responsible' then m.user_id = e.responsible_id
      when p_to like 'role:%' then m.role = substr(p_to, 6) else m.user_id::text = substr(p_to, 8) end
$function$;

CREATE OR REPLACE FUNCTION workflow.person(p_to text, p_permission text, e workflow.event)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p from workflow.people(p_to, e) p where p in (select inbox.people_with(p_permission, e.organization_id, e.site_id))
  order by (select count(*) from public.action_items a where a.assignee_id = p and a.deleted_at is null and not inbox.action_ended(a.status))
    + (select count(*) from public.tasks t where t.assignee_id = p and t.deleted_at is null and not task.task_ended(t.status)), p limit 1
$function$;

CREATE OR REPLACE FUNCTION workflow.policy_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform workflow.note('policy.published', 'policy/' || new.id::text || '/published', 'policies', to_jsonb(p), new.title, '/policies/' || p.id::text,
    jsonb_build_object('title', new.title), auth.uid(), p.owner_id) from public.policies p where p.id = new.policy_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.question_at(p_definition jsonb, p_path text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.ran_at(x workflow.run, e workflow.event)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE WHEN (workflow.told_at(e) IS DISTINCT FROM (e).at) THEN date_trunc('day'::text, (x).at, 'UTC'::text) ELSE (x).at END;

CREATE OR REPLACE FUNCTION workflow.rank_of(p_word text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_word WHEN 'none'::text THEN 0 WHEN 'low'::text THEN 1 WHEN 'medium'::text THEN 2 WHEN 'high'::text THEN 3 WHEN 'urgent'::text THEN 4 WHEN 'critical'::text THEN 4 ELSE NULL::integer END;

CREATE OR REPLACE FUNCTION workflow.report_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform workflow.note('issue.reported', 'report/' || new.id::text, 'issue_reports', to_jsonb(new), new.title, '/field/reports/' || new.id::text,
    jsonb_build_object('severity', new.severity, 'category', new.category, 'site', new.site_id, 'asset', new.asset_id, 'title', new.title),
    new.reported_by, new.reported_by);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.request_approval(run workflow.run, r workflow_rules, e workflow.event, step jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.require_manager(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or p_organization is null or not access.may('workflow.manage', p_organization) then
    raise exception 'this needs workflow.manage in that organisation' using errcode = '42501', detail = 'CN226';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION workflow.require_permission(p_person uuid, p_permission text, e workflow.event)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_person not in (select inbox.people_with(p_permission, e.organization_id, e.site_id)) then
    raise exception 'who answers for the rule lacks %', p_permission using errcode = '42501', hint = 'right', detail = 'CN223';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION workflow.rule_fault(p_trigger text, p_conditions jsonb, p_steps jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN CASE WHEN (workflow.subject_of(p_trigger) IS NULL) THEN 'trigger'::text WHEN (jsonb_typeof(p_conditions) IS DISTINCT FROM 'array'::text) THEN 'condition'::text WHEN (jsonb_typeof(p_steps) IS DISTINCT FROM 'array'::text) THEN 'step'::text WHEN ((jsonb_array_length(p_conditions) > 10) OR (EXISTS (SELECT FROM jsonb_array_elements(rule_fault.p_conditions) c(value) WHERE ((jsonb_typeof(c.value) <> 'object'::text) OR (NOT workflow.fits((c.value ->> 'field'::text), (c.value ->> 'op'::text))) OR (NOT workflow.is_text((c.value -> 'value'::text), 200)))))) THEN 'condition'::text WHEN (((jsonb_array_length(p_steps) < 1) OR (jsonb_array_length(p_steps) > 6)) OR (EXISTS (SELECT FROM jsonb_array_elements(rule_fault.p_steps) s(value) WHERE (NOT workflow.is_step(s.value, workflow.subject_of(rule_fault.p_trigger)))))) THEN 'step'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION workflow.run_steps_atomically(p_run uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  word text;
begin
  perform workflow.do_steps(p_run);
exception
  when serialization_failure or deadlock_detected or lock_not_available or query_canceled then raise;
  when others then
    get stacked diagnostics word = pg_exception_hint;
    update workflow.run x set outcome = 'failed', error = coalesce(nullif(word, ''), sqlstate) where x.id = p_run;
end $function$;

CREATE OR REPLACE FUNCTION workflow.source_of(e workflow.event)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE (e).subject_table WHEN 'inspections'::text THEN 'inspection'::text WHEN 'issue_reports'::text THEN 'issue_report'::text WHEN 'policies'::text THEN 'policy'::text WHEN 'action_items'::text THEN 'action_item'::text ELSE 'manual'::text END;

CREATE OR REPLACE FUNCTION workflow.subject_of(p_trigger text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_trigger WHEN 'inspection.finalised'::text THEN 'inspections'::text WHEN 'inspection.item_failed'::text THEN 'inspections'::text WHEN 'action.created'::text THEN 'action_items'::text WHEN 'action.overdue'::text THEN 'action_items'::text WHEN 'action.done'::text THEN 'action_items'::text WHEN 'task.created'::text THEN 'tasks'::text WHEN 'task.overdue'::text THEN 'tasks'::text WHEN 'task.done'::text THEN 'tasks'::text WHEN 'issue.reported'::text THEN 'issue_reports'::text WHEN 'policy.published'::text THEN 'policies'::text WHEN 'acknowledgement.overdue'::text THEN 'policies'::text WHEN 'evidence.expiring'::text THEN 'evidence'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION workflow.sweep(p_limit integer DEFAULT 100)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.take_event(p_organization uuid, p_upto bigint, p_ends timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.take_run(p_organization uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.task_facts(p_row jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN jsonb_strip_nulls(jsonb_build_object('priority', (p_row -> 'priority'::text), 'site', (p_row -> 'site_id'::text), 'labels', (p_row -> 'labels'::text), 'title', (p_row -> 'title'::text), 'evidence', (p_row -> 'evidence_required'::text), 'signature', ((p_row ->> 'reviewer_id'::text) IS NOT NULL)));

CREATE OR REPLACE FUNCTION workflow.task_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform workflow.note_task(new, 'task.done', 'task/' || new.id::text || '/done/' || new.version::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.tasks_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    select t.organization_id, 'task.created', 'task/' || t.id::text || '/created', 'tasks', t.id, t.site_id, t.playbook_id, t.scopes,
      coalesce((select auth.uid()), t.created_by), coalesce(t.assignee_id, t.created_by), left(t.title, 300), '/tasks/' || t.id::text,
      workflow.task_facts(to_jsonb(t)), coalesce((select workflow.acting()), m.rule_id)
    from added t
      join public.organizations o on o.id = t.organization_id and o.kind = 'company'
      left join workflow.created_record m on m.tbl = 'tasks' and m.id = t.id
    where t.deleted_at is null and t.series_id is null and t.status in ('todo', 'in_progress', 'blocked')
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION workflow.tidy(p_now timestamp with time zone DEFAULT now(), p_limit integer DEFAULT 5000)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION workflow.told_at(e workflow.event)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE WHEN (((e).actor_id IS NULL) AND ((e).subject_table = 'issue_reports'::text) AND (EXISTS (SELECT FROM issue_reports r WHERE ((r.id = (told_at.e).subject_id) AND r.is_anonymous)))) THEN date_trunc('day'::text, (e).at, 'UTC'::text) ELSE (e).at END;

CREATE OR REPLACE FUNCTION workflow.verdict(r workflow_rules, e workflow.event)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE WHEN (NOT workflow.matches((r).matching, workflow.checks((r).conditions, (e).facts))) THEN 'conditions'::text WHEN (((e).made_by IS NOT NULL) AND workflow.creates_records((r).steps)) THEN 'made'::text WHEN (NOT workflow.may_act((r).acts_for, e)) THEN 'right'::text WHEN (workflow.has_step((r).steps, VARIADIC ARRAY['approval'::text]) AND (SELECT (o.plan <> 'enterprise'::text) FROM organizations o WHERE (o.id = (verdict.e).organization_id))) THEN 'plan'::text ELSE 'fires'::text END;

CREATE OR REPLACE FUNCTION workflow.waiting(p_kind text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;
