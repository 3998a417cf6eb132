-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema space as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION space.account_name(p_user uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select nullif(content.one_line(coalesce((select p.display_name from public.people p where p.id = p_user), circle.circle_name(p_user))), '')
$function$;

CREATE OR REPLACE FUNCTION space.add_creator()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.playbook_members (organization_id, playbook_id, user_id, role)
    values (new.organization_id, new.id, new.owner_id, 'admin')
    on conflict (playbook_id, user_id) where deleted_at is null do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION space.add_founder()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and new.kind = 'company' then
    insert into public.organization_members (organization_id, user_id, role) values (new.id, auth.uid(), 'admin');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION space.copy_playbook_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.organization_id := coalesce((select p.organization_id from public.playbooks p where p.id = new.playbook_id), access.no_organization());
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.email_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.profiles set email = new.email where id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION space.found_organization()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION space.full_name_in(p_metadata jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN "left"(NULLIF(TRIM(BOTH FROM (p_metadata ->> 'full_name'::text)), ''::text), 200);

CREATE OR REPLACE FUNCTION space.guard_membership()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION space.guard_named()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION space.guard_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and new.site_id is not null and new.site_id not in (select public.my_sites()) then
    raise exception 'work is moved to a site one belongs to' using errcode = '42501', detail = 'CN241';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.limit_sites()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Of an organisation of others nothing is told: the policy refuses them.
  if auth.uid() is not null and new.organization_id in (select public.my_organizations_with('organization.manage'))
    and (select count(*) from (select from public.sites s where s.organization_id = new.organization_id limit 5000) x) >= 5000 then
    raise exception 'at most 5000 sites' using errcode = '23514', hint = 'many', detail = 'CN242';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.membership_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform space.refresh_person(coalesce(new.user_id, old.user_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION space.metadata_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION space.own_columns()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.deleted_at := null;
  elsif not sync.pushing() then
    new.deleted_at := old.deleted_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.place_playbook()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION space.profile_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform space.refresh_person(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION space.refresh_person(p_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ begin
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
end $function$;

CREATE OR REPLACE FUNCTION space.refuse_email_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then
    new.email := case when tg_op = 'UPDATE' then old.email else (select u.email from auth.users u where u.id = new.id) end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.refuse_organization_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.organization_id is distinct from old.organization_id then
    raise exception 'a row never changes its organisation' using errcode = '42501', detail = 'CN239';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.set_creator()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null then
    new.created_by := case when tg_op = 'INSERT' then auth.uid() else old.created_by end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION space.welcome()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;
