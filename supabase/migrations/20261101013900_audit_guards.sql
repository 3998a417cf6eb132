-- The audit log: guards and what else triggers do.

-- No write: triggers note acts, the commit links them; nobody changes or removes an entry.
create function audit.refuse_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- With its company, and no other way.
  if tg_op = 'DELETE' then
    if not exists (select from public.organizations o where o.id = old.organization_id) then return old; end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = '42501', detail = 'CN403';
end $$;
create trigger a_only_added_to before update or delete on audit_entries for each row execute function audit.refuse_change();
create trigger a_only_added_to before update or delete on audit_heads for each row execute function audit.refuse_change();
create trigger a_not_emptied before truncate on audit_entries for each statement execute function audit.refuse_change();
create trigger a_not_emptied before truncate on audit_heads for each statement execute function audit.refuse_change();

-- A membership that is alive for the length of an acceptance is neither added nor removed.
-- Also whether somebody is limited to their sites.
create function audit.note_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_there constant boolean := tg_op <> 'DELETE' and new.deleted_at is null;
  was_there constant boolean := tg_op <> 'INSERT' and old.deleted_at is null;
begin
  if review_queue.accepted_by() is not null then return null; end if;
  if is_there and not was_there then
    perform audit.note(new.organization_id, 'member.added', 'people', new.user_id, jsonb_build_object('role', new.role, 'until', new.valid_until));
  elsif was_there and not is_there then
    perform audit.note(old.organization_id, 'member.removed', 'people', old.user_id, jsonb_build_object('role', old.role));
  elsif is_there then
    if new.role <> old.role then
      perform audit.note(new.organization_id, 'member.role_changed', 'people', new.user_id, jsonb_build_object('from', old.role, 'to', new.role));
    end if;
    if new.site_limited is distinct from old.site_limited then
      perform audit.note(new.organization_id, 'member.sites_changed', 'people', new.user_id, jsonb_build_object('limited', new.site_limited));
    end if;
    if new.valid_until is distinct from old.valid_until then
      perform audit.note(new.organization_id, 'member.time_changed', 'people', new.user_id,
        jsonb_build_object('from', old.valid_until, 'to', new.valid_until));
    end if;
  end if;
  return null;
end $$;
create trigger z_audit after insert or update or delete on organization_members for each row execute function audit.note_member();

create function audit.note_place() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_there constant boolean := tg_op <> 'DELETE' and new.deleted_at is null;
  was_there constant boolean := tg_op <> 'INSERT' and old.deleted_at is null;
begin
  if is_there and not was_there then
    perform audit.note(new.organization_id, 'site.member_added', 'people', new.user_id, jsonb_build_object('site_id', new.site_id));
  elsif was_there and not is_there then
    perform audit.note(old.organization_id, 'site.member_removed', 'people', old.user_id, jsonb_build_object('site_id', old.site_id));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update or delete on site_members for each row execute function audit.note_place();

-- Which settings changed, by name.
create function audit.note_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fields jsonb;
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.id, 'organization.founded', 'organizations', new.id);
    return null;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then perform audit.note(new.id, 'organization.closed', 'organizations', new.id); end if;
  select jsonb_agg(n.key order by n.key) into fields from jsonb_each(to_jsonb(new)) n
    where n.value is distinct from to_jsonb(old) -> n.key and n.key not in ('version', 'updated_at', 'deleted_at', 'scopes');
  if fields is not null then
    perform audit.note(new.id, 'organization.changed', 'organizations', new.id, jsonb_build_object('fields', fields));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on organizations for each row execute function audit.note_organization();

-- What is different beside the text of a policy in force, by name.
create function audit.note_policy() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  fields jsonb;
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'policy.created', 'policies', new.id);
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'policy.removed', 'policies', new.id);
  else
    if new.state <> old.state and 'archived' in (new.state, old.state) then
      perform audit.note(new.organization_id, case new.state when 'archived' then 'policy.archived' else 'policy.restored' end, 'policies', new.id);
    end if;
    if new.owner_id is distinct from old.owner_id then
      perform audit.note(new.organization_id, 'policy.owner_changed', 'policies', new.id, jsonb_build_object('from', old.owner_id, 'to', new.owner_id));
    end if;
    select jsonb_agg(n.key order by n.key) into fields from jsonb_each(to_jsonb(new)) n
      where n.value is distinct from to_jsonb(old) -> n.key and n.key in ('summary', 'code', 'classification', 'review_by', 'review_months');
    if fields is not null and old.state = 'published' then
      perform audit.note(new.organization_id, 'policy.changed', 'policies', new.id, jsonb_build_object('fields', fields));
    end if;
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on policies for each row execute function audit.note_policy();

