-- Evidence: what shows that a duty was met. A record with its period, the day it holds from and the day it runs out, apart from the
-- moment the server got it; files by the lane of all files; reviewed by somebody else; followed by revisions, of which one counts
-- (docs/decisions/0241-evidence.md).

insert into permissions (key, description, is_audience) values
  ('evidence.read', 'See all evidence of the organisation and its files', true),
  ('evidence.add', 'Add evidence, change what is not accepted yet', false),
  ('evidence.review', 'Accept evidence, send it back, withdraw it', false);
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, permission
  from unnest(array['admin', 'manager']) role, unnest(array['evidence.read', 'evidence.add', 'evidence.review']) permission
  union all select 'organization', 'member', 'evidence.add'
  union all select 'organization', 'auditor', 'evidence.read';

-- A file may be meant for the holders of one permission, whatever place it belongs to; and what was picked has a name.
alter table media
  add column audience text references permissions (key) check (audience = 'evidence.read'),
  add column name     text check (name <> '' and char_length(name) <= 200 and name !~ '[/\\[:cntrl:]]');   -- of a picked file; its bytes lie under its id
-- Nobody takes what an inspection shows from those who see the inspection.
alter table media add constraint media_audience_alone check (audience is null or inspection_id is null);
alter table media alter column scopes set expression as (
  sync.scopes(case when audience is null then sync.place_scope(organization_id, site_id) else sync.holder_scope(audience, organization_id) end,
    sync.member_scope(organization_id, captured_by)));
select sync.refresh_table('media');

create function sync.guard_audience() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.audience is distinct from old.audience then raise exception 'a file keeps its audience' using errcode = '42501'; end if;
  return new;
end $$;
create trigger d_audience before update on media for each row execute function sync.guard_audience();

create table evidence (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  series_id       uuid not null,                                 -- id of its first revision; its own for that one
  revision        integer not null default 1 check (revision > 0),   -- counted by the server as they arrive
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  description     text check (char_length(description) <= 4000),
  owner_id        uuid references auth.users (id) on delete set null,   -- who answers for it and is told when it runs out
  period_from     date,                                          -- the time it speaks of
  period_to       date,
  effective_on    date,                                          -- the day it holds from, as it says itself
  expires_on      date,                                          -- the last day it holds
  media_ids       jsonb not null default '[]' check (jsonb_typeof(media_ids) = 'array' and jsonb_array_length(media_ids) <= 20),   -- ids of media
  state           text not null default 'collected' check (state in ('collected', 'sent_back', 'accepted', 'superseded', 'withdrawn')),
  review_note     text check (char_length(review_note) <= 2000), -- of who sent it back or withdrew it
  reviewed_by     uuid references auth.users (id) on delete set null,
  reviewed_at     timestamptz,                                   -- server time
  collected_at    timestamptz not null,                          -- device time
  received_at     timestamptz not null default clock_timestamp(),   -- server time; never changes
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  check (period_to >= period_from),
  check (expires_on >= effective_on),
  check (least(period_from, period_to, effective_on, expires_on) >= date '1970-01-01'
    and greatest(period_from, period_to, effective_on, expires_on) < date '2200-01-01')
);
create index evidence_organization on evidence (organization_id, series_id);
create index evidence_expiry on evidence (expires_on) where state = 'accepted' and deleted_at is null;

-- What a piece of evidence is about.
create table evidence_links (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the evidence
  evidence_id     uuid not null,
  owner_id        uuid references auth.users (id) on delete set null,   -- copied from the evidence: who sees it besides its readers
  target_table    text not null check (target_table in ('policies', 'action_items', 'inspections')),
  target_id       uuid not null,
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, evidence_id) references evidence (organization_id, id) on delete cascade
);
create index evidence_links_evidence on evidence_links (organization_id, evidence_id);
create index evidence_links_target on evidence_links (target_id);

