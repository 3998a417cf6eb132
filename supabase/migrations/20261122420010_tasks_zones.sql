-- A time zone is a name that devices and this database read alike. PostgreSQL also takes rules such as QQQ5 and abbreviations such as
-- CEST, which a device counts as UTC. Kept here, for pg_timezone_names reads some hundred files each time it is asked.
create table sync.zones (name text primary key);                -- IANA name
alter table sync.zones enable row level security;

-- After an upgrade of the database that brings new zones: once more.
create function sync.learn_zones() returns void language sql volatile security definer set search_path = '' as $$
  insert into sync.zones (name)
    select z.name from pg_catalog.pg_timezone_names z
    where z.name ~ '^[A-Za-z0-9_+/-]{1,64}$' and z.name !~ '^(posix|right)/' and z.name not in ('posixrules', 'localtime', 'Factory')
    on conflict do nothing
$$;
select sync.learn_zones();

create function sync.is_zone(p_name text) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from sync.zones z where z.name = p_name)
$$;

-- Column of the zone: the trigger's argument.
create function sync.guard_zone() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  zone constant text := to_jsonb(new) ->> tg_argv[0];
begin
  if auth.uid() is null or zone is null or tg_op = 'UPDATE' and zone is not distinct from to_jsonb(old) ->> tg_argv[0] then
    return new;
  end if;
  if not sync.is_zone(zone) then raise exception 'no such time zone' using errcode = '22023'; end if;
  return new;
end $$;
create trigger c_a_zone before insert or update of zone on task_series for each row execute function sync.guard_zone('zone');
create trigger c_a_zone before insert or update of due_zone on tasks for each row
  when (new.due_zone is not null) execute function sync.guard_zone('due_zone');

create or replace function sync.guard_schedule() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or old.state <> 'active' and new.state = 'active'
    or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    if auth.uid() is not null then new.active_since := now(); end if;
  elsif auth.uid() is not null and coalesce(current_setting('cairn.form_is_back', true), '') <> 'yes' then
    new.active_since := old.active_since;
  end if;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended schedule stays ended' using errcode = '42501';
  end if;
  if (tg_op = 'INSERT' or new.zone <> old.zone) and not sync.is_zone(new.zone) then
    raise exception 'no such time zone' using errcode = '22023';
  end if;
  if new.assigned_to is not null and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) and not exists (
    select from public.organization_members m
    where m.organization_id = new.organization_id and m.user_id = new.assigned_to and m.deleted_at is null) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  if new.assigned_team is not null and not exists (
    select from public.teams t where t.id = new.assigned_team and t.organization_id = new.organization_id) then
    raise exception 'the team is not of this organisation' using errcode = '23503';
  end if;
  return new;
end $$;
revoke execute on function sync.learn_zones(), sync.is_zone(text), sync.guard_zone() from public;