create function audit.note_policy_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'policy.' || new.state, 'policies', new.policy_id,
    jsonb_build_object('version_id', new.id, 'from', old.state, 'version', new.major::text || '.' || new.minor::text, 'content_hash', new.content_hash));
  return null;
end $$;
-- The moves of a whole policy are told by the policy.
create trigger z_audit after update on policy_versions for each row
  when (new.state <> old.state and 'archived' not in (new.state, old.state)) execute function audit.note_policy_version();

create function audit.note_approval() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'approval_decisions' then
    perform audit.note(new.organization_id, 'approval.decided', 'approval_requests', new.request_id, jsonb_build_object('decision', new.decision,
      'stage', new.stage, 'approver_id', new.approver_id, 'delegation_id', new.delegation_id));
  elsif tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'approval.requested', 'approval_requests', new.id,
      jsonb_build_object('of', new.subject_table, 'subject_id', new.subject_id, 'stages', jsonb_array_length(new.stages)));
  elsif new.state <> old.state then
    perform audit.note(new.organization_id, 'approval.ended', 'approval_requests', new.id, jsonb_build_object('state', new.state));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on approval_requests for each row execute function audit.note_approval();
create trigger a_audit after insert on approval_decisions for each row execute function audit.note_approval();

-- Each change of its time is an entry.
create function audit.note_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'delegation.made', 'approval_delegations', new.id,
      jsonb_build_object('from_id', new.from_id, 'to_id', new.to_id, 'starts_at', new.starts_at, 'ends_at', new.ends_at));
    return null;
  end if;
  if old.revoked_at is null and new.revoked_at is not null or old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'delegation.revoked', 'approval_delegations', new.id);
  elsif (new.revoked_at, new.deleted_at) is distinct from (old.revoked_at, old.deleted_at) then
    perform audit.note(new.organization_id, 'delegation.restored', 'approval_delegations', new.id);
  end if;
  if (new.starts_at, new.ends_at) is distinct from (old.starts_at, old.ends_at) then
    perform audit.note(new.organization_id, 'delegation.time_changed', 'approval_delegations', new.id, jsonb_build_object(
      'starts_at', new.starts_at, 'ends_at', new.ends_at, 'from', jsonb_build_object('starts_at', old.starts_at, 'ends_at', old.ends_at)));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on approval_delegations for each row execute function audit.note_delegation();

-- Its removal, and another time to acknowledge.
-- What is asked of the quiz.
create function audit.note_campaign() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'campaign.started', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'audience', new.audience ->> 'kind', 'due_days', new.due_days,
        'quiz_required', new.quiz_required, 'quiz_right', new.quiz_right));
    return null;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'campaign.removed', 'policies', new.policy_id, jsonb_build_object('campaign_id', new.id));
  end if;
  if new.due_days is distinct from old.due_days then
    perform audit.note(new.organization_id, 'campaign.changed', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'from', old.due_days, 'to', new.due_days));
  end if;
  if (new.quiz_required, new.quiz_right) is distinct from (old.quiz_required, old.quiz_right) then
    perform audit.note(new.organization_id, 'campaign.quiz_changed', 'policies', new.policy_id, jsonb_build_object('campaign_id', new.id,
      'quiz_required', new.quiz_required, 'quiz_right', new.quiz_right,
      'from', jsonb_build_object('quiz_required', old.quiz_required, 'quiz_right', old.quiz_right)));
  end if;
  if new.state <> old.state then
    perform audit.note(new.organization_id, case new.state when 'ended' then 'campaign.ended' else 'campaign.started' end, 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on acknowledgement_campaigns for each row execute function audit.note_campaign();

-- A word at a kiosk names its witness and how it was shown whose it is.
-- The log says who set the PIN that a word rests on.
create function audit.note_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state then return null; end if;
  end if;
  perform audit.note(new.organization_id, 'acknowledgement.' || new.state, 'policy_acknowledgements', new.id,
    jsonb_build_object('user_id', new.user_id, 'version_id', new.version_id, 'content_hash', new.content_hash, 'method', new.method,
      'witness_id', new.witness_id, 'proof', new.proof)
      -- Whoever set a PIN knows it: a word by a PIN that its witness set is as good as the witness, and the log tells which one it was.
      || coalesce((select jsonb_build_object('pin_set_by', k.set_by, 'pin_set_at', k.set_at) from kiosk.pin k
        where new.proof = 'pin' and k.organization_id = new.organization_id and k.user_id = new.user_id), '{}'));
  return null;
end $$;
create trigger z_audit after insert or update on policy_acknowledgements for each row
  when (new.state <> 'opened') execute function audit.note_acknowledgement();

create function audit.note_review() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'inspection.' || new.status, 'inspections', new.id, jsonb_build_object('from', old.status, 'round', new.round));
  return null;
