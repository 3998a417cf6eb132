-- Public report codes: a code on the spot with which anybody reports an issue without signing in. Whoever holds `issue.code`
-- makes them. Only a token's hash is kept, in a schema the API does not serve; a wrong, rotated, paused or revoked token gets
-- one answer: null (docs/decisions/0140).

insert into permissions (key, description) values
  ('issue.code', 'Make codes with which anybody on the spot reports an issue without signing in');
insert into role_permissions (role_kind, role, permission) values ('organization', 'admin', 'issue.code');

create schema intake;                                            -- never exposed by the API, and nobody is granted its use

create table report_codes (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,                                          -- neither site nor asset: the organisation
  asset_id        uuid,
  spot            text check (spot <> '' and char_length(spot) <= 80),   -- where it hangs: "Gate 2"
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  rotated_at      timestamptz not null default now(),            -- since when its present token holds
  paused_at       timestamptz,
  paused_because  text check (paused_because in ('hand', 'flood')),
  revoked_at      timestamptz,
  counted_from    timestamptz not null default now(),            -- the flood guard counts no report from before
  reports         integer not null default 0,                    -- reports that came by it
  last_report_at  timestamptz,
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete cascade,
  check ((paused_at is null) = (paused_because is null)),
  check (site_id is null or asset_id is null)
);
create index report_codes_organization on report_codes (organization_id, created_at);
create index report_codes_site on report_codes (site_id);
create index report_codes_asset on report_codes (asset_id);
create index report_codes_created_by on report_codes (created_by);
alter table report_codes enable row level security;
revoke all on report_codes from anon, authenticated;
grant select on report_codes to authenticated;
create policy "makers and triagers read" on report_codes for select to authenticated
  using (organization_id in (select my_organizations_with('issue.code'))
    or organization_id in (select my_organizations_with('issue.triage')));
-- No write: the calls below.

-- Who may be asked back. Apart from the report, which everybody at the place has on their device.
create table report_contacts (
  id              uuid primary key references issue_reports (id) on delete cascade,   -- of the report
  organization_id uuid not null references organizations (id) on delete cascade,
  name            text check (name <> '' and char_length(name) <= 100),
  contact         text check (contact <> '' and char_length(contact) <= 200),
  created_at      timestamptz not null default now(),
  check (name is not null or contact is not null)
);
create index report_contacts_organization on report_contacts (organization_id);
alter table report_contacts enable row level security;
revoke all on report_contacts from anon, authenticated;
grant select on report_contacts to authenticated;
create policy "triagers at the place read" on report_contacts for select to authenticated
  using (organization_id in (select my_organizations_with('issue.triage')) and id in (select r.id from issue_reports r));
-- No write: submit_public_report.

alter table issue_reports
  add column source    text not null default 'app' check (source in ('app', 'public_code')),
  add column reference text unique check (reference ~ '^P-[0-9A-Z]{4}-[0-9A-Z]{4}$');   -- what a visitor may call it by
update sync.tables set server_columns = server_columns || array['source', 'reference'] where name = 'issue_reports';
select sync.refresh_table('issue_reports');

create table intake.code_token (
  hash    bytea primary key,                                     -- sha-256 of the token
  code_id uuid not null unique references public.report_codes (id) on delete cascade
);
-- One report that was taken. Its key was made on the visitor's phone: it says that a repeated call is the same one, and
-- lets its photos follow.
create table intake.submission (
  key_hash   bytea primary key,                                  -- sha-256 of the key
  code_id    uuid not null references public.report_codes (id) on delete cascade,
  report_id  uuid not null unique references public.issue_reports (id) on delete cascade,
  body_hash  bytea not null,
  bytes      bigint not null,                                    -- of its photos, as announced
  created_at timestamptz not null default clock_timestamp()
);
create index submission_code on intake.submission (code_id, created_at);
-- Photos that were announced. A row of `media` is made when the bytes are there: until then the path is nobody's to write.
create table intake.photo (
  report_id uuid not null references public.issue_reports (id) on delete cascade,
  n         integer not null check (n between 1 and 5),
  media_id  uuid not null unique default gen_random_uuid(),
  bytes     bigint not null check (bytes between 1 and 8000000),
  sha256    text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  kept_at   timestamptz,
  primary key (report_id, n)
);
alter table intake.code_token enable row level security;
alter table intake.submission enable row level security;
alter table intake.photo enable row level security;

-- For whoever holds `issue.code` and sees the place.
create function intake.need_code(p_code public.report_codes) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  site constant uuid := coalesce(p_code.site_id,
    (select a.site_id from public.assets a where a.id = p_code.asset_id and a.organization_id = p_code.organization_id));
