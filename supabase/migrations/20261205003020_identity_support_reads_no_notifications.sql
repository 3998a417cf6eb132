-- Customer support reads no notifications and no follows: they are one person's alone, also where they name a company.

create or replace function support_read(p_organization uuid, p_table text, p_reason text, p_after uuid default null, p_limit integer default 100,
  p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  place constant text := case p_table
    when 'organizations' then 'x.id = $1'
    when 'people' then 'x.id in (select m.user_id from public.organization_members m where m.organization_id = $1 and m.deleted_at is null)'
    else 'x.organization_id = $1' end;
  ids uuid[];
  answer jsonb;
begin
  perform identity.need_support(p_reason);
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'no such company' using errcode = '42501';
  end if;
  -- What a person was told and what they follow name the company, and are theirs.
  if p_table is null or p_table in ('notifications', 'record_follows') or (p_table not in ('organizations', 'people') and not sync.is_of_organization(p_table)) then
    raise exception 'no such table' using errcode = '22023';
  end if;
  if p_ticket is not null then
    select coalesce(array_agg(x::uuid order by x::uuid), '{}') into ids from jsonb_array_elements_text(sync.use_ticket(p_ticket, 'support_read',
      jsonb_build_object('organization', p_organization, 'table', p_table)) -> 'ids') x;
  end if;
  execute format($query$
    select coalesce(jsonb_agg(to_jsonb(r) - 'scopes' order by r.id), '[]') from (
      select x.* from public.%I x
      where %s and x.deleted_at is null and ($2::uuid is null or x.id > $2) and ($4::uuid[] is null or x.id = any ($4))
        and exists (select from unnest(x.scopes) s where s not like 'user:%%')
      order by x.id limit $3) r
  $query$, p_table, place) into answer
    using p_organization, case when p_ticket is null then p_after end, case when p_ticket is null then least(greatest(coalesce(p_limit, 100), 1), 500) end, ids;
  if p_ticket is not null then return jsonb_build_object('rows', answer, 'next', ids[array_upper(ids, 1)]); end if;
  ids := array(select (r ->> 'id')::uuid from jsonb_array_elements(answer) r);
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason) values (p_organization, auth.uid(), p_table, ids, trim(p_reason));
  return sync.give_ticket('support_read', jsonb_build_object('organization', p_organization, 'table', p_table, 'ids', to_jsonb(ids)));
end $$;
