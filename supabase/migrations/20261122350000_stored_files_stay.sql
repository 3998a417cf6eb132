-- Evidence is replaced by nobody, also not by a link that was made before it was confirmed, or by a service that writes for whoever
-- holds one (0350). What failed its hash is removed and brought anew; a restore removes and brings too.
create function sync.keep_stored_file() returns trigger language plpgsql set search_path = '' as $$
begin
  if 'media' in (old.bucket_id, new.bucket_id)
    and (new.bucket_id, new.name, new.version) is distinct from (old.bucket_id, old.name, old.version) then
    raise exception 'a stored file is replaced by nobody' using errcode = '42501';
  end if;
  return new;
end $$;
revoke execute on function sync.keep_stored_file() from public;
create trigger cairn_keep_stored_file before update on storage.objects for each row execute function sync.keep_stored_file();