end $$;
create trigger z_audit after update on inspections for each row
  when (new.status <> old.status and new.status in ('has_issues', 'approved', 'rejected', 'closed')) execute function audit.note_review();

create function audit.note_form_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'form.published', 'forms', new.form_id, jsonb_build_object('number', new.number));
  return null;
end $$;
create trigger z_audit after insert on form_versions for each row execute function audit.note_form_version();

create function audit.note_support_read() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'support.read', 'support_reads', new.id,
    jsonb_build_object('table', new.tbl, 'rows', cardinality(new.row_ids)));
  return null;
end $$;
create trigger z_audit after insert on support_reads for each row when (new.organization_id is not null) execute function audit.note_support_read();

-- One that works again, with another link.
create function audit.note_invitation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'invitation.made', tg_table_name, new.id,
      jsonb_build_object('role', to_jsonb(new) -> 'role', 'expires_at', new.expires_at));
  elsif old.revoked_at is null and new.revoked_at is not null then
    perform audit.note(new.organization_id, 'invitation.revoked', tg_table_name, new.id);
  elsif new.expires_at > old.expires_at then
    perform audit.note(new.organization_id, 'invitation.renewed', tg_table_name, new.id, jsonb_build_object('expires_at', new.expires_at));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on organization_invitations for each row execute function audit.note_invitation();
create trigger z_audit after insert or update on partner_links for each row execute function audit.note_invitation();

-- One word for all that was decided together.
-- The entry says who had brought it.
create function audit.note_orphaned_edit() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(d.organization_id, 'orphaned_edits.' || d.state, 'people', d.user_id,
    jsonb_build_object('entries', d.entries, 'submitted_by', d.submitted_by)) from (
    select n.organization_id, n.user_id, n.state, n.submitted_by, count(*) as entries
    from new_rows n join old_rows o on o.user_id = n.user_id and o.mid = n.mid
    where n.state <> o.state group by 1, 2, 3, 4) d;
  return null;
end $$;
create trigger z_audit after update on sync.orphaned_edit referencing old table as old_rows new table as new_rows
  for each statement execute function audit.note_orphaned_edit();

-- The log keeps which files a decision was about, by their hashes.
create function audit.note_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  hashes jsonb;
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state then return null; end if;
  end if;
  select jsonb_agg(m.sha256 order by m.sha256) into hashes from public.media m
    where m.organization_id = new.organization_id and new.media_ids ? m.id::text;
  perform audit.note(new.organization_id, 'evidence.' || new.state, 'evidence', new.id,
    jsonb_build_object('revision', new.revision, 'files', jsonb_array_length(new.media_ids), 'sha256', hashes));
  return null;
end $$;
create trigger z_audit after insert or update on evidence for each row execute function audit.note_evidence();

create function audit.note_framework() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'control_links' then
    perform audit.note(new.organization_id, case when new.deleted_at is null then 'control.linked' else 'control.unlinked' end, 'controls', new.control_id,
      jsonb_build_object('table', new.target_table, 'target_id', new.target_id));
  elsif tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'framework.added', 'frameworks', new.id);
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'framework.removed', 'frameworks', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on frameworks for each row execute function audit.note_framework();
create trigger z_audit after insert or update on control_links for each row execute function audit.note_framework();

