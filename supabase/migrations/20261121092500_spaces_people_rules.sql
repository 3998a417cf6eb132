-- What keeps spaces and people right, whoever writes: ownership, private spaces, names for colleagues.
-- A trigger treats a statement without a signed-in person as the server's own (seed, migration, service calls).

-- Direct calls reach these tables: what the server owns is set here, not taken from the client.
create function sync.own_columns() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.deleted_at := null;
  elsif not sync.pushing() then
    new.deleted_at := old.deleted_at;
  end if;
  return new;
end $$;
create trigger b_own_columns before insert or update on playbooks for each row execute function sync.own_columns();
create trigger b_own_columns before insert or update on profiles for each row execute function sync.own_columns();
create trigger b_own_columns before insert or update on user_preferences for each row execute function sync.own_columns();

create function sync.keep_email() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null then
    new.email := case when tg_op = 'UPDATE' then old.email else (select u.email from auth.users u where u.id = new.id) end;
  end if;
  return new;
end $$;
alter function sync.keep_email() security definer;
create trigger c_keep_email before insert or update on profiles for each row execute function sync.keep_email();

-- A personal playbook always lives in its owner's private space (product.md, decision 8), so that no employer's row
-- ever holds private content. Its type, owner and home never change.
create function sync.place_playbook() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  home uuid;
begin
  if tg_op = 'INSERT' then
    if new.type = 'personal' then
      select o.id into home from public.organizations o
        where o.kind = 'private' and o.created_by = new.owner_id and o.deleted_at is null;
      if home is null then
        raise exception 'the owner of a personal playbook needs a private space' using errcode = '23503';
      end if;
      new.organization_id := home;
    end if;
  elsif (new.type, new.owner_id, new.organization_id) is distinct from (old.type, old.owner_id, old.organization_id) then
    raise exception 'type, owner and organisation of a playbook never change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_place_playbook before insert or update on playbooks for each row execute function sync.place_playbook();

create function sync.add_creator() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.playbook_members (organization_id, playbook_id, user_id, role)
    values (new.organization_id, new.id, new.owner_id, 'admin')
    on conflict (playbook_id, user_id) do nothing;
  return null;
end $$;
create trigger d_add_creator after insert on playbooks for each row execute function sync.add_creator();

create function sync.copy_playbook_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  select p.organization_id into new.organization_id from public.playbooks p where p.id = new.playbook_id;
  return new;
end $$;
create trigger b_copy_organization before insert or update of playbook_id, organization_id on playbook_members
  for each row execute function sync.copy_playbook_organization();

-- Somebody can always manage the people of an organisation, and a private space has nobody but its owner.
create function sync.guard_membership() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.organization_id, new.user_id) is distinct from (old.organization_id, old.user_id) then
    raise exception 'a membership never changes its person or organisation' using errcode = '42501';
  end if;
  if exists (select from public.organizations o
             where o.id = new.organization_id and o.kind = 'private' and o.created_by is distinct from new.user_id) then
    raise exception 'a private space has only its owner' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and old.role = 'admin' and old.deleted_at is null and (new.role <> 'admin' or new.deleted_at is not null) then
    -- Two administrators stepping down at once wait for each other here.
    perform from public.organizations o where o.id = new.organization_id for no key update;
    if not exists (select from public.organization_members m
                   where m.organization_id = new.organization_id and m.id <> new.id and m.role = 'admin' and m.deleted_at is null) then
      raise exception 'an organisation keeps at least one administrator' using errcode = 'P0001';
    end if;
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on organization_members for each row execute function sync.guard_membership();

create function sync.keep_organization() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.organization_id is distinct from old.organization_id then
    raise exception 'a row never changes its organisation' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger b_keep_organization before update on sites for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on teams for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on site_members for each row execute function sync.keep_organization();
create trigger b_keep_organization before update on team_members for each row execute function sync.keep_organization();

-- Names for colleagues: people follows profiles and memberships. A private space has no colleagues, so no circle.
create function sync.refresh_person(p_user uuid) returns void
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

create function sync.profile_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform sync.refresh_person(new.id);
  return null;
end $$;
create trigger d_person after insert or update on profiles for each row execute function sync.profile_changed();

create function sync.membership_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform sync.refresh_person(coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger d_person after insert or update or delete on organization_members
  for each row execute function sync.membership_changed();

-- Every sign-up, with or without invitation, makes the person's profile and private space.
create function sync.welcome() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  space uuid := gen_random_uuid();
  full_name text := left(nullif(trim(new.raw_user_meta_data ->> 'full_name'), ''), 200);
begin
  insert into public.profiles (id, email, full_name) values (new.id, new.email, full_name);
  insert into public.organizations (id, name, slug, kind, created_by)
    values (space, coalesce(full_name, 'Private space'), 'private-' || new.id::text, 'private', new.id);
  insert into public.organization_members (organization_id, user_id, role) values (space, new.id, 'admin');
  insert into public.playbooks (organization_id, name, type, owner_id) values (space, 'My Journey', 'personal', new.id);
  return null;
end $$;
create trigger cairn_welcome after insert on auth.users for each row execute function sync.welcome();

create function sync.email_changed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return null;
end $$;
create trigger cairn_email_changed after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function sync.email_changed();
