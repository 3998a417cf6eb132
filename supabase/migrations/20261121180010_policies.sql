-- Policies: what an organisation asks of its people, or a person of themselves. What people read is a version, which never
-- changes once it was sent for approval; the states are decided by the calls below, never by a device.

create table policies (
  id                 uuid primary key default gen_random_uuid(),
  organization_id    uuid not null references organizations (id) on delete cascade,
  title              text not null check (btrim(title) <> '' and char_length(title) <= 200),   -- of the version in force
  code               text check (char_length(code) <= 40),       -- what people call it by: "SAF-04"
  summary            text check (char_length(summary) <= 1000),
  classification     text not null default 'internal' check (classification in ('public', 'internal', 'confidential')),
  owner_id           uuid references auth.users (id) on delete set null,   -- who answers for it
  review_by          text check (review_by ~ '^20[0-9]{2}-[01][0-9]-[0-3][0-9]$'),   -- day on which it should be looked at again
  review_months      integer check (review_months between 1 and 120),                -- from each publishing
  state              text not null default 'draft' check (state in ('draft', 'published', 'archived')),
  current_version_id uuid,                                       -- the one in force
  current_major      integer,
  major_since        timestamptz,                                -- server time since which its major is in force: what is owed is counted from here
  archived_at        timestamptz,
  created_by         uuid references auth.users (id) on delete set null,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  version            bigint not null default 1,
  unique (organization_id, id)
);
create index policies_organization on policies (organization_id, state);
create index policies_owner on policies (owner_id);

create table policy_versions (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the policy
  policy_id       uuid not null,
  state           text not null default 'draft' check (state in ('draft', 'in_review', 'change_requested', 'approved', 'published', 'superseded', 'archived')),
  change          text not null default 'major' check (change in ('major', 'minor')),   -- major: everybody acknowledges anew
  major           integer check (major > 0),                     -- null until published
  minor           integer check (minor >= 0),
  title           text not null check (btrim(title) <> '' and char_length(title) <= 200),
  body            text not null default '' check (char_length(body) <= 400000),   -- Markdown
  changelog       text check (char_length(changelog) <= 2000),   -- what is different, in a line or two
  content_hash    text not null default '' check (content_hash ~ '^([0-9a-f]{64})?$'),   -- sha-256 (hex) of title, an empty line, body
  based_on_id     uuid,                                          -- the version it was written from
  source          text not null default 'written' check (source in ('written', 'markdown', 'seed')),
  approval_id     uuid,                                          -- the last request for approval
  approved_at     timestamptz,
  published_at    timestamptz,                                   -- server time
  published_by    uuid references auth.users (id) on delete set null,
  superseded_at   timestamptz,
  editing_by      uuid references auth.users (id) on delete set null,   -- who has the pen
  editing_since   timestamptz,                                   -- server time they last said so
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  unique (policy_id, major, minor),
  check ((major is null) = (state in ('draft', 'in_review', 'change_requested', 'approved'))),
  check ((major is null) = (minor is null)),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade
);
create index policy_versions_policy on policy_versions (organization_id, policy_id);
-- What is written next stands once.
create unique index policy_versions_next on policy_versions (policy_id) where major is null and deleted_at is null;
alter table policies add foreign key (organization_id, current_version_id) references policy_versions (organization_id, id) deferrable initially deferred;

select sync.add_table('policies', 24,
  $$ sync.scopes(case when state = 'draft' then sync.holder_scope('policy.approve', organization_id) else sync.org_scope(organization_id) end) $$,
  p_server_columns => array['state', 'current_version_id', 'current_major', 'major_since', 'archived_at']);
select sync.add_table('policy_versions', 25,
  $$ sync.scopes(case when major is null then sync.holder_scope('policy.approve', organization_id) else sync.org_scope(organization_id) end) $$,
  p_server_columns => array['state', 'major', 'minor', 'content_hash', 'approval_id', 'approved_at', 'published_at', 'published_by',
    'superseded_at', 'editing_by', 'editing_since']);

create policy "scope reads" on policies for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "authors add" on policies for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
create policy "authors edit" on policies for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
grant insert, update on policies to authenticated;

create policy "scope reads" on policy_versions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "authors add" on policy_versions for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
create policy "authors edit" on policy_versions for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.author')));
grant insert, update on policy_versions to authenticated;

create trigger b_creator before insert or update on policies for each row execute function sync.set_creator();
create trigger b_keep_organization before update on policies for each row execute function sync.keep_organization();
create trigger b_creator before insert or update on policy_versions for each row execute function sync.set_creator();
create trigger b_keep_organization before update on policy_versions for each row execute function sync.keep_organization();

create function sync.is_device_edit() returns boolean
  language sql stable set search_path = '' return sync.pushing() and pg_trigger_depth() <= 1;