-- The removal of a record, with the state it was removed in.
create function audit.note_removal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, tg_argv[0], tg_table_name, new.id,
    jsonb_build_object('status', coalesce(to_jsonb(old) -> 'status', to_jsonb(old) -> 'state')));
  return null;
end $$;
create trigger z_audit_removal after update on inspections for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.status in ('has_issues', 'approved', 'rejected', 'closed'))
  execute function audit.note_removal('inspection.removed');
create trigger z_audit_removal_finished after update on inspections for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.status = 'finalised')
  execute function audit.note_removal('inspection.finished_removed');
-- What nobody decided on yet may still be taken away by who reviews; their own is its maker's.
create trigger z_audit_removal after update on public.evidence for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.created_by is distinct from auth.uid())
  execute function audit.note_removal('evidence.removed');
create trigger z_audit_removal after update on action_items for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.status in ('closed', 'risk_accepted', 'duplicate', 'not_valid'))
  execute function audit.note_removal('action.removed');
create trigger z_audit_removal after update on tasks for each row
  when (old.deleted_at is null and new.deleted_at is not null
    and (old.status in ('done', 'not_applicable', 'cancelled') or old.reviewer_id is not null and old.status <> 'todo'))
  execute function audit.note_removal('task.removed');
create trigger z_audit_removal after update on forms for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit.note_removal('form.removed');
create trigger z_audit_removal after update on sites for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit.note_removal('site.removed');
create trigger z_audit_removal after update on issue_reports for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit.note_removal('report.removed');

create function audit.note_site_name() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'site.renamed', 'sites', new.id);
  return null;
end $$;
create trigger z_audit_name after update on sites for each row when (old.name <> new.name) execute function audit.note_site_name();

create function audit.note_playbook_role() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'playbook.role_changed', 'people', new.user_id,
    jsonb_build_object('playbook_id', new.playbook_id, 'from', case when tg_op = 'UPDATE' then old.role end, 'to', new.role));
  return null;
end $$;
create trigger z_audit after update on playbook_members for each row when (old.role <> new.role) execute function audit.note_playbook_role();
-- Whoever makes a playbook has it; that is no change of a role.
create trigger z_audit_made after insert on playbook_members for each row
  when (new.role <> 'member' and new.user_id is distinct from auth.uid()) execute function audit.note_playbook_role();

create function audit.note_report_code() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'report_code.made', 'report_codes', new.id, jsonb_build_object('site_id', new.site_id, 'asset_id', new.asset_id));
  elsif old.revoked_at is null and new.revoked_at is not null then
    perform audit.note(new.organization_id, 'report_code.revoked', 'report_codes', new.id);
  elsif new.rotated_at <> old.rotated_at then
    perform audit.note(new.organization_id, 'report_code.renewed', 'report_codes', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on report_codes for each row execute function audit.note_report_code();

create function audit.note_report() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, 'report.' || new.status, 'issue_reports', new.id, jsonb_build_object('from', old.status));
  return null;
end $$;
create trigger z_audit after update on issue_reports for each row when (new.status <> old.status) execute function audit.note_report();

create function audit.note_poam() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'poam.added', 'poams', new.id,
      jsonb_build_object('sha256', encode(sha256(convert_to(new.document, 'UTF8')), 'hex')));
  elsif old.state <> new.state then
    perform audit.note(new.organization_id, 'poam.' || new.state, 'poams', new.id);
  end if;
  if tg_op = 'UPDATE' and old.document is distinct from new.document then
    perform audit.note(new.organization_id, 'poam.changed', 'poams', new.id,
      jsonb_build_object('sha256', encode(sha256(convert_to(new.document, 'UTF8')), 'hex')));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on poams for each row execute function audit.note_poam();

create function audit.note_finding() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or old.state <> new.state then
    perform audit.note(new.organization_id, 'finding.' || new.state, 'findings', new.id,
      jsonb_build_object('severity', new.severity, 'table', new.subject_table, 'target_id', new.subject_id));
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'finding.removed', 'findings', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on findings for each row execute function audit.note_finding();

