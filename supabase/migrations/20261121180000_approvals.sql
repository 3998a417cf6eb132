-- Approvals: one engine for every area. A request names its stages and who decides in each; each decision is a row that a
-- device may write without signal, and that counts only once the database has taken it. Who is away lets somebody stand in,
-- and the trail names both (docs/decisions/0170-one-approval-engine.md).

-- Holders of such a permission are an audience of the feed: drafts travel to those who may read drafts.
alter table permissions add column is_audience boolean not null default false;

insert into permissions (key, description, is_audience) values
  ('policy.author', 'Write policies and send them for approval', false),
  ('policy.approve', 'Read drafts of policies, approve them when asked', true),
  ('policy.publish', 'Publish and archive policies, ask for acknowledgements, exempt from them', false),
  ('policy.report', 'See who acknowledged what', false);
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, permission
  from unnest(array['admin', 'manager']) role, unnest(array['policy.author', 'policy.approve', 'policy.publish', 'policy.report']) permission
  union all
  select 'organization', 'auditor', 'policy.report';

create function sync.holder_scope(p_permission text, p_organization uuid) returns text
  language sql immutable parallel safe return 'may:' || p_permission || ':' || p_organization::text;
grant execute on function sync.holder_scope(text, uuid) to authenticated, service_role;

create or replace function my_scopes() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant text[] := sync.kept_rights('scopes')::text[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  perform sync.need_whole_session();
  return query
    with mine as (select m.organization_id from sync.my_memberships() m)
    select sync.user_scope(auth.uid()) where auth.uid() is not null and sync.only_home() is null
    union all select 'all' where auth.uid() is not null
    union all select sync.org_scope(organization_id) from mine
    union all select sync.member_scope(organization_id, auth.uid()) from mine
    union all select 'circle:' || c.id::text from sync.circle c join mine using (organization_id)
    union all select 'site:' || s::text from public.my_sites() s
    union all
    select 'team:' || t.team_id::text from public.team_members t
    join mine using (organization_id)
    where t.user_id = auth.uid() and t.deleted_at is null
    union all
    select sync.holder_scope(p.key, o) from public.permissions p cross join lateral public.my_organizations_with(p.key) o
    where p.is_audience;
end $$;

-- Stages: [{"name": "Safety", "rule": "any" | "all" | "quorum", "quorum": 2, "people": ["<uuid>", …]}], one to five of them.
create function sync.are_stages(p_stages jsonb) returns boolean
  language sql immutable set search_path = '' return
  jsonb_typeof(p_stages) = 'array' and jsonb_array_length(p_stages) between 1 and 5
  and not exists (
    select from jsonb_array_elements(p_stages) s
    where jsonb_typeof(s) <> 'object' or jsonb_typeof(s -> 'name') is distinct from 'string' or char_length(s ->> 'name') > 100
      or s ->> 'rule' is null or s ->> 'rule' not in ('any', 'all', 'quorum')
      or jsonb_typeof(s -> 'people') is distinct from 'array'
      or jsonb_array_length(s -> 'people') not between 1 and 20
      or (select count(distinct e) from jsonb_array_elements_text(s -> 'people') e) < jsonb_array_length(s -> 'people')
      or exists (select from jsonb_array_elements_text(s -> 'people') e where e !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
      or s ->> 'rule' = 'quorum' and (jsonb_typeof(s -> 'quorum') is distinct from 'number'
        or (s ->> 'quorum') !~ '^[0-9]{1,2}$' or (s ->> 'quorum')::integer not between 1 and jsonb_array_length(s -> 'people')));

create table approval_requests (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  permission      text not null references permissions (key),    -- what deciding takes; its holders see the request
  subject_table   text not null check (subject_table in ('policy_versions')),
  subject_id      uuid not null,
  path            text not null check (path ~ '^/([^/\\]|$)'),   -- screen of the subject
  title           text not null check (title <> ''),
  note            text check (char_length(note) <= 2000),        -- from who asks to who decides
  stages          jsonb not null check (sync.are_stages(stages)),
  stage           integer not null default 1 check (stage between 1 and 5),   -- the one that is open, from 1
  state           text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'change_requested', 'withdrawn')),
  requested_by    uuid references auth.users (id) on delete set null,
  requested_at    timestamptz not null default now(),            -- server time
  decided_at      timestamptz,                                   -- server time at which it ended
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id)
);
create index approval_requests_organization on approval_requests (organization_id, state);
create unique index approval_requests_open on approval_requests (subject_table, subject_id) where state = 'pending' and deleted_at is null;

