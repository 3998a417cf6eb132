-- Issue reports: what somebody saw and said, from the field or without a name, on its way from reported over triaged and
-- acted on to resolved. Everybody at the place sees it, so that nobody reports twice; who triages decides.

insert into permissions (key, description) values
  ('issue.report', 'Report issues'),
  ('issue.triage', 'Judge issue reports, act on them, resolve them');
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, permission
  from unnest(array['admin', 'manager']) role, unnest(array['issue.report', 'issue.triage']) permission
  union all
  select 'organization', 'member', 'issue.report';

-- Whether people may report without their name.
alter table organizations add column allows_anonymous_reports boolean not null default true;
select sync.refresh_table('organizations');

create table issue_reports (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  asset_id        uuid,
  title           text not null check (title <> '' and char_length(title) <= 200),
  description     text check (char_length(description) <= 10000),
  category        text not null default 'other' check (category in ('hazard', 'injury', 'near_miss', 'damage', 'environment', 'security', 'quality', 'other')),
  severity        text not null default 'medium' check (severity in ('low', 'medium', 'high', 'critical')),
  status          text not null default 'reported' check (status in ('reported', 'triaged', 'acting', 'resolved', 'closed', 'dismissed')),
  location        text check (char_length(location) <= 200),      -- in words: "Bay 2"
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 20),   -- ids of media
  is_anonymous    boolean not null default false,
  reported_by     uuid references auth.users (id) on delete set null,   -- null where no name was given
  reported_at     timestamptz not null default now(),             -- device time
  look_up_hash    text check (look_up_hash ~ '^[0-9a-f]{64}$'),   -- sha-256 of the private code its nameless author holds
  answer          text check (char_length(answer) <= 4000),       -- what its author is told: the measure taken, or why none
  decided_at      timestamptz,                                    -- device time of the last change of state
  decided_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  -- Judged at the end, so that sample data can go in one act; the guard below says sooner what is wrong.
  foreign key (organization_id, site_id) references sites (organization_id, id) deferrable initially deferred,
  foreign key (organization_id, asset_id) references assets (organization_id, id) on delete set null (asset_id),
  check (not is_anonymous or reported_by is null)
);
create index issue_reports_organization on issue_reports (organization_id, site_id);
create index issue_reports_asset on issue_reports (asset_id);
create unique index issue_reports_look_up on issue_reports (look_up_hash);

-- After media: a report's photos stand before it.
select sync.add_table('issue_reports', 34,
  $$ sync.scopes(sync.place_scope(organization_id, site_id), sync.member_scope(organization_id, reported_by)) $$,
  p_groups => '[["status","answer","decided_at","decided_by"]]');

create policy "scope reads" on issue_reports for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "members report" on issue_reports for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('issue.report'))
    and (site_id is null or site_id in (select my_sites())));
create policy "triagers edit" on issue_reports for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('issue.triage'))
    and (site_id is null or site_id in (select my_sites())));
grant insert, update on issue_reports to authenticated;
-- No update by the author: what was reported is evidence. No delete: a report is dismissed, with a reason.

-- From a state to those it may move to; the same table stands in packages/core/src/issue-reports/report-status.ts.
create function sync.may_move_report(p_from text, p_to text) returns boolean
  language sql immutable parallel safe
  return p_from = p_to or p_to = any (case p_from
    when 'reported' then array['triaged', 'acting', 'dismissed']
    when 'triaged' then array['acting', 'resolved', 'dismissed']
    when 'acting' then array['triaged', 'resolved', 'dismissed']
    when 'resolved' then array['closed', 'triaged']
    when 'closed' then array['triaged']
    when 'dismissed' then array['triaged']
  end);

create function sync.guard_issue_report() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if new.site_id is not null and not exists (
    select from public.sites s where s.id = new.site_id and s.organization_id = new.organization_id) then
    raise exception 'the site is not one of this organisation' using errcode = '23503';
  end if;
  if tg_op = 'INSERT' then
    if caller is null then return new; end if;
    if new.is_anonymous then
      if not (select o.allows_anonymous_reports from public.organizations o where o.id = new.organization_id) then
        raise exception 'this organisation takes reports with a name only' using errcode = '42501';
      end if;
      new.reported_by := null;
    else
      new.reported_by := caller;
    end if;
    new.status := 'reported';
    new.answer := null;
    new.decided_at := null;
    new.decided_by := null;
    return new;
  end if;
  if not sync.may_move_report(old.status, new.status) then
    raise exception 'an issue report cannot go from % to %', old.status, new.status using errcode = '23514';
  end if;
  if new.status in ('resolved', 'dismissed') and coalesce(new.answer, '') = '' then
    raise exception 'a report is resolved or dismissed with a word to its author' using errcode = '23514';
  end if;
  if caller is null then return new; end if;
  if (new.title, new.description, new.media_ids, new.is_anonymous, new.reported_by, new.reported_at, new.look_up_hash, new.organization_id)
    is distinct from
    (old.title, old.description, old.media_ids, old.is_anonymous, old.reported_by, old.reported_at, old.look_up_hash, old.organization_id) then
    raise exception 'a report stays as it was made' using errcode = '42501';
  end if;
  if new.status <> old.status then new.decided_by := caller; end if;
  return new;
