-- A confirmation that took its time removed by name what it had found wrong, and with it the right bytes that had come there and were
-- confirmed meanwhile. Now it says which object it read, and asks before it removes. An object is never replaced, so that its id
-- stands for its bytes (20261122350000).
create unlogged table sync.removal (
  object uuid primary key,                             -- in storage.objects
  at     timestamptz not null default now()
);

-- The object that is stored for a file now; null where nothing is.
create function media_object(p_id uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select o.id from public.media m
  join storage.objects o on o.bucket_id = 'media' and o.name = m.organization_id::text || '/' || m.id::text
  where m.id = p_id
$$;

-- Whether this object is still what lies there for a file that is not complete, told to one caller: storage removes by name, and until
-- that one did, nobody else makes place for other bytes under it. Who was told and died is followed by another after five minutes.
create function media_may_remove(p_id uuid, p_object uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- As media_complete locks it: a file is completed before this, or not while this looks.
  perform from public.media m where m.id = p_id and m.state = 'pending' for no key update;
  if not found or public.media_object(p_id) is distinct from p_object then return false; end if;
  delete from sync.removal r where r.at < now() - interval '5 minutes';
  insert into sync.removal (object) values (p_object) on conflict do nothing;
  return found;
end $$;

revoke execute on function media_object(uuid), media_may_remove(uuid, uuid) from public, anon, authenticated;
grant execute on function media_object(uuid), media_may_remove(uuid, uuid) to service_role;