create function sync.guard_policy() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  if new.owner_id is not null and (tg_op = 'INSERT' or new.owner_id is distinct from old.owner_id) and auth.uid() is not null
    and not sync.is_member(new.organization_id, new.owner_id) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' or not sync.is_device_edit() then return new; end if;
  -- Its title is that of the version in force; while there is none, what is being written.
  if old.state <> 'draft' then new.title := old.title; end if;
  if new.deleted_at is distinct from old.deleted_at and old.current_version_id is not null then
    raise exception 'a published policy is archived, not removed' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on policies for each row execute function sync.guard_policy();

-- What was published leaves no draft behind that nobody can open.
create function sync.remove_policy_drafts() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.approval_requests r set state = 'withdrawn', decided_at = clock_timestamp()
    where r.state = 'pending' and r.subject_table = 'policy_versions'
      and r.subject_id in (select v.id from public.policy_versions v where v.policy_id = new.id);
  update public.policy_versions set deleted_at = new.deleted_at where policy_id = new.id and deleted_at is null;
  return null;
end $$;
create trigger d_drafts after update on policies for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function sync.remove_policy_drafts();

-- For how long the pen is somebody's without a word from them.
create function sync.pen_lasts() returns interval language sql immutable return interval '10 minutes';

create function sync.guard_policy_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  home uuid;
begin
  new.content_hash := encode(sha256(convert_to(new.title || E'\n\n' || new.body, 'UTF8')), 'hex');
  if tg_op = 'INSERT' then
    select p.organization_id into home from public.policies p where p.id = new.policy_id and p.organization_id = new.organization_id
      -- What somebody may not see is to them as if it were not there.
      and (not sync.pushing() or auth.uid() is null or p.scopes && array(select public.my_scopes()));
    if home is null then raise exception 'a version needs its policy' using errcode = '23503'; end if;
    -- A derived id is its own row's, and nobody takes it before them.
    if auth.uid() is not null and substr(new.id::text, 15, 1) = '5' and (
      new.id <> extensions.uuid_generate_v5(coalesce(new.based_on_id, new.policy_id), 'next version')
      or new.based_on_id is not null and not exists (select from public.policy_versions b where b.id = new.based_on_id and b.policy_id = new.policy_id)) then
      raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
    end if;
    return new;
  end if;
  if new.policy_id <> old.policy_id then raise exception 'a version keeps its policy' using errcode = '42501'; end if;
  if (new.title, new.body, new.changelog, new.change, new.deleted_at, new.source, new.based_on_id)
      is distinct from (old.title, old.body, old.changelog, old.change, old.deleted_at, old.source, old.based_on_id) then
    if old.major is not null then raise exception 'a published version never changes' using errcode = '42501'; end if;
    if sync.is_device_edit() then
      if old.state not in ('draft', 'change_requested') then
        raise exception 'what was sent for approval stays as it is' using errcode = '42501';
      end if;
      if old.editing_by is distinct from auth.uid() and old.editing_by is not null and old.editing_since > now() - sync.pen_lasts() then
        raise exception 'somebody else is writing this' using errcode = '42501';
      end if;
    end if;
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on policy_versions for each row execute function sync.guard_policy_version();

-- From a state to those a version may move to; packages/core/src/policies/version-states.ts says the same.
create function sync.version_may_become(p_from text, p_to text) returns boolean
  language sql immutable parallel safe return p_to = any (case p_from
    when 'draft' then array['in_review', 'published']           -- published at once: in a private space only
    when 'in_review' then array['approved', 'change_requested', 'draft']
    when 'change_requested' then array['in_review', 'published']
    when 'approved' then array['published', 'draft']
    when 'published' then array['superseded', 'archived']
    when 'archived' then array['published']
    else array[]::text[] end);

