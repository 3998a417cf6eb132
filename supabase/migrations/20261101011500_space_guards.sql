-- Spaces: organisations, their people, sites, teams and playbooks: guards and what else triggers do, and who sees and writes which rows.

-- Direct calls reach these tables: what the server owns is set here, not taken from the client.
create function space.own_columns() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.deleted_at := null;
  elsif not sync.pushing() then
    new.deleted_at := old.deleted_at;
  end if;
  return new;
end $$;
create trigger b_own_columns before insert or update on playbooks for each row execute function space.own_columns();
create trigger b_own_columns before insert or update on profiles for each row execute function space.own_columns();

create function space.refuse_email_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null then
    new.email := case when tg_op = 'UPDATE' then old.email else (select u.email from auth.users u where u.id = new.id) end;
  end if;
  return new;
end $$;
create trigger c_fixed_email before insert or update on profiles for each row execute function space.refuse_email_change();

-- A personal playbook always lives in its owner's private space (product.md, decision 8), so that no employer's row
-- ever holds private content. Its type, owner and home never change. Whoever still has an organisation on the screen that is gone hears
-- that it is not found, not that a right is missing (R8.11); its people alone: to anybody else an id that was one must look like an id
-- that never was. Not through the outbox: there the parent's end is judged by the registry, and 23503 means that it is on its way.
create function space.place_playbook() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  owning_organization uuid;
begin
  if tg_op = 'INSERT' then
    if new.type = 'personal' then
      select o.id into owning_organization from public.organizations o
        where o.kind = 'private' and o.created_by = new.owner_id and o.deleted_at is null;
      if owning_organization is null then
        raise exception 'the owner of a personal playbook needs a private space' using errcode = '23503', detail = 'CN233';
      end if;
      new.organization_id := owning_organization;
    elsif auth.uid() is not null and not sync.pushing()
      and exists (select from public.organizations o where o.id = new.organization_id and o.deleted_at is not null)
      and exists (select from public.organization_members m
                  where m.organization_id = new.organization_id and m.user_id = auth.uid()) then
      raise exception 'organization not found' using errcode = '23503', detail = 'CN234';
    end if;
  elsif (new.type, new.owner_id, new.organization_id) is distinct from (old.type, old.owner_id, old.organization_id) then
    raise exception 'type, owner and organisation of a playbook never change' using errcode = '42501', detail = 'CN235';
  end if;
  return new;
end $$;
create trigger c_place_playbook before insert or update on playbooks for each row execute function space.place_playbook();

create function space.add_creator() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.playbook_members (organization_id, playbook_id, user_id, role)
    values (new.organization_id, new.id, new.owner_id, 'admin')
    on conflict (playbook_id, user_id) where deleted_at is null do nothing;
  return null;
end $$;
create trigger d_add_creator after insert on playbooks for each row execute function space.add_creator();

create function space.copy_playbook_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.organization_id := coalesce((select p.organization_id from public.playbooks p where p.id = new.playbook_id), access.no_organization());
  return new;
end $$;
create trigger b_copy_organization before insert or update of playbook_id, organization_id on playbook_members
  for each row execute function space.copy_playbook_organization();

-- Somebody can always manage the people of an organisation, and a private space has nobody but its owner. Where an account ends
-- (nobody is signed in) and nobody stays behind, or the organisation is closed, there is nobody left to be managed: else whoever was
-- ever joined by somebody could not end their account. A person who leaves is refused all the same: leaving is no way to close.
create function space.guard_membership() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.organization_id, new.user_id) is distinct from (old.organization_id, old.user_id) then
    raise exception 'a membership never changes its person or organisation' using errcode = '42501', detail = 'CN236';
  end if;
  if exists (select from public.organizations o
             where o.id = new.organization_id and o.kind = 'private' and o.created_by is distinct from new.user_id) then
    raise exception 'a private space has only its owner' using errcode = '42501', detail = 'CN237';
  end if;
  if tg_op = 'UPDATE' and old.role = 'admin' and old.deleted_at is null and (new.role <> 'admin' or new.deleted_at is not null) then
    -- Two administrators stepping down at once wait for each other here.
    perform from public.organizations o where o.id = new.organization_id for no key update;
    if exists (select from public.organizations o where o.id = new.organization_id and o.deleted_at is null)
      and not exists (select from public.organization_members m
        where m.organization_id = new.organization_id and m.id <> new.id and m.role = 'admin' and m.deleted_at is null)
      and (new.deleted_at is null or auth.uid() is not null or exists (select from public.organization_members m
        where m.organization_id = new.organization_id and m.id <> new.id and m.deleted_at is null
          and (m.valid_until is null or m.valid_until > now()))) then
      raise exception 'an organisation keeps at least one administrator' using errcode = 'P0001', detail = 'CN238';
    end if;
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on organization_members for each row execute function space.guard_membership();

