-- Whether a pack exists is told to nobody else: its own people are looked for before it is held, and whoever may not make packs hears the
-- same of every id.
create or replace function marketplace.own_pack(p_pack uuid) returns public.policy_packs
  language plpgsql volatile security definer set search_path = '' as $$
declare
  p public.policy_packs;
begin
  select * into p from public.policy_packs q
    where q.id = p_pack and auth.uid() is not null and q.organization_id in (select public.my_marketplace_companies('content.manage')) for update;
  if p.id is null then raise exception 'no such pack of yours' using errcode = '42501'; end if;
  return p;
end $$;

create or replace function save_pack(p_id uuid, p_organization uuid, p_facts jsonb) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  facts constant jsonb := coalesce(p_facts, '{}');
  companies constant uuid[] := case when auth.uid() is null then '{}' else array(select public.my_marketplace_companies('content.manage')) end;
  p public.policy_packs;
begin
  if not exists (select from public.policy_packs q where q.id = p_id and q.organization_id = any(companies)) then
    if p_id is null or p_organization is null or not p_organization = any(companies) then
      raise exception 'making packs needs content.manage and a tier that creates' using errcode = '42501';
    end if;
    perform pg_advisory_xact_lock(hashtext('packs of'), hashtext(p_organization::text));
    if (select count(*) from public.policy_packs q where q.organization_id = p_organization) >= 200 then
      raise exception 'two hundred packs are enough' using errcode = 'P0001';
    end if;
    insert into public.policy_packs (id, organization_id, name, publisher, licence, created_by)
      select p_id, o.id, facts ->> 'name', o.name, facts ->> 'licence', auth.uid() from public.organizations o where o.id = p_organization
      on conflict (id) do nothing;
  end if;
  p := marketplace.own_pack(p_id);
  perform marketplace.write_facts(p.id, facts);
  return p.id;
end $$;