end $$;
create trigger b_keep_organization before update on issue_reports for each row execute function sync.keep_organization();
create trigger c_guard before insert or update on issue_reports for each row execute function sync.guard_issue_report();

-- Photos say who took them, which would name who asked not to be named. The rule that a photo keeps its author is meant for
-- people; here the server itself acts, so for this one statement nobody is signed in.
create function sync.forget_photographer() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  claims constant text := current_setting('request.jwt.claims', true);
  sub constant text := current_setting('request.jwt.claim.sub', true);
begin
  if caller is null then return null; end if;
  perform set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true);
  update public.media set captured_by = null
    where organization_id = new.organization_id and captured_by = caller and inspection_id is null
      and id::text in (select jsonb_array_elements_text(new.media_ids));
  perform set_config('request.jwt.claims', coalesce(claims, ''), true), set_config('request.jwt.claim.sub', coalesce(sub, ''), true);
  return null;
end $$;
create trigger d_forget after insert on issue_reports for each row when (new.is_anonymous) execute function sync.forget_photographer();

-- Corrective work may come from a report.
alter table action_items drop constraint action_items_source_type_check;
alter table action_items add constraint action_items_source_type_check check (source_type in ('inspection', 'manual', 'issue_report'));

insert into notification_types (key, module, class, setting, app, push, email) values
  ('issue.reported', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('issue.critical', 'field', 'safety', null, 'immediate', 'immediate', 'immediate'),
  ('issue.progress', 'field', 'normal', null, 'immediate', 'immediate', 'daily');

create function inbox.issue_reported() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  told uuid;
begin
  for told in select inbox.people_with('issue.triage', new.organization_id, new.site_id) loop
    -- The author is not told of their own report, and who asked not to be named is not given away by it either way.
    perform inbox.notify(told, case when new.severity = 'critical' then 'issue.critical' else 'issue.reported' end,
      'issue/' || new.id::text || '/reported', '/field/reports/' || new.id::text,
      jsonb_strip_nulls(jsonb_build_object('title', new.title, 'by', inbox.name_of(new.reported_by))),
      new.id, new.organization_id, new.reported_by);
  end loop;
  return null;
end $$;
create trigger x_notify_insert after insert on issue_reports for each row
  when (new.status = 'reported' and new.deleted_at is null) execute function inbox.issue_reported();

create function inbox.issue_decided() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.status <> 'reported' then perform inbox.settled(new.id, array['issue.reported', 'issue.critical']); end if;
  if new.reported_by is null then return null; end if;
  perform inbox.notify(new.reported_by, 'issue.progress', 'issue/' || new.id::text || '/' || new.status || '/' || new.version::text,
    '/field/reports/' || new.id::text, jsonb_build_object('title', new.title, 'status', new.status), new.id, new.organization_id, auth.uid());
  return null;
end $$;
create trigger x_notify_update after update on issue_reports for each row
  when (old.status is distinct from new.status) execute function inbox.issue_decided();

revoke execute on function sync.may_move_report(text, text), sync.guard_issue_report(), sync.forget_photographer(),
  inbox.issue_reported(), inbox.issue_decided() from public;

-- For the holder of a code, signed in or not: where their report stands and what they are told. Nothing else of it, and a
-- code that fits no report answers nothing. 60 random bits are not found by trying.
create function report_progress(p_code text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('status', r.status, 'answer', r.answer, 'reported_at', r.reported_at, 'decided_at', r.decided_at)
  from public.issue_reports r
  where r.deleted_at is null and r.look_up_hash = encode(sha256(convert_to(
    translate(upper(regexp_replace(left(p_code, 40), '[\s-]', '', 'g')), 'OIL', '011'), 'UTF8')), 'hex')
$$;
revoke execute on function report_progress(text) from public, anon, authenticated;
grant execute on function report_progress(text) to anon, authenticated;
