-- Acknowledgements: that a person read a version and will work by it. Who owes one is derived from campaigns, memberships and the
-- major in force, on the device and here alike, so that publishing to thousands writes nothing for each; a row stands once
-- somebody opened what they owe (docs/decisions/0172-owed-is-derived.md).

create function sync.is_audience(p jsonb) returns boolean
  language sql immutable set search_path = '' return
  coalesce(jsonb_typeof(p) = 'object' and (p ->> 'kind' = 'all'
    or p ->> 'kind' in ('roles', 'sites', 'teams', 'people') and jsonb_typeof(p -> 'ids') = 'array'
      and jsonb_array_length(p -> 'ids') between 1 and 500
      and not exists (select from jsonb_array_elements(p -> 'ids') e where jsonb_typeof(e) <> 'string'
        or p ->> 'kind' = 'roles' and e #>> '{}' not in ('admin', 'manager', 'member', 'auditor')
        or p ->> 'kind' <> 'roles' and e #>> '{}' !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')), false);

-- Whoever writes a campaign has its audience checked.
grant execute on function sync.is_audience(jsonb) to authenticated, service_role;

create table acknowledgement_campaigns (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null,                                 -- copied from the policy
  policy_id       uuid not null,
  audience        jsonb not null check (sync.is_audience(audience)),   -- {"kind": "all"} or {"kind": "roles|sites|teams|people", "ids": […]}
  due_days        integer check (due_days between 1 and 365),    -- from when it is owed; null: no day
  state           text not null default 'active' check (state in ('active', 'ended')),
  starts_at       timestamptz not null default now(),            -- server time
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (organization_id, id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade
);
create index acknowledgement_campaigns_policy on acknowledgement_campaigns (organization_id, policy_id);

create table policy_acknowledgements (
  id              uuid primary key,                              -- derivedId(version_id, 'acknowledgement/<user_id>')
  organization_id uuid not null,                                 -- copied from the version
  policy_id       uuid not null,                                 -- copied from the version
  version_id      uuid not null,
  user_id         uuid references auth.users (id) on delete set null,
  state           text not null default 'opened' check (state in ('opened', 'acknowledged', 'declined', 'exempt', 'void')),
  content_hash    text check (content_hash ~ '^[0-9a-f]{64}$'),  -- of what was on the screen when it was decided
  opened_at       timestamptz not null,                          -- device time
  sections_read   integer not null default 0 check (sections_read between 0 and 10000),
  sections        integer not null default 0 check (sections between 0 and 10000),
  method          text check (method in ('typed', 'drawn')),
  signed_name     text check (char_length(signed_name) <= 200),
  signature       jsonb check (pg_column_size(signature) < 200000),   -- strokes (decision 0004)
  reason          text check (char_length(reason) <= 2000),      -- of who declined, or who exempted
  decided_at      timestamptz,                                   -- device time
  received_at     timestamptz,                                   -- server time at which the decision arrived
  exempted_by     uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (version_id, user_id),
  foreign key (organization_id, policy_id) references policies (organization_id, id) on delete cascade,
  foreign key (organization_id, version_id) references policy_versions (organization_id, id) on delete cascade
);
create index policy_acknowledgements_policy on policy_acknowledgements (policy_id, user_id);
create index policy_acknowledgements_user on policy_acknowledgements (user_id);

select sync.add_table('acknowledgement_campaigns', 26, $$ sync.scopes(sync.org_scope(organization_id)) $$,
  p_server_columns => array['starts_at']);
-- Nobody's but the person's on devices; who may see the others' asks the report, online.
select sync.add_table('policy_acknowledgements', 27, $$ sync.scopes(sync.member_scope(organization_id, user_id)) $$,
  p_groups => '[["state","content_hash","method","signed_name","signature","reason","decided_at"]]',
  p_server_columns => array['received_at', 'exempted_by']);

create policy "scope reads" on acknowledgement_campaigns for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "publishers ask" on acknowledgement_campaigns for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.publish')));
create policy "publishers change" on acknowledgement_campaigns for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('policy.publish')));
grant insert, update on acknowledgement_campaigns to authenticated;

create policy "scope reads" on policy_acknowledgements for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people speak for themselves" on policy_acknowledgements for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
create policy "people decide for themselves" on policy_acknowledgements for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()) and scopes && (select array(select my_scopes())));
grant insert, update on policy_acknowledgements to authenticated;