begin
  perform identity.need('issue.code', p_code.organization_id);
  if site is not null and site not in (select public.my_sites()) then
    raise exception 'this needs issue.code at that site' using errcode = '42501';
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
  perform intake.need_code(c);
  if p_site is not null and p_asset is not null
    or p_site is not null and not exists (
      select from public.sites s where s.id = p_site and s.organization_id = p_organization and s.deleted_at is null)
    or p_asset is not null and not exists (
      select from public.assets a where a.id = p_asset and a.organization_id = p_organization and a.deleted_at is null)
    or char_length(p_spot) > 80 then
    raise exception 'a code is for a site or an asset of the organisation, or for all of it' using errcode = '22023';
  end if;
  if (select count(*) from public.report_codes x where x.organization_id = p_organization and x.revoked_at is null) >= 1000 then
    raise exception 'an organisation has at most 1000 codes' using errcode = '22023';
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
  perform intake.need_code(c);
  if c.revoked_at is not null then raise exception 'this code was taken back' using errcode = '22023'; end if;
  return c;
end $$;

-- A new token, and the code works again where it was paused; what is printed stops working.
create function rotate_report_code(p_id uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform intake.my_code(p_id);
  update public.report_codes c set rotated_at = now(), paused_at = null, paused_because = null, counted_from = clock_timestamp()
    where c.id = p_id;
  perform inbox.settled(p_id, array['issue.code_flooded']);
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
    perform inbox.settled(p_id, array['issue.code_flooded']);
  end if;
end $$;

create function revoke_report_code(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform intake.my_code(p_id);
  delete from intake.code_token t where t.code_id = p_id;
  update public.report_codes c set revoked_at = now() where c.id = p_id;
  perform inbox.settled(p_id, array['issue.code_flooded']);
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
create function intake.plain(p_text text) returns text
  language sql immutable set search_path = '' as $$
  select nullif(btrim(regexp_replace(p_text, '[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]', '', 'g'), E' \n\t'), '')
$$;

create function intake.refuse() returns void language plpgsql set search_path = '' as $$
begin
  raise exception 'this is not a report' using errcode = '22023';
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
  said text;
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
  said := intake.plain(p ->> 'text');
  name := intake.plain(p ->> 'name');
  contact := intake.plain(p ->> 'contact');
  if said is null or char_length(said) > 4000 or char_length(name) > 100 or char_length(contact) > 200
    or coalesce(p ->> 'severity', '') not in ('low', 'medium', 'high', 'critical')
    or coalesce(p ->> 'look_up_hash', '') !~ '^[0-9a-f]{64}$'
    or coalesce(p ->> 'reported_at', '') !~ '^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,3})?Z$'
    or not pg_input_is_valid(p ->> 'reported_at', 'timestamptz') or intake.title_of(said) = '' then
    perform intake.refuse();
  end if;
  if jsonb_array_length(coalesce(p -> 'photos', '[]')) > 5
    or exists (select from jsonb_array_elements(coalesce(p -> 'photos', '[]')) f where not intake.is_photo(f)) then
    perform intake.refuse();
  end if;
  return jsonb_build_object('text', said, 'name', name, 'contact', contact, 'severity', p ->> 'severity',
    'look_up_hash', p ->> 'look_up_hash', 'photos', coalesce(p -> 'photos', '[]'),
    -- The phone's clock, within what a phone without signal may have waited.
    'reported_at', least(greatest((p ->> 'reported_at')::timestamptz, now() - interval '30 days'), now()));
end $$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('issue.code_flooded', 'field', 'normal', null, 'immediate', 'immediate', 'immediate');

create function intake.tell_flood(c public.report_codes) returns void
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
create function intake.lets_in(c public.report_codes, p_bytes bigint) returns boolean
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
    perform intake.tell_flood(c);
    return false;
  end if;
  if last_minute >= 10 then
    raise exception 'too many reports at once by this code' using errcode = 'PT429', hint = 'Try again in a minute';
  end if;
  return true;
end $$;

create function intake.keep_report(c public.report_codes, p_said jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
begin
  insert into public.issue_reports (organization_id, site_id, asset_id, title, description, severity, location, is_anonymous,
      reported_at, look_up_hash, source, reference)
    values (c.organization_id, coalesce(c.site_id, (select a.site_id from public.assets a where a.id = c.asset_id)), c.asset_id,
      intake.title_of(p_said ->> 'text'), p_said ->> 'text', p_said ->> 'severity', c.spot, true,
      (p_said ->> 'reported_at')::timestamptz, p_said ->> 'look_up_hash', 'public_code', 'P-' || substr(sync.receipt_number(), 3))
    returning id into made;
  if p_said ->> 'name' is not null or p_said ->> 'contact' is not null then
    insert into public.report_contacts (id, organization_id, name, contact)
      values (made, c.organization_id, p_said ->> 'name', p_said ->> 'contact');
  end if;
  insert into intake.photo (report_id, n, bytes, sha256)
    select made, f.n, (f.photo ->> 'bytes')::bigint, f.photo ->> 'sha256'
    from jsonb_array_elements(p_said -> 'photos') with ordinality f (photo, n);
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
  said jsonb;
  body bytea;
  hash bytea;
  size bigint;
  before intake.submission;
  c public.report_codes;
  made uuid;
begin
  if coalesce(p_key, '') !~ '^[0-9a-f]{64}$' then perform intake.refuse(); end if;
  said := intake.read_report(p_report);
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
  select coalesce(sum((f ->> 'bytes')::bigint), 0) into size from jsonb_array_elements(said -> 'photos') f;
  if c.id is null or not intake.lets_in(c, size) then return null; end if;
  made := intake.keep_report(c, said);
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
    'kept', p.kept_at is not null)
  from intake.submission s
  join public.issue_reports r on r.id = s.report_id and r.deleted_at is null
  join intake.photo p on p.report_id = s.report_id and p.n = p_n
  where s.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) and (p.kept_at is not null or s.created_at > now() - interval '7 days')
$$;

-- For the server that looked at the bytes and stored them: from here on the photo belongs to the report.
create function keep_public_photo(p_key text, p_n integer, p_mime text, p_width integer, p_height integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.issue_reports;
  p intake.photo;
begin
  select r0.* into r from intake.submission s join public.issue_reports r0 on r0.id = s.report_id
    where s.key_hash = sha256(convert_to(left(p_key, 200), 'UTF8')) for update of r0;
  select * into p from intake.photo x where x.report_id = r.id and x.n = p_n for update;
  if p.media_id is null then raise exception 'no such photo' using errcode = 'P0002'; end if;
  if p.kept_at is not null then return; end if;
  insert into public.media (id, organization_id, site_id, kind, mime, bytes, sha256, width, height, state, captured_at, completed_at)
    values (p.media_id, r.organization_id, r.site_id, 'photo', p_mime, p.bytes, p.sha256, p_width, p_height, 'complete', r.reported_at, now());
  update public.issue_reports x set media_ids = x.media_ids || to_jsonb(p.media_id::text) where x.id = r.id;
  update intake.photo x set kept_at = now() where x.report_id = r.id and x.n = p_n;
end $$;

-- Photos that never became part of their report: forgets those the caller has removed, and names at most 100 more to remove.
create function stray_public_photos(p_removed text[] default '{}') returns setof text
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from intake.photo p using public.issue_reports r
    where r.id = p.report_id and p.kept_at is null and r.organization_id::text || '/' || p.media_id::text = any (p_removed);
  return query
    select r.organization_id::text || '/' || p.media_id::text
    from intake.photo p
    join public.issue_reports r on r.id = p.report_id
    join intake.submission s on s.report_id = p.report_id
    where p.kept_at is null and (s.created_at < now() - interval '7 days' or r.deleted_at is not null)
    order by s.created_at limit 100;
end $$;

revoke execute on all functions in schema intake from public;
revoke execute on function create_report_code(uuid, uuid, uuid, text), rotate_report_code(uuid), pause_report_code(uuid, boolean),
  revoke_report_code(uuid), public_report_place(text), submit_public_report(text, text, jsonb), public_report_photo(text, integer),
  keep_public_photo(text, integer, text, integer, integer), stray_public_photos(text[]) from public, anon, authenticated;
grant execute on function create_report_code(uuid, uuid, uuid, text), rotate_report_code(uuid), pause_report_code(uuid, boolean),
  revoke_report_code(uuid) to authenticated;
grant execute on function public_report_place(text), submit_public_report(text, text, jsonb) to anon, authenticated;
grant execute on function public_report_photo(text, integer), keep_public_photo(text, integer, text, integer, integer),
  stray_public_photos(text[]) to service_role;

-- Counts also the reports and codes it removes.
create or replace function remove_sample_data(organization_id uuid) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  tbl text;
  n integer;
  total integer := 0;
begin
  if auth.uid() is null or remove_sample_data.organization_id not in (select public.my_organizations_with('sample.remove')) then
    raise exception 'removing sample data needs sample.remove' using errcode = '42501';
  end if;
  if not exists (select from public.organizations o where o.id = remove_sample_data.organization_id and o.sample) then
    raise exception 'this organisation is not sample data' using errcode = '42501';
  end if;
  delete from storage.objects where bucket_id = 'media' and name like remove_sample_data.organization_id::text || '/%';
  -- Children before parents: foreign keys inside an organisation do not all cascade.
  foreach tbl in array array['media', 'issue_reports', 'report_codes', 'action_items', 'inspection_answers', 'inspections',
      'form_versions', 'forms', 'assets', 'playbook_members', 'playbooks', 'team_members', 'teams', 'site_members', 'sites',
      'organization_activations', 'organization_members'] loop
    execute format('delete from public.%I where organization_id = $1', tbl) using remove_sample_data.organization_id;
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  delete from public.organizations o where o.id = remove_sample_data.organization_id;
  return total + 1;
end $$;