-- After media: its files stand before it.
select sync.add_table('evidence', 34,
  $$ sync.scopes(sync.holder_scope('evidence.read', organization_id), sync.member_scope(organization_id, owner_id),
      sync.member_scope(organization_id, created_by)) $$,
  p_groups => '[["state","review_note"]]', p_server_columns => array['revision', 'reviewed_by', 'reviewed_at', 'received_at']);
select sync.add_table('evidence_links', 35,
  $$ sync.scopes(sync.holder_scope('evidence.read', organization_id), sync.member_scope(organization_id, owner_id),
      sync.member_scope(organization_id, created_by)) $$,
  p_server_columns => array['owner_id']);

create policy "scope reads" on evidence for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "members add" on evidence for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('evidence.add')) and scopes && (select array(select my_scopes())));
create policy "whose it is and reviewers change" on evidence for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (organization_id in (select my_organizations_with('evidence.review'))
      or organization_id in (select my_organizations_with('evidence.add')) and (created_by = (select auth.uid()) or owner_id = (select auth.uid()))));
grant insert, update on evidence to authenticated;

create policy "scope reads" on evidence_links for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "members link" on evidence_links for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('evidence.add')) and scopes && (select array(select my_scopes())));
create policy "whose it is and reviewers unlink" on evidence_links for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (organization_id in (select my_organizations_with('evidence.review'))
      or organization_id in (select my_organizations_with('evidence.add')) and (created_by = (select auth.uid()) or owner_id = (select auth.uid()))));
grant insert, update on evidence_links to authenticated;

create trigger a0_need_push before insert on evidence for each statement execute function sync.need_push();
create trigger a0_need_push before insert on evidence_links for each statement execute function sync.need_push();
create trigger b_creator before insert or update on evidence for each row execute function sync.set_creator();
create trigger b_keep_organization before update on evidence for each row execute function sync.keep_organization();
create trigger b_creator before insert or update on evidence_links for each row execute function sync.set_creator();
create trigger b_keep_organization before update on evidence_links for each row execute function sync.keep_organization();

-- From a state to those it may move to; packages/core/src/evidence/evidence-states.ts says the same.
create function sync.evidence_may_become(p_from text, p_to text) returns boolean
  language sql immutable parallel safe return p_from = p_to or p_to = any (case p_from
    when 'collected' then array['accepted', 'sent_back', 'withdrawn']
    when 'sent_back' then array['collected', 'withdrawn']
    when 'accepted' then array['superseded', 'withdrawn']
    else array[]::text[] end);

create function sync.number_evidence(p public.evidence) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  first public.evidence;
begin
  if p.series_id = p.id then return 1; end if;
  select * into first from public.evidence e where e.id = p.series_id for update;
  if not found or first.organization_id <> p.organization_id or first.series_id <> first.id or first.deleted_at is not null
    or sync.pushing() and not sync.is_in_sight(first.scopes) then
    raise exception 'a revision needs what it revises' using errcode = '23503';
  end if;
  return (select max(e.revision) + 1 from public.evidence e where e.organization_id = p.organization_id and e.series_id = p.series_id);
end $$;

