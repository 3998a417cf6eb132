-- Files: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Called by the server after it hashed the stored bytes; the device frees its copy only after this.
create function media_complete(p_id uuid, p_sha256 text, p_bytes bigint) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  f public.media;
begin
  select * into f from public.media where id = p_id for no key update;
  if not found then raise exception 'no such file' using errcode = 'P0002', detail = 'CN097'; end if;
  if f.sha256 <> lower(p_sha256) or f.bytes <> p_bytes then
    raise exception 'hash_mismatch' using errcode = 'P0001', detail = 'CN098';
  end if;
  if f.state <> 'complete' then
    update public.media set state = 'complete', completed_at = now() where id = p_id;
  end if;
  return jsonb_build_object('id', p_id, 'state', 'complete', 'sha256', f.sha256, 'bytes', f.bytes);
end $$;

-- A photo whose answer came before the decision, and named it: whoever decided knew that it was on its way.
create function file.is_file_awaited(p_inspection uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.inspection_answers a
    where a.inspection_id = p_inspection and a.deleted_at is null and (a.media_ids ? p_file::text or a.voice_ids ? p_file::text));

-- Whether a person named files on a record themselves, after it was made (of that only that they did is kept, decision 36).
create function file.named_files(p_table text, p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.activity a where a.record_id = p_id and a.tbl = p_table and a.field = 'media_ids' and a.by_id = p_person);

-- Whether somebody's word on a record rests on this file: accepted evidence, an ended task or action item, a report as it was made.
-- A word of somebody who alone names the file of another binds nothing: its author may still take it away. Words of their own do, of
-- a second person who decided, and of an inspection the file and the record both belong to.
create function file.is_file_of_acknowledgement(p_organization uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.media m where m.id = p_file and (
    exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? p_file::text
      and e.organization_id = p_organization and e.state not in ('collected', 'sent_back') and e.deleted_at is null
      and (m.captured_by is null or m.captured_by in (e.created_by, e.owner_id) or e.reviewed_by is distinct from e.created_by and e.reviewed_by is not null))
    or exists (select from public.tasks t where t.media_ids <> '[]' and t.media_ids ? p_file::text
      and t.organization_id = p_organization and task.task_ended(t.status) and t.deleted_at is null
      and (m.captured_by is null or m.captured_by in (t.created_by, t.ended_by) or file.named_files('tasks', t.id, m.captured_by)
        or t.source_type = 'inspection' and t.source_id = m.inspection_id
        or t.ended_by = t.reviewer_id and t.ended_by is distinct from t.assignee_id and t.assignee_id is not null))
    or exists (select from public.action_items a where a.media_ids <> '[]' and a.media_ids ? p_file::text
      and a.organization_id = p_organization and (inbox.action_ended(a.status) or action.was_ended(a.id)) and a.deleted_at is null
      and (m.captured_by is null or m.captured_by in (a.created_by, a.done_by, a.closed_by) or file.named_files('action_items', a.id, m.captured_by)
        or a.source_type = 'inspection' and a.source_id = m.inspection_id
        or a.closed_by is distinct from a.created_by and a.closed_by is distinct from a.done_by and a.closed_by is not null))
    or exists (select from public.issue_reports r where r.media_ids <> '[]' and r.media_ids ? p_file::text
      and r.organization_id = p_organization and r.deleted_at is null
      and (m.captured_by is null or m.captured_by = r.reported_by
        or r.decided_by is distinct from r.reported_by and r.decided_by is not null))));

create function file.is_file_bound(p_organization uuid, p_file uuid) returns boolean
  language sql stable security definer set search_path = '' return
  file.is_file_of_acknowledgement(p_organization, p_file)
  or exists (select from public.policy_versions v where v.organization_id = p_organization and v.file ->> 'id' = p_file::text
    and v.state not in ('draft', 'change_requested') and v.deleted_at is null);

-- The object that is stored for a file now; null where nothing is.
create function media_object(p_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select o.id from public.media m
  join storage.objects o on o.bucket_id = 'media' and o.name = m.organization_id::text || '/' || m.id::text
  where m.id = p_id
$$;

-- Whether this object is still what lies there for a file that is not complete, told to one caller: storage removes by name, and until
-- that one did, nobody else makes place for other bytes under it. Who was told and died is followed by another after five minutes.
-- For a file in the review queue as well, which is completed by nobody before its row is there.
create function media_may_remove(p_id uuid, p_object uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- As media_complete locks it: a file is completed before this, or not while this looks.
  perform from public.media m where m.id = p_id and m.state = 'pending' for no key update;
  if found then
    if public.media_object(p_id) is distinct from p_object then return false; end if;
  elsif exists (select from public.media m where m.id = p_id) or not exists (
    select from storage.objects o where o.id = p_object and o.bucket_id = 'media' and o.name in (
      select u.organization_id::text || '/' || p_id::text from sync.orphaned_edit u
      where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state in ('waiting', 'refused'))) then
    return false;
  end if;
  delete from sync.removal r where r.at < now() - interval '5 minutes';
  insert into sync.removal (object) values (p_object) on conflict do nothing;
  return found;
end $$;

-- Who may call what.
revoke execute on function media_complete(uuid, text, bigint), media_object(uuid), media_may_remove(uuid, uuid) from public, anon, authenticated;
revoke execute on function file.is_file_awaited(uuid, uuid), file.named_files(text, uuid, uuid), file.is_file_of_acknowledgement(uuid, uuid),
  file.is_file_bound(uuid, uuid) from public;
