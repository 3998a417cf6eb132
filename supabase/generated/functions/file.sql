-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema file as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION file.guard_audience()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.audience = 'policy.approve' and sync.is_device_edit() and auth.uid() is not null and not access.is_outsider(new.organization_id)
      and not access.may('policy.author', new.organization_id) then
      raise exception 'files of policies are brought by their authors' using errcode = '42501', detail = 'CN297';
    end if;
    return new;
  end if;
  if new.audience is distinct from old.audience and (sync.is_device_edit() or old.audience is distinct from 'policy.approve' or new.audience is not null) then
    raise exception 'a file keeps its audience' using errcode = '42501', detail = 'CN298';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION file.guard_decided_file()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- What the server says of a file itself.
  own constant text[] := array['state', 'completed_at', 'version', 'updated_at', 'scopes'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if tg_op = 'INSERT' then
    if new.inspection_id is not null and inspection.is_inspection_decided(new.inspection_id) then
      if not file.is_file_awaited(new.inspection_id, new.id) then
        raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265';
      end if;
      perform audit.note(new.organization_id, 'inspection.file_late', 'inspections', new.inspection_id, jsonb_build_object('sha256', new.sha256));
    end if;
    if exists (select from public.evidence e where e.media_ids <> '[]' and e.media_ids ? new.id::text
        and e.organization_id = new.organization_id and e.state not in ('collected', 'sent_back')) then
      raise exception 'what was decided on stays as it is' using errcode = '42501', detail = 'CN300';
    end if;
    return new;
  end if;
  if to_jsonb(new) - own is not distinct from to_jsonb(old) - own then return new; end if;
  if inspection.is_inspection_decided(old.inspection_id) or inspection.is_inspection_decided(new.inspection_id) then
    raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265';
  end if;
  if file.is_file_bound(old.organization_id, old.id) then
    raise exception 'what was decided on stays as it is' using errcode = '42501', detail = 'CN300';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION file.guard_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  if new.kind = 'photo' and not inspection.is_picture_type(new.mime)
    and (tg_op = 'INSERT' or (new.kind, new.mime) is distinct from (old.kind, old.mime)) then
    raise exception 'a photo has a type of pictures' using errcode = '23514', detail = 'CN294';
  end if;
  if new.inspection_id is not null then
    select x.organization_id, x.site_id, x.scopes into i from public.inspections x where x.id = new.inspection_id;
    if not found or i.organization_id is distinct from new.organization_id
      or (caller is not null and pg_trigger_depth() = 1 and (tg_op = 'INSERT' or new.inspection_id is distinct from old.inspection_id)
        and not access.is_in_sight(i.scopes)) then
      raise exception 'a file needs its inspection' using errcode = '23503', detail = 'CN295';
    end if;
    new.site_id := i.site_id;
  end if;
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.captured_by := coalesce(new.captured_by, caller);
    new.state := 'pending';
    new.completed_at := null;
  else
    new.state := old.state;
    new.completed_at := old.completed_at;
    if (new.sha256, new.bytes, new.mime, new.captured_by, new.captured_at)
      is distinct from (old.sha256, old.bytes, old.mime, old.captured_by, old.captured_at) then
      raise exception 'a file keeps its content and its author' using errcode = '42501', detail = 'CN296';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION file.is_file_awaited(p_inspection uuid, p_file uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM inspection_answers a WHERE ((a.inspection_id = is_file_awaited.p_inspection) AND (a.deleted_at IS NULL) AND ((a.media_ids ? (is_file_awaited.p_file)::text) OR (a.voice_ids ? (is_file_awaited.p_file)::text)))));

