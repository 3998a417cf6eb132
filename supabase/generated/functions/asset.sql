-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema asset as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION asset.guard_asset_tree()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION asset.service_status(p assets)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN CASE WHEN (((p).status <> 'retired'::text) AND (EXISTS (SELECT FROM action_items a WHERE ((a.asset_id = (service_status.p).id) AND (a.organization_id = (service_status.p).organization_id) AND action.holds_asset(a.*))))) THEN 'down'::text ELSE (p).status END;