create function sync.move_version(p_version uuid, p_to text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  present text;
begin
  select v.state into present from public.policy_versions v where v.id = p_version for update;
  if not sync.version_may_become(present, p_to) then
    raise exception 'a version that is % cannot become %', present, p_to using errcode = '23514', hint = 'state';
  end if;
  update public.policy_versions set state = p_to,
    approved_at = case when p_to = 'approved' then clock_timestamp() when p_to = 'draft' then null else approved_at end,
    superseded_at = case when p_to = 'superseded' then clock_timestamp() else superseded_at end,
    editing_by = null, editing_since = null
    where id = p_version;
end $$;

create function sync.policy_approval_ended(r public.approval_requests) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform sync.move_version(r.subject_id, case r.state when 'approved' then 'approved' when 'change_requested' then 'change_requested' else 'draft' end);
end $$;

-- A version the caller may do this with, locked; its policy is locked before it, as everywhere.
create function sync.version_for(p_version uuid, p_permission text) returns public.policy_versions
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions;
begin
  perform from public.policies p where p.id = (select w.policy_id from public.policy_versions w where w.id = p_version) for update;
  select * into v from public.policy_versions w where w.id = p_version and w.deleted_at is null for update;
  if not found or auth.uid() is null or not sync.may(p_permission, v.organization_id) then
    raise exception 'no such version' using errcode = '42501';
  end if;
  return v;
end $$;

-- Takes the pen, keeps it, or takes it over: {"mine", "holder", "since"}. Asked again every few minutes by who writes.
create function hold_policy_pen(p_version uuid, p_take_over boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions := sync.version_for(p_version, 'policy.author');
begin
  if v.state not in ('draft', 'change_requested') then
    raise exception 'what was sent for approval stays as it is' using errcode = '23514', hint = 'state';
  end if;
  if v.editing_by is null or v.editing_by = auth.uid() or p_take_over or v.editing_since <= now() - sync.pen_lasts() then
    update public.policy_versions w set editing_by = auth.uid(), editing_since = now() where w.id = v.id returning * into v;
  end if;
  return jsonb_build_object('mine', v.editing_by = auth.uid(), 'holder', v.editing_by, 'since', v.editing_since);
end $$;

create function drop_policy_pen(p_version uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := sync.version_for(p_version, 'policy.author');
begin
  update public.policy_versions set editing_by = null, editing_since = null where id = v.id and editing_by = auth.uid();
end $$;

create function submit_policy_version(p_version uuid, p_stages jsonb, p_note text default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := sync.version_for(p_version, 'policy.author');
  request uuid;
begin
  if btrim(v.body) = '' then raise exception 'there is nothing to approve' using errcode = '23514', hint = 'empty'; end if;
  if not sync.version_may_become(v.state, 'in_review') then
    raise exception 'a version that is % cannot become in_review', v.state using errcode = '23514', hint = 'state';
  end if;
  request := sync.open_approval(v.organization_id, 'policy.approve', 'policy_versions', v.id, '/policies/' || v.policy_id::text, v.title, p_stages, p_note);
  update public.policy_versions set approval_id = request where id = v.id;
  perform sync.move_version(v.id, 'in_review');
  return request;
end $$;

-- Approved and still to be changed: it is a draft again, and is approved anew.
create function reopen_policy_version(p_version uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v constant public.policy_versions := sync.version_for(p_version, 'policy.author');
begin
  if v.state <> 'approved' then raise exception 'only what is approved is opened again' using errcode = '23514', hint = 'state'; end if;
  perform sync.move_version(v.id, 'draft');
end $$;

-- Puts a version in force: {"major", "minor"}. Everything people owe from now on follows from this one transaction.
create function publish_policy_version(p_version uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v public.policy_versions := sync.version_for(p_version, 'policy.publish');
  p public.policies;
  before public.policy_versions;
  is_private boolean;
begin
  select * into p from public.policies q where q.id = v.policy_id;
  select o.kind = 'private' into is_private from public.organizations o where o.id = v.organization_id;
  if p.state = 'archived' or not sync.version_may_become(v.state, 'published') or v.state <> 'approved' and not is_private then
    raise exception 'a version that is % cannot become published', v.state using errcode = '23514', hint = 'state';
  end if;
  if btrim(v.body) = '' then raise exception 'there is nothing to publish' using errcode = '23514', hint = 'empty'; end if;
  select * into before from public.policy_versions w where w.id = p.current_version_id;
  v.major := case when before.major is null then 1 when v.change = 'major' then before.major + 1 else before.major end;
  v.minor := case when before.major is null or v.change = 'major' then 0 else before.minor + 1 end;
  if before.id is not null then perform sync.move_version(before.id, 'superseded'); end if;
  update public.policy_versions set state = 'published', major = v.major, minor = v.minor, published_at = clock_timestamp(),
    published_by = auth.uid(), editing_by = null, editing_since = null where id = v.id;
  update public.policies set state = 'published', title = v.title, current_version_id = v.id, current_major = v.major,
    major_since = case when v.minor = 0 then clock_timestamp() else major_since end,
    review_by = case when review_months is null then review_by else to_char(now() + make_interval(months => review_months), 'YYYY-MM-DD') end
    where id = p.id;
  return jsonb_build_object('major', v.major, 'minor', v.minor);
end $$;

-- Out of force, and back: nobody owes anything for it meanwhile; what was signed stays.
create function archive_policy(p_policy uuid, p_archived boolean default true) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not sync.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  if p.state <> (case when p_archived then 'published' else 'archived' end) then
    raise exception 'a policy that is % cannot do this', p.state using errcode = '23514', hint = 'state';
  end if;
  perform sync.move_version(p.current_version_id, case when p_archived then 'archived' else 'published' end);
  update public.policies set state = case when p_archived then 'archived' else 'published' end,
    archived_at = case when p_archived then clock_timestamp() end where id = p.id;
end $$;

revoke execute on function sync.guard_policy(), sync.remove_policy_drafts(), sync.guard_policy_version(),
  sync.move_version(uuid, text), sync.policy_approval_ended(public.approval_requests), sync.version_for(uuid, text) from public;
revoke execute on function hold_policy_pen(uuid, boolean), drop_policy_pen(uuid), submit_policy_version(uuid, jsonb, text), reopen_policy_version(uuid),
  publish_policy_version(uuid), archive_policy(uuid, boolean) from public, anon, authenticated;
grant execute on function hold_policy_pen(uuid, boolean), drop_policy_pen(uuid), submit_policy_version(uuid, jsonb, text), reopen_policy_version(uuid),
  publish_policy_version(uuid), archive_policy(uuid, boolean) to authenticated;
