-- The sync engine: receipts.

set local check_function_bodies = off;   -- what they call may be made later

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
  if caller is null then raise exception 'sync_receipt needs a signed-in person' using errcode = '42501', detail = 'CN033'; end if;
  if cardinality(p_mids) > 10000 then raise exception 'a receipt covers at most 10000 mutations' using errcode = '22023', detail = 'CN034'; end if;
  select * into r from sync.receipt where id = p_id;
  if found and r.user_id <> caller then raise exception 'this receipt is somebody else''s' using errcode = '42501', detail = 'CN035'; end if;
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
    insert into sync.receipt (id, user_id, device, no, received_at, files_at, device_at, mids, contents)
      values (p_id, caller, p_device, sync.receipt_number(), coalesce(sync.receipt_arrival(caller, p_mids), now()),
        (select max(f.completed_at) from sync.mutation k join public.media f on f.id = k.row_id
          where k.user_id = caller and k.mid = any (p_mids) and k.tbl = 'media' and k.op = 'insert'),
        p_device_at, p_mids, sync.receipt_contents(caller, p_mids))
      on conflict (id) do nothing;
    select * into strict r from sync.receipt where id = p_id and user_id = caller;
  end if;
  return jsonb_build_object('complete', true, 'id', r.id, 'no', r.no, 'received_at', r.received_at, 'files_at', r.files_at, 'device_at', r.device_at,
    'contents', r.contents);
end $$;

-- What mutations of one person brought, {"inspections": 1, …}: distinct records by table. Of `policy_acknowledgements` those that
-- agree stand under the table's name, the others under `policy_openings` and `policy_declines`.
create function sync.receipt_contents(p_user uuid, p_mids uuid[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with received as (
    select k.tbl, k.row_id, max(k.at) as at, max((k.result ->> 'v')::bigint) as version from sync.mutation k
    where k.user_id = p_user and k.mid = any (p_mids) and k.result ->> 'st' in ('applied', 'merged')
    group by k.tbl, k.row_id
  ), named as (
    select b.row_id, case
      when b.tbl <> 'policy_acknowledgements' then b.tbl
      -- What was decided stands, so the last thing brought decided it: where that came after what this receipt covers, it was open then.
      when coalesce(a.state, 'opened') = 'opened' or a.version > b.version and exists (
        select from sync.mutation l where l.user_id = p_user and l.tbl = b.tbl and l.row_id = b.row_id and l.at > b.at
          and not l.mid = any (p_mids) and l.result ->> 'st' in ('applied', 'merged')) then 'policy_openings'
      when a.state = 'declined' then 'policy_declines'
      else b.tbl end as name
    from received b left join public.policy_acknowledgements a on b.tbl = 'policy_acknowledgements' and a.id = b.row_id
  )
  select coalesce(jsonb_object_agg(name, n), '{}') from (select name, count(distinct row_id) as n from named group by name) c
$$;

-- When the last record that mutations brought arrived, as the record says it; null where the ledger has none of them.
create function sync.receipt_arrival(p_user uuid, p_mids uuid[]) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select greatest(max(k.at), max(a.received_at)) from sync.mutation k
  left join public.policy_acknowledgements a
    on k.tbl = 'policy_acknowledgements' and a.id = k.row_id and a.version = (k.result ->> 'v')::bigint
  where k.user_id = p_user and k.mid = any (p_mids)
$$;

-- Who may call what.
revoke execute on function sync.receipt_number(), sync.receipt_contents(uuid, uuid[]), sync.receipt_arrival(uuid, uuid[]) from public;
revoke execute on function sync_receipt(uuid, uuid, uuid[], timestamp with time zone) from public, anon;