create trigger b_creator before insert or update on acknowledgement_campaigns for each row execute function sync.set_creator();
create trigger b_keep_organization before update on acknowledgement_campaigns for each row execute function sync.keep_organization();

create function sync.guard_campaign() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if auth.uid() is not null then new.starts_at := now(); end if;
  elsif (new.policy_id, new.audience) is distinct from (old.policy_id, old.audience) then
    raise exception 'who was asked stays who was asked' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on acknowledgement_campaigns for each row execute function sync.guard_campaign();

-- Decides what a word counts for. The policy is locked against publishing meanwhile, so that each word meets either the
-- version it was given on in force, or a newer one: then it is kept as given, counts for nothing, and is asked for anew.
create function sync.guard_acknowledgement() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  v public.policy_versions;
  major_now integer;
begin
  select * into v from public.policy_versions w where w.id = new.version_id;
  -- What somebody may not see is to them as if it were not there.
  if v.major is null or sync.pushing() and auth.uid() is not null and not v.scopes && array(select public.my_scopes()) then
    raise exception 'only what was published is acknowledged' using errcode = '23503';
  end if;
  new.organization_id := v.organization_id;
  new.policy_id := v.policy_id;
  if not sync.is_device_edit() then return new; end if;
  -- A derived id is its own row's, and nobody takes it before them.
  if new.id <> extensions.uuid_generate_v5(new.version_id, 'acknowledgement/' || new.user_id::text) then
    raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
  end if;
  if tg_op = 'UPDATE' then
    if (new.version_id, new.user_id) is distinct from (old.version_id, old.user_id) or new.deleted_at is not null then
      raise exception 'an acknowledgement keeps its version and its person' using errcode = '42501';
    end if;
    -- Who declined may acknowledge after all; what they said then stays.
    if (old.state in ('acknowledged', 'exempt', 'void') or (old.state, new.state) = ('declined', 'declined')) and
      (new.state, new.content_hash, new.method, new.signed_name, new.signature, new.reason, new.decided_at) is distinct from
      (old.state, old.content_hash, old.method, old.signed_name, old.signature, old.reason, old.decided_at) then
      raise exception 'what was signed stays as it was signed' using errcode = '42501';
    end if;
    if new.state is not distinct from old.state then return new; end if;
  end if;
  if new.state not in ('opened', 'acknowledged', 'declined') then
    raise exception 'nobody exempts themselves' using errcode = '42501';
  end if;
  if new.state = 'opened' then
    if tg_op = 'UPDATE' then raise exception 'a word is not taken back' using errcode = '42501'; end if;
    return new;
  end if;
  if new.content_hash is distinct from v.content_hash then
    raise exception 'what was on the screen is not this version' using errcode = '23514';
  end if;
  if new.decided_at is null or new.state = 'acknowledged' and (new.method is null or btrim(coalesce(new.signed_name, '')) = ''
      or new.method = 'drawn' and new.signature is null) then
    raise exception 'an acknowledgement is signed' using errcode = '23514';
  end if;
  if new.state = 'declined' and btrim(coalesce(new.reason, '')) = '' then
    raise exception 'who declines says why' using errcode = '23514';
  end if;
  select p.current_major into major_now from public.policies p where p.id = v.policy_id for share;
  new.received_at := clock_timestamp();
  if v.major < major_now then new.state := 'void'; end if;
  return new;
end $$;
create trigger c_guard before insert or update on policy_acknowledgements for each row execute function sync.guard_acknowledgement();

-- Members an audience means, at present.
create function sync.audience_members(p_organization uuid, p_audience jsonb) returns setof public.organization_members
  language sql stable security definer set search_path = '' as $$
  select m.* from public.organization_members m
  where m.organization_id = p_organization and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
    and case p_audience ->> 'kind'
      when 'all' then true
      when 'roles' then p_audience -> 'ids' ? m.role
      when 'people' then p_audience -> 'ids' ? m.user_id::text
      when 'sites' then exists (select from public.site_members s
        where s.user_id = m.user_id and s.organization_id = p_organization and s.deleted_at is null and p_audience -> 'ids' ? s.site_id::text)
      when 'teams' then exists (select from public.team_members t
        where t.user_id = m.user_id and t.organization_id = p_organization and t.deleted_at is null and p_audience -> 'ids' ? t.team_id::text)
      else false end
$$;