CREATE OR REPLACE FUNCTION file.is_file_bound(p_organization uuid, p_file uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (file.is_file_of_acknowledgement(p_organization, p_file) OR (EXISTS (SELECT FROM policy_versions v WHERE ((v.organization_id = is_file_bound.p_organization) AND ((v.file ->> 'id'::text) = (is_file_bound.p_file)::text) AND (v.state <> ALL (ARRAY['draft'::text, 'change_requested'::text])) AND (v.deleted_at IS NULL)))));

CREATE OR REPLACE FUNCTION file.is_file_of_acknowledgement(p_organization uuid, p_file uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM media m WHERE ((m.id = is_file_of_acknowledgement.p_file) AND ((EXISTS (SELECT FROM evidence e WHERE ((e.media_ids <> '[]'::jsonb) AND (e.media_ids ? (is_file_of_acknowledgement.p_file)::text) AND (e.organization_id = is_file_of_acknowledgement.p_organization) AND (e.state <> ALL (ARRAY['collected'::text, 'sent_back'::text])) AND (e.deleted_at IS NULL) AND ((m.captured_by IS NULL) OR ((m.captured_by = e.created_by) OR (m.captured_by = e.owner_id)) OR ((e.reviewed_by IS DISTINCT FROM e.created_by) AND (e.reviewed_by IS NOT NULL)))))) OR (EXISTS (SELECT FROM tasks t WHERE ((t.media_ids <> '[]'::jsonb) AND (t.media_ids ? (is_file_of_acknowledgement.p_file)::text) AND (t.organization_id = is_file_of_acknowledgement.p_organization) AND task.task_ended(t.status) AND (t.deleted_at IS NULL) AND ((m.captured_by IS NULL) OR ((m.captured_by = t.created_by) OR (m.captured_by = t.ended_by)) OR file.named_files('tasks'::text, t.id, m.captured_by) OR ((t.source_type = 'inspection'::text) AND (t.source_id = m.inspection_id)) OR ((t.ended_by = t.reviewer_id) AND (t.ended_by IS DISTINCT FROM t.assignee_id) AND (t.assignee_id IS NOT NULL)))))) OR (EXISTS (SELECT FROM action_items a WHERE ((a.media_ids <> '[]'::jsonb) AND (a.media_ids ? (is_file_of_acknowledgement.p_file)::text) AND (a.organization_id = is_file_of_acknowledgement.p_organization) AND (inbox.action_ended(a.status) OR action.was_ended(a.id)) AND (a.deleted_at IS NULL) AND ((m.captured_by IS NULL) OR (((m.captured_by = a.created_by) OR (m.captured_by = a.done_by)) OR (m.captured_by = a.closed_by)) OR file.named_files('action_items'::text, a.id, m.captured_by) OR ((a.source_type = 'inspection'::text) AND (a.source_id = m.inspection_id)) OR ((a.closed_by IS DISTINCT FROM a.created_by) AND (a.closed_by IS DISTINCT FROM a.done_by) AND (a.closed_by IS NOT NULL)))))) OR (EXISTS (SELECT FROM issue_reports r WHERE ((r.media_ids <> '[]'::jsonb) AND (r.media_ids ? (is_file_of_acknowledgement.p_file)::text) AND (r.organization_id = is_file_of_acknowledgement.p_organization) AND (r.deleted_at IS NULL) AND ((m.captured_by IS NULL) OR (m.captured_by = r.reported_by) OR ((r.decided_by IS DISTINCT FROM r.reported_by) AND (r.decided_by IS NOT NULL))))))))));

CREATE OR REPLACE FUNCTION file.named_files(p_table text, p_id uuid, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.activity a WHERE ((a.record_id = named_files.p_id) AND (a.tbl = named_files.p_table) AND (a.field = 'media_ids'::text) AND (a.by_id = named_files.p_person))));

CREATE OR REPLACE FUNCTION file.refuse_file_overwrite()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if 'media' in (old.bucket_id, new.bucket_id)
    and (new.bucket_id, new.name, new.version) is distinct from (old.bucket_id, old.name, old.version) then
    raise exception 'a stored file is replaced by nobody' using errcode = '42501', detail = 'CN299';
  end if;
  return new;
end $function$;
