-- Field operations: with an archived form nothing new begins, also nothing that was planned. Its schedules rest with it: what is
-- to come is taken back at once, and comes again when the form does; what fell into the rest is owed to nobody.

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
  if not exists (select from pg_catalog.pg_timezone_names z where z.name = new.zone) then
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

create function sync.rest_with_form() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'published' and new.deleted_at is null then
    perform set_config('cairn.form_is_back', 'yes', true);
    -- Another version of the schedule, so that it is planned anew.
    update public.schedules s set active_since = now() where s.form_id = new.id and s.state = 'active' and s.deleted_at is null;
    perform set_config('cairn.form_is_back', '', true);
  else
    update public.inspections i set deleted_at = now()
      where i.form_id = new.id and i.schedule_id is not null and i.status = 'scheduled' and i.missed_at is null
        and i.due_at > now() and i.deleted_at is null;
  end if;
  return null;
end $$;
revoke execute on function sync.rest_with_form() from public;
create trigger x_rest after update of state, deleted_at on forms for each row
  when (old.state = 'published' and (new.state <> 'published' or new.deleted_at is not null)
    or old.state = 'archived' and new.state = 'published')
  execute function sync.rest_with_form();
