-- Triggers answer before policies do. Whoever sends a row that belongs to a record they may not see is told the same as
-- if there were none, in the same words: what others have is not theirs to find out.

-- A write that is no push is refused by the policies of these tables; here it is, before any trigger of theirs has looked.
create function sync.need_push() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and not sync.pushing() then
    raise exception 'new row violates row-level security policy for table "%"', tg_table_name using errcode = '42501';
  end if;
  return null;
end $$;
do $$
declare
  t text;
begin
  foreach t in array array['inspections', 'inspection_answers', 'inspection_comments', 'action_items', 'media', 'issue_reports', 'schedules',
      'assets', 'forms', 'form_versions', 'form_drafts', 'playbook_members', 'organization_members', 'site_members', 'team_members'] loop
    execute format('create trigger a0_need_push before insert on public.%I for each statement execute function sync.need_push()', t);
  end loop;
end $$;

create function sync.is_of_mine(p_organization uuid) returns boolean
  language sql stable security definer set search_path = ''
  return exists (select from sync.my_memberships() m where m.organization_id = p_organization);

create function sync.is_in_sight(p_scopes text[]) returns boolean
  language sql stable security definer set search_path = ''
  return p_scopes && array(select public.my_scopes());

create or replace function sync.guard_answer() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  is_theirs boolean;
  is_reviewer boolean;
  i record;
begin
  select organization_id, site_id, status, conducted_by, assigned_to, scopes into i
    from public.inspections where id = new.inspection_id;
  if not found then
    raise exception 'an answer needs its inspection' using errcode = '23503';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  if tg_op = 'UPDATE' and (new.inspection_id, new.question) is distinct from (old.inspection_id, old.question) then
    raise exception 'an answer keeps its question' using errcode = '42501';
  end if;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if tg_op = 'INSERT' then
    new.answered_by := coalesce(new.answered_by, caller);
  elsif new.answered_by is distinct from old.answered_by and new.answered_by is distinct from caller then
    raise exception 'nobody answers in the name of somebody else' using errcode = '42501';
  end if;
  is_theirs := coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)
    or (i.conducted_by is null and i.assigned_to is null and (i.site_id is null or i.site_id in (select public.my_sites())));
  if is_theirs and not sync.is_decided(i.status) then return new; end if;
  is_reviewer := sync.may('inspection.review', i.organization_id);
  -- Before anything is said about it.
  if tg_op = 'INSERT' and not sync.is_in_sight(i.scopes) then
    raise exception 'an answer needs its inspection' using errcode = '23503';
  end if;
  if sync.is_decided(i.status) then
    raise exception 'the inspection is decided' using errcode = '42501';
  end if;
  if not is_reviewer then
    raise exception 'this is somebody else''s inspection' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace function sync.guard_comment() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  select organization_id, site_id, conducted_by, assigned_to, round, scopes into i from public.inspections where id = new.inspection_id;
  if not found or (caller is not null and tg_op = 'INSERT' and not sync.is_in_sight(i.scopes)) then
    raise exception 'a comment needs its inspection' using errcode = '23503';
  end if;
  new.organization_id := i.organization_id;
  new.site_id := i.site_id;
  new.conductor_id := coalesce(i.conducted_by, i.assigned_to);
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if not (sync.may('inspection.review', i.organization_id) and (i.site_id is null or i.site_id in (select public.my_sites()))
    or coalesce(i.conducted_by = caller, false) or coalesce(i.assigned_to = caller, false)) then
    raise exception 'this is somebody else''s inspection' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    new.author_id := caller;
    new.round := i.round;
    new.resolved_by := case when new.resolved_at is null then null else caller end;
    return new;
  end if;
  if (new.inspection_id, new.question, new.written_at, new.author_id, new.round)
    is distinct from (old.inspection_id, old.question, old.written_at, old.author_id, old.round) then
    raise exception 'a comment keeps its place and its author' using errcode = '42501';
  end if;
  if (new.body, new.deleted_at) is distinct from (old.body, old.deleted_at) and old.author_id is distinct from caller then
    raise exception 'only its author changes a comment' using errcode = '42501';
  end if;
  if new.resolved_at is distinct from old.resolved_at then
    new.resolved_by := case when new.resolved_at is null then null else caller end;
  else
    new.resolved_by := old.resolved_by;
  end if;
  return new;
end $$;

create or replace function sync.guard_media() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  if new.inspection_id is not null then
    select x.organization_id, x.site_id, x.scopes into i from public.inspections x where x.id = new.inspection_id;
    if not found or i.organization_id is distinct from new.organization_id
      or (caller is not null and pg_trigger_depth() = 1 and (tg_op = 'INSERT' or new.inspection_id is distinct from old.inspection_id)
        and not sync.is_in_sight(i.scopes)) then
      raise exception 'a file needs its inspection' using errcode = '23503';
    end if;
    new.site_id := i.site_id;
  end if;
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.captured_by := coalesce(new.captured_by, caller);
    new.state := 'pending';
    new.completed_at := null;
  else
    new.state := old.state;
    new.completed_at := old.completed_at;
    if (new.sha256, new.bytes, new.mime, new.captured_by, new.captured_at)
      is distinct from (old.sha256, old.bytes, old.mime, old.captured_by, old.captured_at) then
      raise exception 'a file keeps its content and its author' using errcode = '42501';
    end if;
  end if;
  return new;
end $$;

-- Of a parent that is not there, nobody's organisation: refused by the same policy as one that is hidden.
create function sync.nobodys() returns uuid language sql immutable return '00000000-0000-0000-0000-000000000000'::uuid;

create or replace function sync.copy_form_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.organization_id := coalesce((select f.organization_id from public.forms f where f.id = new.form_id), sync.nobodys());
  return new;
end $$;

create or replace function sync.copy_playbook_organization() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.organization_id := coalesce((select p.organization_id from public.playbooks p where p.id = new.playbook_id), sync.nobodys());
  return new;
end $$;

-- Who is a member of an organisation is told to its own people only; anybody else meets the policy.
create or replace function sync.guard_named() returns trigger
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
             where p.now is not null and p.now is distinct from p.before and not exists (
               select from public.organization_members m
               where m.organization_id = new.organization_id and m.user_id = p.now and m.deleted_at is null)) then
    if current_setting('role', true) = 'authenticated' and auth.uid() is not null and not sync.is_of_mine(new.organization_id) then return new; end if;
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;

-- Which places, people and teams an organisation has is asked of its own people only.
create function sync.guard_outsider() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and current_setting('role', true) = 'authenticated' and not sync.is_of_mine(new.organization_id) then
    raise exception 'new row violates row-level security policy for table "%"', tg_table_name using errcode = '42501';
  end if;
  return new;
end $$;
create trigger b_outsider before insert on issue_reports for each row execute function sync.guard_outsider();
create trigger b_outsider before insert on schedules for each row execute function sync.guard_outsider();

revoke execute on function sync.need_push(), sync.is_of_mine(uuid), sync.is_in_sight(text[]), sync.nobodys(), sync.guard_outsider() from public;
