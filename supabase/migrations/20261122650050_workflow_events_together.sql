-- What is made together is noted together: a push brings hundreds of action items at once, and a call for each was a sixth of its time.

-- The facts are those of workflow.note_action.
create function workflow.actions_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    select a.organization_id, 'action.created', 'action/' || a.id::text || '/created', 'action_items', a.id, a.site_id,
      (to_jsonb(a) ->> 'playbook_id')::uuid, a.scopes, coalesce((select auth.uid()), a.created_by), coalesce(a.assignee_id, a.created_by),
      left(a.title, 300), '/action-items/' || a.id::text,
      jsonb_strip_nulls(jsonb_build_object('priority', a.priority, 'site', a.site_id, 'asset', a.asset_id, 'title', a.title,
        'evidence', a.evidence_required)),
      coalesce((select workflow.acting()), m.rule_id)
    from added a
      join public.organizations o on o.id = a.organization_id and o.kind = 'company'
      left join workflow.made m on m.tbl = 'action_items' and m.id = a.id
    where a.deleted_at is null and a.status in ('open', 'assigned', 'in_progress')
    on conflict do nothing;
  return null;
end $$;
drop trigger x_workflow_insert on action_items;
create trigger x_workflow_insert after insert on action_items referencing new table as added
  for each statement execute function workflow.actions_added();

-- The facts are those of workflow.note_task. What a series plans a year ahead was made by no one; each of it can be late and done.
create function workflow.tasks_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, playbook_id, scopes, actor_id, responsible_id,
      title, path, facts, made_by)
    select t.organization_id, 'task.created', 'task/' || t.id::text || '/created', 'tasks', t.id, t.site_id,
      (to_jsonb(t) ->> 'playbook_id')::uuid, t.scopes, coalesce((select auth.uid()), t.created_by), coalesce(t.assignee_id, t.created_by),
      left(t.title, 300), '/tasks/' || t.id::text,
      jsonb_strip_nulls(jsonb_build_object('priority', t.priority, 'site', t.site_id, 'labels', t.labels, 'title', t.title,
        'evidence', t.evidence_required, 'signature', t.reviewer_id is not null)),
      coalesce((select workflow.acting()), m.rule_id)
    from added t
      join public.organizations o on o.id = t.organization_id and o.kind = 'company'
      left join workflow.made m on m.tbl = 'tasks' and m.id = t.id
    where t.deleted_at is null and t.series_id is null and t.status in ('todo', 'in_progress', 'blocked')
    on conflict do nothing;
  return null;
end $$;
drop trigger x_workflow_insert on tasks;
create trigger x_workflow_insert after insert on tasks referencing new table as added
  for each statement execute function workflow.tasks_added();

-- Left to what ends: one at a time, as people do it.
create or replace function workflow.action_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform workflow.note_action(new, 'action.done', 'action/' || new.id::text || '/done/' || new.version::text);
  return null;
end $$;
create or replace function workflow.task_moved() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform workflow.note_task(new, 'task.done', 'task/' || new.id::text || '/done/' || new.version::text);
  return null;
end $$;

revoke execute on function workflow.actions_added(), workflow.tasks_added() from public;
