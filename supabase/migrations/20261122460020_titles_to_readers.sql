-- A title goes to whoever may read the row it is of (docs/decisions/0460-taken-along-is-what-is-read.md).

-- As before; who is limited to sites sees those, and what a system role opens in one's organisations is seen as well.
create or replace function sync.sees(p_user uuid, p_organization uuid, p_scopes text[]) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and sync.is_member(p_organization, p_user)
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

-- Who reads the row that a notification of this type is about; null where it is about none of these.
create function inbox.subject_scopes(p_type text, p_subject uuid) returns text[]
  language sql stable security definer set search_path = '' return
  case split_part(p_type, '.', 1)
    when 'action' then (select a.scopes from public.action_items a where a.id = p_subject)
    when 'inspection' then (select i.scopes from public.inspections i where i.id = p_subject)
    when 'issue' then (select r.scopes from public.issue_reports r where r.id = p_subject)
    when 'task' then coalesce((select t.scopes from public.tasks t where t.id = p_subject),
      (select s.scopes from public.task_series s where s.id = p_subject))
    when 'policy' then (select p.scopes from public.policies p where p.id = p_subject)
    when 'evidence' then (select e.scopes from public.evidence e where e.id = p_subject)
  end;
revoke execute on function inbox.subject_scopes(text, uuid) from public;

-- As before; a permission for every place is one for the sites of who is limited to sites.
create or replace function inbox.people_with(p_permission text, p_organization uuid, p_site uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and sync.is_member(m.organization_id, m.user_id)
    and exists (select from public.role_permissions r
      where r.role_kind = 'organization' and r.role = m.role and r.permission = p_permission and r.deleted_at is null)
    and (p_site is null
      or exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null)
      or not m.site_limited and exists (select from public.role_permissions r
        where r.role_kind = 'organization' and r.role = m.role and r.permission = 'place.all' and r.deleted_at is null))
$$;

-- As before; nobody is told of a row they may not read.
create or replace function inbox.notify(
  p_user uuid, p_type text, p_key text, p_path text, p_params jsonb default '{}', p_subject uuid default null,
  p_organization uuid default null, p_by uuid default null
) returns uuid language plpgsql volatile security definer set search_path = '' as $$
declare
  t public.notification_types;
  s record;
  told uuid;
  channel text;
  chosen text;
  row_scopes text[];
begin
  if p_user is null or p_user = p_by then return null; end if;
  if p_organization is not null and not sync.is_member(p_organization, p_user) then return null; end if;
  row_scopes := inbox.subject_scopes(p_type, p_subject);
  if p_organization is not null and row_scopes is not null
    and not sync.sees(p_user, p_organization, row_scopes) then return null; end if;
  select * into strict t from public.notification_types n where n.key = p_type;
  insert into public.notifications (user_id, organization_id, type, module, key, subject_id, params, path)
    values (p_user, p_organization, p_type, t.module, p_key, p_subject, jsonb_strip_nulls(p_params), p_path)
    on conflict (user_id, key) do nothing returning id into told;
  if told is null then return null; end if;
  s := inbox.settings(p_user);
  foreach channel in array array['push', 'email'] loop
    chosen := inbox.cadence(p_user, t, channel, s);
    continue when chosen = 'off' or channel = 'push' and not exists (select from inbox.push_subscription b where b.user_id = p_user);
    insert into inbox.recipient (user_id) values (p_user) on conflict do nothing;
    insert into inbox.delivery (notification_id, user_id, channel, cadence, due_at)
      values (told, p_user, channel, chosen, inbox.due(now(), chosen, channel, t.class, s));
  end loop;
  return told;
exception
  when serialization_failure or deadlock_detected or lock_not_available then raise;
  when others then
    raise warning 'inbox: % was not told (%)', p_type, sqlstate;
    return null;
end $$;
