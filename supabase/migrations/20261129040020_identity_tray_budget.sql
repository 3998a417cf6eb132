-- A tray counted pieces and no bytes: some 260 pieces of 1 MB made an answer no database gives, and nothing in it could be decided any
-- more. One author has 64 MB in one organisation's tray, an administrator reads it in pages, and decides over as much at once as a push
-- carries well. The files announced with it are 2 GB at most, beside those that were accepted: what goes over stays on the device, and
-- the words go all the same.
alter table sync.unsent add column bytes integer not null generated always as (octet_length(body::text)) stored;

-- The bytes a piece announces, where it is a new file and says a number.
create function sync.announced(m jsonb) returns numeric
  language sql stable set search_path = '' return
  case when m ->> 't' = 'media' and m ->> 'op' = 'insert' and pg_input_is_valid(m -> 'patch' ->> 'bytes', 'bigint')
    then greatest((m -> 'patch' ->> 'bytes')::bigint, 0) else 0 end;
revoke execute on function sync.announced(jsonb) from public;

create or replace function sync.take_into_tray(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_brought_by uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  m jsonb;
  mixed text[];
  taken integer := 0;
  known jsonb := '[]';
  refused jsonb := '[]';
  files numeric;
begin
  if jsonb_typeof(p_mutations) = 'string' then p_mutations := (p_mutations #>> '{}')::jsonb; end if;
  if jsonb_typeof(p_mutations) is distinct from 'array' or jsonb_array_length(p_mutations) > 50 or octet_length(p_mutations::text) > 1048576 then
    raise exception 'at most 50 mutations and 1 MB a call' using errcode = '22023';
  end if;
  -- One author's calls wait for each other, so that the limit holds.
  perform pg_advisory_xact_lock(hashtext('unsent'), hashtext(p_author::text));
  if (select count(*) > 10000 or sum(u.bytes) > 67108864 from sync.unsent u where u.user_id = p_author and u.organization_id = p_organization) then
    raise exception 'the tray is full' using errcode = 'P0001';
  end if;
  select coalesce(sum(sync.announced(u.body)), 0) into files from sync.unsent u
    where u.user_id = p_author and u.organization_id = p_organization and u.state <> 'accepted';
  mixed := sync.mixed_up(p_organization, p_author, p_mutations);
  for m in select e from jsonb_array_elements(p_mutations) with ordinality as es (e, n) order by n loop
    if not sync.is_piece(m) or jsonb_typeof(coalesce(m -> 'group', 'null')) not in ('string', 'null') or length(m ->> 'group') > 100 then
      refused := refused || jsonb_build_array(m -> 'mid');
    elsif exists (select from sync.mutation k where k.user_id = p_author and k.mid = (m ->> 'mid')::uuid) then
      known := known || jsonb_build_array(m -> 'mid');
    -- A report without a name is not handed over, because the tray names its author: it stays on their device.
    elsif m ->> 'mid' = any (mixed) or sync.home_of_piece(m, p_organization, p_author) is distinct from p_organization
      or m ->> 't' = 'issue_reports' and coalesce(m -> 'patch' -> 'is_anonymous', 'false') <> 'false' then
      refused := refused || jsonb_build_array(m -> 'mid');
    elsif files + sync.announced(m) > 2147483648 and sync.announced(m) > 0
      and not exists (select from sync.unsent u where u.user_id = p_author and u.mid = (m ->> 'mid')::uuid) then
      refused := refused || jsonb_build_array(m -> 'mid');
    else
      insert into sync.unsent (user_id, mid, organization_id, device, body, brought_by)
        values (p_author, (m ->> 'mid')::uuid, p_organization, p_device, m, p_brought_by)
        on conflict (user_id, mid) do nothing;
      if found then files := files + sync.announced(m); end if;
      taken := taken + 1;
    end if;
  end loop;
  return jsonb_build_object('taken', taken, 'known', known, 'refused', refused);
end $$;

-- As before; the first unit whatever its size. What was handed over by somebody who is a member again is decided over like any other:
-- their device let go of it when it handed it over, so that nobody else sends it.
create or replace function sync.take_unsent(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  work jsonb;
begin
  perform identity.need('unsent.review', p_organization);
  -- Two administrators deciding at once wait for each other here.
  perform from public.organization_members m where m.organization_id = p_organization and m.user_id = p_user for update;
  with open as (
    select u.body, u.n, u.mid, u.bytes, sync.unit_of(u.body) as unit from sync.unsent u
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
  ), units as (
    select o.unit, min(o.n) as first, sum(count(*)) over (order by min(o.n)) as so_far,
      sum(sum(o.bytes)) over (order by min(o.n)) - sum(o.bytes) as bytes_before from open o
    where o.unit in (select a.unit from open a where a.mid = any (p_mids)) group by o.unit
  )
  select coalesce(jsonb_agg(o.body order by u.first, o.n), '[]') into work
    from open o join units u using (unit) where u.so_far <= 1000 and u.bytes_before < 8388608;
  return work;
end $$;

-- In pages of some 4 MB: after the last `n` of one comes the next, and an empty one ends it.
drop function unsent_work(uuid, text);
create function unsent_work(p_organization uuid, p_state text default 'waiting', p_after bigint default 0) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
begin
  perform identity.need('unsent.review', p_organization);
  return (select coalesce(jsonb_agg(jsonb_build_object('n', u.n, 'user_id', u.user_id, 'name', p.display_name, 'device', u.device,
      'submitted_at', u.submitted_at, 'mutation', u.body, 'state', u.state, 'result', u.result,
      'brought_by', case when u.brought_by is not null then coalesce(b.display_name, '') end) order by u.n), '[]')
    from (select w.*, sum(w.bytes) over (order by w.n) - w.bytes as bytes_before from sync.unsent w
      where w.organization_id = p_organization and w.state = p_state and w.n > p_after) u
    left join public.people p on p.id = u.user_id left join public.people b on b.id = u.brought_by
    where u.bytes_before < 4194304);
end $$;
revoke execute on function unsent_work(uuid, text, bigint) from public, anon, authenticated;
grant execute on function unsent_work(uuid, text, bigint) to authenticated;
