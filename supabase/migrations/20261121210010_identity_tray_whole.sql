-- The tray (docs/decisions/0201-a-tray-decides-whole-groups.md): what is no piece of work is not taken, one that does not fit
-- stops none of the others, pieces that were saved together are accepted or refused together and say which of them was at
-- fault, and the author is told that somebody decided.

create function sync.is_uuid(p_text text) returns boolean
  language sql immutable parallel safe
  return coalesce(p_text ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$', false);

-- Whether this can be asked of a push at all.
create function sync.is_piece(m jsonb) returns boolean
  language sql stable
  return jsonb_typeof(m) = 'object' and sync.is_uuid(m ->> 'mid') and sync.is_uuid(m ->> 'id') and sync.is_work(m ->> 't')
    and coalesce(m ->> 'op' in ('insert', 'update', 'delete'), false) and jsonb_typeof(coalesce(m -> 'patch', '{}')) = 'object'
    and jsonb_typeof(coalesce(m -> 'base', '{}')) = 'object' and (m -> 'patch' ->> 'organization_id' is null or sync.is_uuid(m -> 'patch' ->> 'organization_id'))
    and coalesce(m ->> 'bv' ~ '^[0-9]{1,18}$', true);

-- Whose work it is: a new record's is the organisation it names, whatever else stands under its id; an edit's that of the
-- record it is about, which may lie in the tray itself.
create function sync.home_of_piece(m jsonb, p_organization uuid, p_author uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  if m ->> 'op' = 'insert' then return (m -> 'patch' ->> 'organization_id')::uuid; end if;
  return coalesce((select u.organization_id from sync.unsent u
    where u.user_id = p_author and u.organization_id = p_organization and u.body ->> 'id' = m ->> 'id' and u.body ->> 't' = m ->> 't' limit 1),
    sync.organization_of(m));
end $$;

create or replace function sync.take_into_tray(p_organization uuid, p_author uuid, p_device uuid, p_mutations jsonb, p_brought_by uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  m jsonb;
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
  for m in select e from jsonb_array_elements(p_mutations) with ordinality as es (e, n) order by n loop
    if not sync.is_piece(m) then
      refused := refused || jsonb_build_array(m -> 'mid');
    elsif exists (select from sync.mutation k where k.user_id = p_author and k.mid = (m ->> 'mid')::uuid) then
      known := known || jsonb_build_array(m -> 'mid');
    -- A report without a name is not handed over, because the tray names its author: it stays on their device.
    elsif sync.home_of_piece(m, p_organization, p_author) is distinct from p_organization
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

-- As before, with all that was saved together with it, next to each other; as much as one push takes.
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
    select u.body, u.n, u.mid, coalesce(u.body ->> 'group', u.mid::text) as unit from sync.unsent u
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

-- Mids of the edits whose record stands in another organisation and is none of this work's own.
create or replace function sync.strange_work(p_organization uuid, p_work jsonb) returns setof text
  language sql stable security definer set search_path = '' as $$
  select w ->> 'mid' from jsonb_array_elements(p_work) w
  where w ->> 'op' <> 'insert' and sync.organization_of(w) <> p_organization and not exists (
    select from jsonb_array_elements(p_work) i where i ->> 'op' = 'insert' and i ->> 'id' = w ->> 'id' and i ->> 't' = w ->> 't')
$$;

-- Mids of what a push has done and may not have done: a record that ended up in another organisation, a form that names a
-- version which is not there (only the end of the transaction would say so, to everything in it).
create function sync.misplaced_work(p_organization uuid, p_work jsonb, p_results jsonb) returns setof text
  language sql stable security definer set search_path = '' as $$
  select w ->> 'mid' from jsonb_array_elements(p_work) w
  join jsonb_array_elements(p_results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' <> 'rejected'
  where sync.organization_of(w) <> p_organization
    or w ->> 't' = 'forms' and exists (select from public.forms f where f.id = (w ->> 'id')::uuid and f.current_version_id is not null
      and not exists (select from public.form_versions v where v.form_id = f.id and v.id = f.current_version_id))
$$;

-- Of these pieces, and of all that were saved together with one of them.
create function sync.without_units(p_work jsonb, p_mids text[], out o_left jsonb, out o_refused jsonb)
  language sql immutable set search_path = '' as $$
  with pieces as (
    select w, n, w ->> 'mid' = any (p_mids) as is_fault from jsonb_array_elements(p_work) with ordinality e (w, n)
  ), judged as (
    select p.*, p.is_fault or exists (select from pieces f where f.is_fault and f.w ->> 'group' = p.w ->> 'group') as goes from pieces p
  )
  select coalesce(jsonb_agg(w order by n) filter (where not goes), '[]'),
    coalesce(jsonb_agg(jsonb_build_object('mid', w -> 'mid', 'st', 'rejected', 'code', '23503',
      'msg', case when is_fault then 'it does not fit this organisation' else 'refused with its group' end)
      || case when is_fault then '{}'::jsonb else '{"with_group": true}' end order by n) filter (where goes), '[]')
  from judged
$$;

-- New records whose ids stand for others get new ids, in the tray as well: whoever knew an id keeps nothing out. Files are not
-- renamed: their bytes lie, or are still to come, under the old name.
create function sync.rename_unsent(p_organization uuid, p_user uuid, p_work jsonb, p_ids text[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  names jsonb;
  pair record;
begin
  perform identity.need('unsent.review', p_organization);
  select jsonb_object_agg(id, gen_random_uuid()) into names from unnest(p_ids) id;
  -- Answers and actions whose ids follow from one of these follow it.
  select names || coalesce(jsonb_object_agg(d.old, d.new), '{}') into names from (
    select w ->> 'id' as old, extensions.uuid_generate_v5((names ->> (w -> 'patch' ->> 'inspection_id'))::uuid, 'answer/' || (w -> 'patch' ->> 'question')) as new
      from jsonb_array_elements(p_work) w where w ->> 't' = 'inspection_answers' and w ->> 'op' = 'insert'
        and w ->> 'id' = extensions.uuid_generate_v5((w -> 'patch' ->> 'inspection_id')::uuid, 'answer/' || (w -> 'patch' ->> 'question'))::text
        and names ? (w -> 'patch' ->> 'inspection_id')) d;
  for pair in select key, value from jsonb_each_text(names) loop
    update sync.unsent u set body = replace(u.body::text, pair.key, pair.value)::jsonb
      where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused') and strpos(u.body::text, pair.key) > 0;
    p_work := replace(p_work::text, pair.key, pair.value)::jsonb;
  end loop;
  return p_work;
end $$;

-- Pushes as the author, who is signed in here for as long as it takes: {work, results}.
create function sync.push_unsent(p_organization uuid, p_user uuid, p_work jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  work jsonb := p_work;
  refused jsonb := '[]';
  results jsonb;
  unfit text[];
  taken text[] := '{}';
  cut record;
begin
  unfit := array(select w ->> 'mid' from jsonb_array_elements(work) w where not sync.is_piece(w));
  cut := sync.without_units(work, unfit);
  work := cut.o_left;
  refused := cut.o_refused;
  unfit := array(select sync.strange_work(p_organization, work));
  for turn in 1 .. 5 loop
    cut := sync.without_units(work, unfit);
    work := cut.o_left;
    refused := refused || cut.o_refused;
    begin
      results := public.sync_push(null, work) -> 'results';
      taken := array(select w ->> 'id' from jsonb_array_elements(work) w
        join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' where r ->> 'code' = 'id_taken' and w ->> 't' <> 'media');
      unfit := array(select sync.misplaced_work(p_organization, work, results));
      if cardinality(taken || unfit) = 0 then
        return jsonb_build_object('work', work, 'results', results || refused);
      end if;
      raise exception 'not like this' using errcode = 'CM003';
    exception when sqlstate 'CM003' then
      -- Taken back as a whole, and done again without it or under other ids.
      null;
    end;
    if cardinality(taken) > 0 then
      return jsonb_build_object('taken', to_jsonb(taken));
    end if;
  end loop;
  raise exception 'this work cannot be told apart' using errcode = 'P0001';
end $$;

create or replace function decide_unsent_work(p_organization uuid, p_user uuid, p_mids uuid[], p_accept boolean) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  work jsonb;
  ended jsonb;
  done jsonb;
  results jsonb;
begin
  if p_accept is null or cardinality(p_mids) > 50 then
    raise exception 'decide_unsent_work takes at most 50 mutations and a decision' using errcode = '22023';
  end if;
  if not p_accept then return sync.decline_unsent(p_organization, p_user, p_mids); end if;
  work := sync.take_unsent(p_organization, p_user, p_mids);
  -- A membership that is alive for the length of an acceptance is no news (x_notify_again).
  perform set_config('sync.only_home', p_organization::text, true);
  ended := sync.act_as_former(p_organization, p_user);
  for turn in 1 .. 3 loop
    perform set_config('sync.only_home', p_organization::text, true);
    perform set_config('request.jwt.claims', (claims::jsonb || jsonb_build_object('sub', p_user, 'aal', 'aal2'))::text, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', p_user::text, true); end if;
    perform sync.forget_kept_rights();
    done := sync.push_unsent(p_organization, p_user, work);
    perform set_config('sync.only_home', '', true);
    perform sync.forget_kept_rights();
    perform set_config('request.jwt.claims', claims, true);
    if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
    exit when not done ? 'taken';
    work := sync.rename_unsent(p_organization, p_user, work, array(select jsonb_array_elements_text(done -> 'taken')));
  end loop;
  if done ? 'taken' then raise exception 'no free ids for this work' using errcode = 'P0001'; end if;
  -- What a row looks like is told to who may read it by themselves.
  select coalesce(jsonb_agg(r - 'row' - 'd'), '[]') into results from jsonb_array_elements(done -> 'results') r;
  perform sync.settle_unsent(p_organization, p_user, ended, results);
  return jsonb_build_object('results', results, 'media', (
    select coalesce(jsonb_agg(w -> 'id'), '[]') from jsonb_array_elements(work) w
    join jsonb_array_elements(results) r on r ->> 'mid' = w ->> 'mid' and r ->> 'st' in ('applied', 'merged')
    where w ->> 't' = 'media' and w ->> 'op' = 'insert'));
end $$;

-- Told to the author once a day and organisation, with nothing of the work in it.
insert into notification_types (key, module, class, setting, app, push, email) values
  ('work.accepted', 'sync', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('work.declined', 'sync', 'normal', null, 'immediate', 'immediate', 'daily');

create function inbox.work_decided(p_organization uuid, p_user uuid, p_type text) returns void
  language sql volatile security definer set search_path = '' as $$
  select inbox.notify(p_user, p_type, p_type || '/' || p_organization::text || '/' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD'),
    '/sync', (select jsonb_build_object('organization', o.name) from public.organizations o where o.id = p_organization))
$$;

create or replace function sync.settle_unsent(p_organization uuid, p_user uuid, p_ended jsonb, p_results jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform identity.need('unsent.review', p_organization);
  update public.organization_members m set deleted_at = (p_ended ->> 'deleted_at')::timestamptz,
      valid_until = (p_ended ->> 'valid_until')::timestamptz, role = p_ended ->> 'role'
    where m.id = (p_ended ->> 'id')::uuid and m.organization_id = p_organization and m.user_id = p_user;
  update sync.unsent u set state = case r ->> 'st' when 'rejected' then 'refused' else 'accepted' end, result = r,
      decided_at = now(), decided_by = auth.uid()
    from jsonb_array_elements(p_results) r
    where u.user_id = p_user and u.organization_id = p_organization and u.mid = (r ->> 'mid')::uuid;
  if exists (select from jsonb_array_elements(p_results) r where r ->> 'st' <> 'rejected') then
    perform inbox.work_decided(p_organization, p_user, 'work.accepted');
  end if;
end $$;

-- What was saved together is declined together.
create or replace function sync.decline_unsent(p_organization uuid, p_user uuid, p_mids uuid[]) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  declined integer;
begin
  perform identity.need('unsent.review', p_organization);
  update sync.unsent u set state = 'declined', decided_at = now(), decided_by = auth.uid()
    where u.organization_id = p_organization and u.user_id = p_user and u.state in ('waiting', 'refused')
      and (u.mid = any (p_mids) or u.body ->> 'group' in (select g.body ->> 'group' from sync.unsent g
        where g.organization_id = p_organization and g.user_id = p_user and g.mid = any (p_mids)));
  get diagnostics declined = row_count;
  if declined > 0 then perform inbox.work_decided(p_organization, p_user, 'work.declined'); end if;
  return jsonb_build_object('declined', declined);
end $$;

revoke execute on function sync.is_uuid(text), sync.is_piece(jsonb), sync.home_of_piece(jsonb, uuid, uuid), sync.misplaced_work(uuid, jsonb, jsonb),
  sync.without_units(jsonb, text[]), sync.rename_unsent(uuid, uuid, jsonb, text[]), sync.push_unsent(uuid, uuid, jsonb),
  inbox.work_decided(uuid, uuid, text) from public;
grant execute on function sync.is_uuid(text), sync.is_piece(jsonb), sync.misplaced_work(uuid, jsonb, jsonb), sync.without_units(jsonb, text[]),
  sync.rename_unsent(uuid, uuid, jsonb, text[]), sync.push_unsent(uuid, uuid, jsonb) to authenticated;
