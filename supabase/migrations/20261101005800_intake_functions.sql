-- What comes from outside: public report codes and guests: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- For whoever holds `issue.code` and sees the place.
create function intake.require_code(p_code public.report_codes) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  site constant uuid := coalesce(p_code.site_id,
    (select a.site_id from public.assets a where a.id = p_code.asset_id and a.organization_id = p_code.organization_id));
begin
  perform identity.require_permission('issue.code', p_code.organization_id);
  if site is not null and site not in (select public.my_sites()) then
    raise exception 'this needs issue.code at that site' using errcode = '42501', detail = 'CN115';
  end if;
end $$;

create function intake.new_token(p_code uuid) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := identity.new_token();
begin
  insert into intake.code_token (hash, code_id) values (identity.token_hash(token), p_code)
    on conflict (code_id) do update set hash = excluded.hash;
  return token;
end $$;

-- Makes a code and answers its token, this once: {id, token}. For a site, an asset, or, with neither, the organisation.
create function create_report_code(p_organization uuid, p_site uuid default null, p_asset uuid default null, p_spot text default null)
  returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  c public.report_codes;
begin
  c.organization_id := p_organization;
  c.site_id := p_site;
  c.asset_id := p_asset;
  perform intake.require_code(c);
  if p_site is not null and p_asset is not null
    or p_site is not null and not exists (
      select from public.sites s where s.id = p_site and s.organization_id = p_organization and s.deleted_at is null)
    or p_asset is not null and not exists (
      select from public.assets a where a.id = p_asset and a.organization_id = p_organization and a.deleted_at is null)
    or char_length(p_spot) > 80 then
    raise exception 'a code is for a site or an asset of the organisation, or for all of it' using errcode = '22023', detail = 'CN116';
  end if;
  if (select count(*) from public.report_codes x where x.organization_id = p_organization and x.revoked_at is null) >= 1000 then
    raise exception 'an organisation has at most 1000 codes' using errcode = '22023', detail = 'CN117';
  end if;
  insert into public.report_codes (organization_id, site_id, asset_id, spot, created_by)
    values (p_organization, p_site, p_asset, nullif(trim(p_spot), ''), auth.uid()) returning * into c;
  return jsonb_build_object('id', c.id, 'token', intake.new_token(c.id));
end $$;

create function intake.my_code(p_id uuid) returns public.report_codes
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c public.report_codes;
begin
  select * into c from public.report_codes x where x.id = p_id for update;
  perform intake.require_code(c);
  if c.revoked_at is not null then raise exception 'this code was taken back' using errcode = '22023', detail = 'CN118'; end if;
  return c;
end $$;

