-- Spaces: organisations, their people, sites, teams and playbooks: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Names for colleagues: people follows profiles and memberships. A private space has no colleagues, so no circle.
create function space.refresh_person(p_user uuid) returns void
  language plpgsql security definer set search_path = '' as $$ begin
  insert into sync.circle (organization_id)
    select m.organization_id from public.organization_members m
    join public.organizations o on o.id = m.organization_id and o.kind <> 'private'
    where m.user_id = p_user and m.deleted_at is null
    on conflict (organization_id) do nothing;
  insert into public.people (id, display_name, avatar_url, scopes)
    select p.id, coalesce(nullif(p.display_name, ''), nullif(p.full_name, '')), p.avatar_url,
      array(select 'circle:' || c.id::text from public.organization_members m join sync.circle c using (organization_id)
            where m.user_id = p.id and m.deleted_at is null order by 1) || sync.user_scope(p.id)
    from public.profiles p where p.id = p_user
    on conflict (id) do update set
      display_name = excluded.display_name, avatar_url = excluded.avatar_url, scopes = excluded.scopes
    where (people.display_name, people.avatar_url, people.scopes)
      is distinct from (excluded.display_name, excluded.avatar_url, excluded.scopes);
end $$;

-- Where a person stands: one's organisations, and the people one supports; these stand under the person's private space,
-- which it does not open. Of several activations of an organisation the newest through a partner link counts, which decides where a
-- person works.
create function get_user_organization_contexts(user_id_param uuid)
  returns table (
    organization_id uuid, organization_name text, program_name text, program_description text, activation_source text,
    display_name text, user_role text, support_role text, joined_at timestamptz
  ) language sql stable security definer set search_path = '' as $$
  with me as (
    select coalesce(array_agg(u.role), '{}') as roles from public.user_roles u where u.user_id = auth.uid() and u.deleted_at is null
  )
  select c.* from (
    select o.id, o.name, o.program_name, o.program_description, a.activation_source,
      identity.role_display_name(m.role, me.roles, null), m.role, null::text, m.joined_at
    from me, access.my_memberships() m
    join public.organizations o on o.id = m.organization_id
    left join lateral (
      select x.activation_source from public.organization_activations x
      where x.organization_id = m.organization_id and x.user_id = m.user_id and x.deleted_at is null
      -- No other kind of activation hides a partner link.
      order by x.activation_source in ('partner_link', 'partner_link_v2') desc, x.activated_at desc limit 1) a on true
    union all
    select o.id, coalesce(p.display_name, o.name), null, null, null, identity.role_display_name(null, me.roles, r.role), null, r.role, r.started_at
    from me, public.circle_relationships r
    join public.organizations o on o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null
    left join public.people p on p.id = r.subject_id
    where r.helper_id = auth.uid() and r.state = 'active' and r.deleted_at is null
  ) c (organization_id, organization_name, program_name, program_description, activation_source, display_name, user_role, support_role, joined_at)
  where user_id_param = auth.uid()                               -- one's own, or nothing
  order by c.joined_at desc, c.organization_id, c.support_role
$$;

-- Removes a sample organisation and everything in it, at once and for good. Returns how many records went.
-- Counts also the reports and codes it removes.
create function remove_sample_data(organization_id uuid) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  tbl text;
  n integer;
  total integer := 0;
begin
  if auth.uid() is null or remove_sample_data.organization_id not in (select public.my_organizations_with('sample.remove')) then
    raise exception 'removing sample data needs sample.remove' using errcode = '42501', detail = 'CN041';
  end if;
  if not exists (select from public.organizations o where o.id = remove_sample_data.organization_id and o.sample) then
    raise exception 'this organisation is not sample data' using errcode = '42501', detail = 'CN042';
  end if;
  delete from storage.objects where bucket_id = 'media' and name like remove_sample_data.organization_id::text || '/%';
  -- Children before parents: foreign keys inside an organisation do not all cascade.
  foreach tbl in array array['media', 'issue_reports', 'report_codes', 'action_items', 'inspection_answers', 'inspections',
      'form_versions', 'forms', 'assets', 'playbook_members', 'playbooks', 'team_members', 'teams', 'site_members', 'sites',
      'organization_activations', 'organization_members'] loop
    execute format('delete from public.%I where organization_id = $1', tbl) using remove_sample_data.organization_id;
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  delete from public.organizations o where o.id = remove_sample_data.organization_id;
  return total + 1;
end $$;

-- One's own certificates, private space and personal playbook are one's own: they have other audiences and stay.
create function leave_organization(p_organization uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not identity.is_current_member(p_organization) then
    raise exception 'not a member of that organisation' using errcode = '42501', detail = 'CN043';
  end if;
  if exists (select from public.organizations o where o.id = p_organization and o.kind = 'private') then
    raise exception 'a private space is left with the account only' using errcode = '42501', detail = 'CN044';
  end if;
  update public.organization_members m set deleted_at = now()
    where m.organization_id = p_organization and m.user_id = auth.uid();
end $$;

-- What an account is called at this moment, as one line; null for nobody.
create function space.account_name(p_user uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select nullif(content.one_line(coalesce((select p.display_name from public.people p where p.id = p_user), circle.circle_name(p_user))), '')
$$;

-- Who may call what.
revoke execute on function space.refresh_person(uuid), space.account_name(uuid) from public;
revoke execute on function get_user_organization_contexts(uuid), remove_sample_data(uuid), leave_organization(uuid) from public, anon;