-- While somebody is away, who decides in their name.
create table approval_delegations (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  from_id         uuid not null references auth.users (id) on delete cascade,   -- who is away
  to_id           uuid not null references auth.users (id) on delete cascade,   -- who stands in
  starts_at       timestamptz not null,
  ends_at         timestamptz not null,
  reason          text check (char_length(reason) <= 500),
  revoked_at      timestamptz,                                   -- device time
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  check (from_id <> to_id),
  check (ends_at > starts_at and ends_at <= starts_at + interval '366 days')
);
create index approval_delegations_from on approval_delegations (organization_id, from_id);

create table approval_decisions (
  id              uuid primary key,                              -- derivedId(request_id, 'stage/<stage>/<approver_id>')
  organization_id uuid not null,                                 -- copied from the request
  permission      text not null default '',                      -- copied from the request
  request_id      uuid not null,
  stage           integer not null,                              -- the one that was open on the screen
  approver_id     uuid references auth.users (id) on delete set null,   -- in whose name
  decided_by      uuid references auth.users (id) on delete set null,   -- who pressed the button
  delegation_id   uuid,                                          -- why they could, where the two differ
  decision        text not null check (decision in ('approve', 'reject', 'request_change')),
  reason          text check (char_length(reason) <= 2000),
  at              timestamptz not null,                          -- device time
  counted_at      timestamptz,                                   -- server time; null on a device means: not counted yet
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (request_id, stage, approver_id),
  foreign key (organization_id, request_id) references approval_requests (organization_id, id) on delete cascade,
  foreign key (organization_id, delegation_id) references approval_delegations (organization_id, id) deferrable initially deferred
);
create index approval_decisions_request on approval_decisions (organization_id, request_id);

select sync.add_table('approval_requests', 26,
  $$ sync.scopes(sync.holder_scope(permission, organization_id), sync.member_scope(organization_id, requested_by)) $$,
  p_server_columns => array['organization_id', 'permission', 'subject_table', 'subject_id', 'path', 'title', 'note', 'stages', 'stage', 'state',
    'requested_by', 'requested_at', 'decided_at']);
select sync.add_table('approval_delegations', 26, $$ sync.scopes(sync.org_scope(organization_id)) $$);
select sync.add_table('approval_decisions', 27,
  $$ sync.scopes(sync.holder_scope(permission, organization_id), sync.member_scope(organization_id, decided_by)) $$,
  p_server_columns => array['permission', 'delegation_id', 'counted_at']);

create policy "scope reads" on approval_requests for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: each area opens requests by a call of its own, decisions move them.

create policy "scope reads" on approval_delegations for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who is away, or manages people, adds" on approval_delegations for insert to authenticated
  with check ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (from_id = (select auth.uid()) or organization_id in (select my_organizations_with('people.manage'))));
create policy "who is away, or manages people, revokes" on approval_delegations for update to authenticated
  using ((select sync.pushing()) and scopes && (select array(select my_scopes()))
    and (from_id = (select auth.uid()) or organization_id in (select my_organizations_with('people.manage'))));
grant insert, update on approval_delegations to authenticated;

create policy "scope reads" on approval_decisions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who is asked decides" on approval_decisions for insert to authenticated
  with check ((select sync.pushing()) and decided_by = (select auth.uid()) and scopes && (select array(select my_scopes())));
-- The grant is what a push needs to look whether the row is there; no policy lets anybody update one: a decision stands.
grant insert, update on approval_decisions to authenticated;
-- Whether they were asked: trigger c_count.

create trigger b_creator before insert or update on approval_delegations for each row execute function sync.set_creator();
create trigger b_keep_organization before update on approval_delegations for each row execute function sync.keep_organization();

create function sync.is_member(p_organization uuid, p_user uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null and (m.valid_until is null or m.valid_until > now()))
$$;

