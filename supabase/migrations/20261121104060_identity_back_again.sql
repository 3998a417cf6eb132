-- Somebody is taken off a site or out of a playbook and put back later: the device makes a new row, because the old one
-- left it with its end. So only rows that count are one per person; what has ended stands aside.
alter table site_members drop constraint site_members_site_id_user_id_key;
create unique index site_members_person on site_members (site_id, user_id) where deleted_at is null;
alter table playbook_members drop constraint playbook_members_playbook_id_user_id_key;
create unique index playbook_members_person on playbook_members (playbook_id, user_id) where deleted_at is null;

create or replace function sync.add_creator() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.playbook_members (organization_id, playbook_id, user_id, role)
    values (new.organization_id, new.id, new.owner_id, 'admin')
    on conflict (playbook_id, user_id) where deleted_at is null do nothing;
  return null;
end $$;

create or replace function identity.join_organization(p_organization uuid, p_user uuid, p_role text, p_sites uuid[], p_valid_until timestamptz)
  returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.site_members m set deleted_at = now() where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null;
  update public.team_members m set deleted_at = now() where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null;
  update public.playbook_members m set deleted_at = now() where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null;
  insert into public.organization_members as m (organization_id, user_id, role, valid_until, site_limited)
    values (p_organization, p_user, p_role, p_valid_until, p_role = 'auditor' and cardinality(p_sites) > 0)
    on conflict (organization_id, user_id) do update set role = excluded.role, valid_until = excluded.valid_until,
      site_limited = excluded.site_limited, deleted_at = null, joined_at = now();
  insert into public.site_members (organization_id, site_id, user_id)
    select p_organization, s.id, p_user from public.sites s
    where s.id = any (p_sites) and s.organization_id = p_organization and s.deleted_at is null
    on conflict (site_id, user_id) where deleted_at is null do nothing;
end $$;