-- Who owes an acknowledgement of what is in force, since when and until when; settled ones too. One row a person and policy:
-- of several campaigns the one that is due first.
create function sync.owed_acknowledgements(p_organization uuid, p_policy uuid default null)
  returns table (policy_id uuid, major integer, user_id uuid, owed_since timestamptz, due_at timestamptz)
  language sql stable security definer set search_path = '' as $$
  select distinct on (p.id, m.user_id) p.id, p.current_major, m.user_id,
    greatest(c.starts_at, p.major_since, m.joined_at),
    greatest(c.starts_at, p.major_since, m.joined_at) + make_interval(days => c.due_days)
  from public.policies p
  join public.acknowledgement_campaigns c on c.policy_id = p.id and c.state = 'active' and c.deleted_at is null
  cross join lateral sync.audience_members(p.organization_id, c.audience) m
  where p.organization_id = p_organization and (p_policy is null or p.id = p_policy) and p.state = 'published' and p.deleted_at is null
  order by p.id, m.user_id, greatest(c.starts_at, p.major_since, m.joined_at) + make_interval(days => c.due_days) nulls last
$$;

-- How things stand for one policy, person by person: those who owe or ever spoke on that major (the one in force where null).
create function policy_acknowledgement_report(p_policy uuid, p_major integer default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  p public.policies;
  wanted integer;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null;
  if not found or auth.uid() is null or not sync.may('policy.report', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  wanted := coalesce(p_major, p.current_major);
  return jsonb_build_object('major', wanted, 'title', p.title, 'at', clock_timestamp(), 'people', coalesce((
    with owed as (
      select o.user_id, o.owed_since, o.due_at from sync.owed_acknowledgements(p.organization_id, p.id) o where wanted = p.current_major
    ), said as (
      select distinct on (a.user_id) a.*, v.major as on_major, v.minor as on_minor
      from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
      where a.policy_id = p.id and a.deleted_at is null and v.major = wanted
      order by a.user_id, array_position(array['acknowledged', 'exempt', 'declined', 'void', 'opened'], a.state), a.received_at
    ), places as (
      select s.user_id, jsonb_agg(s.site_id) as ids from public.site_members s
      where s.organization_id = p.organization_id and s.deleted_at is null group by s.user_id
    ), crews as (
      select t.user_id, jsonb_agg(t.team_id) as ids from public.team_members t
      where t.organization_id = p.organization_id and t.deleted_at is null group by t.user_id
    )
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'user_id', coalesce(o.user_id, s.user_id), 'name', n.display_name, 'role', m.role, 'sites', l.ids, 'teams', c.ids,
        'state', case when s.state is not null and s.state <> 'opened' then s.state
          when o.due_at <= now() then 'overdue' else coalesce(s.state, 'requested') end,
        'owed', o.user_id is not null, 'due_at', o.due_at, 'opened_at', s.opened_at, 'decided_at', s.decided_at, 'received_at', s.received_at,
        'version', case when s.id is not null then s.on_major::text || '.' || s.on_minor::text end,
        'sections_read', s.sections_read, 'sections', s.sections, 'method', s.method, 'signed_name', s.signed_name, 'reason', s.reason,
        'content_hash', s.content_hash)) order by n.display_name, coalesce(o.user_id, s.user_id))
    from owed o full join said s on s.user_id = o.user_id
    left join public.people n on n.id = coalesce(o.user_id, s.user_id)
    left join public.organization_members m on m.organization_id = p.organization_id and m.user_id = coalesce(o.user_id, s.user_id) and m.deleted_at is null
    left join places l on l.user_id = coalesce(o.user_id, s.user_id)
    left join crews c on c.user_id = coalesce(o.user_id, s.user_id)), '[]'::jsonb));
end $$;

