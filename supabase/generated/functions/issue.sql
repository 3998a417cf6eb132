-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema issue as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION issue.forget_photo_time()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := new.created_at;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION issue.forget_photographer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  claims constant text := current_setting('request.jwt.claims', true);
  sub constant text := current_setting('request.jwt.claim.sub', true);
  photos uuid[];
begin
  if caller is null then return null; end if;
  photos := array(select m.id from public.media m
    where m.organization_id = new.organization_id and m.captured_by = caller and m.inspection_id is null
      and m.id::text in (select jsonb_array_elements_text(new.media_ids)));
  if exists (select from unnest(photos) f where issue.is_photo_of_another(new, f::text)) then
    raise exception 'a photo of a report without a name stands on no other record'
      using errcode = '23514', constraint = 'photo_is_of_another', detail = 'CN417';
  end if;
  perform set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true);
  update public.media m set captured_by = null, captured_at = date_trunc('day', m.captured_at, 'UTC'), created_at = date_trunc('day', m.created_at, 'UTC')
    where m.id = any (photos);
  -- Nor does the review queue tell it, where a photo was handed over before its report came.
  delete from sync.orphaned_edit u
    where u.user_id = caller and u.organization_id = new.organization_id and u.body ->> 't' = 'media' and u.body ->> 'id' in (select jsonb_array_elements_text(new.media_ids));
  perform set_config('request.jwt.claims', coalesce(claims, ''), true), set_config('request.jwt.claim.sub', coalesce(sub, ''), true);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION issue.guard_issue_report()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
