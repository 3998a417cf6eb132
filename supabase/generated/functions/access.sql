-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema access as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION access.cache_rights()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION access.cached_rights(p_kind text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting(('sync.cached_'::text || p_kind), true), ''::text);

CREATE OR REPLACE FUNCTION access.clear_cached_rights()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select set_config('sync.cached_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind
$function$;

CREATE OR REPLACE FUNCTION access.clear_rights_on_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform access.clear_cached_rights();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION access.guard_outsider()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and current_setting('role', true) = 'authenticated' and not access.is_own_organization(new.organization_id) then
    raise exception 'new row violates row-level security policy for table "%"', tg_table_name using errcode = '42501';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION access.has_enterprise_plan(p_organization uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.plan = 'enterprise')
$function$;

CREATE OR REPLACE FUNCTION access.is_in_sight(p_scopes text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (p_scopes && ARRAY(SELECT my_scopes() AS my_scopes));

CREATE OR REPLACE FUNCTION access.is_member(p_organization uuid, p_user uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null and (m.valid_until is null or m.valid_until > now()))
$function$;

CREATE OR REPLACE FUNCTION access.is_outsider(p_organization uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select auth.uid() is not null and current_setting('role', true) = 'authenticated'
    and not exists (select from access.my_memberships() m where m.organization_id = p_organization)
$function$;

CREATE OR REPLACE FUNCTION access.is_own_organization(p_organization uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM access.my_memberships() m(id, organization_id, user_id, role, joined_at, updated_at, deleted_at, version, valid_until, site_limited, scopes) WHERE (m.organization_id = is_own_organization.p_organization)));

CREATE OR REPLACE FUNCTION access.issue_read_ticket(p_kind text, p_about jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made uuid;
begin
  delete from sync.read_tickets t where t.id in
    (select o.id from sync.read_tickets o where o.at < now() - interval '5 minutes' limit 1000 for update skip locked);
  insert into sync.read_tickets (person_id, kind, about) values (auth.uid(), p_kind, p_about) returning id into made;
  return jsonb_build_object('ticket', made);
end $function$;

CREATE OR REPLACE FUNCTION access.limit_membership()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and old.role = 'auditor' and new.role <> 'auditor' then
    if new.valid_until is not distinct from old.valid_until then new.valid_until := null; end if;
    if new.site_limited is not distinct from old.site_limited then new.site_limited := false; end if;
  end if;
  if new.role = 'admin' and (new.valid_until is not null or new.site_limited) then
    raise exception 'an administrator has no limits' using errcode = '22023', detail = 'CN231';
  end if;
  if new.role = 'auditor' then
    new.valid_until := coalesce(new.valid_until, now() + interval '90 days');
    if new.valid_until > now() + interval '366 days' then
      raise exception 'an auditor is let in for a year at most' using errcode = '22023', detail = 'CN232';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION access.may(p_permission text, p_organization uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return auth.uid() is null or p_organization in (select public.my_organizations_with(p_permission));
end $function$;

CREATE OR REPLACE FUNCTION access.member_or_nobody(p_organization uuid, p_person uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE WHEN access.is_member(p_organization, p_person) THEN p_person ELSE NULL::uuid END;

CREATE OR REPLACE FUNCTION access.my_memberships()
 RETURNS SETOF organization_members
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  home constant uuid := access.same_organization();
begin
  return query
    select m.* from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and (home is null or m.organization_id = home);
end $function$;

CREATE OR REPLACE FUNCTION access.my_system_permissions()
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select p.permission from public.user_roles r
    join public.role_permissions p on p.role_kind = 'system' and p.role = r.role and p.deleted_at is null
    where r.user_id = auth.uid() and r.deleted_at is null;
end $function$;

CREATE OR REPLACE FUNCTION access.no_organization()
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
RETURN '00000000-0000-0000-0000-000000000000'::uuid;

CREATE OR REPLACE FUNCTION access.note_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person constant uuid := to_jsonb(new) ->> tg_argv[0];
begin
  if person is null then return null; end if;
  insert into sync.past_assignee (tbl, id, person, by_id)
    values (tg_table_name, new.id, person, case when tg_argv[1] is distinct from 'server'
      then coalesce(auth.uid(), nullif(current_setting('sync.assigned_by', true), '')::uuid) end)
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION access.nudge_ended_memberships(p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION access.redeem_read_ticket(p_ticket uuid, p_kind text, p_for jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found jsonb;
begin
  select t.about into found from sync.read_tickets t
    where t.id = p_ticket and t.person_id = auth.uid() and t.kind = p_kind and t.about @> p_for
      and t.xid is distinct from pg_current_xact_id_if_assigned() and t.at > now() - interval '5 minutes';
  if found is null then raise exception 'no such ticket: ask for one first' using errcode = '42501', detail = 'CN002'; end if;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION access.same_organization()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (NULLIF(current_setting('sync.same_organization'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION access.user_sees_scopes(p_user uuid, p_organization uuid, p_scopes text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION access.was_assigned(p_table text, p_id uuid, p_person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.past_assignee h WHERE ((h.tbl = was_assigned.p_table) AND (h.id = was_assigned.p_id) AND (h.person = was_assigned.p_person))));

CREATE OR REPLACE FUNCTION access.was_assigned_apart_from(p_table text, p_id uuid, p_person uuid, p_caller uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM sync.past_assignee h WHERE ((h.tbl = was_assigned_apart_from.p_table) AND (h.id = was_assigned_apart_from.p_id) AND (h.person = was_assigned_apart_from.p_person) AND ((h.by_id IS DISTINCT FROM was_assigned_apart_from.p_caller) OR (h.person = was_assigned_apart_from.p_caller) OR (EXISTS (SELECT FROM sync.past_assignee mine WHERE ((mine.tbl = was_assigned_apart_from.p_table) AND (mine.id = was_assigned_apart_from.p_id) AND (mine.person = was_assigned_apart_from.p_caller) AND (mine.by_id = h.person) AND (mine.no > h.no))))))));
