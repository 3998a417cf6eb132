-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema intake as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION intake.alert_flood(c report_codes)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  place constant uuid := coalesce(c.site_id, (select a.site_id from public.assets a where a.id = c.asset_id));
  told uuid;
begin
  for told in
    select inbox.people_with('issue.triage', c.organization_id, place)
    union select inbox.people_with('issue.code', c.organization_id, place)
  loop
    perform inbox.notify(told, 'issue.code_flooded', 'report-code/' || c.id::text || '/' || extract(epoch from clock_timestamp())::text,
      '/field/reports/codes', jsonb_build_object('title', coalesce(
        (select a.name from public.assets a where a.id = c.asset_id), (select s.name from public.sites s where s.id = c.site_id),
        (select o.name from public.organizations o where o.id = c.organization_id))), c.id, c.organization_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION intake.allows_guest(l intake.guest_link, p_bytes bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  lately bigint;
  day bigint;
  day_bytes numeric;
begin
  select count(*) filter (where w.created_at > clock_timestamp() - interval '10 minutes'), count(*), coalesce(sum(w.bytes), 0)
    into lately, day, day_bytes from intake.guest_reply w where w.link_id = l.id and w.created_at > clock_timestamp() - interval '1 day';
  if lately >= 10 or day >= 40 or day_bytes + p_bytes > 200000000 then
    raise exception 'too much at once by this link' using errcode = 'PT429', hint = 'Try again later', detail = 'CN129';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION intake.allows_report(c report_codes, p_bytes bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_minute bigint;
  ten_minutes bigint;
  day bigint;
  day_bytes numeric;
begin
  select count(*) filter (where s.created_at > clock_timestamp() - interval '1 minute'),
      count(*) filter (where s.created_at > clock_timestamp() - interval '10 minutes'), count(*), coalesce(sum(s.bytes), 0)
    into last_minute, ten_minutes, day, day_bytes
    from intake.submission s
    where s.code_id = c.id and s.created_at > greatest(c.counted_from, clock_timestamp() - interval '1 day');
  if ten_minutes >= 30 or day >= 200 or day_bytes + p_bytes > 500000000 then
    update public.report_codes x set paused_at = now(), paused_because = 'flood' where x.id = c.id;
    perform intake.alert_flood(c);
    return false;
  end if;
  if last_minute >= 10 then
    raise exception 'too many reports at once by this code' using errcode = 'PT429', hint = 'Try again in a minute', detail = 'CN120';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION intake.answer_of(p_report uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('reference', r.reference) from public.issue_reports r where r.id = p_report
$function$;

CREATE OR REPLACE FUNCTION intake.guest_answer(l intake.guest_link)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case when intake.guest_link_status(l, a) <> 'open' then jsonb_build_object('status', intake.guest_link_status(l, a))
    else jsonb_build_object('status', 'open', 'step', intake.guest_step(l, a), 'organization', o.name, 'by', inbox.name_of(l.created_by),
      'name', l.name, 'title', a.title, 'description', a.description, 'due_at', a.due_at, 'site', s.name, 'until', l.until,
      'needs_photo', intake.needs_photo(a),
      'photos', (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'mime', p.mime)), '[]') from intake.guest_photos(l, a) p),
      'replies', (select coalesce(jsonb_agg(jsonb_build_object('act', w.act, 'at', w.replied_at, 'text', c.body) order by w.created_at), '[]')
        from intake.guest_reply w left join public.comments c on c.id = w.comment_id and c.deleted_at is null where w.link_id = l.id)) end
  from public.action_items a
  join public.organizations o on o.id = a.organization_id
  left join public.sites s on s.id = a.site_id and s.deleted_at is null
  where a.id = l.action_id
$function$;

CREATE OR REPLACE FUNCTION intake.guest_email(l intake.guest_link)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  token constant text := identity.new_token();
begin
  insert into intake.guest_token (hash, link_id) values (identity.token_hash(token), l.id);
  return jsonb_build_object('id', l.id, 'token', token, 'email', l.email, 'name', l.name, 'until', l.until,
    'organization', (select o.name from public.organizations o where o.id = l.organization_id));
end $function$;

CREATE OR REPLACE FUNCTION intake.guest_link_of(p_token text)
 RETURNS intake.guest_link
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l from intake.guest_token t
  join intake.guest_link l on l.id = t.link_id
  join public.organizations o on o.id = l.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(left(p_token, 200))
$function$;

CREATE OR REPLACE FUNCTION intake.guest_link_status(l intake.guest_link, a action_items)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN ((l).revoked_at IS NOT NULL) THEN 'revoked'::text WHEN ((l).state = 'declined'::text) THEN 'declined'::text WHEN (((a).deleted_at IS NOT NULL) OR inbox.action_ended((a).status)) THEN 'ended'::text WHEN (now() >= (((((l).until + 1))::timestamp without time zone AT TIME ZONE 'UTC'::text) + '12:00:00'::interval)) THEN 'expired'::text ELSE 'open'::text END;

CREATE OR REPLACE FUNCTION intake.guest_photos(l intake.guest_link, a action_items)
 RETURNS TABLE(id uuid, mime text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.id, m.mime from jsonb_array_elements_text(a.media_ids) with ordinality f (id, n) join public.media m on m.id::text = f.id
  where m.organization_id = a.organization_id and m.kind = 'photo' and m.state = 'complete' and m.deleted_at is null
    and m.scopes && a.scopes and access.user_sees_scopes(l.created_by, m.organization_id, m.scopes)
  order by f.n
$function$;

CREATE OR REPLACE FUNCTION intake.guest_step(l intake.guest_link, a action_items)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN CASE WHEN ((a).status = 'ready_for_verification'::text) THEN 'checking'::text WHEN ((l).state = 'given'::text) THEN 'asked'::text WHEN ((l).state = 'done'::text) THEN 'again'::text ELSE 'accepted'::text END;

CREATE OR REPLACE FUNCTION intake.is_photo(p jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when jsonb_typeof(p) <> 'object' then false
    when p - 'bytes' - 'sha256' <> '{}' or not p ? 'sha256' then false
    -- Seven digits are at most 9,999,999: the cast holds, and the table says how many there may be.
    when coalesce((p ->> 'bytes') !~ '^[1-9][0-9]{0,6}$', true) then false
    else jsonb_typeof(p -> 'bytes') = 'number' and (p ->> 'bytes')::bigint <= 8000000
      and jsonb_typeof(p -> 'sha256') = 'string' and (p ->> 'sha256') ~ '^[0-9a-f]{64}$' end
$function$;

CREATE OR REPLACE FUNCTION intake.link_status(l intake.guest_link)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (SELECT intake.guest_link_status(link_status.l, a.*) AS guest_link_status FROM action_items a WHERE (a.id = (link_status.l).action_id));

CREATE OR REPLACE FUNCTION intake.moved_by_guest(p_act text, l intake.guest_link, a action_items)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE p_act WHEN 'accept'::text THEN CASE WHEN (((l).state = 'given'::text) AND ((a).status = ANY (ARRAY['open'::text, 'assigned'::text, 'needs_revision'::text]))) THEN 'in_progress'::text ELSE (a).status END WHEN 'decline'::text THEN CASE WHEN (((l).state <> 'given'::text) AND ((a).status = 'in_progress'::text)) THEN CASE WHEN ((a).assignee_id IS NULL) THEN 'open'::text ELSE 'assigned'::text END ELSE (a).status END ELSE CASE WHEN ((a).status = ANY (ARRAY['open'::text, 'assigned'::text, 'in_progress'::text, 'needs_revision'::text])) THEN 'ready_for_verification'::text ELSE (a).status END END;

CREATE OR REPLACE FUNCTION intake.my_code(p_id uuid)
 RETURNS report_codes
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  c public.report_codes;
begin
  select * into c from public.report_codes x where x.id = p_id for update;
  perform intake.require_code(c);
  if c.revoked_at is not null then raise exception 'this code was taken back' using errcode = '22023', detail = 'CN118'; end if;
  return c;
end $function$;

CREATE OR REPLACE FUNCTION intake.my_guest_link(p_id uuid)
 RETURNS intake.guest_link
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  l intake.guest_link;
begin
  -- One that is not there and one of somebody else are answered alike.
  perform intake.require_giver((select x.action_id from intake.guest_link x where x.id = p_id));
  select * into l from intake.guest_link x where x.id = p_id for update;
  return l;
end $function$;

CREATE OR REPLACE FUNCTION intake.needs_photo(a action_items)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN ((a).evidence_required AND (NOT action.action_has_evidence(a)));

CREATE OR REPLACE FUNCTION intake.new_token(p_code uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  token constant text := identity.new_token();
begin
  insert into intake.code_token (hash, code_id) values (identity.token_hash(token), p_code)
    on conflict (code_id) do update set hash = excluded.hash;
  return token;
end $function$;

CREATE OR REPLACE FUNCTION intake.notify_guest_reply(l intake.guest_link, p_act text, p_key text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a public.action_items;
  type constant text := 'action.guest_' || case p_act when 'accept' then 'accepted' when 'decline' then 'declined' else 'done' end;
  told uuid;
begin
  select * into a from public.action_items x where x.id = l.action_id;
  for told in
    select f from comment.followers('action_items', a.id) f union select l.created_by where l.created_by is not null
    except select n.user_id from public.notifications n where n.subject_id = a.id and n.type = 'action.to_verify' and not n.is_read
  loop
    perform inbox.notify(told, type, 'guest/' || p_key, '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'by', l.name), a.id, a.organization_id);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION intake.open_code(p_token text)
 RETURNS report_codes
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c from intake.code_token t
  join public.report_codes c on c.id = t.code_id
  join public.organizations o on o.id = c.organization_id and o.deleted_at is null
  left join public.sites s on s.id = c.site_id
  left join public.assets a on a.id = c.asset_id
  where t.hash = identity.token_hash(left(p_token, 200)) and c.paused_at is null and c.revoked_at is null
    and s.deleted_at is null and a.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION intake.parse_reply(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  body text;
begin
  if p is null or jsonb_typeof(p) <> 'object' or octet_length(p::text) > 20000 or p - array['act', 'text', 'photos', 'replied_at'] <> '{}'
    or exists (select from jsonb_each(p) f where jsonb_typeof(f.value) <> case f.key when 'photos' then 'array' else 'string' end) then
    perform intake.refuse();
  end if;
  body := intake.plain(p ->> 'text');
  if coalesce(p ->> 'act', '') not in ('accept', 'decline', 'done') or char_length(body) > 4000
    or (body is null) <> (p ->> 'act' = 'accept')
    or coalesce(p ->> 'replied_at', '') !~ '^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,3})?Z$'
    or not pg_input_is_valid(p ->> 'replied_at', 'timestamptz') then
    perform intake.refuse();
  end if;
  if jsonb_array_length(coalesce(p -> 'photos', '[]')) > (case when p ->> 'act' = 'done' then 5 else 0 end)
    or exists (select from jsonb_array_elements(coalesce(p -> 'photos', '[]')) f where not intake.is_photo(f)) then
    perform intake.refuse();
  end if;
  return jsonb_build_object('act', p ->> 'act', 'text', body, 'photos', coalesce(p -> 'photos', '[]'),
    'replied_at', least(greatest((p ->> 'replied_at')::timestamptz, now() - interval '30 days'), now()));
end $function$;

CREATE OR REPLACE FUNCTION intake.plain(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select nullif(btrim(regexp_replace(
    regexp_replace(p_text, '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]', '', 'g'),
    '^[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
    ''), E' \n\t'), '')
$function$;

CREATE OR REPLACE FUNCTION intake.read_report(p jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET "TimeZone" TO 'UTC'
AS $function$
declare
  body text;
  name text;
  contact text;
begin
  if p is null or jsonb_typeof(p) <> 'object' or octet_length(p::text) > 20000
    or p - array['severity', 'text', 'name', 'contact', 'photos', 'look_up_hash', 'reported_at'] <> '{}' then
    perform intake.refuse();
  end if;
  if exists (select from jsonb_each(p) f where case f.key when 'photos' then jsonb_typeof(f.value) <> 'array'
      when 'name' then jsonb_typeof(f.value) not in ('string', 'null')
      when 'contact' then jsonb_typeof(f.value) not in ('string', 'null')
      else jsonb_typeof(f.value) <> 'string' end) then
    perform intake.refuse();
  end if;
  body := intake.plain(p ->> 'text');
  name := intake.plain(p ->> 'name');
  contact := intake.plain(p ->> 'contact');
  if body is null or char_length(body) > 4000 or char_length(name) > 100 or char_length(contact) > 200
    or coalesce(p ->> 'severity', '') not in ('low', 'medium', 'high', 'critical')
    or coalesce(p ->> 'look_up_hash', '') !~ '^[0-9a-f]{64}$'
    or coalesce(p ->> 'reported_at', '') !~ '^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,3})?Z$'
    or not pg_input_is_valid(p ->> 'reported_at', 'timestamptz') or intake.title_of(body) = '' then
    perform intake.refuse();
  end if;
  if jsonb_array_length(coalesce(p -> 'photos', '[]')) > 5
    or exists (select from jsonb_array_elements(coalesce(p -> 'photos', '[]')) f where not intake.is_photo(f)) then
    perform intake.refuse();
  end if;
  return jsonb_build_object('text', body, 'name', name, 'contact', contact, 'severity', p ->> 'severity',
    'look_up_hash', p ->> 'look_up_hash', 'photos', coalesce(p -> 'photos', '[]'),
    -- The phone's clock, within what a phone without signal may have waited.
    'reported_at', least(greatest((p ->> 'reported_at')::timestamptz, now() - interval '30 days'), now()));
end $function$;

CREATE OR REPLACE FUNCTION intake.refuse()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'this is not a report' using errcode = '22023', detail = 'CN119';
end $function$;

CREATE OR REPLACE FUNCTION intake.require_code(p_code report_codes)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  site constant uuid := coalesce(p_code.site_id,
    (select a.site_id from public.assets a where a.id = p_code.asset_id and a.organization_id = p_code.organization_id));
begin
  perform identity.require_permission('issue.code', p_code.organization_id);
  if site is not null and site not in (select public.my_sites()) then
    raise exception 'this needs issue.code at that site' using errcode = '42501', detail = 'CN115';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION intake.require_end_date(p_until date)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if p_until is null or p_until < (now() at time zone 'UTC')::date - 1 or p_until > (now() at time zone 'UTC')::date + 366 then
    raise exception 'a link opens for at most a year' using errcode = '22023', hint = 'until', detail = 'CN123';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION intake.require_giver(p_action uuid)
 RETURNS action_items
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a public.action_items;
begin
  select * into a from public.action_items x where x.id = p_action for update;
  if not found or auth.uid() is null or a.deleted_at is not null or not access.is_in_sight(a.scopes)
    or not exists (select from public.organizations o where o.id = a.organization_id and o.kind = 'company' and o.deleted_at is null)
    or not (access.may('action.manage', a.organization_id)
      or coalesce(a.created_by = auth.uid(), false) and access.may('action.work', a.organization_id)) then
    raise exception 'no such action item to give' using errcode = '42501', detail = 'CN122';
  end if;
  perform identity.require_full_session();
  return a;
end $function$;

CREATE OR REPLACE FUNCTION intake.require_no_other_link(p_action uuid, p_link uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from intake.guest_link l join public.action_items a on a.id = l.action_id
    where l.action_id = p_action and l.id is distinct from p_link and intake.guest_link_status(l, a) = 'open') then
    raise exception 'somebody outside has it already' using errcode = '22023', hint = 'other', detail = 'CN124';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION intake.save_reply(l intake.guest_link, a action_items, p_reply jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  act constant text := p_reply ->> 'act';
  made uuid;
begin
  if p_reply ->> 'text' is not null then
    insert into public.comments (organization_id, subject_table, subject_id, body, outside_name, written_at)
      values (a.organization_id, 'action_items', a.id, p_reply ->> 'text', l.name, (p_reply ->> 'replied_at')::timestamptz) returning id into made;
  end if;
  update public.action_items x set status = intake.moved_by_guest(act, l, a), done_by = case when act = 'done' then null else x.done_by end
    where x.id = a.id and x.status <> intake.moved_by_guest(act, l, a);
  update intake.guest_link x set state = case act when 'accept' then case when x.state = 'given' then 'accepted' else x.state end
    when 'decline' then 'declined' else 'done' end where x.id = l.id;
  return made;
end $function$;

CREATE OR REPLACE FUNCTION intake.save_report(c report_codes, p_report jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made uuid;
begin
  insert into public.issue_reports (organization_id, site_id, asset_id, title, description, severity, location, is_anonymous,
      reported_at, look_up_hash, source, reference)
    values (c.organization_id, coalesce(c.site_id, (select a.site_id from public.assets a where a.id = c.asset_id)), c.asset_id,
      intake.title_of(p_report ->> 'text'), p_report ->> 'text', p_report ->> 'severity', c.spot, true,
      (p_report ->> 'reported_at')::timestamptz, p_report ->> 'look_up_hash', 'public_code', 'P-' || substr(sync.receipt_number(), 3))
    returning id into made;
  if p_report ->> 'name' is not null or p_report ->> 'contact' is not null then
    insert into public.report_contacts (id, organization_id, name, contact)
      values (made, c.organization_id, p_report ->> 'name', p_report ->> 'contact');
  end if;
  insert into intake.photo (report_id, n, bytes, sha256)
    select made, f.n, (f.photo ->> 'bytes')::bigint, f.photo ->> 'sha256'
    from jsonb_array_elements(p_report -> 'photos') with ordinality f (photo, n);
  return made;
end $function$;

CREATE OR REPLACE FUNCTION intake.title_of(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when char_length(line) > 120 then left(line, 119) || '…' else line end
  from (select btrim(regexp_replace(split_part(p_text, E'\n', 1), '\s+', ' ', 'g')) as line) l
$function$;