-- Whether somebody decides on what they brought themselves, though another could (as with inspections, 0152).
create function sync.is_own_evidence(p public.evidence, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  coalesce(p_caller in (p.created_by, p.owner_id), false)
    and exists (select from inbox.people_with('evidence.review', p.organization_id, null) q
      where q is distinct from p.created_by and q is distinct from p.owner_id);

create function sync.guard_evidence_review(new_row public.evidence, p_from text) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not sync.evidence_may_become(p_from, new_row.state) or new_row.state = 'superseded' then
    raise exception 'evidence that is % cannot become %', p_from, new_row.state using errcode = '23514', hint = 'state';
  end if;
  if new_row.state = 'collected' or new_row.state = 'withdrawn' and p_from <> 'accepted' then return; end if;
  if not sync.may('evidence.review', new_row.organization_id) then
    raise exception 'this needs evidence.review' using errcode = '42501';
  end if;
  -- Accepted work of somebody who left brings no decision of theirs.
  if sync.only_home() is not null then raise exception 'a decision is given in one''s own name' using errcode = '42501'; end if;
  if new_row.state in ('accepted', 'sent_back') and sync.is_own_evidence(new_row, auth.uid()) then
    raise exception 'somebody else decides on one''s own evidence' using errcode = '42501', hint = 'own';
  end if;
  if new_row.state <> 'accepted' and btrim(coalesce(new_row.review_note, '')) = '' then
    raise exception 'who says no says why' using errcode = '23514', hint = 'reason';
  end if;
end $$;

create function sync.guard_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  judged public.evidence;
begin
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if tg_op = 'INSERT' then
    new.revision := sync.number_evidence(new);
    if auth.uid() is null then return new; end if;
    new.state := 'collected';
    new.review_note := null;
    new.reviewed_by := null;
    new.reviewed_at := null;
    new.received_at := clock_timestamp();
  elsif (new.series_id, new.collected_at) is distinct from (old.series_id, old.collected_at) then
    raise exception 'evidence keeps its series and the moment it was collected' using errcode = '42501';
  end if;
  if new.owner_id is not null and auth.uid() is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id)
    and not sync.is_member(new.organization_id, new.owner_id) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' or not sync.is_device_edit() then return new; end if;
  if old.state not in ('collected', 'sent_back') and
    (new.title, new.description, new.period_from, new.period_to, new.effective_on, new.expires_on, new.media_ids, new.deleted_at) is distinct from
    (old.title, old.description, old.period_from, old.period_to, old.effective_on, old.expires_on, old.media_ids, old.deleted_at) then
    raise exception 'what was decided on stays as it is; a revision follows it' using errcode = '42501';
  end if;
  if new.state <> old.state then
    -- As it stood before: nobody makes it somebody else's, and then decides.
    judged := new;
    judged.owner_id := old.owner_id;
    perform sync.guard_evidence_review(judged, old.state);
    if new.state in ('accepted', 'sent_back') then
      new.reviewed_by := auth.uid();
      new.reviewed_at := clock_timestamp();
    end if;
  elsif new.review_note is distinct from old.review_note then
    raise exception 'what was said with a decision stays' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on evidence for each row execute function sync.guard_evidence();

-- Of a series one revision counts.
create function sync.supersede_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.evidence e set state = 'superseded'
    where e.organization_id = new.organization_id and e.series_id = new.series_id and e.id <> new.id and e.state = 'accepted';
  return null;
end $$;
create trigger e_supersede after update on evidence for each row
  when (new.state = 'accepted' and old.state <> 'accepted') execute function sync.supersede_evidence();

create function sync.guard_evidence_link() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  e public.evidence;
  seen boolean;
begin
  if tg_op = 'UPDATE' then
    if (new.evidence_id, new.target_table, new.target_id) is distinct from (old.evidence_id, old.target_table, old.target_id) then
      raise exception 'a link keeps its ends' using errcode = '42501';
    end if;
    return new;
  end if;
  select * into e from public.evidence x where x.id = new.evidence_id;
  if not found or sync.pushing() and auth.uid() is not null and not sync.is_in_sight(e.scopes) then
    raise exception 'a link needs its evidence' using errcode = '23503';
  end if;
  new.organization_id := e.organization_id;
  new.owner_id := e.owner_id;
  execute format('select exists (select from public.%I t where t.id = $1 and t.organization_id = $2 and t.deleted_at is null and ($3 or sync.is_in_sight(t.scopes)))',
    new.target_table) into seen using new.target_id, e.organization_id, auth.uid() is null;
  if not seen then raise exception 'a link needs what it leads to' using errcode = '23503'; end if;
  return new;
end $$;
create trigger c_guard before insert or update on evidence_links for each row execute function sync.guard_evidence_link();

