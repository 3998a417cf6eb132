-- Calls by name: where a person stands, and the removal of sample data.

create function get_user_organization_contexts(user_id_param uuid)
  returns table (
    organization_id uuid, organization_name text, program_name text, program_description text, activation_source text,
    display_name text, user_role text, support_role text, joined_at timestamptz
  ) language sql stable security definer set search_path = '' as $$
  select o.id, o.name, o.program_name, o.program_description, a.activation_source,
    case
      when m.role = 'admin' and r.admin then 'Organization Administrator'
      when m.role = 'admin' then 'Organization Admin'
      when m.role = 'manager' then 'Manager'
      when r.admin then 'System Administrator'
      when m.role = 'auditor' then 'Auditor'
      else 'Member'
    end, m.role, null::text, m.joined_at
  from public.organization_members m
  join public.organizations o on o.id = m.organization_id and o.deleted_at is null
  left join lateral (
    select x.activation_source from public.organization_activations x
    where x.organization_id = m.organization_id and x.user_id = m.user_id and x.deleted_at is null
    order by x.activated_at desc limit 1) a on true
  cross join lateral (
    select exists (select from public.user_roles u where u.user_id = m.user_id and u.role = 'admin' and u.deleted_at is null) as admin) r
  where m.user_id = user_id_param and m.user_id = auth.uid() and m.deleted_at is null   -- one's own, or nothing
  order by m.joined_at desc, o.id
$$;

-- Removes a sample organisation and everything in it, at once and for good. Returns how many records went.
create function remove_sample_data(organization_id uuid) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  tbl text;
  n integer;
  total integer := 0;
begin
  if auth.uid() is null or remove_sample_data.organization_id not in (select public.my_organizations_with('sample.remove')) then
    raise exception 'removing sample data needs sample.remove' using errcode = '42501';
  end if;
  if not exists (select from public.organizations o where o.id = remove_sample_data.organization_id and o.sample) then
    raise exception 'this organisation is not sample data' using errcode = '42501';
  end if;
  delete from storage.objects where bucket_id = 'media' and name like remove_sample_data.organization_id::text || '/%';
  -- Children before parents: foreign keys inside an organisation do not all cascade.
  foreach tbl in array array['media', 'action_items', 'inspection_answers', 'inspections', 'form_versions', 'forms', 'assets',
      'playbook_members', 'playbooks', 'team_members', 'teams', 'site_members', 'sites', 'organization_activations', 'organization_members'] loop
    execute format('delete from public.%I where organization_id = $1', tbl) using remove_sample_data.organization_id;
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  delete from public.organizations o where o.id = remove_sample_data.organization_id;
  return total + 1;
end $$;
