-- A photo could be called a page: whoever opened it in a tab of its own, a guest for one, had a member's page on our origin. The types of
-- pictures that hold no script are a closed list; what is in the bytes is looked at when the file is confirmed.

-- As packages/base/src/file-beginning.ts has them; a test compares both.
create function sync.is_picture_type(p_mime text) returns boolean language sql immutable return
  lower(btrim(split_part(p_mime, ';', 1))) in ('image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff',
    'image/avif', 'image/heic', 'image/heif');
revoke execute on function sync.is_picture_type(text) from public;

create or replace function sync.guard_media() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  i record;
begin
  if new.kind = 'photo' and not sync.is_picture_type(new.mime)
    and (tg_op = 'INSERT' or (new.kind, new.mime) is distinct from (old.kind, old.mime)) then
    raise exception 'a photo has a type of pictures' using errcode = '23514';
  end if;
  if new.inspection_id is not null then
    select x.organization_id, x.site_id, x.scopes into i from public.inspections x where x.id = new.inspection_id;
    if not found or i.organization_id is distinct from new.organization_id
      or (caller is not null and pg_trigger_depth() = 1 and (tg_op = 'INSERT' or new.inspection_id is distinct from old.inspection_id)
        and not sync.is_in_sight(i.scopes)) then
      raise exception 'a file needs its inspection' using errcode = '23503';
    end if;
    new.site_id := i.site_id;
  end if;
  if caller is null then return new; end if;
  if tg_op = 'INSERT' then
    new.captured_by := coalesce(new.captured_by, caller);
    new.state := 'pending';
    new.completed_at := null;
  else
    new.state := old.state;
    new.completed_at := old.completed_at;
    if (new.sha256, new.bytes, new.mime, new.captured_by, new.captured_at)
      is distinct from (old.sha256, old.bytes, old.mime, old.captured_by, old.captured_at) then
      raise exception 'a file keeps its content and its author' using errcode = '42501';
    end if;
  end if;
  return new;
end $$;
