-- Accepted work is pushed as its author, but only into the organisation whose administrator accepted it: while it is pushed,
-- every other membership of the author counts for nothing, and what stands elsewhere is neither read, changed nor told.
-- Triggers take a row's organisation from its parent, so where a row ends up is looked at too, before and after.

-- The one organisation that counts in this transaction; null where all of one's own do.
create function sync.only_home() returns uuid
  language sql stable
  return nullif(current_setting('sync.only_home', true), '')::uuid;

create or replace function sync.my_memberships() returns setof public.organization_members
  language plpgsql stable security definer set search_path = '' as $$
declare
  home constant uuid := sync.only_home();
begin
  return query
    select m.* from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.deleted_at is null
    where m.user_id = auth.uid() and m.deleted_at is null and (m.valid_until is null or m.valid_until > now())
      and (home is null or m.organization_id = home);
end $$;

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
    select m.organization_id from sync.my_memberships() m
    where exists (select from public.role_permissions p
        where p.role_kind = 'organization' and p.role = m.role and p.permission = p_permission and p.deleted_at is null)
      or p_permission in (select sync.my_system_permissions());
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
    select sync.user_scope(auth.uid()) where auth.uid() is not null and sync.only_home() is null
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

-- What belongs to a person, or is the server's own word, is nobody's work to hand over.
create or replace function sync.is_work(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select sync.is_of_organization(p_table) and p_table not in ('organization_members', 'organization_activations', 'sites',
    'site_members', 'teams', 'team_members', 'playbooks', 'playbook_members', 'notifications', 'inspection_events')
$$;

-- A membership that is alive for the length of an acceptance is no news.
drop trigger x_notify_again on organization_members;
create trigger x_notify_again after update on organization_members for each row
  when (old.deleted_at is not null and new.deleted_at is null and sync.only_home() is null) execute function inbox.member_joined();
-- What an acceptance refuses is told to who accepts, not to the author.
drop trigger x_notify_refused on sync.mutation;
create trigger x_notify_refused after delete on sync.mutation for each row
  when (old.result is null and sync.only_home() is null) execute function inbox.edit_refused();

-- Mids of the pieces whose record stands in another organisation.
create function sync.strange_work(p_organization uuid, p_work jsonb) returns setof text
  language sql stable security definer set search_path = '' as $$
  select w ->> 'mid' from jsonb_array_elements(p_work) w where sync.organization_of(w) <> p_organization
$$;

create function sync.forget_kept_rights() returns void
  language sql volatile set search_path = '' as $$
  select set_config('sync.kept_' || kind, '', true) from unnest(array['organizations', 'sites', 'scopes', 'former']) kind
$$;

-- As the owner: whoever changes a membership need not be allowed to call anything here.
create or replace function sync.drop_rights() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform sync.forget_kept_rights();
  return null;
end $$;

create or replace function decide_unsent_work(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  strange text[];
  ended jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_unsent_work takes at most 50 mutations and a decision' using errcode = '22023';
  end if;
  if not p_accept then return sync.decline_unsent(p_organization, p_user, p_mids); end if;
  work := sync.take_unsent(p_organization, p_user, p_mids);
  strange := array(select sync.strange_work(p_organization, work));
  select coalesce(jsonb_agg(w order by n), '[]') into work from jsonb_array_elements(work) with ordinality e (w, n)
    where w ->> 'mid' <> all (strange);
  perform set_config('sync.only_home', p_organization::text, true);
  ended := sync.act_as_former(p_organization, p_user);
  perform set_config('request.jwt.claims', (claims::jsonb || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
  perform sync.forget_kept_rights();
  results := public.sync_push(null, work) -> 'results';
  perform set_config('sync.only_home', '', true);
  perform sync.forget_kept_rights();
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  if exists (select from sync.strange_work(p_organization, work)) then
    raise exception 'work of this organisation ended up in another' using errcode = '42501';
  end if;
  -- What a row looks like is told to who may read it by themselves.
  select coalesce(jsonb_agg(r - 'row' - 'd'), '[]') into results from jsonb_array_elements(results) r;
  results := results || (select coalesce(jsonb_agg(jsonb_build_object('mid', mid, 'st', 'rejected', 'code', '42501')), '[]')
    from unnest(strange) mid);
  perform sync.settle_unsent(p_organization, p_user, ended, results);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $$;

-- As before; a report without a name is not handed over, because the tray names its author: it stays on their device.
create or replace function sync.take_into_tray(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_brought_by uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  m jsonb;
  taken integer := 0;
  known jsonb := '[]';
  refused jsonb := '[]';
  home uuid;
begin
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 50 or octet_length(p_mutations::text) > 1048576 then
    raise exception 'at most 50 mutations and 1 MB a call' using errcode = '22023';
  end if;
  -- One author's calls wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('unsent'), hashtext(p_author::text));
  if (select count(*) from sync.unsent u where u.user_id = p_author and u.organization_id = p_organization) > 10000 then
    raise exception 'the tray is full' using errcode = 'P0001';
  end if;
  for m in select e from jsonb_array_elements(p_mutations) with ordinality as es (e, n) order by n loop
    if exists (select from sync.mutation k where k.user_id = p_author and k.mid = (m ->> 'mid')::uuid) then
      known := known || jsonb_build_array(m -> 'mid');
      continue;
    end if;
    home := coalesce(sync.organization_of(m), case when m ->> 'op' = 'insert' and sync.is_work(m ->> 't')
        then (m -> 'patch' ->> 'organization_id')::uuid
      else (select u.organization_id from sync.unsent u
        where u.user_id = p_author and u.organization_id = p_organization and u.body ->> 'id' = m ->> 'id' and u.body ->> 't' = m ->> 't' limit 1) end);
    if home is distinct from p_organization or m ->> 'op' is null or m ->> 'op' not in ('insert', 'update', 'delete') or m ->> 'mid' is null
      or m ->> 't' = 'issue_reports' and coalesce(m -> 'patch' -> 'is_anonymous', 'false') <> 'false' then
      refused := refused || jsonb_build_array(m -> 'mid');
      continue;
    end if;
    insert into sync.unsent (user_id, mid, organization_id, device, body, brought_by)
      values (p_author, (m ->> 'mid')::uuid, p_organization, p_device, m, p_brought_by)
      on conflict (user_id, mid) do nothing;
    taken := taken + 1;
  end loop;
  return jsonb_build_object('taken', taken, 'known', known, 'refused', refused);
end $$;

-- Closing at once is a decision too; closing what somebody else decided is not.
drop trigger d_own_review on inspections;
create trigger d_own_review before update of status on inspections for each row
  when (new.status in ('has_issues', 'approved', 'rejected')) execute function sync.guard_own_review();
create trigger d_own_review_at_once before insert on inspections for each row
  when (new.status in ('has_issues', 'approved', 'rejected', 'closed')) execute function sync.guard_own_review();

revoke execute on function sync.strange_work(uuid, jsonb), sync.forget_kept_rights() from public;
grant execute on function sync.only_home(), sync.strange_work(uuid, jsonb), sync.forget_kept_rights() to authenticated, service_role;
