-- Assets and site maps: guards and what else triggers do, and who sees and writes which rows.

-- An asset is part of another one, never of itself or of one of its own parts. Two people may each put one into the other
-- on phones without signal; whoever comes second is told.
create function asset.guard_asset_tree() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.parent_id is null then return new; end if;
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
      raise exception 'another map is a map of its own' using errcode = '42501';
    end if;
    return new;
  end if;
  select * into f from public.media m where m.id = new.media_id;
  if not found or f.organization_id <> new.organization_id or f.site_id is distinct from new.site_id or f.deleted_at is not null
    or f.inspection_id is not null or f.audience is not null or f.mime <> 'application/vnd.pmtiles' or f.bytes <> new.bytes
    or auth.uid() is not null and not access.is_in_sight(f.scopes) then
    raise exception 'a map needs its file' using errcode = '23503';
  end if;
  if auth.uid() is not null and (select count(*) from public.site_maps s
    where s.organization_id = new.organization_id and s.site_id = new.site_id and s.deleted_at is null) >= 20 then
    raise exception 'a site has at most 20 maps' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger c_guard before insert or update on site_maps for each row execute function asset.guard_site_map();

-- Triggers whose functions stand with another area.

create trigger b_keep_organization before update on assets for each row execute function space.keep_organization();
create trigger a0_need_push before insert on assets for each statement execute function sync.need_push();

-- No delete: a map that is taken away is marked, so that devices hear of it.
create trigger a0_need_push before insert on site_maps for each statement execute function sync.need_push();
create trigger b_creator before insert or update on site_maps for each row execute function space.set_creator();
create trigger b_keep_organization before update on site_maps for each row execute function space.keep_organization();

-- Who may call what.
revoke execute on function asset.guard_asset_tree(), asset.guard_site_map() from public;

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
