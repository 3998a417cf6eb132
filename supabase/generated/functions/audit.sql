-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema audit as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION audit.append(p_organization uuid, p_xid xid8)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  c audit.chain;
  n audit.pending_entry;
  e public.audit_entries;
begin
  insert into audit.chain (organization_id) values (p_organization) on conflict do nothing;
  select * into c from audit.chain k where k.organization_id = p_organization for update;
  for n in select * from audit.pending_entry w where w.xid = p_xid and w.organization_id = p_organization order by w.n loop
    -- A clock that goes back does not make the log go back.
    e.at := greatest(clock_timestamp(), c.at);
    if (c.at at time zone 'UTC')::date < (e.at at time zone 'UTC')::date then
      insert into public.audit_heads (organization_id, day, seq, hash) values (p_organization, (c.at at time zone 'UTC')::date, c.seq, c.hash);
    end if;
    e.organization_id := p_organization;
    e.seq := c.seq + 1;
    e.prev := c.hash;
    e.actor_id := n.actor_id;
    e.act := n.act;
    e.subject_table := n.subject_table;
    e.subject_id := n.subject_id;
    e.detail := n.detail;
    e.hash := audit.hash_of(e);
    insert into public.audit_entries (organization_id, seq, at, actor_id, act, subject_table, subject_id, detail, prev, hash)
      values (e.organization_id, e.seq, e.at, e.actor_id, e.act, e.subject_table, e.subject_id, e.detail, e.prev, e.hash);
    c.seq := e.seq;
    c.hash := e.hash;
    c.at := e.at;
  end loop;
  update audit.chain k set seq = c.seq, hash = c.hash, at = c.at where k.organization_id = p_organization;
end $function$;

