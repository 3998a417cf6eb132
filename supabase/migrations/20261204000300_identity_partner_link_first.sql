-- Of several activations of an organisation the newest through a partner link counts, which decides where a person works.
create or replace function get_user_organization_contexts(user_id_param uuid)
  returns table (
    organization_id uuid, organization_name text, program_name text, program_description text, activation_source text,
    display_name text, user_role text, support_role text, joined_at timestamptz
  ) language sql stable security definer set search_path = '' as $$
  with me as (
    select coalesce(array_agg(u.role), '{}') as roles from public.user_roles u where u.user_id = auth.uid() and u.deleted_at is null
  )
  select c.* from (
    select o.id, o.name, o.program_name, o.program_description, a.activation_source,
      sync.role_display_name(m.role, me.roles, null), m.role, null::text, m.joined_at
    from me, sync.my_memberships() m
    join public.organizations o on o.id = m.organization_id
    left join lateral (
      select x.activation_source from public.organization_activations x
      where x.organization_id = m.organization_id and x.user_id = m.user_id and x.deleted_at is null
      -- No other kind of activation hides a partner link.
      order by x.activation_source in ('partner_link', 'partner_link_v2') desc, x.activated_at desc limit 1) a on true
    union all
    select o.id, coalesce(p.display_name, o.name), null, null, null, sync.role_display_name(null, me.roles, r.role), null, r.role, r.started_at
    from me, public.circle_relationships r
    join public.organizations o on o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null
    left join public.people p on p.id = r.subject_id
    where r.helper_id = auth.uid() and r.state = 'active' and r.deleted_at is null
  ) c (organization_id, organization_name, program_name, program_description, activation_source, display_name, user_role, support_role, joined_at)
  where user_id_param = auth.uid()                               -- one's own, or nothing
  order by c.joined_at desc, c.organization_id, c.support_role
$$;
