-- A file of handed-over work is confirmed like any other (decision 0695): its bytes may come after an administrator accepted the work,
-- who asked for them when they were not there, and nobody asked again. Its author, or who brought it, asks when they have sent it.

create index unsent_brought on sync.unsent (brought_by) where brought_by is not null;
create index unsent_file on sync.unsent ((body ->> 'id')) where body ->> 't' = 'media' and body ->> 'op' = 'insert';

-- What is recorded of a file, to who sent it without seeing its row: it lies in the tray, or they captured it (it was accepted from there,
-- or they were removed before the bytes came). Null for everybody else. In the tray its state is `tray`, and `object` is what lies there for it (null:
-- nothing yet); bytes somebody else brought under its name are not told of, and so removed by no one who named the same id. Nor is anybody
-- told while two pieces of one organisation name one file with two hashes: what is wrong for one may be the other's only copy.
create function my_sent_file(p_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with mine as (
    select u.organization_id, u.body -> 'patch' as patch, u.state, o.id as object,
      o.id is null or o.owner_id in (u.user_id::text, u.brought_by::text) as is_own
    from sync.unsent u
    left join storage.objects o on o.bucket_id = 'media' and o.name = u.organization_id::text || '/' || p_id::text
    where (u.user_id = auth.uid() or u.brought_by = auth.uid()) and u.body ->> 'id' = p_id::text
      and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state <> 'declined'
  ), row as (
    select m.* from public.media m where m.id = p_id
  )
  select case when exists (select from row) then (
      select jsonb_build_object('id', m.id, 'organization_id', m.organization_id, 'kind', m.kind, 'mime', m.mime, 'sha256', m.sha256,
        'bytes', m.bytes, 'state', m.state, 'audience', m.audience) from row m
      where m.deleted_at is null and m.captured_by = auth.uid())
    else (
      select jsonb_build_object('id', p_id, 'organization_id', w.organization_id, 'kind', coalesce(w.patch ->> 'kind', 'photo'),
        'mime', w.patch -> 'mime', 'sha256', w.patch -> 'sha256', 'bytes', w.patch -> 'bytes', 'state', 'tray',
        'audience', w.patch -> 'audience', 'object', w.object) from mine w
      where w.state in ('waiting', 'refused') and coalesce(w.is_own, false) and not exists (
        select from sync.unsent u where u.organization_id = w.organization_id and u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media'
          and u.body ->> 'op' = 'insert' and u.state in ('waiting', 'refused') and u.body -> 'patch' -> 'sha256' is distinct from w.patch -> 'sha256')
      limit 1) end
$$;

-- As before, for a file in the tray as well, which is completed by nobody before its row is there.
create or replace function media_may_remove(p_id uuid, p_object uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  -- As media_complete locks it: a file is completed before this, or not while this looks.
  perform from public.media m where m.id = p_id and m.state = 'pending' for no key update;
  if found then
    if public.media_object(p_id) is distinct from p_object then return false; end if;
  elsif exists (select from public.media m where m.id = p_id) or not exists (
    select from storage.objects o where o.id = p_object and o.bucket_id = 'media' and o.name in (
      select u.organization_id::text || '/' || p_id::text from sync.unsent u
      where u.body ->> 'id' = p_id::text and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert' and u.state in ('waiting', 'refused'))) then
    return false;
  end if;
  delete from sync.removal r where r.at < now() - interval '5 minutes';
  insert into sync.removal (object) values (p_object) on conflict do nothing;
  return found;
end $$;

-- What an administrator may still accept may still be sent: before, the bytes of work that was refused once were turned away. And who
-- captured a file brings its bytes also where they may see its row no more: what they saved before they were removed, or lost the
-- place, was as good as lost with the phone. A piece that names the file of somebody else brings nothing under it.
create index media_pending on media (captured_by) where state = 'pending' and deleted_at is null;
create function sync.names_file_of_others(u sync.unsent) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.media m
    where m.id = case when sync.is_uuid(u.body ->> 'id') then (u.body ->> 'id')::uuid end and m.captured_by is distinct from u.user_id)
$$;
revoke execute on function sync.names_file_of_others(sync.unsent) from public;
create or replace function my_unsent_files() returns setof text
  language sql stable security definer set search_path = '' as $$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.unsent u
    where u.user_id = auth.uid() and u.state <> 'declined' and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
      and not sync.names_file_of_others(u)
  union all
  select m.organization_id::text || '/' || m.id::text from public.media m
    where m.captured_by = auth.uid() and m.state = 'pending' and m.deleted_at is null
$$;
create or replace function my_brought_files() returns setof text
  language sql stable security definer set search_path = '' as $$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.unsent u
  where u.brought_by = auth.uid() and u.state <> 'declined' and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
    and not sync.names_file_of_others(u)
$$;

revoke execute on function my_sent_file(uuid) from public, anon, authenticated;
grant execute on function my_sent_file(uuid) to authenticated;
