-- A rescue file that somebody else brings: an administrator puts the work of a member (or of who was one) into the tray of
-- their organisation, in the author's name. The server cannot tell whether every word of it is the author's: that is why it
-- stands beside each piece, for good, who brought it; and why it takes a second act to accept it.

alter table sync.unsent add column brought_by uuid references auth.users (id) on delete set null;

-- Puts mutations of one author into the tray of one organisation: {taken, known, refused: [mid]}. Callers check who may.
create function sync.take_into_tray(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_brought_by uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  m jsonb;
  taken integer := 0;
  known jsonb := '[]';
  refused jsonb := '[]';
  home uuid;
begin
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 50 or octet_length(p_mutations::text) > 1048576 then
    raise exception 'at most 50 mutations and 1 MB a call' using errcode = '22023';
  end if;
  -- One author's calls wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('unsent'), hashtext(p_author::text));
  if (select count(*) from sync.unsent u where u.user_id = p_author and u.organization_id = p_organization) > 10000 then
    raise exception 'the tray is full' using errcode = 'P0001';
  end if;
  for m in select e from jsonb_array_elements(p_mutations) with ordinality as es (e, n) order by n loop
    if exists (select from sync.mutation k where k.user_id = p_author and k.mid = (m ->> 'mid')::uuid) then
      known := known || jsonb_build_array(m -> 'mid');
      continue;
    end if;
    home := coalesce(sync.organization_of(m), case when m ->> 'op' = 'insert' and sync.is_work(m ->> 't')
        then (m -> 'patch' ->> 'organization_id')::uuid
      else (select u.organization_id from sync.unsent u
        where u.user_id = p_author and u.organization_id = p_organization and u.body ->> 'id' = m ->> 'id' and u.body ->> 't' = m ->> 't' limit 1) end);
    if home is distinct from p_organization or m ->> 'op' is null or m ->> 'op' not in ('insert', 'update', 'delete') or m ->> 'mid' is null then
      refused := refused || jsonb_build_array(m -> 'mid');
      continue;
    end if;
    insert into sync.unsent (user_id, mid, organization_id, device, body, brought_by)
      values (p_author, (m ->> 'mid')::uuid, p_organization, p_device, m, p_brought_by)
      on conflict (user_id, mid) do nothing;
    taken := taken + 1;
  end loop;
  return jsonb_build_object('taken', taken, 'known', known, 'refused', refused);
end $$;

create or replace function submit_unsent_work(p_organization uuid, p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null or not sync.is_former_member(p_organization, auth.uid()) then
    raise exception 'only who was a member and is none hands work over' using errcode = '42501';
  end if;
  return sync.take_into_tray(p_organization, auth.uid(), p_device, p_mutations, null);
end $$;

-- For who reviews the tray (`unsent.review`): work of a member, or of a former one, out of their rescue file. Of a private
-- organisation nobody brings anything, nor one's own: that goes through one's own outbox.
create function bring_unsent_work(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.need('unsent.review', p_organization);
  if p_author = auth.uid() or not exists (
      select from public.organization_members m join public.organizations o on o.id = m.organization_id
      where m.organization_id = p_organization and m.user_id = p_author and o.kind = 'company' and o.deleted_at is null) then
    raise exception 'work is brought for a member of this company' using errcode = '42501';
  end if;
  return sync.take_into_tray(p_organization, p_author, p_device, p_mutations, auth.uid());
end $$;

-- What became of one's own work in trays: [{mid, organization_id, state, brought_by}].
create or replace function my_unsent_work() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('mid', u.mid, 'organization_id', u.organization_id, 'state', u.state,
    'brought_by', u.brought_by) order by u.n), '[]')
  from sync.unsent u where u.user_id = auth.uid()
$$;

create or replace function unsent_work(p_organization uuid, p_state text default 'waiting') returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
begin
  perform identity.need('unsent.review', p_organization);
  return (select coalesce(jsonb_agg(jsonb_build_object('user_id', u.user_id, 'name', p.display_name, 'device', u.device,
      'submitted_at', u.submitted_at, 'mutation', u.body, 'state', u.state, 'result', u.result,
      'brought_by', case when u.brought_by is not null then coalesce(b.display_name, '') end) order by u.n), '[]')
    from sync.unsent u left join public.people p on p.id = u.user_id left join public.people b on b.id = u.brought_by
    where u.organization_id = p_organization and u.state = p_state);
end $$;

-- Handed-over work is for former members: one who is a member again sends it themselves. Brought work may be a member's,
-- whose own device cannot send it.
create or replace function sync.take_unsent(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  work jsonb;
  is_former boolean;
begin
  perform identity.need('unsent.review', p_organization);
  -- Two administrators deciding at once wait for each other here.
  perform from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user for update;
  is_former := sync.is_former_member(p_organization, p_user);
  select coalesce(jsonb_agg(w.body order by w.n), '[]') into work from (
    select u.body, u.n from sync.unsent u
    where u.organization_id = p_organization and u.user_id = p_user and u.mid = any (p_mids) and u.state in ('waiting', 'refused')
      and (is_former or u.brought_by is not null)
    order by u.n limit 50) w;
  if not is_former and work = '[]' then
    raise exception 'the author is a member again and sends it themselves' using errcode = 'P0001';
  end if;
  return work;
end $$;

-- Alive for the length of one transaction; null where the membership is alive anyway.
create or replace function sync.act_as_former(p_organization uuid, p_user uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  ended public.organization_members;
begin
  perform identity.need('unsent.review', p_organization);
  select * into strict ended from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user;
  if ended.deleted_at is null and (ended.valid_until is null or ended.valid_until > now()) then return null; end if;
  update public.organization_members m set deleted_at = null, valid_until = null, role = case m.role when 'auditor' then 'member' else m.role end
    where m.id = ended.id;
  return jsonb_build_object('id', ended.id, 'deleted_at', ended.deleted_at, 'valid_until', ended.valid_until, 'role', ended.role);
end $$;

-- The files of brought work, by object name: who brought it uploads them, as the author of handed-over work does.
create function my_brought_files() returns setof text
  language sql stable security definer set search_path = '' as $$
  select u.organization_id::text || '/' || (u.body ->> 'id') from sync.unsent u
  where u.brought_by = auth.uid() and u.state in ('waiting', 'accepted') and u.body ->> 't' = 'media' and u.body ->> 'op' = 'insert'
$$;
create policy "cairn media: who brought a rescue file uploads" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and name in (select public.my_brought_files()));

revoke execute on function sync.take_into_tray(uuid, uuid, uuid, jsonb, uuid) from public;
revoke execute on function bring_unsent_work(uuid, uuid, uuid, jsonb), my_brought_files() from public, anon, authenticated;
grant execute on function bring_unsent_work(uuid, uuid, uuid, jsonb), my_brought_files() to authenticated;
