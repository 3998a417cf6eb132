-- A session that owes its second step reads and writes nothing (docs/decisions/0090). GoTrue gives such a session a token
-- of the first level (aal1) as soon as the password is right; policies alone would take it for the whole person.

create function sync.need_whole_session() returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2'
    and exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified') then
    -- PostgREST answers 401, upon which a device renews its token or asks for a sign-in. An empty answer would make it
    -- let go of what it holds.
    raise exception 'the second step of this sign-in is missing' using errcode = 'PT401';
  end if;
end $$;

-- What PostgREST runs before each request: tables and functions that look at nothing but auth.uid() are behind it too.
-- In a schema of its own, since everybody who asks must be able to run it, and the API serves it to nobody.
create schema request;
grant usage on schema request to anon, authenticated, service_role;
create function request.check_session() returns void language plpgsql stable security definer set search_path = '' as $$
begin
  perform sync.need_whole_session();
end $$;
do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'request.check_session';
  notify pgrst, 'reload config';
exception when insufficient_privilege or undefined_object then
  -- Where the role is not ours to set, the server in front asks for itself (apps/local-server/src/hardening/bearer.ts).
  raise notice 'pgrst.db_pre_request was not set';
end $$;

-- The same before policies of storage and realtime, which no request hook stands in front of.
create or replace function my_organizations_with(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  kept constant jsonb := sync.kept_rights('organizations')::jsonb;
begin
  if kept is not null then
    return query select o::uuid from jsonb_array_elements_text(kept -> p_permission) o;
    return;
  end if;
  perform sync.need_whole_session();
  if not exists (select from public.permissions p where p.key = p_permission and p.reach = 'organization') then return; end if;
  return query
    select m.organization_id
    from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and (exists (select from public.role_permissions p
          where p.role_kind = 'organization' and p.role = m.role and p.permission = p_permission and p.deleted_at is null)
        or exists (select from public.user_roles r
          join public.role_permissions p on p.role_kind = 'system' and p.role = r.role and p.permission = p_permission and p.deleted_at is null
          where r.user_id = auth.uid() and r.deleted_at is null));
end $$;

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
    select sync.user_scope(auth.uid()) where auth.uid() is not null
    union all select 'all' where auth.uid() is not null
    union all select sync.org_scope(organization_id) from mine
    union all select sync.member_scope(organization_id, auth.uid()) from mine
    union all select 'circle:' || c.id::text from sync.circle c join mine using (organization_id)
    union all select 'site:' || s::text from public.my_sites() s
    union all
    select 'team:' || t.team_id::text from public.team_members t
    join mine using (organization_id)
    where t.user_id = auth.uid() and t.deleted_at is null;
end $$;

-- Accepted work is pushed as its author (0067), whose second step nobody can show: the administrator has shown theirs.
create or replace function decide_unsent_work(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  ended jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_unsent_work takes at most 50 mutations and a decision' using errcode = '22023';
  end if;
  if not p_accept then return sync.decline_unsent(p_organization, p_user, p_mids); end if;
  work := sync.take_unsent(p_organization, p_user, p_mids);
  ended := sync.act_as_former(p_organization, p_user);
  perform set_config('request.jwt.claims', (claims::jsonb || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
  results := public.sync_push(null, work) -> 'results';
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform sync.settle_unsent(p_organization, p_user, ended, results);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $$;
