-- Who may do what: permissions, roles and what follows from them: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- A push asks for them several times per edit and cannot afford it: access.cache_rights reads them once at its start, into
-- settings that end with the transaction. A change of what rights are made of, inside the same push, drops them again
-- (access.clear_rights_on_change): from there on every statement reads anew. A right that somebody else takes away while a push of at
-- most 50 edits runs ends with that push.
create function access.cached_rights(p_kind text) returns text
  language sql stable parallel safe                    -- no search_path, so that it is inlined: it runs for every row of a push
  return nullif(current_setting('sync.cached_' || p_kind, true), '');

-- The same before policies of storage and realtime, which no request hook stands in front of.
create function my_organizations_with(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant jsonb := access.cached_rights('organizations')::jsonb;
begin
  if kept is not null then
    return query select o::uuid from jsonb_array_elements_text(kept -> p_permission) o;
    return;
  end if;
  perform identity.require_full_session();
  if not exists (select from public.permissions p where p.key = p_permission and p.reach = 'organization') then return; end if;
  return query
    select m.organization_id from access.my_memberships() m
    where exists (select from public.role_permissions p
        where p.role_kind = 'organization' and p.role = m.role and p.permission = p_permission and p.deleted_at is null)
      or p_permission in (select access.my_system_permissions());
end $$;

-- The sites whose rows the caller sees: those they belong to, and every site where they hold place.all.
create function my_sites() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant uuid[] := access.cached_rights('sites')::uuid[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  return query
    select m.site_id from public.site_members m
    join access.my_memberships() o on o.organization_id = m.organization_id and o.user_id = m.user_id
    where m.user_id = auth.uid() and m.deleted_at is null
    union
    select s.id from public.sites s
    join access.my_memberships() o on o.organization_id = s.organization_id and not o.site_limited
    where s.organization_id in (select public.my_organizations_with('place.all'));
end $$;

create function my_scopes() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant text[] := access.cached_rights('scopes')::text[];
begin
  if kept is not null then
    return query select unnest(kept);
    return;
  end if;
  perform identity.require_full_session();
  return query
    with mine as (select m.organization_id from access.my_memberships() m)
    select sync.user_scope(auth.uid()) where auth.uid() is not null and access.same_organization() is null
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

-- Keeping a playbook takes the right to make one: who may only read the organisation keeps none.
create function my_administered_playbooks() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.playbook_id from public.playbook_members m
    where m.user_id = auth.uid() and m.role = 'admin' and m.deleted_at is null
      and m.organization_id in (select public.my_organizations_with('playbook.create'))
    union
    select p.id from public.playbooks p
    where p.type = 'company' and p.organization_id in (select public.my_organizations_with('playbook.manage'));
end $$;

-- All at once, at the start of a push: asking for one permission after the other would cost more than many pushes do.
create function access.cache_rights() returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('sync.cached_organizations', (
    select coalesce(jsonb_object_agg(r.permission, r.ids), '{}')::text from (
      select x.permission, jsonb_agg(x.organization_id) as ids from (
        select p.permission, m.organization_id from access.my_memberships() m
        join public.role_permissions p on p.role_kind = 'organization' and p.role = m.role and p.deleted_at is null
        union
        select s, m.organization_id from access.my_memberships() m cross join access.my_system_permissions() s
      ) x join public.permissions k on k.key = x.permission and k.reach = 'organization' group by x.permission) r), true);
  perform set_config('sync.cached_sites', array(select public.my_sites())::text, true);
  perform set_config('sync.cached_scopes', array(select public.my_scopes())::text, true);
  -- Memberships that ended: nearly everybody has none, and then no edit need be asked about them.
  perform set_config('sync.cached_former', array(select m.organization_id from public.organization_members m
    where m.user_id = auth.uid() and (m.deleted_at is not null or m.valid_until <= now()))::text, true);
end $$;

-- For triggers: may the caller do this there? Work of the server itself (no signed-in person) is always allowed.
create function access.may(p_permission text, p_organization uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return auth.uid() is null or p_organization in (select public.my_organizations_with(p_permission));
end $$;

-- A membership that counts: not ended, its time not over, its organisation still there.
create function access.my_memberships() returns setof public.organization_members
  language plpgsql stable security definer set search_path = '' as $$
declare
  home constant uuid := access.same_organization();
begin
  return query
    select m.* from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and (home is null or m.organization_id = home);
end $$;

create function access.my_system_permissions() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select p.permission from public.user_roles r
    join public.role_permissions p on p.role_kind = 'system' and p.role = r.role and p.deleted_at is null
    where r.user_id = auth.uid() and r.deleted_at is null;
end $$;

-- Whether a system role of the caller's gives them something of the whole installation.
create function my_platform_permission(p_permission text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return p_permission like 'platform.%' and p_permission in (select access.my_system_permissions());
end $$;

-- Nudges whoever's membership ended since the last look; answers how many. Several servers and pg_cron may call it: each end
-- is told once, and an end while no server ran with the first look after.
-- Closes what they had opened.
create function access.nudge_ended_memberships(p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  before timestamptz;
  ended text[];
  m record;
begin
  select l.at into before from sync.sweep_cursor l where l.what = 'ended_rights' for update skip locked;
  if before is null or before >= p_now then return 0; end if;
  select array_agg(distinct sync.user_scope(x.user_id)) into ended from public.organization_members x
    where x.valid_until > before and x.valid_until <= p_now and x.deleted_at is null;
  update sync.sweep_cursor set at = p_now where what = 'ended_rights';
  if ended is null then return 0; end if;
  for m in select x.user_id, x.organization_id from public.organization_members x
    where x.valid_until > before and x.valid_until <= p_now and x.deleted_at is null loop
    perform identity.end_access_of(m.user_id, m.organization_id);
  end loop;
  perform sync.nudge(ended, array(
    select coalesce(s.version, 0) from unnest(ended) with ordinality as e (scope, n) left join sync.scope s on s.id = e.scope order by e.n));
  return cardinality(ended);
end $$;

-- The one organisation that counts in this transaction; null where all of one's own do.
create function access.same_organization() returns uuid
  language sql stable
  return nullif(current_setting('sync.same_organization', true), '')::uuid;

create function access.clear_cached_rights() returns void
  language sql volatile set search_path = '' as $$
  select set_config('sync.cached_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind
$$;

create function access.is_member(p_organization uuid, p_user uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null and (m.valid_until is null or m.valid_until > now()))
$$;

-- Whether a member of an organisation sees what has these audiences; for telling them, where nobody's rights are asked by RLS.
-- Who is limited to sites sees those, and what a system role opens in one's organisations is seen as well.
create function access.user_sees_scopes(p_user uuid, p_organization uuid, p_scopes text[]) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and access.is_member(p_organization, p_user)
      and (p_scopes && array[sync.org_scope(p_organization), sync.member_scope(p_organization, p_user)]
        or exists (select from public.site_members s
          where s.organization_id = p_organization and s.user_id = p_user and s.deleted_at is null and 'site:' || s.site_id::text = any (p_scopes))
        or exists (select from public.role_permissions r join public.permissions p on p.key = r.permission and p.reach = 'organization'
          where r.deleted_at is null
            and (r.role_kind = 'organization' and r.role = m.role or r.role_kind = 'system' and exists (
              select from public.user_roles u where u.user_id = p_user and u.role = r.role and u.deleted_at is null))
            and (p.is_audience and sync.holder_scope(p.key, p_organization) = any (p_scopes)
              or p.key = 'place.all' and not m.site_limited and exists (select from unnest(p_scopes) s where s like 'site:%')))))
$$;

-- Whether the caller has no part in the organisation at all.
create function access.is_outsider(p_organization uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select auth.uid() is not null and current_setting('role', true) = 'authenticated'
    and not exists (select from access.my_memberships() m where m.organization_id = p_organization)
$$;

create function access.is_own_organization(p_organization uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from access.my_memberships() m where m.organization_id = p_organization);

create function access.is_in_sight(p_scopes text[]) returns boolean
  language sql stable security definer set search_path = ''
  return p_scopes && array(select public.my_scopes());

-- Of a parent that is not there, nobody's organisation: refused by the same policy as one that is hidden.
create function access.no_organization() returns uuid language sql immutable return '00000000-0000-0000-0000-000000000000'::uuid;

create function access.issue_read_ticket(p_kind text, p_about jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
begin
  delete from sync.read_tickets t where t.id in
    (select o.id from sync.read_tickets o where o.at < now() - interval '5 minutes' limit 1000 for update skip locked);
  insert into sync.read_tickets (person_id, kind, about) values (auth.uid(), p_kind, p_about) returning id into made;
  return jsonb_build_object('ticket', made);
end $$;

-- What a ticket of the caller stands for; one of the same transaction is none, as its entry may never be.
create function access.redeem_read_ticket(p_ticket uuid, p_kind text, p_for jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  found jsonb;
begin
  select t.about into found from sync.read_tickets t
    where t.id = p_ticket and t.person_id = auth.uid() and t.kind = p_kind and t.about @> p_for
      and t.xid is distinct from pg_current_xact_id_if_assigned() and t.at > now() - interval '5 minutes';
  if found is null then raise exception 'no such ticket: ask for one first' using errcode = '42501', detail = 'CN002'; end if;
  return found;
end $$;

-- Who has left is named on nothing new.
create function access.member_or_nobody(p_organization uuid, p_person uuid) returns uuid
  language sql stable security definer set search_path = '' return
  case when access.is_member(p_organization, p_person) then p_person end;

create function access.was_assigned(p_table text, p_id uuid, p_person uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.past_assignee h where h.tbl = p_table and h.id = p_id and h.person = p_person);

-- As it counts against a colleague of the caller: whom the caller named has not lost their say by it, or whoever names everybody in
-- turn would decide alone. But for who gave it back to the caller afterwards: two who named each other do not wait for each other.
create function access.was_assigned_apart_from(p_table text, p_id uuid, p_person uuid, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from sync.past_assignee h where h.tbl = p_table and h.id = p_id and h.person = p_person
    and (h.by_id is distinct from p_caller or h.person = p_caller or exists (select from sync.past_assignee mine
      where mine.tbl = p_table and mine.id = p_id and mine.person = p_caller and mine.by_id = h.person and mine.no > h.no)));

create function access.has_enterprise_plan(p_organization uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.plan = 'enterprise')
$$;

-- Who may call what.
revoke execute on function access.cached_rights(text), access.cache_rights(), access.may(text, uuid), access.my_memberships(), access.my_system_permissions(),
  access.nudge_ended_memberships(timestamp with time zone), access.same_organization(), access.clear_cached_rights(), access.is_member(uuid, uuid), access.is_outsider(uuid),
  access.is_own_organization(uuid), access.is_in_sight(text[]), access.no_organization(), access.issue_read_ticket(text, jsonb), access.redeem_read_ticket(uuid, text, jsonb),
  access.member_or_nobody(uuid, uuid), access.was_assigned(text, uuid, uuid),
  access.was_assigned_apart_from(text, uuid, uuid, uuid), access.has_enterprise_plan(uuid), access.user_sees_scopes(uuid, uuid, text[]) from public;
revoke execute on function my_organizations_with(text), my_sites(), my_scopes(), my_administered_playbooks(), my_platform_permission(text) from public, anon;
grant execute on function access.cache_rights(), access.may(text, uuid), access.same_organization(), access.clear_cached_rights() to service_role, authenticated;
