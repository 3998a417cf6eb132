-- Assets and site maps: guards and what else triggers do, and who sees and writes which rows.

-- An asset is part of another one, never of itself or of one of its own parts. Two people may each put one into the other
-- on phones without signal; whoever comes second is told.
-- A part names a whole its author sees.
create function asset.guard_asset_tree() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.parent_id is null then return new; end if;
  if auth.uid() is not null and sync.is_device_edit() and not access.is_outsider(new.organization_id) then
    if tg_op = 'INSERT' then
      perform asset.require_asset_in_sight(new.organization_id, new.parent_id);
    elsif new.parent_id is distinct from old.parent_id then
      perform asset.require_asset_in_sight(new.organization_id, new.parent_id);
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
    raise exception 'an asset cannot be part of itself' using errcode = '23514', detail = 'CN247';
  end if;
  return new;
end $$;
create trigger c_tree before insert or update of parent_id on assets for each row execute function asset.guard_asset_tree();

-- Its file is one of the same site that the caller sees, and is a map by its type; another file is another map.
create function asset.guard_site_map() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  f public.media;
begin
  if access.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of what there is
  if tg_op = 'UPDATE' then
    if (new.site_id, new.media_id, new.bytes, new.tiles, new.west, new.south, new.east, new.north, new.min_zoom, new.max_zoom, new.attribution)
      is distinct from (old.site_id, old.media_id, old.bytes, old.tiles, old.west, old.south, old.east, old.north, old.min_zoom, old.max_zoom, old.attribution) then
      raise exception 'another map is a map of its own' using errcode = '42501', detail = 'CN248';
    end if;
    return new;
  end if;
  select * into f from public.media m where m.id = new.media_id;
  if not found or f.organization_id <> new.organization_id or f.site_id is distinct from new.site_id or f.deleted_at is not null
    or f.inspection_id is not null or f.audience is not null or f.mime <> 'application/vnd.pmtiles' or f.bytes <> new.bytes
    or auth.uid() is not null and not access.is_in_sight(f.scopes) then
    raise exception 'a map needs its file' using errcode = '23503', detail = 'CN249';
  end if;
  if auth.uid() is not null and (select count(*) from public.site_maps s
    where s.organization_id = new.organization_id and s.site_id = new.site_id and s.deleted_at is null) >= 20 then
    raise exception 'a site has at most 20 maps' using errcode = '23514', detail = 'CN250';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on site_maps for each row execute function asset.guard_site_map();

create function asset.guard_named_asset() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_device_edit() or access.is_outsider(new.organization_id) then return new; end if;
  if tg_op = 'UPDATE' then
    if new.asset_id is not distinct from old.asset_id then return new; end if;
  end if;
  perform asset.require_asset_in_sight(new.organization_id, new.asset_id);
  return new;
end $$;

-- An action item that follows from an inspection or a report is about its asset, which is also seen through it; another one, and that of
-- others, is as for every record. What keeps an asset out of service keeps the one its source is about.
create function asset.guard_action_asset() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  about uuid;
  has_source constant boolean := coalesce(new.source_type in ('inspection', 'issue_report'), false);
  is_sourced boolean := false;
begin
  if tg_op = 'UPDATE' then
    if new.asset_id is not distinct from old.asset_id
      and (new.source_type, new.source_id) is not distinct from (old.source_type, old.source_id) then return new; end if;
  end if;
  if not has_source and new.asset_id is null then return new; end if;
  if auth.uid() is null or not sync.is_device_edit() or access.is_outsider(new.organization_id) then return new; end if;
  if has_source then
    select x.asset_id into about from asset.asset_of_source(new.organization_id, new.source_type, new.source_id) x;
    is_sourced := found;
  end if;
  if has_source and not is_sourced and (tg_op = 'INSERT' or new.source_id is distinct from old.source_id) then
    raise exception 'an action item needs its %', replace(new.source_type, '_', ' ') using errcode = '23503', detail = 'CN251';
  end if;
  if new.asset_id is null or is_sourced and new.asset_id = about then return new; end if;
  perform asset.require_asset_in_sight(new.organization_id, new.asset_id);
  if is_sourced and tg_op = 'INSERT' then
    -- It was moved to another one meanwhile: as for the place, its source says.
    new.asset_id := about;
  elsif tg_op = 'UPDATE' and action.holds_asset(new) and not access.may('action.manage', new.organization_id) then
    raise exception 'its source says which asset it is about' using errcode = '42501', detail = 'CN252';
  end if;
  return new;
end $$;

-- Triggers whose functions stand with another area.

create trigger b_fixed_organization before update on assets for each row execute function space.refuse_organization_change();
create trigger a0_require_push before insert on assets for each statement execute function sync.require_push();

-- No delete: a map that is taken away is marked, so that devices hear of it.
create trigger a0_require_push before insert on site_maps for each statement execute function sync.require_push();
create trigger b_creator before insert or update on site_maps for each row execute function space.set_creator();
create trigger b_fixed_organization before update on site_maps for each row execute function space.refuse_organization_change();

-- Who may call what.
revoke execute on function asset.guard_asset_tree(), asset.guard_site_map(), asset.guard_named_asset(), asset.guard_action_asset() from public;

-- Who sees and writes which rows.

grant insert, update on assets to authenticated;
create policy "scope reads" on assets for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "asset managers add" on assets for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage'))
    and (site_id is null or site_id in (select my_sites())));
create policy "asset managers edit" on assets for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage'))
    and (site_id is null or site_id in (select my_sites())));

grant insert, update on site_maps to authenticated;
create policy "scope reads" on site_maps for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who looks after a site's assets adds" on site_maps for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage')) and site_id in (select my_sites()));
create policy "who looks after a site's assets changes" on site_maps for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage')) and site_id in (select my_sites()));
