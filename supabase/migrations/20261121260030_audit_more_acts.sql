-- Further acts that matter: what was decided and then removed, places, roles in playbooks, codes, invitations made good again,
-- and what stands beside the text of a policy in force.

-- As before; what is different beside the text of a policy in force, by name.
create or replace function audit.note_policy() returns trigger
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

-- As before; and its removal, and another time to acknowledge.
create or replace function audit.note_campaign() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'campaign.started', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'audience', new.audience ->> 'kind', 'due_days', new.due_days));
    return null;
  end if;
  if old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'campaign.removed', 'policies', new.policy_id, jsonb_build_object('campaign_id', new.id));
  end if;
  if new.due_days is distinct from old.due_days then
    perform audit.note(new.organization_id, 'campaign.changed', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'from', old.due_days, 'to', new.due_days));
  end if;
  if new.state <> old.state then
    perform audit.note(new.organization_id, case new.state when 'ended' then 'campaign.ended' else 'campaign.started' end, 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id));
  end if;
  return null;
end $$;

-- As before; and one that works again, with another link.
create or replace function audit.note_invitation() returns trigger
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
create trigger z_audit_removal after update on action_items for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.status in ('closed', 'risk_accepted', 'duplicate', 'not_valid'))
  execute function audit.note_removal('action.removed');
create trigger z_audit_removal after update on forms for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit.note_removal('form.removed');
create trigger z_audit_removal after update on sites for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit.note_removal('site.removed');

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

revoke execute on all functions in schema audit from public;
