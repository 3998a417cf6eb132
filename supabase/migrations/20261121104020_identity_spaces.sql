-- Leaving an organisation, and playbooks that are put away.

-- One's own certificates, private space and personal playbook are one's own: they have other audiences and stay.
create function leave_organization(p_organization uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not identity.is_current_member(p_organization) then
    raise exception 'not a member of that organisation' using errcode = '42501';
  end if;
  if exists (select from public.organizations o where o.id = p_organization and o.kind = 'private') then
    raise exception 'a private space is left with the account only' using errcode = '42501';
  end if;
  update public.organization_members m set deleted_at = now()
    where m.organization_id = p_organization and m.user_id = auth.uid();
end $$;

-- An archived playbook is listed apart and taken back by clearing the time; like a deleted one it gives its name free.
alter table playbooks add column archived_at timestamptz
  constraint playbooks_archived_at_in_time check (archived_at >= timestamptz '1970-01-01T00:00:00Z' and archived_at < timestamptz '2200-01-01T00:00:00Z');
drop index playbooks_name;
create unique index playbooks_name on playbooks (organization_id, name) where deleted_at is null and archived_at is null;
select sync.refresh_table('playbooks');

-- One's own work may be changed after a change of site, but not be put where one does not belong.
create function sync.guard_place() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.site_id is not null and new.site_id not in (select public.my_sites()) then
    raise exception 'work is moved to a site one belongs to' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger d_place before update of site_id on inspections
  for each row when (old.site_id is distinct from new.site_id) execute function sync.guard_place();
create trigger d_place before update of site_id on action_items
  for each row when (old.site_id is distinct from new.site_id) execute function sync.guard_place();