CREATE OR REPLACE FUNCTION audit.faults(p_organization uuid, p_known jsonb)
 RETURNS TABLE(seq bigint, kind text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with log as (
    select e.seq, e.hash, e.prev, audit.hash_of(e) as reckoned,
      lag(e.hash, 1, repeat('0', 64)) over w as before, lag(e.seq, 1, 0::bigint) over w as before_seq
    from public.audit_entries e where e.organization_id = p_organization window w as (order by e.seq)
  ), last as (select coalesce(max(l.seq), 0) as seq from log l)
  select f.seq, f.kind from (
    select l.seq, 'altered' as kind from log l where l.reckoned <> l.hash
    union all select l.before_seq + 1, 'missing' from log l where l.seq > l.before_seq + 1
    union all select l.seq, 'torn' from log l where l.seq = l.before_seq + 1 and l.prev <> l.before
    union all select z.seq + 1, 'cut' from last z, audit.chain c where c.organization_id = p_organization and c.seq > z.seq
    union all select c.seq, 'head' from audit.chain c join log l on l.seq = c.seq where c.organization_id = p_organization and c.hash <> l.hash
    union all select z.seq, 'head' from last z where z.seq > coalesce((select c.seq from audit.chain c where c.organization_id = p_organization), 0)
    union all select h.seq, case when l.seq is null then 'cut' else 'head' end
      from public.audit_heads h left join log l on l.seq = h.seq where h.organization_id = p_organization and l.hash is distinct from h.hash
    union all select k.seq, 'known' from jsonb_to_recordset(p_known) as k (seq bigint, hash text)
      left join log l on l.seq = k.seq where k.seq > 0 and l.hash is distinct from k.hash
  ) f group by f.seq, f.kind order by f.seq, f.kind limit 100
$function$;

CREATE OR REPLACE FUNCTION audit.hash_of(e audit_entries)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
RETURN encode(sha256(convert_to(concat_ws('
'::text, (e).prev, ((e).seq)::text, ((e).organization_id)::text, to_char((e).at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text), COALESCE(((e).actor_id)::text, '-'::text), (e).act, (e).subject_table, ((e).subject_id)::text, ((e).detail)::text), 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION audit.head(p_organization uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select jsonb_build_object('seq', c.seq, 'hash', c.hash, 'at', c.at) from audit.chain c where c.organization_id = p_organization),
    jsonb_build_object('seq', 0, 'hash', repeat('0', 64)))
$function$;

CREATE OR REPLACE FUNCTION audit.link(p_xid xid8)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  company uuid;
begin
  for company in select distinct w.organization_id from audit.pending_entry w where w.xid = p_xid order by 1 loop
    if exists (select from public.organizations o where o.id = company) then perform audit.append(company, p_xid); end if;
  end loop;
  delete from audit.pending_entry w where w.xid = p_xid;
end $function$;

CREATE OR REPLACE FUNCTION audit.note(p_organization uuid, p_act text, p_table text, p_subject uuid, p_detail jsonb DEFAULT '{}'::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  acceptor constant uuid := nullif(review_queue.accepted_by(), auth.uid());
begin
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then return; end if;
  insert into audit.pending_entry (xid, organization_id, actor_id, act, subject_table, subject_id, detail)
    values (pg_current_xact_id(), p_organization, auth.uid(), p_act, p_table, p_subject, jsonb_strip_nulls(p_detail)
      || jsonb_strip_nulls(jsonb_build_object('accepted_by', acceptor,
        'submitted_by', case when acceptor is not null then review_queue.submitter_of(p_organization, p_subject)
          else (select b.person from sync.submitted_record b where b.tbl = p_table and b.id = p_subject and b.involvement = 'submitted' limit 1) end)));
  insert into sync.pending (xid) values (pg_current_xact_id()) on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_acknowledgement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_approval()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_campaign()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_delegation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_evidence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_evidence_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was_there constant boolean := tg_op = 'UPDATE' and old.deleted_at is null;
  is_there constant boolean := new.deleted_at is null;
begin
  if was_there = is_there or not exists (select from public.evidence e
    where e.id = new.evidence_id and e.state not in ('collected', 'sent_back')) then return null; end if;
  perform audit.note(new.organization_id, case when is_there then 'evidence.linked' else 'evidence.unlinked' end, 'evidence', new.evidence_id,
    jsonb_build_object('table', new.target_table, 'id', new.target_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_finding()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' or old.state <> new.state then
    perform audit.note(new.organization_id, 'finding.' || new.state, 'findings', new.id,
      jsonb_build_object('severity', new.severity, 'table', new.subject_table, 'target_id', new.subject_id));
  elsif old.deleted_at is null and new.deleted_at is not null then
    perform audit.note(new.organization_id, 'finding.removed', 'findings', new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_form_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'form.published', 'forms', new.form_id, jsonb_build_object('number', new.number));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_framework()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_orphaned_edit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(d.organization_id, 'orphaned_edits.' || d.state, 'people', d.user_id,
    jsonb_build_object('entries', d.entries, 'submitted_by', d.submitted_by)) from (
    select n.organization_id, n.user_id, n.state, n.submitted_by, count(*) as entries
    from new_rows n join old_rows o on o.user_id = n.user_id and o.mid = n.mid
    where n.state <> o.state group by 1, 2, 3, 4) d;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_playbook_role()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'playbook.role_changed', 'people', new.user_id,
    jsonb_build_object('playbook_id', new.playbook_id, 'from', case when tg_op = 'UPDATE' then old.role end, 'to', new.role));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_poam()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_policy()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_policy_variable()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, case when new.deleted_at is null then 'policy.variable_set' else 'policy.variable_removed' end,
    'policy_variables', new.id, jsonb_build_object('key', new.key));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_policy_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'policy.' || new.state, 'policies', new.policy_id,
    jsonb_build_object('version_id', new.id, 'from', old.state, 'version', new.major::text || '.' || new.minor::text, 'content_hash', new.content_hash));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_removal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, tg_argv[0], tg_table_name, new.id,
    jsonb_build_object('status', coalesce(to_jsonb(old) -> 'status', to_jsonb(old) -> 'state')));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_report()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'report.' || new.status, 'issue_reports', new.id, jsonb_build_object('from', old.status));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_report_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform audit.note(new.organization_id, 'report_code.made', 'report_codes', new.id, jsonb_build_object('site_id', new.site_id, 'asset_id', new.asset_id));
  elsif old.revoked_at is null and new.revoked_at is not null then
    perform audit.note(new.organization_id, 'report_code.revoked', 'report_codes', new.id);
  elsif new.rotated_at <> old.rotated_at then
    perform audit.note(new.organization_id, 'report_code.renewed', 'report_codes', new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_review()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'inspection.' || new.status, 'inspections', new.id, jsonb_build_object('from', old.status, 'round', new.round));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_service()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.note_site_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'site.renamed', 'sites', new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_support_read()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform audit.note(new.organization_id, 'support.read', 'support_reads', new.id,
    jsonb_build_object('table', new.tbl, 'rows', cardinality(new.row_ids)));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit.note_workflow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION audit.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- With its company, and no other way.
  if tg_op = 'DELETE' then
    if not exists (select from public.organizations o where o.id = old.organization_id) then return old; end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = '42501', detail = 'CN403';
end $function$;

CREATE OR REPLACE FUNCTION audit.require_reader(p_organization uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or p_organization is null or not access.may('audit.read', p_organization) then
    raise exception 'this needs audit.read in that organisation' using errcode = '42501', detail = 'CN195';
  end if;
end $function$;
