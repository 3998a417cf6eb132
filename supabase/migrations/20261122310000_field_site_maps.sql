-- Field operations: maps of sites. A map is one file (.pmtiles) by the lane of all files; its row says where it is a map of, and a
-- device fetches the bytes when somebody wants it there (docs/decisions/0310-maps-on-demand.md).

create table site_maps (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid not null,
  media_id        uuid not null unique,                          -- its file
  name            text not null check (btrim(name) <> '' and char_length(name) <= 120),
  bytes           bigint not null check (bytes between 1 and 100000000),   -- size of the file, bytes
  tiles           text not null check (tiles in ('vector', 'image')),      -- what its tiles are
  west            double precision not null check (west between -180 and 180),    -- degrees, WGS 84
  south           double precision not null check (south between -90 and 90),
  east            double precision not null check (east between -180 and 180),
  north           double precision not null check (north between -90 and 90),
  min_zoom        smallint not null check (min_zoom between 0 and 22),
  max_zoom        smallint not null check (max_zoom between 0 and 22),
  attribution     text not null default '' check (char_length(attribution) <= 500),   -- whom to name beside it, plain text
  created_by      uuid references auth.users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
  check (west < east and south < north),
  check (min_zoom <= max_zoom)
);
create index site_maps_site on site_maps (organization_id, site_id);
create index site_maps_creator on site_maps (created_by);

-- After media: its file stands before it.
select sync.add_table('site_maps', 36, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$);

create policy "scope reads" on site_maps for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "who looks after a site's assets adds" on site_maps for insert to authenticated
  with check ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage')) and site_id in (select my_sites()));
create policy "who looks after a site's assets changes" on site_maps for update to authenticated
  using ((select sync.pushing()) and organization_id in (select my_organizations_with('asset.manage')) and site_id in (select my_sites()));
grant insert, update on site_maps to authenticated;
-- No delete: a map that is taken away is marked, so that devices hear of it.

create trigger a0_need_push before insert on site_maps for each statement execute function sync.need_push();
create trigger b_creator before insert or update on site_maps for each row execute function sync.set_creator();
create trigger b_keep_organization before update on site_maps for each row execute function sync.keep_organization();

-- Its file is one of the same site that the caller sees, and is a map by its type; another file is another map.
create function sync.guard_site_map() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  f public.media;
begin
  if sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of what there is
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
    or auth.uid() is not null and not sync.is_in_sight(f.scopes) then
    raise exception 'a map needs its file' using errcode = '23503';
  end if;
  if auth.uid() is not null and (select count(*) from public.site_maps s
    where s.organization_id = new.organization_id and s.site_id = new.site_id and s.deleted_at is null) >= 20 then
    raise exception 'a site has at most 20 maps' using errcode = '23514';
  end if;
  return new;
end $$;
revoke execute on function sync.guard_site_map() from public;
create trigger c_guard before insert or update on site_maps for each row execute function sync.guard_site_map();
