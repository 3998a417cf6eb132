-- Where an asset stands, so that a phone finds what is near it, also with no signal.

alter table assets
  add column latitude  double precision check (latitude between -90 and 90),      -- degrees, WGS 84
  add column longitude double precision check (longitude between -180 and 180),   -- degrees, WGS 84
  add constraint assets_position check ((latitude is null) = (longitude is null));

-- Half of one measurement and half of another is no place.
update sync.tables set groups = groups || '[["latitude","longitude"]]' where name = 'assets';
select sync.refresh_table('assets');
