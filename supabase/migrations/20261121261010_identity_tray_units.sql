-- What stands in a parcel names itself only: the group of a piece is not the number of another, and the number of none is the
-- id of a record. One rule says what belongs together, for accepting and for declining; new ids go where ids stand.

-- Pieces of one group, or a piece alone; the two never look alike.
create function sync.unit_of(m jsonb) returns text
  language sql immutable parallel safe set search_path = ''
  return coalesce('group/' || (m ->> 'group'), 'piece/' || lower(m ->> 'mid'));

-- Mids of the pieces whose names get mixed up with those of other pieces, in the parcel or in the tray.
create function sync.mixed_up(p_organization uuid, p_author uuid, p_mutations jsonb) returns text[]
  language sql stable security definer set search_path = '' as $$
  with pieces as (
    select lower(m ->> 'mid') as mid, lower(m ->> 'id') as id, lower(m ->> 'group') as grp, m ->> 'mid' as said, true as is_new
      from jsonb_array_elements(p_mutations) m where jsonb_typeof(m) = 'object'
    union all
    select u.mid::text, lower(u.body ->> 'id'), lower(u.body ->> 'group'), null, false from sync.unsent u
      where u.organization_id = p_organization and u.user_id = p_author and u.state in ('waiting', 'refused')
  ), mids as (select p.mid from pieces p), ids as (select p.id from pieces p), groups as (select p.grp from pieces p where p.grp is not null)
  select coalesce(array_agg(p.said), '{}') from pieces p
    where p.is_new and (p.grp in (select mid from mids) or p.mid in (select grp from groups) or p.mid in (select id from ids) or p.id in (select mid from mids))
$$;

-- As before, without what is mixed up.
create or replace function sync.take_into_tray(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_brought_by uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  m jsonb;
  mixed text[];
  taken integer := 0;
  known jsonb := '[]';
  refused jsonb := '[]';
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
    else
      insert into sync.unsent (user_id, mid, organization_id, device, body, brought_by)
        values (p_author, (m ->> 'mid')::uuid, p_organization, p_device, m, p_brought_by)
        on conflict (user_id, mid) do nothing;
      taken := taken + 1;
    end if;
  end loop;
  return jsonb_build_object('taken', taken, 'known', known, 'refused', refused);
end $$;

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
  with open as (
    select u.body, u.n, u.mid, sync.unit_of(u.body) as unit from sync.unsent u
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
      and (is_former or u.brought_by is not null)
  ), units as (
    select o.unit, min(o.n) as first, sum(count(*)) over (order by min(o.n)) as so_far from open o
    where o.unit in (select a.unit from open a where a.mid = any (p_mids)) group by o.unit
  )
  select coalesce(jsonb_agg(o.body order by u.first, o.n), '[]') into work
    from open o join units u using (unit) where u.so_far <= 1000;
  if not is_former and work = '[]' then
    raise exception 'the author is a member again and sends it themselves' using errcode = 'P0001';
  end if;
  return work;
end $$;

create or replace function sync.without_units(p_work jsonb, p_mids text[], out o_left jsonb, out o_refused jsonb)
  language sql immutable set search_path = '' as $$
  with pieces as (
    select w, n, w ->> 'mid' = any (p_mids) as is_fault from jsonb_array_elements(p_work) with ordinality e (w, n)
  ), judged as (
    select p.*, sync.unit_of(p.w) in (select sync.unit_of(f.w) from pieces f where f.is_fault) as goes from pieces p
  )
  select coalesce(jsonb_agg(w order by n) filter (where not goes), '[]'),
    coalesce(jsonb_agg(jsonb_build_object('mid', w -> 'mid', 'st', 'rejected', 'code', '23503',
      'msg', case when is_fault then 'it does not fit this organisation' else 'refused with its group' end)
      || case when is_fault then '{}'::jsonb else '{"with_group": true}' end order by n) filter (where goes), '[]')
  from judged
$$;

create or replace function sync.decline_unsent(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  declined integer;
begin
  perform identity.need('unsent.review', p_organization);
  update sync.unsent u set state = 'declined', decided_at = now(), decided_by = auth.uid()
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
      and sync.unit_of(u.body) in (select sync.unit_of(g.body) from sync.unsent g
        where g.organization_id = p_organization and g.user_id = p_user and g.mid = any (p_mids));
  get diagnostics declined = row_count;
  if declined > 0 then perform inbox.work_decided(p_organization, p_user, 'work.declined'); end if;
  return jsonb_build_object('declined', declined);
end $$;

-- Every value that is one of these ids, wherever it stands in a field; words in which one occurs stay.
create function sync.with_names(p_value jsonb, p_names jsonb) returns jsonb
  language plpgsql immutable set search_path = '' as $$
begin
  case jsonb_typeof(p_value)
    when 'string' then return coalesce(p_names -> (p_value #>> '{}'), p_value);
    when 'array' then return (select coalesce(jsonb_agg(sync.with_names(e, p_names) order by n), '[]') from jsonb_array_elements(p_value) with ordinality x (e, n));
    when 'object' then return (select coalesce(jsonb_object_agg(k, sync.with_names(e, p_names)), '{}') from jsonb_each(p_value) x (k, e));
    else return p_value;
  end case;
end $$;

create function sync.piece_with_names(m jsonb, p_names jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select m || coalesce(jsonb_object_agg(f, sync.with_names(m -> f, p_names)), '{}') from unnest(array['id', 'patch', 'base']) f where m ? f
$$;

create or replace function sync.rename_unsent(p_organization uuid, p_user uuid, p_work jsonb, p_ids text[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  names jsonb;
begin
  perform identity.need('unsent.review', p_organization);
  select jsonb_object_agg(id, gen_random_uuid()) into names from unnest(p_ids) id;
  -- Answers and actions whose ids follow from one of these follow it.
  select names || coalesce(jsonb_object_agg(d.old, d.new), '{}') into names from (
    select w ->> 'id' as old, extensions.uuid_generate_v5((names ->> (w -> 'patch' ->> 'inspection_id'))::uuid, 'answer/' || (w -> 'patch' ->> 'question')) as new
      from jsonb_array_elements(p_work) w where w ->> 't' = 'inspection_answers' and w ->> 'op' = 'insert'
        and w ->> 'id' = extensions.uuid_generate_v5((w -> 'patch' ->> 'inspection_id')::uuid, 'answer/' || (w -> 'patch' ->> 'question'))::text
        and names ? (w -> 'patch' ->> 'inspection_id')) d;
  update sync.unsent u set body = sync.piece_with_names(u.body, names)
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
      and sync.piece_with_names(u.body, names) <> u.body;
  return (select coalesce(jsonb_agg(sync.piece_with_names(w, names) order by n), '[]') from jsonb_array_elements(p_work) with ordinality e (w, n));
end $$;

revoke execute on function sync.unit_of(jsonb), sync.mixed_up(uuid, uuid, jsonb), sync.with_names(jsonb, jsonb), sync.piece_with_names(jsonb, jsonb) from public;
grant execute on function sync.unit_of(jsonb), sync.with_names(jsonb, jsonb), sync.piece_with_names(jsonb, jsonb) to authenticated;