begin
  if new.site_id is not null and not exists (
    select from public.sites s where s.id = new.site_id and s.organization_id = new.organization_id) then
    raise exception 'the site is not one of this organisation' using errcode = '23503', detail = 'CN277';
  end if;
  if tg_op = 'INSERT' then
    if caller is null then return new; end if;
    if new.is_anonymous then
      if not (select o.allows_anonymous_reports from public.organizations o where o.id = new.organization_id) then
        raise exception 'this organisation takes reports with a name only' using errcode = '42501', detail = 'CN278';
      end if;
      new.reported_by := null;
    else
      new.reported_by := caller;
    end if;
    new.status := 'reported';
    new.answer := null;
    new.answered_by := null;
    new.decided_at := null;
    new.decided_by := null;
    if sync.is_device_edit() then new.reported_at := sync.written_when(new.reported_at); end if;
    -- The instant of a transaction stands in all it wrote: to the microsecond it would say what else was sent with it, and by whom.
    if new.is_anonymous then
      new.created_at := date_trunc('day', now(), 'UTC');
      new.updated_at := new.created_at;
      new.reported_at := date_trunc('day', new.reported_at, 'UTC');
    end if;
    return new;
  end if;
  if not issue.may_move_report(old.status, new.status) then
    raise exception 'an issue report cannot go from % to %', old.status, new.status using errcode = '23514', detail = 'CN279';
  end if;
  if new.status in ('resolved', 'dismissed') and coalesce(new.answer, '') = '' then
    raise exception 'a report is resolved or dismissed with a word to its author' using errcode = '23514', detail = 'CN280';
  end if;
  if caller is null then return new; end if;
  -- Taking it away says even less than dismissing it: its author, who may have a code only, would be told that there is none.
  if old.deleted_at is null and new.deleted_at is not null and old.status not in ('resolved', 'dismissed', 'closed') then
    raise exception 'a report is resolved or dismissed with a word to its author' using errcode = '23514', detail = 'CN280';
  end if;
  if (new.title, new.description, new.location, new.media_ids, new.is_anonymous, new.reported_by, new.reported_at, new.look_up_hash, new.organization_id)
    is distinct from
    (old.title, old.description, old.location, old.media_ids, old.is_anonymous, old.reported_by, old.reported_at, old.look_up_hash, old.organization_id) then
    raise exception 'a report stays as it was made' using errcode = '42501', detail = 'CN281';
  end if;
  if sync.is_device_edit() and new.asset_id is distinct from old.asset_id then
    raise exception 'a report stays as it was made' using errcode = '42501', detail = 'CN281';
  end if;
  if old.status in ('resolved', 'dismissed', 'closed') and new.status in ('resolved', 'dismissed', 'closed')
    and (new.severity, new.category) is distinct from (old.severity, old.category) then
    raise exception 'a report stays as it was decided' using errcode = '42501', detail = 'CN282';
  end if;
  if new.status <> old.status then new.decided_by := caller; end if;
  -- Whose words they are stays beside them, whoever decides later.
  new.answered_by := case when new.answer is null then null when new.answer is distinct from old.answer then caller else old.answered_by end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION issue.guard_report_decision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.is_device_edit() then return new; end if;
  if new.status <> old.status then
    new.decided_by := auth.uid();
    new.decided_at := sync.clamp_time(new.decided_at, coalesce(old.decided_at, old.reported_at));
    return new;
  end if;
  new.decided_by := old.decided_by;
  new.decided_at := old.decided_at;
  if new.answer is distinct from old.answer and old.status in ('resolved', 'dismissed', 'closed') then
    raise exception 'what was said with a decision stays' using errcode = '42501', detail = 'CN176';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION issue.is_nameless_report(m jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((((m ->> 't'::text) = 'issue_reports'::text) AND ((m ->> 'op'::text) = 'insert'::text) AND (COALESCE(((m -> 'patch'::text) -> 'is_anonymous'::text), 'false'::jsonb) <> 'false'::jsonb)), false);

CREATE OR REPLACE FUNCTION issue.is_photo_of_another(r issue_reports, p_file text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (file.is_file_bound((r).organization_id, (p_file)::uuid) OR (EXISTS (SELECT FROM evidence e WHERE ((e.media_ids <> '[]'::jsonb) AND (e.media_ids ? is_photo_of_another.p_file) AND (e.organization_id = (is_photo_of_another.r).organization_id)))) OR (EXISTS (SELECT FROM action_items a WHERE ((a.media_ids <> '[]'::jsonb) AND (a.media_ids ? is_photo_of_another.p_file) AND (a.organization_id = (is_photo_of_another.r).organization_id) AND (a.source_id IS DISTINCT FROM (is_photo_of_another.r).id)))) OR (EXISTS (SELECT FROM tasks t WHERE ((t.media_ids <> '[]'::jsonb) AND (t.media_ids ? is_photo_of_another.p_file) AND (t.organization_id = (is_photo_of_another.r).organization_id) AND (t.source_id IS DISTINCT FROM (is_photo_of_another.r).id)))) OR (EXISTS (SELECT FROM issue_reports x WHERE ((x.media_ids <> '[]'::jsonb) AND (x.media_ids ? is_photo_of_another.p_file) AND (x.organization_id = (is_photo_of_another.r).organization_id) AND (x.id <> (is_photo_of_another.r).id)))) OR (EXISTS (SELECT FROM comments c WHERE ((c.media_ids <> '[]'::jsonb) AND (c.media_ids ? is_photo_of_another.p_file) AND (c.organization_id = (is_photo_of_another.r).organization_id) AND (c.subject_id IS DISTINCT FROM (is_photo_of_another.r).id)))) OR (EXISTS (SELECT FROM inspection_answers n WHERE ((n.media_ids <> '[]'::jsonb) AND (n.media_ids ? is_photo_of_another.p_file) AND (n.organization_id = (is_photo_of_another.r).organization_id)))));

CREATE OR REPLACE FUNCTION issue.limit_reports()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  caller constant uuid := auth.uid();
  most constant integer := tg_argv[0];
  earlier integer;
  at_once integer;
begin
  if caller is null then return null; end if;
  select count(*) into earlier from sync.mutation k
    where k.user_id = caller and k.tbl = 'issue_reports' and k.op = 'insert' and k.at > now() - interval '1 day'
      and k.result ->> 'st' in ('applied', 'merged');
  -- What this push has brought is in the ledger once it is over; of reports without a name it is one.
  select count(*) into at_once from (
    select r.id from public.issue_reports r where r.organization_id in (select n.organization_id from new_rows n) and r.reported_by = caller and r.created_at = now()
    union select n.id from new_rows n) x;
  if earlier + at_once > most then
    raise exception 'a person makes at most 100 reports a day' using errcode = '23514', hint = 'many', detail = 'CN457';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION issue.may_move_report(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((p_from = p_to) OR (p_to = ANY (CASE p_from WHEN 'reported'::text THEN ARRAY['triaged'::text, 'acting'::text, 'dismissed'::text] WHEN 'triaged'::text THEN ARRAY['acting'::text, 'resolved'::text, 'dismissed'::text] WHEN 'acting'::text THEN ARRAY['triaged'::text, 'resolved'::text, 'dismissed'::text] WHEN 'resolved'::text THEN ARRAY['closed'::text, 'triaged'::text] WHEN 'closed'::text THEN ARRAY['triaged'::text] WHEN 'dismissed'::text THEN ARRAY['triaged'::text] ELSE NULL::text[] END)));

CREATE OR REPLACE FUNCTION issue.my_coded_assets()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.id from public.report_codes c join public.assets a on a.id = c.asset_id and a.organization_id = c.organization_id
  where (c.organization_id in (select public.my_organizations_with('issue.code')) or c.organization_id in (select public.my_organizations_with('issue.triage')))
    and (a.site_id is null or a.site_id in (select public.my_sites()))
$function$;
