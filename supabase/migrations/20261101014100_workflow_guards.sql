-- Workflow rules and their runs: guards and what else triggers do, and who sees and writes which rows.

create function workflow.guard_rule() returns trigger
  language plpgsql security definer set search_path = '' as $$
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
end $$;
create trigger c_guard before insert or update on workflow_rules for each row execute function workflow.guard_rule();

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
      left join workflow.created_record m on m.tbl = 'action_items' and m.id = a.id
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
      left join workflow.created_record m on m.tbl = 'tasks' and m.id = t.id
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
create function workflow.on_notified() returns trigger
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
  when (new.type in ('policy.overdue', 'evidence.expiring')) execute function workflow.on_notified();

-- Triggers whose functions stand with another area.

-- No delete policy: clients set deleted_at so that other devices hear about it.
create trigger a0_require_push before insert on workflow_rules for each statement execute function sync.require_push();
create trigger b_creator before insert or update on workflow_rules for each row execute function space.set_creator();
create trigger b_fixed_organization before update on workflow_rules for each row execute function space.refuse_organization_change();
create trigger z_audit after insert or update on workflow_rules for each row execute function audit.note_workflow();

-- Who may call what.
revoke execute on function workflow.guard_rule(), workflow.answer_moved(), workflow.inspection_moved(), workflow.actions_added(),
  workflow.action_moved(), workflow.tasks_added(), workflow.task_moved(), workflow.report_moved(), workflow.policy_moved(), workflow.on_notified() from public;

-- Who sees and writes which rows.

grant insert, update on workflow_rules to authenticated;
create policy "scope reads" on workflow_rules for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on workflow_rules for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('workflow.manage')));
create policy "managers change" on workflow_rules for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('workflow.manage')));

alter table workflow.turn enable row level security;
