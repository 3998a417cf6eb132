-- Inspections, their answers, review and log: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Finished inspections are evidence: without inspection.review their result, signature and state stay as they are.
create function inspection.is_finished(p_status text) returns boolean
  language sql immutable return p_status in ('finalised', 'approved', 'rejected', 'closed');

-- For reviewers too, and with what it is called, where and of what it is, and when it was due. What was sent back changes in this
-- when it is finished again.
create function inspection.guard_inspection_change(o public.inspections, n public.inspections) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null then return; end if;
  if ((o.assigned_to is distinct from n.assigned_to and n.assigned_to is distinct from caller)
      or (o.conducted_by is distinct from n.conducted_by and (o.conducted_by is not null or n.conducted_by is distinct from caller)))
    and not access.may('inspection.assign', o.organization_id) then
    raise exception 'giving an inspection to somebody needs inspection.assign' using errcode = '42501', detail = 'CN109';
  end if;
  if o.status is distinct from n.status and not inspection.inspection_may_become(o.status, n.status) then
    raise exception 'an inspection that is % cannot become %', o.status, n.status using errcode = '42501', detail = 'CN110';
  end if;
  if (inspection.is_finished(o.status) or o.status = 'has_issues' and n.status <> 'finalised') and
    (o.finished_at, o.score, o.score_max, o.result, o.signature, o.signed_by, o.signed_at, o.content_hash, o.started_at,
     o.title, o.site_id, o.playbook_id, o.asset_id, o.due_at)
    is distinct from
    (n.finished_at, n.score, n.score_max, n.result, n.signature, n.signed_by, n.signed_at, n.content_hash, n.started_at,
     n.title, n.site_id, n.playbook_id, n.asset_id, n.due_at) then
    raise exception '% inspection stays as it was signed', case when inspection.is_decided(o.status) then 'a decided' else 'a finished' end
      using errcode = '42501', detail = 'CN111';
  end if;
  if access.may('inspection.review', o.organization_id) then return; end if;
  if (o.status is distinct from n.status and (inspection.is_finished(o.status) or n.status in ('has_issues', 'approved', 'rejected', 'closed')))
    or o.reviewed_at is distinct from n.reviewed_at then
    raise exception 'only a reviewer changes the state of a finished inspection' using errcode = '42501', detail = 'CN112';
  end if;
  if inspection.is_finished(o.status) and o.deleted_at is distinct from n.deleted_at then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501', detail = 'CN113';
  end if;
  if o.status = 'has_issues' and o.deleted_at is distinct from n.deleted_at then
    raise exception 'what was sent back is corrected, not removed' using errcode = '42501', detail = 'CN114';
  end if;
end $$;

-- What state may follow which; everything else is refused, whoever asks.
create function inspection.inspection_may_become(p_from text, p_to text) returns boolean
  language sql immutable return p_to = any (case p_from
    when 'scheduled' then array['in_progress', 'finalised']
    when 'in_progress' then array['scheduled', 'finalised']
    when 'finalised' then array['has_issues', 'approved', 'rejected']
    when 'has_issues' then array['finalised', 'approved', 'rejected']
    when 'approved' then array['closed']
    when 'rejected' then array['closed']
    else '{}' end);

-- States in which nothing of it changes any more but the state itself.
create function inspection.is_decided(p_status text) returns boolean
  language sql immutable return p_status in ('approved', 'rejected', 'closed');

