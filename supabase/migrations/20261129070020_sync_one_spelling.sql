-- An id has one spelling (docs/decisions/0703): the push compares them as text, and a mutation whose `mid` came again in capitals was
-- applied a second time, with another body; a record under two spellings ended the whole call. Devices write lower case. What
-- carries another form is refused, as a whole: the device finds the entry by halves.

create function sync.is_plain_id(p_text text) returns boolean
  language sql immutable parallel safe set search_path = ''
  return coalesce(p_text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false);

create or replace function sync.claim(p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  -- What guards a row may ask which device sends it (`sync.device`).
  perform set_config('sync.device', coalesce(p_device::text, ''), true);
  if exists (select from jsonb_array_elements(p_mutations) m
      where not sync.is_plain_id(m ->> 'mid') or not sync.is_plain_id(m ->> 'id')) then
    raise exception 'mid and id are uuids in lower case' using errcode = '22023';
  end if;
  with caller as materialized (
    select auth.uid() as id
  ), sent as (
    select distinct on (mid) (m ->> 'mid')::uuid as mid, m
    from jsonb_array_elements(p_mutations) m order by mid
  ), taken as (
    insert into sync.mutation (user_id, mid, hash, device, tbl, row_id, op, client_at)
      select caller.id, sent.mid, sync.mutation_hash(m), p_device, m ->> 't', (m ->> 'id')::uuid, m ->> 'op', m ->> 'at'
      from sent, caller order by sent.mid
      on conflict do nothing returning mid
  )
  select coalesce(jsonb_agg(mid), '[]') into answer from taken;
  return answer;
end $$;

-- As before; nor is a piece of work what a push would not take. What lies in a tray is spelt as the rest.
create or replace function sync.is_piece(m jsonb) returns boolean
  language sql stable
  return jsonb_typeof(m) = 'object' and sync.is_plain_id(m ->> 'mid') and sync.is_plain_id(m ->> 'id') and sync.is_work(m ->> 't')
    and coalesce(m ->> 'op' in ('insert', 'update', 'delete'), false) and jsonb_typeof(coalesce(m -> 'patch', '{}')) = 'object'
    and jsonb_typeof(coalesce(m -> 'base', '{}')) = 'object' and (m -> 'patch' ->> 'organization_id' is null or sync.is_uuid(m -> 'patch' ->> 'organization_id'))
    and coalesce(m ->> 'bv' ~ '^[0-9]{1,18}$', true);
update sync.unsent set body = body || jsonb_build_object('mid', mid::text, 'id', lower(body ->> 'id'))
  where not sync.is_plain_id(body ->> 'mid') or not sync.is_plain_id(body ->> 'id');

revoke execute on function sync.is_plain_id(text) from public;
grant execute on function sync.is_plain_id(text) to authenticated;
