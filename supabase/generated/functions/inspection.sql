-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema inspection as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION inspection.did_inspection(p_inspection uuid, p_conductor uuid, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p_conductor is not distinct from p_person
    or exists (select from public.inspection_events e
      where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"finalised"' and e.by_id = p_person)
$function$;

CREATE OR REPLACE FUNCTION inspection.discard_presence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.presence_entries p set deleted_at = new.deleted_at, site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where p.inspection_id = new.id and p.deleted_at is distinct from new.deleted_at;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.finished_last_by(p_inspection uuid, p_else uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- Null where their account ended; `p_else` only where no finish was ever logged.
  select case when count(*) = 0 then p_else else (array_agg(l.by_id))[1] end from (
    select e.by_id from public.inspection_events e
    where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"finalised"' order by e.created_at desc, e.id desc limit 1) l
$function$;

CREATE OR REPLACE FUNCTION inspection.follow_inspection()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.inspection_events e set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where e.inspection_id = new.id and e.deleted_at is null
      and (e.site_id, e.conductor_id) is distinct from (new.site_id, coalesce(new.conducted_by, new.assigned_to));
  update public.presence_entries p set site_id = new.site_id, conductor_id = coalesce(new.conducted_by, new.assigned_to)
    where p.inspection_id = new.id and p.deleted_at is null
      and (p.site_id, p.conductor_id) is distinct from (new.site_id, coalesce(new.conducted_by, new.assigned_to));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.forget_signer(p_user uuid, p_called text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.inspections i set signed_account = null
    where i.signed_account is not null and i.conducted_by = p_user;
  update public.inspection_events e
    set before = case when e.before ->> 'signed_account' in (p_called, case when e.by_id = p_user then e.after ->> 'signed_account' end)
        then e.before - 'signed_account' else e.before end,
      after = case when e.by_id = p_user or e.after ->> 'signed_account' = p_called then e.after - 'signed_account' else e.after end
    where e.kind = 'signature' and e.organization_id in (select m.organization_id from public.organization_members m where m.user_id = p_user)
      and (e.by_id = p_user or e.before ->> 'signed_account' = p_called or e.after ->> 'signed_account' = p_called);
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_answer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  is_theirs boolean;
  is_reviewer boolean;
  i record;
begin
  select organization_id, site_id, status, conducted_by, assigned_to, scopes into i
    from public.inspections where id = new.inspection_id;
  if not found then
    raise exception 'an answer needs its inspection' using errcode = '23503', detail = 'CN262';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  if tg_op = 'UPDATE' and (new.inspection_id, new.question) is distinct from (old.inspection_id, old.question) then
    raise exception 'an answer keeps its question' using errcode = '42501', detail = 'CN263';
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if tg_op = 'INSERT' then
    new.answered_by := coalesce(new.answered_by, caller);
  elsif new.answered_by is distinct from old.answered_by and new.answered_by is distinct from caller then
    raise exception 'nobody answers in the name of somebody else' using errcode = '42501', detail = 'CN264';
  end if;
  is_theirs := coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
    -- While nobody has begun, nobody answers beforehand what somebody else will find.
    or (i.conducted_by is null and i.assigned_to is null and i.status <> 'scheduled' and (i.site_id is null or i.site_id in (select public.my_sites())));
  if is_theirs and not inspection.is_decided(i.status) then return new; end if;
  is_reviewer := access.may('inspection.review', i.organization_id);
  -- Before anything is said about it.
  if tg_op = 'INSERT' and not access.is_in_sight(i.scopes) then
    raise exception 'an answer needs its inspection' using errcode = '23503', detail = 'CN262';
  end if;
  if inspection.is_decided(i.status) then
    raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265';
  end if;
  if not is_reviewer then
    raise exception 'this is somebody else''s inspection' using errcode = '42501', detail = 'CN266';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_conductor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status = 'finalised' and old.status <> 'finalised' then
    new.conducted_by := auth.uid();
  elsif old.status = 'has_issues' and inspection.is_finished(new.status) then
    new.conducted_by := inspection.finished_last_by(old.id, old.conducted_by);
    if new.status = 'approved' and inspection.was_answered_since(old.id) then
      raise exception 'what was changed since it was sent back is finished first' using errcode = '42501', detail = 'CN275';
    end if;
  elsif inspection.is_finished(old.status) then
    -- Whose account ended is followed by nobody: guard_inspection names the caller where nobody is named.
    if old.conducted_by is null then new.conducted_by := null; end if;
    if new.conducted_by is distinct from old.conducted_by then
      raise exception 'a finished inspection stays with who did it' using errcode = '42501', detail = 'CN276';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_decided_inspection()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  own constant text[] := array['status', 'received_at', 'round', 'reviewed_by', 'deleted_at', 'version', 'updated_at', 'scopes', 'missed_at'];
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  -- When it was decided is said with the decision. Kept rather than refused: the rest of a late review is a conflict to choose in.
  if new.status = old.status or new.status not in ('has_issues', 'approved', 'rejected') then
    new.reviewed_at := old.reviewed_at;
  else
    new.reviewed_at := sync.clamp_time(new.reviewed_at, old.finished_at);
  end if;
  -- Whose account ended is not followed by whoever closes it (guard_inspection names the caller where nobody is named).
  if inspection.is_decided(old.status) and old.conducted_by is null then new.conducted_by := null; end if;
  if inspection.is_decided(old.status) and to_jsonb(new) - own is distinct from to_jsonb(old) - own then
    raise exception 'a decided inspection stays as it was signed' using errcode = '42501', detail = 'CN269';
  end if;
  if new.due_at is distinct from old.due_at and not access.may('inspection.assign', old.organization_id) then
    raise exception 'when it is due says who plans' using errcode = '42501', detail = 'CN270';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_finished_file()
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
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - own is distinct from to_jsonb(old) - own then
      perform inspection.refuse_after_finish(old.inspection_id);
      perform inspection.refuse_after_finish(new.inspection_id);
    end if;
  elsif new.inspection_id is not null and exists (select from public.inspections i where i.id = new.inspection_id and inspection.is_finished(i.status))
    and exists (select from public.inspection_answers a where a.inspection_id = new.inspection_id and a.deleted_at is null
      and (a.media_ids ? new.id::text or a.voice_ids ? new.id::text) and a.answered_by is distinct from auth.uid()) then
    perform inspection.refuse_after_finish(new.inspection_id);
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_inspection()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
begin
  if caller is not null and new.conducted_by is null and new.status <> 'scheduled' then
    new.conducted_by := caller;
  end if;
  if tg_op = 'INSERT' then
    if caller is not null then
      new.received_at := null;
      new.round := 1;
      new.reviewed_by := null;
      if (new.status in ('has_issues', 'approved', 'rejected', 'closed')) and not access.may('inspection.review', new.organization_id) then
        raise exception 'only a reviewer decides on an inspection' using errcode = '42501', detail = 'CN260';
      end if;
    end if;
  else
    if old.status <> 'scheduled' and (new.form_id, new.form_version_id) is distinct from (old.form_id, old.form_version_id)
      and not form.may_move_version(old, new) then
      raise exception 'a started inspection keeps its form' using errcode = '42501', detail = 'CN261';
    end if;
    if caller is not null then
      new.received_at := old.received_at;
      new.round := old.round + (old.status = 'has_issues' and new.status = 'finalised')::integer;
      new.reviewed_by := case when new.status is distinct from old.status and new.status in ('has_issues', 'approved', 'rejected')
        then caller else old.reviewed_by end;
    end if;
    perform inspection.guard_inspection_change(old, new);
  end if;
  if new.received_at is null and (inspection.is_finished(new.status) or new.status = 'has_issues') then new.received_at := now(); end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_inspection_change(o inspections, n inspections)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_late_answer()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform inspection.refuse_after_finish(new.inspection_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_opening()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or old.opens_at is null then return new; end if;
  if least(coalesce(new.started_at, now()), now()) < old.opens_at - sync.clock_allowance() then
    raise exception 'this is not open yet' using errcode = '42501', detail = 'CN267';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_own_review()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  deciding constant uuid[] := array_remove(array[caller, review_queue.accepted_by()], null);
  conductor constant uuid := case when tg_op = 'UPDATE' then old.conducted_by else new.conducted_by end;
  -- Taking it away once it was finished is an end like another.
  is_removal constant boolean := tg_op = 'UPDATE' and old.deleted_at is null and new.deleted_at is not null
    and (inspection.is_finished(old.status) or old.status = 'has_issues');
begin
  if caller is null or (tg_op = 'UPDATE' and new.status is not distinct from old.status and not is_removal) then return new; end if;
  if exists (select from unnest(deciding) d where inspection.did_inspection(new.id, conductor, d) or review_queue.was_involved('inspections', new.id, d))
    and exists (select from inbox.people_with('inspection.review', new.organization_id, new.site_id) p
      where p <> all (deciding) and not review_queue.was_involved('inspections', new.id, p)) then
    if is_removal then raise exception 'somebody else takes it away' using errcode = '42501', hint = 'own', detail = 'CN092'; end if;
    raise exception 'somebody else decides on one''s own inspection' using errcode = '42501', detail = 'CN268';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.guard_presence_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  i record;
  before text;
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.inspection_id, new.strand, new.position, new.body, new.hash, new.received_at)
      is distinct from (old.id, old.inspection_id, old.strand, old.position, old.body, old.hash, old.received_at)
      or new.deleted_at is distinct from old.deleted_at
        and new.deleted_at is distinct from (select x.deleted_at from public.inspections x where x.id = new.inspection_id) then
      raise exception 'what was witnessed stays' using errcode = '42501', detail = 'CN271';
    end if;
    return new;
  end if;
  select organization_id, site_id, status, conducted_by, assigned_to, scopes, deleted_at into i
    from public.inspections where id = new.inspection_id;
  if not found or caller is not null and not access.is_in_sight(i.scopes) then
    raise exception 'an entry needs its inspection' using errcode = '23503', detail = 'CN272';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  new.conductor_id := coalesce(i.conducted_by, i.assigned_to);
  new.deleted_at := i.deleted_at;
  new.received_at := clock_timestamp();
  if caller is not null then
    new.by_id := caller;
    if not (coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
      -- While nobody has begun, nobody proves beforehand that somebody was there.
      or i.conducted_by is null and i.assigned_to is null and i.status <> 'scheduled' and (i.site_id is null or i.site_id in (select public.my_sites()))) then
      raise exception 'this is somebody else''s inspection' using errcode = '42501', detail = 'CN266';
    end if;
    if inspection.is_decided(i.status) then raise exception 'the inspection is decided' using errcode = '42501', detail = 'CN265'; end if;
    perform inspection.refuse_after_finish(new.inspection_id);
  end if;
  -- One at a time within a strand: two at once would each miss the other as its neighbour.
  perform pg_advisory_xact_lock(hashtextextended('presence/' || new.strand, 0));
  if exists (select from public.presence_entries e
      where e.strand = new.strand and (e.inspection_id <> new.inspection_id or e.by_id is distinct from new.by_id)) then
    raise exception 'nobody goes on with somebody else''s chain' using errcode = '42501', detail = 'CN273';
  end if;
  -- What is sent together goes before what is sent by itself, so an entry may come before the one it follows. Each names that one's
  -- hash: where a neighbour is there, it is the one, and a place that is taken is taken.
  select e.hash into before from public.presence_entries e
    where e.inspection_id = new.inspection_id and e.strand = new.strand and e.position = new.position - 1;
  if new.id <> extensions.uuid_generate_v5(new.strand, new.position::text)
    or new.hash <> encode(sha256(convert_to(new.body, 'UTF8')), 'hex')
    or not inspection.is_presence_body(new, case when new.position = 1 then repeat('0', 64) else before end)
    or new.by_id is not null and new.body::jsonb ->> 'by' is distinct from new.by_id::text
    or exists (select from public.presence_entries e where e.inspection_id = new.inspection_id and e.strand = new.strand
      and e.position = new.position + 1 and e.body::jsonb ->> 'previous' <> new.hash) then
    raise exception 'this entry does not follow' using errcode = '23514', constraint = 'presence_entries_follow', detail = 'CN274';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.inspection_may_become(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_to = ANY (CASE p_from WHEN 'scheduled'::text THEN ARRAY['in_progress'::text, 'finalised'::text] WHEN 'in_progress'::text THEN ARRAY['scheduled'::text, 'finalised'::text] WHEN 'finalised'::text THEN ARRAY['has_issues'::text, 'approved'::text, 'rejected'::text] WHEN 'has_issues'::text THEN ARRAY['finalised'::text, 'approved'::text, 'rejected'::text] WHEN 'approved'::text THEN ARRAY['closed'::text] WHEN 'rejected'::text THEN ARRAY['closed'::text] ELSE '{}'::text[] END));

CREATE OR REPLACE FUNCTION inspection.is_decided(p_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_status = ANY (ARRAY['approved'::text, 'rejected'::text, 'closed'::text]));

CREATE OR REPLACE FUNCTION inspection.is_finished(p_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (p_status = ANY (ARRAY['finalised'::text, 'approved'::text, 'rejected'::text, 'closed'::text]));

CREATE OR REPLACE FUNCTION inspection.is_finished_elsewhere(p_inspection uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (sync.pushing() AND (auth.uid() IS NOT NULL) AND (EXISTS (SELECT FROM sync.finishes f WHERE ((f.inspection_id = is_finished_elsewhere.p_inspection) AND ((f.person IS DISTINCT FROM auth.uid()) OR ((NOT sync.is_restored()) AND COALESCE((f.device <> sync.sending_device()), true)))))));

CREATE OR REPLACE FUNCTION inspection.is_inspection_decided(p_inspection uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM inspections i WHERE ((i.id = is_inspection_decided.p_inspection) AND inspection.is_decided(i.status))));

CREATE OR REPLACE FUNCTION inspection.is_picture_type(p_mime text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (lower(btrim(split_part(p_mime, ';'::text, 1))) = ANY (ARRAY['image/jpeg'::text, 'image/jpg'::text, 'image/png'::text, 'image/gif'::text, 'image/webp'::text, 'image/bmp'::text, 'image/tiff'::text, 'image/avif'::text, 'image/heic'::text, 'image/heif'::text]));

CREATE OR REPLACE FUNCTION inspection.is_presence_body(e presence_entries, p_previous text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inspection.limit_files()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := tg_argv[0];
  came uuid[];                                         -- the files that come to an inspection by this statement
  w record;
  n record;
begin
  if auth.uid() is null then return null; end if;
  if tg_op = 'INSERT' then
    came := array(select x.id from new_rows x where x.inspection_id is not null);
  else
    came := array(select x.id from new_rows x join old_rows o on o.id = x.id
      where x.inspection_id is not null and x.inspection_id is distinct from o.inspection_id);
  end if;
  if came = '{}' then return null; end if;
  for w in
    select distinct x.organization_id, x.inspection_id, x.captured_by, i.conducted_by, i.assigned_to
    from public.media x join public.inspections i on i.organization_id = x.organization_id and i.id = x.inspection_id
    where x.id = any (came)
  loop
    select count(*) as all_of_it, count(*) filter (where m.captured_by = w.captured_by) as own,
      count(*) filter (where m.captured_by is distinct from w.conducted_by and m.captured_by is distinct from w.assigned_to) as others
    into n from (select f.captured_by from public.media f
      where f.organization_id = w.organization_id and f.inspection_id = w.inspection_id limit 3 * most + 1) m;
    if n.all_of_it > 3 * most or n.own > most
      or w.captured_by is distinct from w.conducted_by and w.captured_by is distinct from w.assigned_to
        and (n.own > most / 10 or n.others > most * 2 / 5) then
      raise exception 'an inspection has at most % of these', most using errcode = '23514', hint = 'many', detail = 'CN414';
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.limit_parts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant integer := tg_argv[0];
  is_over boolean;
begin
  if auth.uid() is null then return null; end if;
  case tg_table_name
    when 'inspection_answers' then
      select exists (select from (select distinct n.organization_id, n.inspection_id from new_rows n) w where most < (
        select count(*) from (select from public.inspection_answers a
          where a.organization_id = w.organization_id and a.inspection_id = w.inspection_id limit most + 1) x)) into is_over;
    when 'presence_entries' then
      select exists (select from (select distinct n.organization_id, n.inspection_id from new_rows n) w where most < (
        select count(*) from (select from public.presence_entries e
          where e.organization_id = w.organization_id and e.inspection_id = w.inspection_id limit most + 1) x)) into is_over;
  end case;
  if is_over then
    raise exception 'an inspection has at most % of these', most using errcode = '23514', hint = 'many', detail = 'CN414';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.limit_states(p_organization uuid, p_inspection uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and 500 <= (select count(*) from (select from public.inspection_events e
      where e.organization_id = p_organization and e.inspection_id = p_inspection and e.kind in ('state', 'signature') and e.by_id = auth.uid()
      limit 500) x) then
    raise exception 'a person moves and signs an inspection at most 500 times' using errcode = '23514', hint = 'many', detail = 'CN456';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION inspection.log_answer_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  answer_text constant jsonb := jsonb_build_object('value', new.value, 'note', new.note, 'media_ids', new.media_ids || new.voice_ids);
  last public.inspection_events;
begin
  select * into last from public.inspection_events e
    where e.organization_id = new.organization_id and e.inspection_id = new.inspection_id
      and (e.kind = 'state' or e.question = new.question)
    order by e.created_at desc, e.id desc limit 1;
  if last.kind = 'answer' and last.by_id is not distinct from auth.uid() and last.created_at > now() - interval '1 minute' then
    update public.inspection_events set after = answer_text, at = coalesce(new.answered_at, now()) where id = last.id;
    return null;
  end if;
  -- As many as it has answers at most (limit_parts): the log moves with it too, and nothing of it is left out.
  if auth.uid() is not null and 10000 <= (select count(*) from (select from public.inspection_events e
      where e.organization_id = new.organization_id and e.inspection_id = new.inspection_id and e.kind = 'answer' limit 10000) x) then
    raise exception 'the answers of an inspection are corrected at most 10000 times' using errcode = '23514', hint = 'many', detail = 'CN415';
  end if;
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, question, before, after, by_id, at)
    select new.organization_id, new.site_id, coalesce(i.conducted_by, i.assigned_to), new.inspection_id, 'answer', new.question,
      jsonb_build_object('value', old.value, 'note', old.note, 'media_ids', old.media_ids || old.voice_ids), answer_text,
      coalesce(auth.uid(), new.answered_by), coalesce(new.answered_at, now())
    from public.inspections i where i.id = new.inspection_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.log_inspection_state()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inspection.limit_states(new.organization_id, new.id);
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, before, after, by_id, at)
    values (new.organization_id, new.site_id, coalesce(new.conducted_by, new.assigned_to), new.id, 'state',
      case when tg_op = 'UPDATE' then to_jsonb(old.status) end, to_jsonb(new.status), coalesce(auth.uid(), new.conducted_by),
      coalesce(case
        when new.status in ('has_issues', 'approved', 'rejected') then new.reviewed_at
        when new.status = 'finalised' then coalesce(new.signed_at, new.finished_at)
        when new.status = 'in_progress' then new.started_at end, now()));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.log_signed_again()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform inspection.limit_states(new.organization_id, new.id);
  -- `before` and `after`: {signature, signed_by, signed_account, signed_at, content_hash}, as they stand on the inspection.
  insert into public.inspection_events (organization_id, site_id, conductor_id, inspection_id, kind, before, after, by_id, at)
    values (new.organization_id, new.site_id, coalesce(new.conducted_by, new.assigned_to), new.id, 'signature',
      jsonb_build_object('signature', old.signature, 'signed_by', old.signed_by, 'signed_account', old.signed_account, 'signed_at', old.signed_at, 'content_hash', old.content_hash),
      jsonb_build_object('signature', new.signature, 'signed_by', new.signed_by, 'signed_account', new.signed_account, 'signed_at', new.signed_at, 'content_hash', new.content_hash),
      coalesce(auth.uid(), new.conducted_by), coalesce(new.signed_at, now()));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.move_with_inspection()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.inspection_answers a set site_id = new.site_id
    where a.inspection_id = new.id and a.deleted_at is null and a.site_id is distinct from new.site_id;
  update public.media m set site_id = new.site_id
    where m.inspection_id = new.id and m.deleted_at is null and m.site_id is distinct from new.site_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.name_answerer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  new.answered_by := case
    when (new.value, new.note, new.media_ids, new.voice_ids) is distinct from (old.value, old.note, old.media_ids, old.voice_ids) then auth.uid()
    else old.answered_by end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.note_finish()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if inspection.is_finished(new.status) and (tg_op = 'INSERT' or not inspection.is_finished(old.status)) then
    -- Whoever decides on what was sent back finished nothing.
    insert into sync.finishes (inspection_id, device, person)
      values (new.id, case when new.status = 'finalised' then sync.sending_device() end, case when new.status = 'finalised' then auth.uid() end)
      on conflict (inspection_id) do update set device = excluded.device, person = excluded.person;
  elsif not inspection.is_finished(new.status) then
    delete from sync.finishes where inspection_id = new.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION inspection.pin_inspection_signer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.signed_account := case when new.signature is null then null
    when tg_op = 'UPDATE' and (new.signature, new.signed_by, new.signed_at) is not distinct from (old.signature, old.signed_by, old.signed_at)
      -- The server alone takes it away: what an account was called goes with it (delete_account).
      then case when auth.uid() is null then new.signed_account else old.signed_account end
    else space.account_name(coalesce(auth.uid(), new.conducted_by)) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION inspection.refuse_after_finish(p_inspection uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if inspection.is_finished_elsewhere(p_inspection) then
    raise exception 'a finished inspection stays as it was signed' using errcode = '42501', detail = 'CN113';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION inspection.refuse_late(m jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION inspection.was_answered_since(p_inspection uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.inspection_answers a where a.inspection_id = p_inspection and a.updated_at >= (
    select max(e.created_at) from public.inspection_events e where e.inspection_id = p_inspection and e.kind = 'state' and e.after = '"has_issues"'))
$function$;