insert into notification_types (key, module, class, setting, app, push, email) values
  ('evidence.sent_back', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('evidence.expiring', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('evidence.expired', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily');

create function inbox.evidence_decided() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.settled(new.id, array['evidence.sent_back'], null);
  if new.state in ('superseded', 'withdrawn') then perform inbox.settled(new.id, array['evidence.expiring', 'evidence.expired'], null); end if;
  if new.state = 'sent_back' then
    perform inbox.notify(coalesce(new.owner_id, new.created_by), 'evidence.sent_back', 'evidence/' || new.id::text || '/sent_back/' || new.version::text,
      '/policies/evidence/' || new.id::text, jsonb_build_object('title', new.title, 'by', inbox.name_of(new.reviewed_by)), new.id,
      new.organization_id, new.reviewed_by);
  end if;
  return null;
end $$;
create trigger x_notify after update on evidence for each row when (old.state <> new.state) execute function inbox.evidence_decided();

-- By the clock, in portions: whose evidence runs out is told 30 and 7 days before its last day, and once it has run out.
create function sync.sweep_evidence(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  o record;
  told integer := 0;
begin
  for o in
    select e.*, s.type, coalesce(e.owner_id, e.created_by) as person, k.key
    from public.evidence e
    cross join lateral (select e.expires_on - p_now::date as days) d
    cross join lateral (select case when d.days < 0 then 'evidence.expired' else 'evidence.expiring' end as type,
      case when d.days < 0 then 'expired' when d.days <= 7 then '7' else '30' end as step) s
    cross join lateral (select 'evidence/' || e.id::text || '/' || s.step || '/' || e.expires_on::text as key) k
    where e.state = 'accepted' and e.deleted_at is null and d.days between -7 and 30 and coalesce(e.owner_id, e.created_by) is not null
      and not exists (select from public.notifications n where n.user_id = coalesce(e.owner_id, e.created_by) and n.key = k.key)
    order by e.expires_on limit p_limit
  loop
    if o.type = 'evidence.expired' then perform inbox.settled(o.id, array['evidence.expiring'], null); end if;
    perform inbox.notify(o.person, o.type, o.key, '/policies/evidence/' || o.id::text, jsonb_build_object('title', o.title, 'due', o.expires_on),
      o.id, o.organization_id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- The log keeps which files a decision was about, by their hashes.
create function audit.note_evidence() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  hashes jsonb;
begin
  if tg_op = 'UPDATE' then
    if new.state = old.state then return null; end if;
  end if;
  select jsonb_agg(m.sha256 order by m.sha256) into hashes from public.media m
    where m.organization_id = new.organization_id and new.media_ids ? m.id::text;
  perform audit.note(new.organization_id, 'evidence.' || new.state, 'evidence', new.id,
    jsonb_build_object('revision', new.revision, 'files', jsonb_array_length(new.media_ids), 'sha256', hashes));
  return null;
end $$;
create trigger z_audit after insert or update on evidence for each row execute function audit.note_evidence();

-- Somebody takes evidence along in a package: the log keeps the hash of its manifest, so that whoever holds the package can tell
-- later that the manifest is the one that was made then.
create function note_evidence_pack(p_organization uuid, p_sha256 text, p_files integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.may('evidence.read', p_organization) then
    raise exception 'this needs evidence.read in that organisation' using errcode = '42501';
  end if;
  if p_sha256 is null or p_sha256 !~ '^[0-9a-f]{64}$' or p_files is null or p_files < 0 then
    raise exception 'no manifest' using errcode = '22023';
  end if;
  perform audit.note(p_organization, 'evidence.exported', 'organizations', p_organization, jsonb_build_object('sha256', p_sha256, 'files', p_files));
end $$;
revoke execute on function note_evidence_pack(uuid, text, integer) from public, anon, authenticated;
grant execute on function note_evidence_pack(uuid, text, integer) to authenticated;

revoke execute on function sync.guard_audience(), sync.number_evidence(public.evidence), sync.is_own_evidence(public.evidence, uuid),
  sync.guard_evidence_review(public.evidence, text), sync.guard_evidence(), sync.supersede_evidence(), sync.guard_evidence_link(),
  inbox.evidence_decided(), sync.sweep_evidence(timestamptz, integer), audit.note_evidence() from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-evidence', '* * * * *', 'select sync.sweep_evidence()') $cron$;
  end if;
end $$;