-- Whether the caller has no part in the organisation at all.
create function sync.is_outsider(p_organization uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select auth.uid() is not null and current_setting('role', true) = 'authenticated'
    and not exists (select from sync.my_memberships() m where m.organization_id = p_organization)
$$;

create function sync.guard_delegation() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'UPDATE' and (new.from_id, new.to_id, new.starts_at) is distinct from (old.from_id, old.to_id, old.starts_at) then
    raise exception 'a delegation keeps its people' using errcode = '42501';
  end if;
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of who is who
  -- Who manages people may name a deputy for somebody, never themselves: one would hold both voices.
  if tg_op = 'INSERT' and new.from_id <> auth.uid() and new.to_id = auth.uid() then
    raise exception 'nobody makes themselves the deputy of another' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' and not (sync.is_member(new.organization_id, new.from_id) and sync.is_member(new.organization_id, new.to_id)) then
    raise exception 'only members of the organisation stand in for each other' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on approval_delegations for each row execute function sync.guard_delegation();

-- The delegation by which somebody may decide in another's name at present. One step only: who stands in cannot pass it on,
-- so that no chain can close on itself.
create function sync.stands_in(p_organization uuid, p_for uuid, p_by uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.to_id = p_by and d.deleted_at is null and d.revoked_at is null
    and now() >= d.starts_at and now() < d.ends_at
    and sync.is_member(p_organization, p_for)
  order by d.created_at limit 1
$$;

-- People of the organisation who hold a permission, by their role there.
create function sync.holders(p_permission text, p_organization uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select inbox.people_with(p_permission, p_organization, null)
$$;

create function sync.people_of_stage(r public.approval_requests) returns setof uuid
  language sql immutable set search_path = '' as $$
  select e::uuid from jsonb_array_elements_text(r.stages -> (r.stage - 1) -> 'people') e
$$;

-- Takes a decision or refuses it. The request is locked first: of two that would both end a stage the second finds it over.
create function sync.count_decision() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.approval_requests;
begin
  select * into r from public.approval_requests q where q.id = new.request_id for update;
  -- What somebody may not see is to them as if it were not there; what is no push the policy refuses.
  if not found or sync.pushing() and auth.uid() is not null and not r.scopes && array(select public.my_scopes()) then
    raise exception 'a decision needs its request' using errcode = '23503';
  end if;
  new.organization_id := r.organization_id;
  new.permission := r.permission;
  if auth.uid() is null then return new; end if;
  new.decided_by := auth.uid();
  new.approver_id := coalesce(new.approver_id, auth.uid());
  new.counted_at := clock_timestamp();
  -- A derived id is its own row's, and nobody takes it before them.
  if substr(new.id::text, 15, 1) = '5' and new.id <> extensions.uuid_generate_v5(r.id, 'stage/' || new.stage::text || '/' || new.approver_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if r.state <> 'pending' or new.stage <> r.stage then
    raise exception 'this was decided already' using errcode = '42501';
  end if;
  if new.approver_id not in (select sync.people_of_stage(r)) then
    raise exception 'only who was asked decides' using errcode = '42501';
  end if;
  if not sync.may(r.permission, r.organization_id) then
    raise exception 'deciding needs %', r.permission using errcode = '42501';
  end if;
  new.delegation_id := null;
  if new.approver_id <> auth.uid() then
    new.delegation_id := sync.stands_in(r.organization_id, new.approver_id, auth.uid());
    if new.delegation_id is null then raise exception 'nobody decides in the name of somebody else' using errcode = '42501'; end if;
  end if;
  if r.requested_by = auth.uid() and exists (select from sync.holders(r.permission, r.organization_id) h where h <> auth.uid()) then
    raise exception 'somebody else decides on one''s own request' using errcode = '42501';
  end if;
  if new.decision <> 'approve' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who says no says why' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger c_count before insert on approval_decisions for each row execute function sync.count_decision();

-- What follows for the subject; each area adds its branch.
create function sync.approval_ended(r public.approval_requests) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if r.subject_table = 'policy_versions' then perform sync.policy_approval_ended(r); end if;
end $$;

-- One no ends the request; enough yes end its stage, the last stage the request.
create function sync.settle_stage() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.approval_requests;
  stage jsonb;
  yes integer;
  needed integer;
begin
  select * into r from public.approval_requests q where q.id = new.request_id for update;
  if r.state <> 'pending' or new.stage <> r.stage then return null; end if;
  if new.decision <> 'approve' then
    r.state := case new.decision when 'reject' then 'rejected' else 'change_requested' end;
  else
    stage := r.stages -> (r.stage - 1);
    -- A quorum counts heads: who decides for somebody else too is one.
    select case when r.stages -> (r.stage - 1) ->> 'rule' = 'quorum' then count(distinct coalesce(d.decided_by, d.approver_id)) else count(*) end
      into yes from public.approval_decisions d
      where d.request_id = r.id and d.stage = r.stage and d.decision = 'approve' and d.deleted_at is null;
    needed := case stage ->> 'rule' when 'any' then 1 when 'quorum' then (stage ->> 'quorum')::integer
      else jsonb_array_length(stage -> 'people') end;
    if yes < needed then
      perform inbox.settled(r.id, array['approval.requested'], new.approver_id), inbox.settled(r.id, array['approval.requested'], new.decided_by);
      return null;
    end if;
    if r.stage < jsonb_array_length(r.stages) then r.stage := r.stage + 1; else r.state := 'approved'; end if;
  end if;
  update public.approval_requests q set stage = r.stage, state = r.state,
    decided_at = case when r.state <> 'pending' then clock_timestamp() end where q.id = r.id;
  if r.state <> 'pending' then perform sync.approval_ended(r); end if;
  return null;
end $$;
create trigger d_settle after insert on approval_decisions for each row
  when (new.counted_at is not null) execute function sync.settle_stage();

-- For the calls of the areas: asks for an approval. Nobody asks themselves while somebody else could be asked.
create function sync.open_approval(p_organization uuid, p_permission text, p_table text, p_subject uuid, p_path text, p_title text,
  p_stages jsonb, p_note text) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
begin
  if sync.are_stages(p_stages) is not true then raise exception 'these are no stages of an approval' using errcode = '22023'; end if;
  if exists (select from jsonb_array_elements(p_stages) s, jsonb_array_elements_text(s -> 'people') e
    where e::uuid not in (select sync.holders(p_permission, p_organization))) then
    raise exception 'who is asked must hold %', p_permission using errcode = '22023', hint = 'approver_without_right';
  end if;
  if exists (select from jsonb_array_elements(p_stages) s, jsonb_array_elements_text(s -> 'people') e where e::uuid = auth.uid())
    and exists (select from sync.holders(p_permission, p_organization) h where h <> auth.uid()) then
    raise exception 'somebody else decides on one''s own request' using errcode = '22023', hint = 'own_request';
  end if;
  insert into public.approval_requests (organization_id, permission, subject_table, subject_id, path, title, note, stages, requested_by)
    values (p_organization, p_permission, p_table, p_subject, p_path, p_title, nullif(btrim(p_note), ''), p_stages, auth.uid())
    returning id into made;
  return made;
end $$;

-- Taken back by who asked, or by somebody who could have decided.
create function withdraw_approval(p_request uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.approval_requests;
begin
  select * into r from public.approval_requests q where q.id = p_request and q.deleted_at is null for update;
  if not found or not (r.requested_by is not distinct from auth.uid() and sync.is_member(r.organization_id, auth.uid())
    or sync.may(r.permission, r.organization_id)) then
    raise exception 'no such request' using errcode = '42501';
  end if;
  if r.state <> 'pending' then raise exception 'this was decided already' using errcode = '23514'; end if;
  r.state := 'withdrawn';
  update public.approval_requests q set state = r.state, decided_at = clock_timestamp() where q.id = r.id;
  perform sync.approval_ended(r);
end $$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('approval.requested', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('approval.decided', 'policies', 'normal', null, 'immediate', 'immediate', 'daily');

-- Whoever is to decide now; who is away is not disturbed, who stands in is told instead.
create function inbox.approval_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  asked uuid;
  told uuid;
begin
  if tg_op = 'UPDATE' then perform inbox.settled(new.id, array['approval.requested']); end if;
  if new.state = 'pending' then
    for asked in select sync.people_of_stage(new) loop
      for told in select d.to_id from public.approval_delegations d
          where d.organization_id = new.organization_id and d.from_id = asked and d.deleted_at is null and d.revoked_at is null
            and now() >= d.starts_at and now() < d.ends_at
          union all select asked where not exists (select from public.approval_delegations d
            where d.organization_id = new.organization_id and d.from_id = asked and d.deleted_at is null and d.revoked_at is null
              and now() >= d.starts_at and now() < d.ends_at) loop
        perform inbox.notify(told, 'approval.requested', 'approval/' || new.id::text || '/' || new.stage::text || '/' || asked::text, new.path,
          jsonb_build_object('title', new.title, 'by', inbox.name_of(new.requested_by)), new.id, new.organization_id,
          case when asked = new.requested_by then null else new.requested_by end);
      end loop;
    end loop;
  elsif new.state <> 'withdrawn' then
    perform inbox.notify(new.requested_by, 'approval.decided', 'approval/' || new.id::text || '/' || new.state, new.path,
      jsonb_build_object('title', new.title, 'state', new.state), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on approval_requests for each row execute function inbox.approval_moved();
create trigger x_notify_update after update on approval_requests for each row
  when ((old.state, old.stage) is distinct from (new.state, new.stage)) execute function inbox.approval_moved();

revoke execute on function sync.is_member(uuid, uuid), sync.guard_delegation(), sync.stands_in(uuid, uuid, uuid),
  sync.holders(text, uuid), sync.people_of_stage(public.approval_requests), sync.count_decision(), sync.approval_ended(public.approval_requests),
  sync.settle_stage(), sync.open_approval(uuid, text, text, uuid, text, text, jsonb, text), inbox.approval_moved() from public;
revoke execute on function withdraw_approval(uuid) from public, anon, authenticated;
grant execute on function withdraw_approval(uuid) to authenticated;
