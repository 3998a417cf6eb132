-- Assets, as far as the field needs them: what a plate says, a second code (the maker's own barcode), words to sort by,
-- and a tree that cannot bite its tail.

alter table assets
  add column barcode       text,                                 -- the maker's own code, where it has one besides `code`
  add column serial_number text,
  add column manufacturer  text,
  add column model         text,
  add column notes         text,
  add column tags          jsonb not null default '[]' check (jsonb_typeof(tags) = 'array'),   -- words to sort by
  add constraint assets_lengths check (
    char_length(name) <= 200 and char_length(category) <= 100 and char_length(code) <= 200 and char_length(location) <= 200
    and char_length(barcode) <= 200 and char_length(serial_number) <= 200 and char_length(manufacturer) <= 200
    and char_length(model) <= 200 and char_length(notes) <= 4000 and pg_column_size(tags) <= 4000),
  add constraint assets_codes check (code <> '' and barcode <> '');
create index assets_parent on assets (parent_id) where parent_id is not null;
create unique index assets_barcode on assets (organization_id, barcode) where deleted_at is null;

-- 0007: a changed table has its push functions written anew.
select sync.refresh_table('assets');

-- An asset is part of another one, never of itself or of one of its own parts. Two people may each put one into the other
-- on phones without signal; whoever comes second is told.
create function sync.guard_asset_tree() returns trigger
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
create trigger c_tree before insert or update of parent_id on assets for each row execute function sync.guard_asset_tree();
revoke execute on function sync.guard_asset_tree() from public;