-- A new token, and the code works again where it was paused; what is printed stops working.
create function rotate_report_code(p_id uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform intake.my_code(p_id);
  update public.report_codes c set rotated_at = now(), paused_at = null, paused_because = null, counted_from = clock_timestamp()
    where c.id = p_id;
  perform inbox.mark_resolved_read(p_id, array['issue.code_flooded']);
  return jsonb_build_object('id', p_id, 'token', intake.new_token(p_id));
end $$;

create function pause_report_code(p_id uuid, p_paused boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform intake.my_code(p_id);
  if p_paused then
    update public.report_codes c set paused_at = now(), paused_because = 'hand' where c.id = p_id and c.paused_at is null;
  else
    update public.report_codes c set paused_at = null, paused_because = null, counted_from = clock_timestamp() where c.id = p_id;
    perform inbox.mark_resolved_read(p_id, array['issue.code_flooded']);
  end if;
end $$;

create function revoke_report_code(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform intake.my_code(p_id);
  delete from intake.code_token t where t.code_id = p_id;
  update public.report_codes c set revoked_at = now() where c.id = p_id;
  perform inbox.mark_resolved_read(p_id, array['issue.code_flooded']);
end $$;

-- The code a token opens, if it takes reports now. One look-up for every token, whatever is wrong with it.
create function intake.open_code(p_token text) returns public.report_codes
  language sql stable security definer set search_path = '' as $$
  select c from intake.code_token t
  join public.report_codes c on c.id = t.code_id
  join public.organizations o on o.id = c.organization_id and o.deleted_at is null
  left join public.sites s on s.id = c.site_id
  left join public.assets a on a.id = c.asset_id
  where t.hash = identity.token_hash(left(p_token, 200)) and c.paused_at is null and c.revoked_at is null
    and s.deleted_at is null and a.deleted_at is null
$$;

-- For anybody who stands before a code: whose it is and where, and nothing else. Null for every other token.
create function public_report_place(p_token text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('organization', o.name, 'site', s.name, 'asset', a.name, 'spot', c.spot)
  from intake.open_code(p_token) c
  join public.organizations o on o.id = c.organization_id
  left join public.assets a on a.id = c.asset_id
  left join public.sites s on s.id = coalesce(c.site_id, a.site_id)
$$;

-- Text a person may write, without what steers a screen or turns the direction of what stands beside it; null for none.
-- Characters that show nothing say nothing: a text of them alone is none, and none of them stands before what is said
-- (blank and default-ignorable characters of Unicode 16; the same set is in packages/core/src/issue-reports/plain-text.ts).
create function intake.plain(p_text text) returns text
  language sql immutable set search_path = '' as $$
  select nullif(btrim(regexp_replace(
    regexp_replace(p_text, '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]', '', 'g'),
    '^[\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+',
    ''), E' \n\t'), '')
$$;

create function intake.refuse() returns void language plpgsql set search_path = '' as $$
begin
  raise exception 'this is not a report' using errcode = '22023', detail = 'CN119';
end $$;

-- One announced photo: {"bytes", "sha256"} and nothing else.
create function intake.is_photo(p jsonb) returns boolean
  language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(p) <> 'object' then false
    when p - 'bytes' - 'sha256' <> '{}' or not p ? 'sha256' then false
    -- Seven digits are at most 9,999,999: the cast holds, and the table says how many there may be.
    when coalesce((p ->> 'bytes') !~ '^[1-9][0-9]{0,6}$', true) then false
    else jsonb_typeof(p -> 'bytes') = 'number' and (p ->> 'bytes')::bigint <= 8000000
      and jsonb_typeof(p -> 'sha256') = 'string' and (p ->> 'sha256') ~ '^[0-9a-f]{64}$' end
$$;

-- One line of it, to be found by.
create function intake.title_of(p_text text) returns text
  language sql immutable set search_path = '' as $$
  select case when char_length(line) > 120 then left(line, 119) || '…' else line end
  from (select btrim(regexp_replace(split_part(p_text, E'\n', 1), '\s+', ' ', 'g')) as line) l
$$;

-- What was sent, cleaned; refuses whatever is not exactly a report. The same limits stand in
-- packages/core/src/issue-reports/public-report.ts.
create function intake.read_report(p jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
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
end $$;

create function intake.alert_flood(c public.report_codes) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Whether one more report comes by that code now. More than a crowd at one place writes pauses the code, visibly, until
-- somebody looks: 30 in ten minutes, 200 or 500 MB of photos in a day. Faster than 10 a minute has to wait.
create function intake.allows_report(c public.report_codes, p_bytes bigint) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

create function intake.save_report(c public.report_codes, p_report jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

create function intake.answer_of(p_report uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('reference', r.reference) from public.issue_reports r where r.id = p_report
$$;

-- A report by anybody with the token of an open code; answers {"reference"}, the same to the same call however often it comes,
-- and null where the token opens nothing.
--
-- p_key: 64 hex digits made on the phone, never reused; who holds it may bring the announced photos.
create function submit_public_report(p_token text, p_key text, p_report jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  report jsonb;
  body bytea;
  hash bytea;
  size bigint;
  before intake.submission;
  c public.report_codes;
  made uuid;
begin
  if coalesce(p_key, '') !~ '^[0-9a-f]{64}$' then perform intake.refuse(); end if;
  report := intake.read_report(p_report);
  body := sha256(convert_to(p_report::text, 'UTF8'));
  hash := sha256(convert_to(p_key, 'UTF8'));
  -- The same call twice at once: the second waits for the first.
  perform pg_advisory_xact_lock(hashtextextended(encode(hash, 'hex'), 6));
  select * into before from intake.submission s where s.key_hash = hash;
  if found then
    if before.body_hash <> body then perform intake.refuse(); end if;
    return intake.answer_of(before.report_id);
  end if;
  select * into c from intake.open_code(p_token);
  if c.id is null then return null; end if;
  -- One at a time by each code, so that its limits hold; asked again, since it may have been paused or rotated meanwhile.
  perform from public.report_codes x where x.id = c.id for update;
  select * into c from intake.open_code(p_token);
  select coalesce(sum((f ->> 'bytes')::bigint), 0) into size from jsonb_array_elements(report -> 'photos') f;
  if c.id is null or not intake.allows_report(c, size) then return null; end if;
  made := intake.save_report(c, report);
  insert into intake.submission (key_hash, code_id, report_id, body_hash, bytes) values (hash, c.id, made, body, size);
  update public.report_codes x set reports = x.reports + 1, last_report_at = now() where x.id = c.id;
  return intake.answer_of(made);
exception when unique_violation then
  -- A code to look it up by that another report has: never of our app's making.
  perform intake.refuse();
  return null;
end $$;

-- For the server that was brought the bytes of photo `p_n`: where they belong and what they must be, for seven days. Null for
-- a key or number that announced nothing.
create function public_report_photo(p_key text, p_n integer) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('name', r.organization_id::text || '/' || p.media_id::text, 'bytes', p.bytes, 'sha256', p.sha256,
    'stored', p.stored_at is not null)
  from intake.submission s
  join public.issue_reports r on r.id = s.report_id and r.deleted_at is null
  join intake.photo p on p.report_id = s.report_id and p.n = p_n
  where s.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) and (p.stored_at is not null or s.created_at > now() - interval '7 days')
$$;

-- For the server that looked at the bytes and stored them: from here on the photo belongs to the report.
create function save_public_photo(p_key text, p_n integer, p_mime text, p_width integer, p_height integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.issue_reports;
  p intake.photo;
begin
  select r0.* into r from intake.submission s join public.issue_reports r0 on r0.id = s.report_id
    where s.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) for update of r0;
  select * into p from intake.photo x where x.report_id = r.id and x.n = p_n for update;
  if p.media_id is null then raise exception 'no such photo' using errcode = 'P0002', detail = 'CN121'; end if;
  if p.stored_at is not null then return; end if;
  insert into public.media (id, organization_id, site_id, kind, mime, bytes, sha256, width, height, state, captured_at, completed_at)
    values (p.media_id, r.organization_id, r.site_id, 'photo', p_mime, p.bytes, p.sha256, p_width, p_height, 'complete', r.reported_at, now());
  update public.issue_reports x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = r.id;
  update intake.photo x set stored_at = now() where x.report_id = r.id and x.n = p_n;
end $$;

-- Photos that never became part of their report: forgets those the caller has removed, and names at most 100 more to remove.
-- Photos that never became part of a guest's word too.
create function orphaned_public_photos(p_removed text[] default '{}') returns setof text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from intake.photo p using public.issue_reports r
    where r.id = p.report_id and p.stored_at is null and r.organization_id::text || '/' || p.media_id::text = any (p_removed);
  delete from intake.guest_photo p using intake.guest_reply w, intake.guest_link l
    where w.key_hash = p.key_hash and l.id = w.link_id and p.stored_at is null and l.organization_id::text || '/' || p.media_id::text = any (p_removed);
  return query
    select s.name from (
      select r.organization_id::text || '/' || p.media_id::text as name, s.created_at
      from intake.photo p
      join public.issue_reports r on r.id = p.report_id
      join intake.submission s on s.report_id = p.report_id
      where p.stored_at is null and (s.created_at < now() - interval '7 days' or r.deleted_at is not null)
      union all
      select l.organization_id::text || '/' || p.media_id::text, w.created_at
      from intake.guest_photo p
      join intake.guest_reply w on w.key_hash = p.key_hash
      join intake.guest_link l on l.id = w.link_id
      where p.stored_at is null and w.created_at < now() - interval '7 days') s
    order by s.created_at limit 100;
end $$;

-- The action item, for whoever may give it to somebody: who made it, or manages action items there. Of companies alone.
create function intake.require_giver(p_action uuid) returns public.action_items
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- What has become of a link: open, or why it is not.
create function intake.guest_link_status(l intake.guest_link, a public.action_items) returns text
  language sql stable set search_path = '' return
  case when l.revoked_at is not null then 'revoked' when l.state = 'declined' then 'declined'
    when a.deleted_at is not null or inbox.action_ended(a.status) then 'ended'
    -- Twelve hours behind UTC the day ends last.
    when now() >= (l.until + 1)::timestamp at time zone 'UTC' + interval '12 hours' then 'expired'
    else 'open' end;

create function intake.require_end_date(p_until date) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_until is null or p_until < (now() at time zone 'UTC')::date - 1 or p_until > (now() at time zone 'UTC')::date + 366 then
    raise exception 'a link opens for at most a year' using errcode = '22023', hint = 'until', detail = 'CN123';
  end if;
end $$;

create function intake.require_no_other_link(p_action uuid, p_link uuid default null) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from intake.guest_link l join public.action_items a on a.id = l.action_id
    where l.action_id = p_action and l.id is distinct from p_link and intake.guest_link_status(l, a) = 'open') then
    raise exception 'somebody outside has it already' using errcode = '22023', hint = 'other', detail = 'CN124';
  end if;
end $$;

create function intake.guest_email(l intake.guest_link) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant text := identity.new_token();
begin
  insert into intake.guest_token (hash, link_id) values (identity.token_hash(token), l.id);
  return jsonb_build_object('id', l.id, 'token', token, 'email', l.email, 'name', l.name, 'until', l.until,
    'organization', (select o.name from public.organizations o where o.id = l.organization_id));
end $$;

-- Gives an action item to somebody outside; answers the token, this once: {id, token, email, name, until, organization}.
create function give_guest_link(p_action uuid, p_name text, p_email text, p_until date) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a constant public.action_items := intake.require_giver(p_action);
  name constant text := btrim(regexp_replace(intake.plain(p_name), '\s+', ' ', 'g'));
  l intake.guest_link;
begin
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '22023', hint = 'state', detail = 'CN125'; end if;
  perform intake.require_end_date(p_until);
  perform intake.require_no_other_link(a.id);
  if (select count(*) from intake.guest_link x where x.action_id = a.id) >= 50 then
    raise exception 'given often enough' using errcode = 'PT429', hint = 'too_many_invitations', detail = 'CN126';
  end if;
  begin
    insert into intake.guest_link (organization_id, action_id, name, email, until, created_by)
      values (a.organization_id, a.id, name, lower(btrim(p_email)), p_until, auth.uid()) returning * into l;
  exception when check_violation or not_null_violation then
    raise exception 'a guest has a name and an address' using errcode = '22023', hint = 'person', detail = 'CN127';
  end;
  perform audit.note(a.organization_id, 'guest_link.made', 'action_items', a.id, jsonb_build_object('link', l.id, 'name', l.name, 'until', l.until));
  return intake.guest_email(l);
end $$;

-- The link, for whoever may give its item, and the item with it.
create function intake.my_guest_link(p_id uuid) returns intake.guest_link
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link;
begin
  -- One that is not there and one of somebody else are answered alike.
  perform intake.require_giver((select x.action_id from intake.guest_link x where x.id = p_id));
  select * into l from intake.guest_link x where x.id = p_id for update;
  return l;
end $$;

create function intake.link_status(l intake.guest_link) returns text
  language sql stable security definer set search_path = '' return
  (select intake.guest_link_status(l, a) from public.action_items a where a.id = l.action_id);

-- One more letter with a token of its own; those before open the same. As give_guest_link answers.
create function send_guest_link_again(p_id uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  if intake.link_status(l) <> 'open' then raise exception 'the link is over' using errcode = '22023', hint = 'state', detail = 'CN128'; end if;
  update intake.guest_link x set sent_at = clock_timestamp() where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.sent_again', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
  return intake.guest_email(l);
end $$;

-- Another last day; a link that ran out opens again.
create function change_guest_link(p_id uuid, p_until date) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  perform intake.require_end_date(p_until);
  if intake.link_status(l) not in ('open', 'expired') then raise exception 'the link is over' using errcode = '22023', hint = 'state', detail = 'CN128'; end if;
  perform intake.require_no_other_link(l.action_id, l.id);
  update intake.guest_link x set until = p_until where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.until_changed', 'action_items', l.action_id,
    jsonb_build_object('link', l.id, 'name', l.name, 'until', p_until));
end $$;

create function revoke_guest_link(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  l intake.guest_link := intake.my_guest_link(p_id);
begin
  if l.revoked_at is not null then return; end if;
  update intake.guest_link x set revoked_at = now() where x.id = l.id;
  perform audit.note(l.organization_id, 'guest_link.revoked', 'action_items', l.action_id, jsonb_build_object('link', l.id, 'name', l.name));
end $$;

-- Who outside was given an action item, the newest first, for whoever sees it: {may_give, links}. Addresses are for who may give.
create function action_guest_links(p_action uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  a public.action_items;
  may_give boolean;
begin
  select * into a from public.action_items x where x.id = p_action;
  if not found or auth.uid() is null or a.deleted_at is not null or not access.is_in_sight(a.scopes) then
    raise exception 'no such action item' using errcode = '42501', detail = 'CN099';
  end if;
  may_give := access.may('action.manage', a.organization_id) or coalesce(a.created_by = auth.uid(), false) and access.may('action.work', a.organization_id);
  return jsonb_build_object('may_give', may_give, 'links', (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'email', case when may_give then l.email end, 'until', l.until,
      'state', l.state, 'status', intake.guest_link_status(l, a), 'by', l.created_by, 'created_at', l.created_at, 'sent_at', l.sent_at,
      'opened_at', l.opened_at, 'seen_at', l.seen_at) order by l.created_at desc), '[]')
    from intake.guest_link l where l.action_id = a.id));
end $$;

create function intake.guest_link_of(p_token text) returns intake.guest_link
  language sql stable security definer set search_path = '' as $$
  select l from intake.guest_token t
  join intake.guest_link l on l.id = t.link_id
  join public.organizations o on o.id = l.organization_id and o.deleted_at is null
  where t.hash = identity.token_hash(left(p_token, 200))
$$;

-- Photos of the item that are here, oldest first.
create function intake.guest_photos(l intake.guest_link, a public.action_items) returns table (id uuid, mime text)
  language sql stable security definer set search_path = '' as $$
  select m.id, m.mime from jsonb_array_elements_text(a.media_ids) with ordinality f (id, n) join public.media m on m.id::text = f.id
  where m.organization_id = a.organization_id and m.kind = 'photo' and m.state = 'complete' and m.deleted_at is null
    and m.scopes && a.scopes and access.user_sees_scopes(l.created_by, m.organization_id, m.scopes)
  order by f.n
$$;

-- What the page offers next. `again`: what they did was sent back.
create function intake.guest_step(l intake.guest_link, a public.action_items) returns text
  language sql stable set search_path = '' return
  case when a.status = 'ready_for_verification' then 'checking' when l.state = 'given' then 'asked' when l.state = 'done' then 'again'
    else 'accepted' end;

create function intake.needs_photo(a public.action_items) returns boolean
  language sql stable security definer set search_path = '' return a.evidence_required and not action.action_has_evidence(a);

create function intake.guest_answer(l intake.guest_link) returns jsonb
  language sql stable security definer set search_path = '' as $$
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
$$;

-- For anybody who holds a link: {standing} and, while it is open, the one action item.
create function open_guest_link(p_token text) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  l intake.guest_link;
begin
  select * into l from intake.guest_link_of(p_token);
  if l.id is null then return null; end if;
  update intake.guest_link x set opened_at = coalesce(x.opened_at, now()), seen_at = now()
    where x.id = l.id and (x.seen_at is null or x.seen_at < now() - interval '1 minute');
  return intake.guest_answer(l);
end $$;

-- What was sent, cleaned; refuses whatever is not exactly a guest's word. The same limits stand in
-- packages/core/src/action-items/guest-word.ts.
create function intake.parse_reply(p jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
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
end $$;

-- Ten words in ten minutes, forty and 200 MB of photos in a day: more than anybody says of one piece of work.
create function intake.allows_guest(l intake.guest_link, p_bytes bigint) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Where a word moves the item: at most to its check.
create function intake.moved_by_guest(p_act text, l intake.guest_link, a public.action_items) returns text
  language sql immutable set search_path = '' return
  case p_act when 'accept' then case when l.state = 'given' and a.status in ('open', 'assigned', 'needs_revision') then 'in_progress' else a.status end
    when 'decline' then case when l.state <> 'given' and a.status = 'in_progress' then case when a.assignee_id is null then 'open' else 'assigned' end else a.status end
    else case when a.status in ('open', 'assigned', 'in_progress', 'needs_revision') then 'ready_for_verification' else a.status end end;

-- Those who follow it hear, and whoever gave the link; who was just asked to check it has heard.
create function intake.notify_guest_reply(l intake.guest_link, p_act text, p_key text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- Keeps a word that is let in; answers its comment, where it has words.
create function intake.save_reply(l intake.guest_link, a public.action_items, p_reply jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
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
end $$;

-- A word by anybody with a link that is open; answers as open_guest_link and whether it was `taken`, which counts once however often
-- the same call comes; null where the token opens nothing.
--
-- p_key: 64 hex digits made on the phone, never reused; who holds it may bring the announced photos.
create function submit_guest_reply(p_token text, p_key text, p_reply jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  reply jsonb;
  hash bytea;
  size bigint;
  before intake.guest_reply;
  l intake.guest_link;
  a public.action_items;
  made uuid;
begin
  if coalesce(p_key, '') !~ '^[0-9a-f]{64}$' then perform intake.refuse(); end if;
  reply := intake.parse_reply(p_reply);
  hash := sha256(convert_to(p_key, 'UTF8'));
  -- The same call twice at once: the second waits for the first.
  perform pg_advisory_xact_lock(hashtextextended(encode(hash, 'hex'), 7));
  select * into l from intake.guest_link_of(p_token);
  if l.id is null then return null; end if;
  select * into before from intake.guest_reply w where w.key_hash = hash;
  if found then
    if before.link_id <> l.id or before.body_hash <> sha256(convert_to(p_reply::text, 'UTF8')) then perform intake.refuse(); end if;
    return intake.guest_answer(l) || '{"accepted": true}';
  end if;
  -- One at a time for each item; what may have changed meanwhile is read again.
  select * into a from public.action_items x where x.id = l.action_id for update;
  select * into l from intake.guest_link x where x.id = l.id for update;
  if intake.guest_link_status(l, a) <> 'open' then return intake.guest_answer(l) || '{"accepted": false}'; end if;
  if reply ->> 'act' = 'decline' and a.status = 'ready_for_verification'
    or reply ->> 'act' = 'done' and reply -> 'photos' = '[]' and intake.needs_photo(a) then
    perform intake.refuse();
  end if;
  select coalesce(sum((f ->> 'bytes')::bigint), 0) into size from jsonb_array_elements(reply -> 'photos') f;
  perform intake.allows_guest(l, size);
  perform set_config('sync.outside', l.name, true);
  made := intake.save_reply(l, a, reply);
  perform set_config('sync.outside', '', true);
  insert into intake.guest_reply (key_hash, link_id, act, comment_id, body_hash, bytes, replied_at)
    values (hash, l.id, reply ->> 'act', made, sha256(convert_to(p_reply::text, 'UTF8')), size, (reply ->> 'replied_at')::timestamptz);
  insert into intake.guest_photo (key_hash, n, bytes, sha256)
    select hash, f.n, (f.photo ->> 'bytes')::bigint, f.photo ->> 'sha256' from jsonb_array_elements(reply -> 'photos') with ordinality f (photo, n);
  perform intake.notify_guest_reply(l, reply ->> 'act', encode(hash, 'hex'));
  perform audit.note(l.organization_id, 'guest_link.' || case reply ->> 'act' when 'accept' then 'accepted' when 'decline' then 'declined' else 'done' end,
    'action_items', a.id, jsonb_build_object('link', l.id, 'name', l.name));
  select * into l from intake.guest_link x where x.id = l.id;
  return intake.guest_answer(l) || '{"accepted": true}';
end $$;

-- For the server that was brought the bytes of photo `p_n`: where they belong and what they must be, for seven days. Null for a key
-- or number that announced nothing, and for a link that was taken back.
create function guest_reply_photo(p_key text, p_n integer) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('name', l.organization_id::text || '/' || p.media_id::text, 'bytes', p.bytes, 'sha256', p.sha256,
    'stored', p.stored_at is not null)
  from intake.guest_reply w
  join intake.guest_link l on l.id = w.link_id and l.revoked_at is null
  join public.action_items a on a.id = l.action_id and a.deleted_at is null
  join intake.guest_photo p on p.key_hash = w.key_hash and p.n = p_n
  where w.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) and (p.stored_at is not null or w.created_at > now() - interval '7 days')
$$;

-- For the server that looked at the bytes and stored them: from here on the photo belongs to the word and, unless that was ended
-- meanwhile, to the item.
create function save_guest_photo(p_key text, p_n integer, p_mime text, p_width integer, p_height integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(left(p_key, 200), 'UTF8'));
  w intake.guest_reply;
  l intake.guest_link;
  a public.action_items;
  p intake.guest_photo;
begin
  select * into w from intake.guest_reply x where x.key_hash = hash;
  select * into l from intake.guest_link x where x.id = w.link_id;
  select * into a from public.action_items x where x.id = l.action_id for update;
  select * into p from intake.guest_photo x where x.key_hash = hash and x.n = p_n for update;
  if p.media_id is null then raise exception 'no such photo' using errcode = 'P0002', detail = 'CN121'; end if;
  if p.stored_at is not null then return; end if;
  perform set_config('sync.outside', l.name, true);
  insert into public.media (id, organization_id, site_id, kind, mime, bytes, sha256, width, height, state, captured_at, completed_at)
    values (p.media_id, a.organization_id, a.site_id, 'photo', p_mime, p.bytes, p.sha256, p_width, p_height, 'complete', w.replied_at, now());
  update public.comments x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = w.comment_id;
  update public.action_items x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = a.id and not inbox.action_ended(x.status);
  perform set_config('sync.outside', '', true);
  update intake.guest_photo x set stored_at = now() where x.key_hash = hash and x.n = p_n;
end $$;

-- For the server: where a photo of the item lies that the holder of an open link may see. Null for every other.
create function guest_picture(p_token text, p_media uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select a.organization_id::text || '/' || p.id::text
  from intake.guest_link_of(p_token) l
  join public.action_items a on a.id = l.action_id and intake.guest_link_status(l, a) = 'open'
  cross join lateral intake.guest_photos(l, a) p where p.id = p_media
$$;

-- Who may call what.
revoke execute on function intake.require_code(public.report_codes), intake.new_token(uuid), intake.my_code(uuid), intake.open_code(text),
  public_report_place(text), intake.plain(text), intake.refuse(), intake.is_photo(jsonb), intake.title_of(text), intake.read_report(jsonb),
  intake.alert_flood(public.report_codes), intake.allows_report(public.report_codes, bigint), intake.save_report(public.report_codes, jsonb),
  intake.answer_of(uuid), submit_public_report(text, text, jsonb), intake.require_giver(uuid),
  intake.guest_link_status(intake.guest_link, public.action_items), intake.require_end_date(date), intake.require_no_other_link(uuid, uuid),
  intake.guest_email(intake.guest_link), intake.my_guest_link(uuid), intake.link_status(intake.guest_link), intake.guest_link_of(text),
  intake.guest_photos(intake.guest_link, public.action_items), intake.guest_step(intake.guest_link, public.action_items),
  intake.needs_photo(public.action_items), intake.guest_answer(intake.guest_link), intake.parse_reply(jsonb),
  intake.allows_guest(intake.guest_link, bigint), intake.moved_by_guest(text, intake.guest_link, public.action_items),
  intake.notify_guest_reply(intake.guest_link, text, text), intake.save_reply(intake.guest_link, public.action_items, jsonb) from public;
revoke execute on function create_report_code(uuid, uuid, uuid, text), rotate_report_code(uuid), pause_report_code(uuid, boolean),
  revoke_report_code(uuid), give_guest_link(uuid, text, text, date), send_guest_link_again(uuid), change_guest_link(uuid, date),
  revoke_guest_link(uuid), action_guest_links(uuid) from public, anon;
revoke execute on function public_report_photo(text, integer), save_public_photo(text, integer, text, integer, integer), orphaned_public_photos(text[]),
  guest_reply_photo(text, integer), save_guest_photo(text, integer, text, integer, integer), guest_picture(text, uuid) from public, anon, authenticated;
revoke execute on function open_guest_link(text), submit_guest_reply(text, text, jsonb) from public, authenticated;
