-- What somebody decided on stays as they saw it: the inspection, its photos, the files a decision names
-- (docs/decisions/0360-what-was-decided-stays.md). What an answer or a record named before the decision may still arrive.

create index evidence_files on evidence using gin (media_ids) where media_ids <> '[]';
create index tasks_files on tasks using gin (media_ids) where media_ids <> '[]';
create index action_items_files on action_items using gin (media_ids) where media_ids <> '[]';
create index issue_reports_files on issue_reports using gin (media_ids) where media_ids <> '[]';
create index inspection_answers_files on inspection_answers using gin (media_ids) where media_ids <> '[]';

-- Whether somebody's word on a record rests on this file: accepted evidence, an ended task or action item, a report as it was made.
create function sync.is_file_bound(p_organization uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? p_file::text
      and e.organization_id = p_organization and e.state not in ('collected', 'sent_back') and e.deleted_at is null)
  or exists (select from public.tasks t where t.media_ids <> '[]' and t.media_ids ? p_file::text
      and t.organization_id = p_organization and sync.task_ended(t.status) and t.deleted_at is null)
  or exists (select from public.action_items a where a.media_ids <> '[]' and a.media_ids ? p_file::text
      and a.organization_id = p_organization and inbox.action_ended(a.status) and a.deleted_at is null)
  or exists (select from public.issue_reports r where r.media_ids <> '[]' and r.media_ids ? p_file::text
      and r.organization_id = p_organization and r.deleted_at is null);

create function sync.is_inspection_decided(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.inspections i where i.id = p_inspection and sync.is_decided(i.status));

-- A photo whose answer came before the decision, and named it: whoever decided knew that it was on its way.
create function sync.is_file_awaited(p_inspection uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.inspection_answers a
    where a.inspection_id = p_inspection and a.deleted_at is null and (a.media_ids ? p_file::text or a.voice_ids ? p_file::text));

create function sync.guard_decided_file() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  -- What the server says of a file itself.
  own constant text[] := array['state', 'completed_at', 'version', 'updated_at', 'scopes'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'INSERT' then
    if new.inspection_id is not null and sync.is_inspection_decided(new.inspection_id) then
      if not sync.is_file_awaited(new.inspection_id, new.id) then
        raise exception 'the inspection is decided' using errcode = '42501';
      end if;
      perform audit.note(new.organization_id, 'inspection.file_late', 'inspections', new.inspection_id, jsonb_build_object('sha256', new.sha256));
    end if;
    if exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? new.id::text
        and e.organization_id = new.organization_id and e.state not in ('collected', 'sent_back')) then
      raise exception 'what was decided on stays as it is' using errcode = '42501';
    end if;
    return new;
  end if;
  if to_jsonb(new) - own is not distinct from to_jsonb(old) - own then return new; end if;
  if sync.is_inspection_decided(old.inspection_id) or sync.is_inspection_decided(new.inspection_id) then
    raise exception 'the inspection is decided' using errcode = '42501';
  end if;
  if sync.is_file_bound(old.organization_id, old.id) then
    raise exception 'what was decided on stays as it is' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_decided before insert or update on media for each row execute function sync.guard_decided_file();

-- A device's time brought between the earliest it can be and the server's now (0261). Without a device's time: now.
create function sync.clamped(p_at timestamptz, p_earliest timestamptz) returns timestamptz
  language sql stable return least(greatest(coalesce(p_at, now()), p_earliest), now());

-- Everything but the state and what the server says itself; the older guard names a part of it. Its removal is a reviewer's, and
-- is noted (z_audit_removal).
create function sync.guard_decided_inspection() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  own constant text[] := array['status', 'received_at', 'round', 'reviewed_by', 'deleted_at', 'version', 'updated_at', 'scopes', 'missed_at'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  -- When it was decided is said with the decision. Kept rather than refused: the rest of a late review is a conflict to choose in.
  if new.status = old.status or new.status not in ('has_issues', 'approved', 'rejected') then
    new.reviewed_at := old.reviewed_at;
  else
    new.reviewed_at := sync.clamped(new.reviewed_at, old.finished_at);
  end if;
  -- Whose account ended is not followed by whoever closes it (guard_inspection names the caller where nobody is named).
  if sync.is_decided(old.status) and old.conducted_by is null then new.conducted_by := null; end if;
  if sync.is_decided(old.status) and to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'a decided inspection stays as it was signed' using errcode = '42501';
  end if;
  if new.due_at is distinct from old.due_at and not sync.may('inspection.assign', old.organization_id) then
    raise exception 'when it is due says who plans' using errcode = '42501';
  end if;
  return new;
end $$;

create trigger d_decided before update on inspections for each row execute function sync.guard_decided_inspection();

revoke execute on function sync.is_file_bound(uuid, uuid), sync.is_inspection_decided(uuid), sync.is_file_awaited(uuid, uuid),
  sync.guard_decided_file(), sync.guard_decided_inspection(), sync.clamped(timestamptz, timestamptz) from public;
