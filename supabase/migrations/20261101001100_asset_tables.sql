-- Assets and site maps: tables.

-- Field operations: assets, forms and their versions, inspections with answers, media, and the corrective actions
-- that come from them. A row belongs to the place it happened at: its site, or the whole organisation without one.
-- Composite foreign keys keep every reference inside one organisation. A site that rows stand at cannot be deleted
-- for good: its rows would silently become everybody's.
create table assets (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid,
  parent_id       uuid,
  name            text not null check (name <> ''),
  category        text,
  code            text,                                           -- what its tag or barcode says
  location        text,                                           -- e.g. "Bay 2"
  status          text not null default 'operational' check (status in ('operational', 'standby', 'down', 'retired')),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  latitude        double precision check (latitude between -90 and 90),   -- degrees, WGS 84
  longitude       double precision check (longitude between -180 and 180),   -- degrees, WGS 84
  barcode         text,                                           -- the maker's own code, where it has one besides `code`
  serial_number   text,
  manufacturer    text,
  model           text,
  notes           text,
  tags            jsonb not null default '[]' check (jsonb_typeof(tags) = 'array'),   -- words to sort by
  submitted_at    timestamptz,                                    -- server time; null: its author's own device sent all of it
  submitted_by    uuid references auth.users (id) on delete set null,   -- null beside a time: their account is gone
  unique (organization_id, id),
  foreign key (organization_id, site_id) references sites (organization_id, id),
  foreign key (organization_id, parent_id) references assets (organization_id, id) on delete set null (parent_id),
  constraint assets_position check ((latitude is null) = (longitude is null)),
  constraint assets_lengths check (
    char_length(name) <= 200 and char_length(category) <= 100 and char_length(code) <= 200 and char_length(location) <= 200
    and char_length(barcode) <= 200 and char_length(serial_number) <= 200 and char_length(manufacturer) <= 200
    and char_length(model) <= 200 and char_length(notes) <= 4000 and pg_column_size(tags) <= 4000),
  constraint assets_codes check (code <> '' and barcode <> '')
);
create unique index assets_code on assets (organization_id, code) where deleted_at is null;
create index assets_parent on assets (parent_id) where parent_id is not null;
create unique index assets_barcode on assets (organization_id, barcode) where deleted_at is null;
create index assets_submitted_by on assets (submitted_by) where submitted_by is not null;
-- Whoever did the work, or is to do it, keeps it in their feed when they change site, and loses it when they leave the
-- organisation: work of an organisation is never in a person's own scope.
select sync.add_table('assets', 20, $$ sync.scopes(sync.place_scope(organization_id, site_id)) $$,
  p_groups => '[["latitude","longitude"]]',
  p_server_columns => array['submitted_at', 'submitted_by']);

-- Field operations: maps of sites. A map is one file (.pmtiles) by the way of all files; its row says where it is a map of, and a
-- device fetches the bytes when somebody wants it there (docs/decisions/15-media-uploads-and-offline-files.md).
create table site_maps (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations (id) on delete cascade,
  site_id         uuid not null,
  media_id        uuid not null unique,                           -- its file
  name            text not null check (btrim(name) <> '' and char_length(name) <= 120),
  bytes           bigint not null check (bytes between 1 and 100000000),   -- size of the file, bytes
  tiles           text not null check (tiles in ('vector', 'image')),   -- what its tiles are
  west            double precision not null check (west between -180 and 180),   -- degrees, WGS 84
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
