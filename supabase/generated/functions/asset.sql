-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema asset as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION asset.asset_of_source(p_organization uuid, p_type text, p_source uuid)
 RETURNS TABLE(asset_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select i.asset_id from public.inspections i
    where p_type = 'inspection' and i.id = p_source and i.organization_id = p_organization and access.is_in_sight(i.scopes)
  union all
  select r.asset_id from public.issue_reports r
    where p_type = 'issue_report' and r.id = p_source and r.organization_id = p_organization and access.is_in_sight(r.scopes)
$function$;

CREATE OR REPLACE FUNCTION asset.guard_action_asset()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION asset.guard_asset_tree()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION asset.guard_named_asset()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is null or not sync.is_device_edit() or access.is_outsider(new.organization_id) then return new; end if;
  if tg_op = 'UPDATE' then
    if new.asset_id is not distinct from old.asset_id then return new; end if;
  end if;
  perform asset.require_asset_in_sight(new.organization_id, new.asset_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION asset.guard_site_map()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION asset.require_asset_in_sight(p_organization uuid, p_asset uuid)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_asset is null or exists (select from public.assets a
    where a.id = p_asset and a.organization_id = p_organization and access.is_in_sight(a.scopes)) then return; end if;
  raise exception 'there is no such asset' using errcode = '23503', detail = 'CN107';
end $function$;

CREATE OR REPLACE FUNCTION asset.service_status(p assets)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE WHEN (((p).status <> 'retired'::text) AND (EXISTS (SELECT FROM action_items a WHERE ((a.asset_id = (service_status.p).id) AND (a.organization_id = (service_status.p).organization_id) AND action.holds_asset(a.*))))) THEN 'down'::text ELSE (p).status END;