-- Nobody has to acknowledge what a publisher exempted them from, with a reason; until the next major.
create function exempt_from_policy(p_policy uuid, p_user uuid, p_reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policies;
begin
  select * into p from public.policies q where q.id = p_policy and q.deleted_at is null for update;
  if not found or auth.uid() is null or not sync.may('policy.publish', p.organization_id) then
    raise exception 'no such policy' using errcode = '42501';
  end if;
  if p.state <> 'published' then raise exception 'nothing is in force' using errcode = '23514', hint = 'state'; end if;
  if btrim(coalesce(p_reason, '')) = '' then raise exception 'an exemption has a reason' using errcode = '23514', hint = 'reason'; end if;
  if not sync.is_member(p.organization_id, p_user) then raise exception 'no such member' using errcode = '42501'; end if;
  insert into public.policy_acknowledgements as a (id, organization_id, policy_id, version_id, user_id, state, opened_at, reason, decided_at, received_at, exempted_by)
    values (extensions.uuid_generate_v5(p.current_version_id, 'acknowledgement/' || p_user::text), p.organization_id, p.id, p.current_version_id,
      p_user, 'exempt', now(), p_reason, now(), clock_timestamp(), auth.uid())
    on conflict (version_id, user_id) do update set state = 'exempt', reason = excluded.reason, decided_at = excluded.decided_at,
      received_at = excluded.received_at, exempted_by = excluded.exempted_by
      where a.state in ('opened', 'declined');
end $$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('policy.requested', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('policy.due_soon', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('policy.overdue', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('policy.declined', 'policies', 'normal', null, 'immediate', 'off', 'daily');

-- A word given settles what was asked of this person; a no is told to whoever answers for the policy.
create function inbox.acknowledgement_decided() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  p public.policies;
begin
  if new.state in ('opened', 'void') then return null; end if;
  perform inbox.settled(new.policy_id, array['policy.requested', 'policy.due_soon', 'policy.overdue'], new.user_id);
  if new.state = 'declined' then
    select * into p from public.policies q where q.id = new.policy_id;
    perform inbox.notify(p.owner_id, 'policy.declined', 'acknowledgement/' || new.id::text || '/declined', '/policies/' || p.id::text,
      jsonb_build_object('title', p.title, 'by', inbox.name_of(new.user_id)), new.id, new.organization_id, new.user_id);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on policy_acknowledgements for each row execute function inbox.acknowledgement_decided();
create trigger x_notify_update after update on policy_acknowledgements for each row
  when (old.state is distinct from new.state) execute function inbox.acknowledgement_decided();

-- By the clock, in portions: who owes something is told, three days before it is due, and when it is late; once each. Nobody is
-- told of what has long been late, nor of a policy that asks again within the minute.
create function sync.sweep_acknowledgements(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  o record;
  told integer := 0;
begin
  for o in
    select w.policy_id, w.user_id, w.due_at, p.title, p.organization_id, t.type, k.key
    from public.policies p
    cross join lateral sync.owed_acknowledgements(p.organization_id, p.id) w
    cross join lateral (select case when w.due_at <= p_now then 'policy.overdue'
      when w.due_at <= p_now + interval '3 days' and w.owed_since < w.due_at - interval '3 days' then 'policy.due_soon' else 'policy.requested' end as type) t
    cross join lateral (select 'policy/' || w.policy_id::text || '/' || w.major::text || '/' || t.type || coalesce('/' || extract(epoch from w.due_at)::text, '') as key) k
    where p.state = 'published' and p.deleted_at is null
      and exists (select from public.acknowledgement_campaigns c where c.policy_id = p.id and c.state = 'active' and c.deleted_at is null)
      and case t.type when 'policy.overdue' then w.due_at > p_now - interval '7 days'
        when 'policy.due_soon' then true else w.owed_since > p_now - interval '7 days' end
      and not exists (select from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
        where a.policy_id = p.id and a.user_id = w.user_id and v.major = w.major and a.deleted_at is null and a.state in ('acknowledged', 'declined', 'exempt'))
      and not exists (select from public.notifications n where n.user_id = w.user_id and n.key = k.key)
    limit p_limit
  loop
    if o.type <> 'policy.requested' then perform inbox.settled(o.policy_id, array['policy.requested', 'policy.due_soon'], o.user_id); end if;
    perform inbox.notify(o.user_id, o.type, o.key, '/policies/' || o.policy_id::text, jsonb_build_object('title', o.title, 'due', o.due_at),
      o.policy_id, o.organization_id);
    told := told + 1;
  end loop;
  return told;
end $$;

revoke execute on function sync.guard_campaign(), sync.guard_acknowledgement(), sync.audience_members(uuid, jsonb),
  sync.owed_acknowledgements(uuid, uuid), inbox.acknowledgement_decided(), sync.sweep_acknowledgements(timestamptz, integer) from public;
revoke execute on function policy_acknowledgement_report(uuid, integer), exempt_from_policy(uuid, uuid, text) from public, anon, authenticated;
grant execute on function policy_acknowledgement_report(uuid, integer), exempt_from_policy(uuid, uuid, text) to authenticated;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-acknowledgements', '* * * * *', 'select sync.sweep_acknowledgements()') $cron$;
  end if;
end $$;