-- Whoever conducts it now, or finished it once, whatever was entered as its conductor since.
create function inspection.did_inspection(p_inspection uuid, p_conductor uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select p_conductor is not distinct from p_person
    or exists (select from public.inspection_events e
      where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"finalised"' and e.by_id = p_person)
$$;

create function inspection.is_inspection_decided(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from public.inspections i where i.id = p_inspection and inspection.is_decided(i.status));

-- Whether an entry's text says what its columns say, and follows the entry with that hash, where that one is there.
-- No key twice (readers disagree on which of them counts), facts that are single values, and a moment that there is.
create function inspection.is_presence_body(e public.presence_entries, p_previous text) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  b jsonb;
begin
  b := e.body::jsonb;
  return coalesce(jsonb_typeof(b) = 'object' and jsonb_typeof(b -> 'facts') = 'object'
    and (select array_agg(k order by k collate "C") from json_object_keys(e.body::json) k)
      = array['at', 'by', 'facts', 'format', 'inspection', 'kind', 'position', 'previous', 'strand']
    and (select count(*) = count(distinct k) from json_object_keys(e.body::json -> 'facts') k)
    and not exists (select from jsonb_each(b -> 'facts') f where jsonb_typeof(f.value) in ('object', 'array'))
    and b -> 'format' = '1'
    and b ->> 'inspection' = e.inspection_id::text and b ->> 'strand' = e.strand::text and b -> 'position' = to_jsonb(e.position)
    and b ->> 'previous' ~ '^[0-9a-f]{64}$' and b ->> 'previous' = coalesce(p_previous, b ->> 'previous')
    and b ->> 'kind' in ('started', 'scan', 'no_scan', 'position', 'no_position', 'photo', 'photo_removed', 'signature', 'finished')
    and jsonb_typeof(b -> 'at') = 'string' and b ->> 'at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$'
    and isfinite((b ->> 'at')::timestamptz), false);
exception when data_exception then return false;
end $$;

-- Whether somebody else finished it, or another device than the one that pushes. In the day after a restore what was taken in before a
-- finish may come again behind it, from any device of the one who finished.
create function inspection.is_finished_elsewhere(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = ''
  return sync.pushing() and auth.uid() is not null and exists (select from sync.finishes f where f.inspection_id = p_inspection
    and (f.person is distinct from auth.uid() or not sync.is_restored() and coalesce(f.device <> sync.sending_device(), true)));

create function inspection.refuse_after_finish(p_inspection uuid) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if inspection.is_finished_elsewhere(p_inspection) then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501', detail = 'CN113';
  end if;
end $$;

-- Before it is compared with what was signed, so that nobody is asked to choose over what is not to be changed any more: an answer,
-- and another finish of the same inspection. Only of what the caller sees.
create function inspection.refuse_late(m jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  op constant text := m ->> 'op';
  patch constant jsonb := coalesce(m -> 'patch', '{}');
  row_id constant uuid := (m ->> 'id')::uuid;
begin
  if m ->> 't' = 'inspection_answers' and not (op = 'resolve' and patch = '{}') then
    perform inspection.refuse_after_finish((sync.see_row('inspection_answers', row_id) ->> 'inspection_id')::uuid);
  elsif m ->> 't' = 'inspections' and op in ('insert', 'update') and inspection.is_finished(patch ->> 'status')
      and not coalesce(inspection.is_finished(m -> 'base' ->> 'status'), false) and sync.see_row('inspections', row_id) is not null then
    perform inspection.refuse_after_finish(row_id);
  end if;
end $$;

create function inspection.finished_last_by(p_inspection uuid, p_else uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  -- Null where their account ended; `p_else` only where no finish was ever logged.
  select case when count(*) = 0 then p_else else (array_agg(l.by_id))[1] end from (
    select e.by_id from public.inspection_events e
    where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"finalised"' order by e.created_at desc, e.id desc limit 1) l
$$;

-- Whether something of it was answered since it was sent back.
create function inspection.was_answered_since(p_inspection uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.inspection_answers a where a.inspection_id = p_inspection and a.updated_at >= (
    select max(e.created_at) from public.inspection_events e where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"has_issues"'))
$$;

-- As packages/base/src/file-beginning.ts has them; a test compares both.
create function inspection.is_picture_type(p_mime text) returns boolean language sql immutable return
  lower(btrim(split_part(p_mime, ';', 1))) in ('image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff',
    'image/avif', 'image/heic', 'image/heif');

-- What an account was called goes with it from the inspections it signed and their log; the name that was typed stays. `p_called`: what
-- it is called now, for where somebody else has done the inspection since: what stood before is theirs where it bears their name, as
-- they are called now or were when they signed again.
create function inspection.forget_signer(p_user uuid, p_called text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.inspections i set signed_account = null
    where i.signed_account is not null and i.conducted_by = p_user;
  update public.inspection_events e
    set before = case when e.before ->> 'signed_account' in (p_called, case when e.by_id = p_user then e.after ->> 'signed_account' end)
        then e.before - 'signed_account' else e.before end,
      after = case when e.by_id = p_user or e.after ->> 'signed_account' = p_called then e.after - 'signed_account' else e.after end
    where e.kind = 'signature' and e.organization_id in (select m.organization_id from public.organization_members m where m.user_id = p_user)
      and (e.by_id = p_user or e.before ->> 'signed_account' = p_called or e.after ->> 'signed_account' = p_called);
end $$;
revoke execute on function inspection.forget_signer(uuid, text) from public;

-- Who may call what.
revoke execute on function inspection.is_finished(text), inspection.guard_inspection_change(public.inspections, public.inspections),
  inspection.inspection_may_become(text, text), inspection.is_decided(text), inspection.did_inspection(uuid, uuid, uuid), inspection.is_inspection_decided(uuid),
  inspection.is_presence_body(public.presence_entries, text), inspection.is_finished_elsewhere(uuid), inspection.refuse_after_finish(uuid), inspection.refuse_late(jsonb),
  inspection.finished_last_by(uuid, uuid), inspection.was_answered_since(uuid), inspection.is_picture_type(text) from public;
grant execute on function inspection.is_finished(text) to service_role, authenticated;
grant execute on function inspection.is_finished_elsewhere(uuid), inspection.refuse_after_finish(uuid), inspection.refuse_late(jsonb) to authenticated;
