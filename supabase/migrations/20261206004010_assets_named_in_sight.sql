-- A record names an asset, a part its whole and a task its parent only where whoever names it sees them: a foreign key alone told that they
-- exist, and put assets of other sites out of service. What somebody may not see is to them as if it were not there.

-- The asset a record an action item follows from is about; no row where that record is not there for the caller.
create function sync.asset_of_source(p_organization uuid, p_type text, p_source uuid) returns table (asset_id uuid)
  language sql stable security definer set search_path = '' as $$
  select i.asset_id from public.inspections i
    where p_type = 'inspection' and i.id = p_source and i.organization_id = p_organization and sync.is_in_sight(i.scopes)
  union all
  select r.asset_id from public.issue_reports r
    where p_type = 'issue_report' and r.id = p_source and r.organization_id = p_organization and sync.is_in_sight(r.scopes)
$$;

create function sync.need_asset_in_sight(p_organization uuid, p_asset uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_asset is null or exists (select from public.assets a
    where a.id = p_asset and a.organization_id = p_organization and sync.is_in_sight(a.scopes)) then return; end if;
  raise exception 'there is no such asset' using errcode = '23503';
end $$;

create function sync.guard_named_asset() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() or sync.is_outsider(new.organization_id) then return new; end if;
  if tg_op = 'UPDATE' then
    if new.asset_id is not distinct from old.asset_id then return new; end if;
  end if;
  perform sync.need_asset_in_sight(new.organization_id, new.asset_id);
  return new;
end $$;
create trigger c_asset before insert or update of asset_id on public.inspections for each row execute function sync.guard_named_asset();
create trigger c_asset before insert or update of asset_id on public.issue_reports for each row execute function sync.guard_named_asset();
create trigger c_asset before insert or update of asset_id on public.schedules for each row execute function sync.guard_named_asset();

-- An action item that follows from an inspection or a report is about its asset, which is also seen through it; another one, and that of
-- others, is as for every record. What keeps an asset out of service keeps the one its source is about.
create function sync.guard_action_asset() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  about record;
  has_source constant boolean := coalesce(new.source_type in ('inspection', 'issue_report'), false);
  is_sourced boolean;
begin
  if auth.uid() is null or not sync.is_device_edit() or sync.is_outsider(new.organization_id) then return new; end if;
  if tg_op = 'UPDATE' then
    if new.asset_id is not distinct from old.asset_id
      and (new.source_type, new.source_id) is not distinct from (old.source_type, old.source_id) then return new; end if;
  end if;
  select x.asset_id into about from sync.asset_of_source(new.organization_id, new.source_type, new.source_id) x;
  is_sourced := has_source and found;
  if has_source and not is_sourced and (tg_op = 'INSERT' or new.source_id is distinct from old.source_id) then
    raise exception 'an action item needs its %', replace(new.source_type, '_', ' ') using errcode = '23503';
  end if;
  if new.asset_id is null or is_sourced and new.asset_id = about.asset_id then return new; end if;
  perform sync.need_asset_in_sight(new.organization_id, new.asset_id);
  if is_sourced and tg_op = 'INSERT' then
    -- It was moved to another one meanwhile: as for the place, its source says.
    new.asset_id := about.asset_id;
  elsif tg_op = 'UPDATE' and sync.holds_asset(new) and not sync.may('action.manage', new.organization_id) then
    raise exception 'its source says which asset it is about' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger c_source_asset before insert or update on public.action_items for each row execute function sync.guard_action_asset();

-- As before; a part names a whole its author sees.
create or replace function sync.guard_asset_tree() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.parent_id is null then return new; end if;
  if auth.uid() is not null and sync.is_device_edit() and not sync.is_outsider(new.organization_id) then
    if tg_op = 'INSERT' then
      perform sync.need_asset_in_sight(new.organization_id, new.parent_id);
    elsif new.parent_id is distinct from old.parent_id then
      perform sync.need_asset_in_sight(new.organization_id, new.parent_id);
    end if;
  end if;
  -- One at a time for an organisation: two calls that close a ring together would each not see the other's half.
  perform pg_advisory_xact_lock(hashtextextended('assets/' || new.organization_id::text, 0));
  if new.parent_id = new.id or exists (
    with recursive above (id, parent_id) as (
      select a.id, a.parent_id from public.assets a where a.id = new.parent_id
      union
      select a.id, a.parent_id from public.assets a join above on a.id = above.parent_id
    )
    select from above where above.id = new.id) then
    raise exception 'an asset cannot be part of itself' using errcode = '23514';
  end if;
  return new;
end $$;

-- As before; a sub-task names a task its author sees.
create or replace function sync.guard_task_tree(t public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  up uuid := t.parent_id;
  steps integer := 0;
begin
  if up <> t.id and auth.uid() is not null and sync.is_device_edit() and not sync.is_outsider(t.organization_id)
    and not exists (select from public.tasks p where p.id = up and p.organization_id = t.organization_id and sync.is_in_sight(p.scopes)) then
    raise exception 'a sub-task needs its task' using errcode = '23503';
  end if;
  while up is not null loop
    steps := steps + 1;
    if up = t.id or steps > 20 then
      raise exception 'a task cannot be part of itself' using errcode = '23514', constraint = 'task_part_of_itself';
    end if;
    select p.parent_id into up from public.tasks p where p.id = up;
  end loop;
end $$;

revoke execute on function sync.asset_of_source(uuid, text, uuid), sync.need_asset_in_sight(uuid, uuid), sync.guard_named_asset(),
  sync.guard_action_asset() from public;