create function space.refuse_organization_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.organization_id is distinct from old.organization_id then
    raise exception 'a row never changes its organisation' using errcode = '42501', detail = 'CN239';
  end if;
  return new;
end $$;
create trigger b_fixed_organization before update on sites for each row execute function space.refuse_organization_change();
create trigger b_fixed_organization before update on teams for each row execute function space.refuse_organization_change();
create trigger b_fixed_organization before update on site_members for each row execute function space.refuse_organization_change();
create trigger b_fixed_organization before update on team_members for each row execute function space.refuse_organization_change();

create function space.profile_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform space.refresh_person(new.id);
  return null;
end $$;
create trigger d_person after insert or update on profiles for each row execute function space.profile_changed();

create function space.membership_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform space.refresh_person(coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger d_person after insert or update or delete on organization_members
  for each row execute function space.membership_changed();

-- The name that somebody gave at sign-up, or a service of theirs; null where there is none.
create function space.full_name_in(p_metadata jsonb) returns text
  language sql immutable set search_path = ''
  return left(nullif(trim(p_metadata ->> 'full_name'), ''), 200);

-- Every sign-up, with or without invitation, makes the person's profile and private space.
create function space.welcome() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  space uuid := gen_random_uuid();
  full_name text := space.full_name_in(new.raw_user_meta_data);
begin
  insert into public.profiles (id, email, full_name) values (new.id, new.email, full_name);
  insert into public.organizations (id, name, slug, kind, created_by)
    values (space, coalesce(full_name, 'Private space'), 'private-' || new.id::text, 'private', new.id);
  insert into public.organization_members (organization_id, user_id, role) values (space, new.id, 'admin');
  insert into public.playbooks (organization_id, name, type, owner_id) values (space, 'My Journey', 'personal', new.id);
  return null;
end $$;
create trigger cairn_welcome after insert on auth.users for each row execute function space.welcome();

-- While nobody has shown whose address or number it is, the account's name is what the metadata say: a stranger who signed up first is not
-- kept there, nor in the eyes of others. Afterwards it is taken from there where the account has none; what its owner chose stays.
create function space.metadata_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  is_shown constant boolean := old.email_confirmed_at is not null or old.phone_confirmed_at is not null;
  before constant text := case when not is_shown then space.full_name_in(old.raw_user_meta_data) end;
  given constant text := space.full_name_in(new.raw_user_meta_data);
begin
  update public.profiles p set full_name = given where p.id = new.id and p.full_name is not distinct from before;
  if found then
    update public.organizations o set name = coalesce(given, 'Private space')
      where o.kind = 'private' and o.created_by = new.id and o.name = coalesce(before, 'Private space');
  end if;
  return null;
end $$;
create trigger cairn_metadata_changed after update of raw_user_meta_data on auth.users
  for each row when (old.raw_user_meta_data ->> 'full_name' is distinct from new.raw_user_meta_data ->> 'full_name')
  execute function space.metadata_changed();

create function space.email_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return null;
end $$;
create trigger cairn_email_changed after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function space.email_changed();

create function space.set_creator() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    new.created_by := case when tg_op = 'INSERT' then auth.uid() else old.created_by end;
  end if;
  return new;
end $$;

-- Whoever is named on a row belongs to its organisation when they are named, whoever names them: a name puts the row into
-- that person's feed. Who left later stays named. Fires last, when the guards have filled in what they fill in.
-- Who is a member of an organisation is told to its own people only; anybody else meets the policy.
create function space.guard_named() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  named uuid[];
  before uuid[] := '{}';
begin
  case tg_table_name
    when 'inspections' then
      named := array[new.assigned_to, new.conducted_by];
      if tg_op = 'UPDATE' then before := array[old.assigned_to, old.conducted_by]; end if;
    when 'inspection_answers' then
      named := array[new.answered_by];
      if tg_op = 'UPDATE' then before := array[old.answered_by]; end if;
    when 'action_items' then
      named := array[new.assignee_id, new.created_by, new.closed_by];
      if tg_op = 'UPDATE' then before := array[old.assignee_id, old.created_by, old.closed_by]; end if;
    when 'media' then
      named := array[new.captured_by];
      if tg_op = 'UPDATE' then before := array[old.captured_by]; end if;
  end case;
  if named = before then return new; end if;
  if exists (select from unnest(named, before) as p (now, before)
             where p.now is not null and p.now is distinct from p.before and not access.is_member(new.organization_id, p.now)) then
    if current_setting('role', true) = 'authenticated' and auth.uid() is not null and not access.is_own_organization(new.organization_id) then return new; end if;
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  return new;
end $$;

-- The server decides kind, slug and founder. `settings.sample` asks for an organisation of sample data, which
-- remove_sample_data may remove for good; afterwards nobody turns real work into sample data.
create function space.found_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  new.kind := 'company';
  new.slug := 'company-' || new.id::text;
  new.created_by := auth.uid();
  new.created_at := now();
  new.deleted_at := null;
  new.sample := coalesce(new.settings -> 'sample' = 'true'::jsonb, false);
  perform pg_advisory_xact_lock(hashtext('found'), hashtext(auth.uid()::text));
  if (select count(*) from public.organizations o
      where o.created_by = auth.uid() and o.kind = 'company' and o.deleted_at is null) >= 20 then
    raise exception 'a person founds at most 20 companies' using errcode = 'P0001', detail = 'CN240';
  end if;
  return new;
end $$;
create trigger b_found before insert on organizations for each row execute function space.found_organization();

create function space.add_founder() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.kind = 'company' then
    insert into public.organization_members (organization_id, user_id, role) values (new.id, auth.uid(), 'admin');
  end if;
  return null;
end $$;
create trigger d_add_founder after insert on organizations for each row execute function space.add_founder();

-- One's own work may be changed after a change of site, but not be put where one does not belong.
create function space.guard_place() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.site_id is not null and new.site_id not in (select public.my_sites()) then
    raise exception 'work is moved to a site one belongs to' using errcode = '42501', detail = 'CN241';
  end if;
  return new;
end $$;

-- Each site is a scope of everybody who sees it, and each of their pulls looks at all of them; those of a removed site too.
create function space.limit_sites() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- Of an organisation of others nothing is told: the policy refuses them.
  if auth.uid() is not null and new.organization_id in (select public.my_organizations_with('organization.manage'))
    and (select count(*) from (select from public.sites s where s.organization_id = new.organization_id limit 5000) x) >= 5000 then
    raise exception 'at most 5000 sites' using errcode = '23514', hint = 'many', detail = 'CN242';
  end if;
  return new;
end $$;
create trigger c_bound before insert on sites for each row execute function space.limit_sites();

-- Triggers whose functions stand with another area.

create trigger y_rights after insert or delete or update on organizations for each statement execute function access.clear_rights_on_change();
create trigger a0_require_push before insert on organizations for each statement execute function sync.require_push();

create trigger y_rights after insert or delete or update on organization_members for each statement execute function access.clear_rights_on_change();
create trigger c_limit before insert or update on organization_members for each row execute function access.limit_membership();
create trigger a0_require_push before insert on organization_members for each statement execute function sync.require_push();

create trigger y_rights after insert or delete or update on sites for each statement execute function access.clear_rights_on_change();
create trigger a0_require_push before insert on sites for each statement execute function sync.require_push();

create trigger y_rights after insert or delete or update on site_members for each statement execute function access.clear_rights_on_change();
create trigger a0_require_push before insert on site_members for each statement execute function sync.require_push();

create trigger y_rights after insert or delete or update on team_members for each statement execute function access.clear_rights_on_change();
create trigger a0_require_push before insert on team_members for each statement execute function sync.require_push();

create trigger y_rights after insert or update or delete on user_roles for each statement execute function access.clear_rights_on_change();

create trigger a0_require_push before insert on playbook_members for each statement execute function sync.require_push();

create trigger a0_require_push before insert on teams for each statement execute function sync.require_push();

-- Who may call what.
revoke execute on function space.own_columns(), space.refuse_email_change(), space.place_playbook(), space.add_creator(), space.copy_playbook_organization(),
  space.guard_membership(), space.refuse_organization_change(), space.profile_changed(), space.membership_changed(), space.welcome(), space.email_changed(),
  space.full_name_in(jsonb), space.metadata_changed(),
  space.set_creator(), space.guard_named(), space.found_organization(), space.add_founder(), space.guard_place(), space.limit_sites() from public;

-- Who sees and writes which rows.

grant insert, update on organizations to authenticated;
create policy "scope reads" on organizations for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers edit" on organizations for update to authenticated
  using ((select sync.pushing()) and id in (select my_organizations_with('organization.manage')));
create policy "signed-in people found companies" on organizations for insert to authenticated
  with check ((select sync.pushing()) and kind = 'company' and created_by = (select auth.uid()));
-- The push reads back what it inserted before the membership exists: true only inside the founding transaction.
create policy "the founder reads while founding" on organizations for select to authenticated
  using ((select sync.pushing()) and created_by = (select auth.uid()) and created_at = (select now()));

grant update on organization_members to authenticated;
-- No insert: sign-up makes the private space, companies are founded by a call of their own.
create policy "scope reads" on organization_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people managers edit" on organization_members for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));

-- No insert: one joins by accepting an invitation.
create policy "scope reads" on organization_activations for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

-- No write: activations follow partner links, on the server.
create policy "scope reads" on user_roles for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

grant insert, update on profiles to authenticated;
-- No write: system roles are given by the operator.
create policy "scope reads" on profiles for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner adds" on profiles for insert to authenticated with check (id = (select auth.uid()));
create policy "owner edits" on profiles for update to authenticated using (id = (select auth.uid()));

grant insert, update on sites to authenticated;
create policy "scope reads" on sites for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on sites for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));
create policy "managers edit" on sites for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));

grant insert, update on site_members to authenticated;
create policy "scope reads" on site_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people managers add" on site_members for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
create policy "people managers edit" on site_members for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));

grant insert, update on teams to authenticated;
create policy "scope reads" on teams for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "managers add" on teams for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));
create policy "managers edit" on teams for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('organization.manage')));

grant insert, update on team_members to authenticated;
create policy "scope reads" on team_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "people managers add" on team_members for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));
create policy "people managers edit" on team_members for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('people.manage')));

grant insert, update on playbooks to authenticated;
create policy "scope reads" on playbooks for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "creators add" on playbooks for insert to authenticated
  with check (owner_id = (select auth.uid()) and organization_id in (select my_organizations_with('playbook.create')));
create policy "administrators edit" on playbooks for update to authenticated
  using ((select sync.pushing()) and id in (select my_administered_playbooks()));

grant insert, update on playbook_members to authenticated;
create policy "scope reads" on playbook_members for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "administrators add" on playbook_members for insert to authenticated
  with check ((select sync.pushing()) and playbook_id in (select my_administered_playbooks()));
create policy "administrators edit" on playbook_members for update to authenticated
  using ((select sync.pushing()) and playbook_id in (select my_administered_playbooks()));

create policy "scope reads" on people for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
