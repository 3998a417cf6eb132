-- Which acts the audit log tells of. Each function says what an act is called and which facts go with it: states, roles,
-- numbers, hashes, days. What a person wrote stays in its own row.

create function audit.note_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_there constant boolean := tg_op <> 'DELETE' and new.deleted_at is null;
  was_there constant boolean := tg_op <> 'INSERT' and old.deleted_at is null;
begin
  if is_there and not was_there then
    perform audit.note(new.organization_id, 'member.added', 'people', new.user_id, jsonb_build_object('role', new.role, 'until', new.valid_until));
  elsif was_there and not is_there then
    perform audit.note(old.organization_id, 'member.removed', 'people', old.user_id, jsonb_build_object('role', old.role));
  elsif is_there then
    if new.role <> old.role then
      perform audit.note(new.organization_id, 'member.role_changed', 'people', new.user_id, jsonb_build_object('from', old.role, 'to', new.role));
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

create function audit.note_policy() returns trigger
  language plpgsql security definer set search_path = '' as $$
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

create function audit.note_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'delegation.made', 'approval_delegations', new.id,
      jsonb_build_object('from_id', new.from_id, 'to_id', new.to_id, 'starts_at', new.starts_at, 'ends_at', new.ends_at));
  elsif old.revoked_at is null and new.revoked_at is not null or old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'delegation.revoked', 'approval_delegations', new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on approval_delegations for each row execute function audit.note_delegation();

create function audit.note_campaign() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'campaign.started', 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id, 'audience', new.audience ->> 'kind', 'due_days', new.due_days));
  elsif new.state <> old.state then
    perform audit.note(new.organization_id, case new.state when 'ended' then 'campaign.ended' else 'campaign.started' end, 'policies', new.policy_id,
      jsonb_build_object('campaign_id', new.id));
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on acknowledgement_campaigns for each row execute function audit.note_campaign();

create function audit.note_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state then return null; end if;
  end if;
  perform audit.note(new.organization_id, 'acknowledgement.' || new.state, 'policy_acknowledgements', new.id,
    jsonb_build_object('user_id', new.user_id, 'version_id', new.version_id, 'content_hash', new.content_hash, 'method', new.method));
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

create function audit.note_invitation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'invitation.made', tg_table_name, new.id,
      jsonb_build_object('role', to_jsonb(new) -> 'role', 'expires_at', new.expires_at));
  elsif old.revoked_at is null and new.revoked_at is not null then
    perform audit.note(new.organization_id, 'invitation.revoked', tg_table_name, new.id);
  end if;
  return null;
end $$;
create trigger z_audit after insert or update on organization_invitations for each row execute function audit.note_invitation();
create trigger z_audit after insert or update on partner_links for each row execute function audit.note_invitation();

-- One word for all that was decided together.
create function audit.note_unsent() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform audit.note(d.organization_id, 'unsent.' || d.state, 'people', d.user_id, jsonb_build_object('entries', d.entries)) from (
    select n.organization_id, n.user_id, n.state, count(*) as entries from new_rows n join old_rows o on o.user_id = n.user_id and o.mid = n.mid
    where n.state <> o.state group by 1, 2, 3) d;
  return null;
end $$;
create trigger z_audit after update on sync.unsent referencing old table as old_rows new table as new_rows
  for each statement execute function audit.note_unsent();

revoke execute on all functions in schema audit from public;
