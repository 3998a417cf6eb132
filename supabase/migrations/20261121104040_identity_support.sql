-- Customer support sees companies, read-only, and only through these calls: they read and log in one transaction. Plain
-- select gives support no foreign row, a private space is never answered, and the organisation sees the log.

create table support_reads (
  id              uuid primary key default gen_random_uuid(),
  organization_id uuid references organizations (id) on delete set null,
  reader_id       uuid references auth.users (id) on delete set null,
  tbl             text not null,
  row_ids         uuid[] not null,
  reason          text not null check (length(reason) between 3 and 500),
  at              timestamptz not null default now()
);
create index support_reads_organization on support_reads (organization_id, at);
create index support_reads_reader on support_reads (reader_id, at);
alter table support_reads enable row level security;
revoke all on support_reads from anon, authenticated;
grant select on support_reads to authenticated;
create policy "reader and organisation read" on support_reads for select to authenticated
  using (reader_id = (select auth.uid()) or organization_id in (select my_organizations_with('people.manage')));
-- No write: the calls below; nobody changes or removes an entry.

create function identity.need_support(p_reason text) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or not public.my_platform_permission('platform.support') then
    raise exception 'this needs platform.support' using errcode = '42501';
  end if;
  if coalesce(length(trim(p_reason)), 0) not between 3 and 500 then
    raise exception 'say why, in 3 to 500 characters' using errcode = '22023';
  end if;
end $$;

-- Companies by name, at most 20: [{id, name, slug, plan, members}]. Each one that is answered is logged.
create function support_find_organizations(p_search text, p_reason text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform identity.need_support(p_reason);
  select coalesce(jsonb_agg(to_jsonb(f) order by f.name), '[]') into answer from (
    select o.id, o.name, o.slug, o.plan,
      (select count(*) from public.organization_members m where m.organization_id = o.id and m.deleted_at is null) as members
    from public.organizations o
    where o.kind = 'company' and o.deleted_at is null and position(lower(trim(p_search)) in lower(o.name)) > 0 and trim(p_search) <> ''
    order by o.name, o.id limit 20) f;
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason)
    select (f ->> 'id')::uuid, auth.uid(), 'organizations', array[(f ->> 'id')::uuid], trim(p_reason) from jsonb_array_elements(answer) f;
  return answer;
end $$;

-- Which synced tables hold rows of an organisation.
create function sync.is_of_organization(p_table text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from sync.tables t where t.name = p_table and 'organization_id' = any (t.columns))
$$;

-- A page of one table of a company, by id: {rows, next}. Rows that are somebody's own (audience user:… only) are left out.
create function support_read(p_organization uuid, p_table text, p_reason text, p_after uuid default null, p_limit integer default 100)
  returns jsonb language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  place constant text := case p_table
    when 'organizations' then 'x.id = $1'
    when 'people' then 'x.id in (select m.user_id from public.organization_members m where m.organization_id = $1 and m.deleted_at is null)'
    else 'x.organization_id = $1' end;
  answer jsonb;
begin
  perform identity.need_support(p_reason);
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'no such company' using errcode = '42501';
  end if;
  if p_table is null or (p_table not in ('organizations', 'people') and not sync.is_of_organization(p_table)) then
    raise exception 'no such table' using errcode = '22023';
  end if;
  execute format($query$
    select coalesce(jsonb_agg(to_jsonb(r) - 'scopes' order by r.id), '[]') from (
      select x.* from public.%I x
      where %s and x.deleted_at is null and ($2::uuid is null or x.id > $2)
        and exists (select from unnest(x.scopes) s where s not like 'user:%%')
      order by x.id limit $3) r
  $query$, p_table, place) into answer using p_organization, p_after, least(greatest(coalesce(p_limit, 100), 1), 500);
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason) values (p_organization, auth.uid(), p_table,
    array(select (r ->> 'id')::uuid from jsonb_array_elements(answer) r), trim(p_reason));
  return jsonb_build_object('rows', answer, 'next', answer -> -1 ->> 'id');
end $$;
