-- Proof of arrival: receipts, and files whose bytes were verified.

create table sync.receipt (
  id          uuid primary key,                        -- made by the device
  user_id     uuid not null references auth.users (id) on delete cascade,
  device      uuid,
  no          text not null unique,                    -- R-7Q2K-41AB
  received_at timestamptz not null default now(),
  device_at   timestamptz                              -- the device's clock: evidence
    check (device_at >= timestamptz '1970-01-01T00:00:00Z' and device_at < timestamptz '2200-01-01T00:00:00Z'),
  mids        uuid[] not null,
  contents    jsonb not null                           -- {"inspections": 1, …}: distinct records by table
);

-- Eight characters of Crockford's base 32: no I, L, O, U to misread.
create function sync.receipt_number() returns text
  language sql volatile set search_path = '' as $$
  select 'R-' || string_agg(case when n = 5 then '-' else '' end || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + get_byte(b, at) % 32, 1), '' order by n)
  from (select uuid_send(gen_random_uuid()) as b) r, unnest(array[0, 1, 2, 3, 4, 5, 10, 11]) with ordinality as p (at, n)
$$;

create function sync_receipt(p_id uuid, p_device uuid, p_mids uuid[], p_device_at timestamptz) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  caller constant uuid := auth.uid();
  r sync.receipt;
  missing jsonb;
  missing_media jsonb;
begin
  if caller is null then raise exception 'sync_receipt needs a signed-in person' using errcode = '42501'; end if;
  if cardinality(p_mids) > 10000 then raise exception 'a receipt covers at most 10000 mutations' using errcode = '22023'; end if;
  select * into r from sync.receipt where id = p_id;
  if found and r.user_id <> caller then raise exception 'this receipt is somebody else''s' using errcode = '42501'; end if;
  if not found then
    select coalesce(jsonb_agg(mid order by mid), '[]') into missing
      from (select unnest(p_mids) except select k.mid from sync.mutation k where k.user_id = caller and k.mid = any (p_mids)) as x (mid);
    select coalesce(jsonb_agg(distinct k.row_id), '[]') into missing_media
      from sync.mutation k left join public.media f on f.id = k.row_id
      where k.user_id = caller and k.mid = any (p_mids) and k.tbl = 'media' and k.op = 'insert'
        and (f.id is null or f.state <> 'complete') and f.deleted_at is null;
    if missing <> '[]' or missing_media <> '[]' then
      return jsonb_build_object('complete', false, 'missing_mids', missing, 'missing_media', missing_media);
    end if;
    insert into sync.receipt (id, user_id, device, no, device_at, mids, contents)
      select p_id, caller, p_device, sync.receipt_number(), p_device_at, p_mids,
        coalesce((select jsonb_object_agg(tbl, n) from (
          select k.tbl, count(distinct k.row_id) as n from sync.mutation k
          where k.user_id = caller and k.mid = any (p_mids) and k.result ->> 'st' in ('applied', 'merged') group by k.tbl) c), '{}')
      on conflict (id) do nothing;
    select * into strict r from sync.receipt where id = p_id and user_id = caller;
  end if;
  return jsonb_build_object('complete', true, 'id', r.id, 'no', r.no, 'received_at', r.received_at, 'device_at', r.device_at, 'contents', r.contents);
end $$;

-- Called by the server after it hashed the stored bytes; the device frees its copy only after this.
create function media_complete(p_id uuid, p_sha256 text, p_bytes bigint) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  f public.media;
begin
  select * into f from public.media where id = p_id for no key update;
  if not found then raise exception 'no such file' using errcode = 'P0002'; end if;
  if f.sha256 <> lower(p_sha256) or f.bytes <> p_bytes then
    raise exception 'hash_mismatch' using errcode = 'P0001';
  end if;
  if f.state <> 'complete' then
    update public.media set state = 'complete', completed_at = now() where id = p_id;
  end if;
  return jsonb_build_object('id', p_id, 'state', 'complete', 'sha256', f.sha256, 'bytes', f.bytes);
end $$;

insert into storage.buckets (id, name, public) values ('media', 'media', false) on conflict (id) do nothing;

-- An object is named <organisation>/<media id>; its row is pushed first and says who may bring and see the bytes.
create policy "cairn media: whoever captured it or conducts there uploads" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and exists (
    select from public.media m where m.organization_id::text || '/' || m.id::text = objects.name and m.state = 'pending'
      and (m.captured_by = (select auth.uid()) or m.organization_id in (select public.my_organizations_with('inspection.conduct')))));
create policy "cairn media: whoever sees the row reads" on storage.objects for select to authenticated
  using (bucket_id = 'media' and exists (
    select from public.media m where m.organization_id::text || '/' || m.id::text = objects.name));
-- No update, no delete: evidence is replaced by nobody; the server removes what failed its hash.

-- Nudges: one hears of the scopes one has.
create policy "cairn: own scopes" on realtime.messages for select to authenticated
  using ((select realtime.topic()) in (select 'scope:' || s from public.my_scopes() s) and extension = 'broadcast');
