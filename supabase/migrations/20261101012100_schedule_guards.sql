-- Schedules of inspections: guards and what else triggers do, and who sees and writes which rows.

create function schedule.guard_schedule() returns trigger
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
    raise exception 'an ended schedule stays ended' using errcode = '42501', detail = 'CN255';
  end if;
  if (tg_op = 'INSERT' or new.zone <> old.zone) and not task.is_zone(new.zone) then
    raise exception 'no such time zone' using errcode = '22023', detail = 'CN256';
  end if;
  if new.assigned_to is not null and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) and not access.is_member(new.organization_id, new.assigned_to) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501', detail = 'CN083';
  end if;
  if new.assigned_team is not null and not exists (
    select from public.teams t where t.id = new.assigned_team and t.organization_id = new.organization_id) then
    raise exception 'the team is not of this organisation' using errcode = '23503', detail = 'CN257';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on schedules for each row execute function schedule.guard_schedule();

-- As task.limit_series.
create function schedule.limit_schedules() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is not null and new.created_by = auth.uid() and new.state <> 'ended' and new.deleted_at is null
    and (tg_op = 'INSERT' or old.state = 'ended' or old.deleted_at is not null)
    and (select count(*) from (select from public.schedules s
      where s.created_by = new.created_by and s.state <> 'ended' and s.deleted_at is null limit 2000) x) >= 2000 then
    raise exception 'at most 2000 schedules go on at once' using errcode = '23514', hint = 'many', detail = 'CN258';
  end if;
  return new;
end $$;
create trigger d_bound before insert or update of state, deleted_at on schedules for each row execute function schedule.limit_schedules();

-- Planned for a team: its members may begin it, and whoever plans.
create function schedule.guard_occurrence() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' then
    new.schedule_id := null; new.occurs_on := null; new.missed_at := null;
    new.opens_at := null; new.closes_at := null; new.assigned_team := null;
    return new;
  end if;
  if old.status = 'scheduled' and new.status <> 'scheduled' and new.assigned_team is not null
    and not access.may('inspection.assign', new.organization_id)
    and not exists (select from public.team_members m
      where m.team_id = new.assigned_team and m.user_id = auth.uid() and m.deleted_at is null) then
    raise exception 'this is planned for a team' using errcode = '42501', detail = 'CN259';
  end if;
  -- Done in time, and only told late: it was not missed.
  if new.missed_at is not null and new.finished_at is not null and new.finished_at <= new.closes_at then
    new.missed_at := null;
  end if;
  return new;
end $$;

-- A newly published version is what planned inspections will be done on; what has begun keeps its own.
create function schedule.plan_on_new_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.inspections set form_version_id = new.current_version_id
    where form_id = new.id and schedule_id is not null and status = 'scheduled' and missed_at is null and deleted_at is null;
  return null;
end $$;
create trigger x_plan after update of current_version_id on forms for each row
  when (new.current_version_id is not null and old.current_version_id is distinct from new.current_version_id)
  execute function schedule.plan_on_new_version();

-- Triggers whose functions stand with another area.

create trigger b_creator before insert or update on schedules for each row execute function space.set_creator();
create trigger b_fixed_organization before update on schedules for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on schedules for each statement execute function sync.require_push();
create trigger b_outsider before insert on schedules for each row execute function access.guard_outsider();
create trigger c_asset before insert or update of asset_id on public.schedules for each row execute function asset.guard_named_asset();

-- Who may call what.
revoke execute on function schedule.guard_schedule(), schedule.limit_schedules(), schedule.guard_occurrence(), schedule.plan_on_new_version() from public;

-- Who sees and writes which rows.

grant insert, update on schedules to authenticated;
create policy "scope reads" on schedules for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "planners add" on schedules for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('inspection.assign'))
    and (site_id is null or site_id in (select my_sites())));
create policy "planners edit" on schedules for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('inspection.assign'))
    and (site_id is null or site_id in (select my_sites())));

alter table sync.schedule_plan enable row level security;