create function audit.note_workflow() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'workflow.made', 'workflow_rules', new.id, jsonb_build_object('trigger', new.trigger));
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'workflow.removed', 'workflow_rules', new.id);
  elsif (new.title, new.trigger, new.matching, new.conditions, new.steps) is distinct from (old.title, old.trigger, old.matching, old.conditions, old.steps) then
    perform audit.note(new.organization_id, 'workflow.changed', 'workflow_rules', new.id, jsonb_build_object('trigger', new.trigger));
  end if;
  if new.is_on and (tg_op = 'INSERT' or not old.is_on) or tg_op = 'UPDATE' and old.is_on and not new.is_on then
    perform audit.note(new.organization_id, case when new.is_on then 'workflow.switched_on' else 'workflow.switched_off' end, 'workflow_rules', new.id);
  end if;
  return null;
end $$;

-- What is set here stands in whatever is published next.
create function audit.note_policy_variable() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(new.organization_id, case when new.deleted_at is null then 'policy.variable_set' else 'policy.variable_removed' end,
    'policy_variables', new.id, jsonb_build_object('key', new.key));
  return null;
end $$;
create trigger z_audit after insert on policy_variables for each row execute function audit.note_policy_variable();
create trigger z_audit_update after update on policy_variables for each row
  when ((old.value, old.deleted_at) is distinct from (new.value, new.deleted_at)) execute function audit.note_policy_variable();

-- Who took an asset out of service, and who released it, with the action item and how it ended.
create function audit.note_service() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  holds constant boolean := action.holds_asset(new);
  held constant boolean := tg_op = 'UPDATE' and action.holds_asset(case when tg_op = 'UPDATE' then old else new end);
begin
  if held and (not holds or new.asset_id is distinct from old.asset_id) and not exists (select from public.action_items a
      where a.asset_id = old.asset_id and a.id <> old.id and action.holds_asset(a)) then
    perform audit.note(old.organization_id, 'asset.released', 'assets', old.asset_id,
      jsonb_build_object('action_id', old.id, 'status', new.status, 'priority', nullif(new.priority, old.priority), 'removed', nullif(new.deleted_at is not null, false)));
  end if;
  if holds and (not held or new.asset_id is distinct from old.asset_id) and not exists (select from public.action_items a
      where a.asset_id = new.asset_id and a.id <> new.id and action.holds_asset(a)) then
    perform audit.note(new.organization_id, 'asset.out_of_service', 'assets', new.asset_id, jsonb_build_object('action_id', new.id, 'inspection_id',
      case when new.source_type = 'inspection' then new.source_id end));
  end if;
  return null;
end $$;
create trigger z_audit_service after insert or update on action_items for each row execute function audit.note_service();

-- What decided evidence is linked to is part of what it proves: the audit log says who linked or unlinked it.
create function audit.note_evidence_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  was_there constant boolean := tg_op = 'UPDATE' and old.deleted_at is null;
  is_there constant boolean := new.deleted_at is null;
begin
  if was_there = is_there or not exists (select from public.evidence e
    where e.id = new.evidence_id and e.state not in ('collected', 'sent_back')) then return null; end if;
  perform audit.note(new.organization_id, case when is_there then 'evidence.linked' else 'evidence.unlinked' end, 'evidence', new.evidence_id,
    jsonb_build_object('table', new.target_table, 'id', new.target_id));
  return null;
end $$;
create trigger z_audit after insert or update on public.evidence_links for each row execute function audit.note_evidence_link();

-- Who may call what.
revoke execute on function audit.refuse_change(), audit.note_member(), audit.note_place(), audit.note_organization(), audit.note_policy(),
  audit.note_policy_version(), audit.note_approval(), audit.note_delegation(), audit.note_campaign(), audit.note_acknowledgement(),
  audit.note_review(), audit.note_form_version(), audit.note_support_read(), audit.note_invitation(), audit.note_orphaned_edit(), audit.note_evidence(),
  audit.note_framework(), audit.note_removal(), audit.note_site_name(), audit.note_playbook_role(), audit.note_report_code(), audit.note_report(),
  audit.note_poam(), audit.note_finding(), audit.note_workflow(), audit.note_policy_variable(), audit.note_service(), audit.note_evidence_link() from public;
