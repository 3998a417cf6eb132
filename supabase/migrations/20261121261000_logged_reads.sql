-- A read that must be written down takes two calls (docs/decisions/0265): the first writes it down and answers a ticket, the
-- second gives the data for it. A call whose answer breaks on its way out takes its own entry along, but never an earlier one.

create table sync.read_tickets (
  id        uuid primary key default gen_random_uuid(),
  person_id uuid not null references auth.users (id) on delete cascade,
  kind      text not null,                                   -- the function that gave it
  about     jsonb not null,                                  -- what was written down: ids, numbers, names of tables; never words
  xid       xid8 not null default pg_current_xact_id(),
  at        timestamptz not null default now()
);
create index read_tickets_person on sync.read_tickets (person_id);
create index read_tickets_at on sync.read_tickets (at);
revoke all on sync.read_tickets from public, anon, authenticated;

create function sync.give_ticket(p_kind text, p_about jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  made uuid;
begin
  delete from sync.read_tickets t where t.id in
    (select o.id from sync.read_tickets o where o.at < now() - interval '5 minutes' limit 1000 for update skip locked);
  insert into sync.read_tickets (person_id, kind, about) values (auth.uid(), p_kind, p_about) returning id into made;
  return jsonb_build_object('ticket', made);
end $$;

-- What a ticket of the caller stands for; one of the same transaction is none, as its entry may never be.
create function sync.use_ticket(p_ticket uuid, p_kind text, p_for jsonb) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  found jsonb;
begin
  select t.about into found from sync.read_tickets t
    where t.id = p_ticket and t.person_id = auth.uid() and t.kind = p_kind and t.about @> p_for
      and t.xid is distinct from pg_current_xact_id_if_assigned() and t.at > now() - interval '5 minutes';
  if found is null then raise exception 'no such ticket: ask for one first' using errcode = '42501'; end if;
  return found;
end $$;

-- What the caller may see of one person now: {at, parts: [{grant_id, scope, level, until, data}]}. Without a ticket each part is
-- written down as read, and the ticket is the answer; a paused or ended relationship, and a grant that is over or not yet begun,
-- give none, with a ticket too.
drop function read_circle(uuid);
create function read_circle(p_relationship uuid, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r public.circle_relationships;
  g public.consent_grants;
  ticket jsonb := '{}';
  noted uuid[] := '{}';
  parts jsonb := '[]';
begin
  select * into r from public.circle_relationships c where c.id = p_relationship and c.helper_id = auth.uid() and c.deleted_at is null;
  if r.id is null then raise exception 'no such relationship' using errcode = '42501'; end if;
  if p_ticket is null then
    perform from public.circle_relationships c where c.id = r.id for share;
  else
    ticket := sync.use_ticket(p_ticket, 'read_circle', jsonb_build_object('relationship', r.id));
  end if;
  if r.state = 'active' then
    for g in
      select x.* from public.consent_grants x
      join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
      where x.relationship_id = r.id and x.helper_id = auth.uid() and x.subject_id = r.subject_id and x.deleted_at is null
        and x.revoked_at is null and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
        and (p_ticket is null or ticket -> 'grants' ? x.id::text)
      order by x.scope, x.id
    loop
      if p_ticket is null then
        insert into public.grant_reads (grant_id, relationship_id, subject_id, helper_id, offline, read_at)
          values (g.id, r.id, r.subject_id, auth.uid(), false, now());
        noted := noted || g.id;
      else
        parts := parts || jsonb_build_object('grant_id', g.id, 'scope', g.scope, 'level', g.level, 'until', g.valid_until, 'data', sync.shared_data(g));
      end if;
    end loop;
  end if;
  if p_ticket is null then
    return sync.give_ticket('read_circle', jsonb_build_object('relationship', r.id, 'grants', to_jsonb(noted)));
  end if;
  return jsonb_build_object('at', now(), 'parts', parts);
end $$;

-- Looks through the whole log: {"entries", "head", "faults": [{"seq", "kind"}], "at"}. `p_known`: heads the caller kept. What
-- was found when it was written down is what the ticket gives.
drop function verify_audit_log(uuid, jsonb);
create function verify_audit_log(p_organization uuid, p_known jsonb default '[]', p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform audit.need_reader(p_organization);
  if p_ticket is not null then
    return sync.use_ticket(p_ticket, 'verify_audit_log', jsonb_build_object('organization', p_organization)) -> 'verdict';
  end if;
  if jsonb_typeof(p_known) is distinct from 'array' or jsonb_array_length(p_known) > 1000 then
    raise exception 'known heads are a list of at most 1000' using errcode = '22023';
  end if;
  answer := jsonb_build_object('at', clock_timestamp(), 'head', audit.head(p_organization),
    'entries', (select count(*) from public.audit_entries e where e.organization_id = p_organization),
    'faults', (select coalesce(jsonb_agg(jsonb_build_object('seq', f.seq, 'kind', f.kind)), '[]') from audit.faults(p_organization, p_known) f));
  perform audit.note(p_organization, 'audit.verified', 'organizations', p_organization,
    jsonb_build_object('entries', answer -> 'entries', 'faults', jsonb_array_length(answer -> 'faults')));
  return sync.give_ticket('verify_audit_log', jsonb_build_object('organization', p_organization, 'verdict', answer));
end $$;

-- A page, newest first: {"entries", "people": {id: name}, "next"}. Reading is noted as well, once an hour and person.
drop function read_audit_log(uuid, bigint, text, uuid, timestamptz, timestamptz, integer);
create function read_audit_log(p_organization uuid, p_before bigint default null, p_act text default null, p_actor uuid default null,
  p_from timestamptz default null, p_until timestamptz default null, p_limit integer default 100, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 100), 1), 500);
begin
  perform audit.need_reader(p_organization);
  if p_ticket is null then
    if not exists (select from public.audit_entries e where e.organization_id = p_organization and e.actor_id = auth.uid()
        and e.act = 'audit.read' and e.at > now() - interval '1 hour') then
      perform audit.note(p_organization, 'audit.read', 'organizations', p_organization);
    end if;
    return sync.give_ticket('read_audit_log', jsonb_build_object('organization', p_organization));
  end if;
  perform sync.use_ticket(p_ticket, 'read_audit_log', jsonb_build_object('organization', p_organization));
  select coalesce(jsonb_agg(to_jsonb(e) - 'id' - 'prev' - 'organization_id' order by e.seq desc), '[]') into found from (
    select * from public.audit_entries a
    where a.organization_id = p_organization and (p_before is null or a.seq < p_before)
      and (p_act is null or starts_with(a.act, p_act || '.') or a.act = p_act) and (p_actor is null or a.actor_id = p_actor)
      and (p_from is null or a.at >= p_from) and (p_until is null or a.at < p_until)
    order by a.seq desc limit most) e;
  return jsonb_build_object('entries', found,
    'next', case when jsonb_array_length(found) = most then found -> -1 -> 'seq' end,
    'people', (select coalesce(jsonb_object_agg(p.id, p.display_name), '{}') from public.people p where p.display_name is not null
      and p.id in (select (x ->> 'actor_id')::uuid from jsonb_array_elements(found) x union
        select (x ->> 'subject_id')::uuid from jsonb_array_elements(found) x where x ->> 'subject_table' = 'people')));
end $$;

-- A portion of the log as it is hashed, oldest first: {"entries", "next", "head", "heads"}. The ticket is the noted export; it
-- is good for every portion of it.
drop function export_audit_log(uuid, bigint, integer);
create function export_audit_log(p_organization uuid, p_after bigint default 0, p_limit integer default 5000, p_ticket uuid default null)
  returns jsonb language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 5000), 1), 5000);
begin
  perform audit.need_reader(p_organization);
  if p_ticket is null then
    perform audit.note(p_organization, 'audit.exported', 'organizations', p_organization);
    return sync.give_ticket('export_audit_log', jsonb_build_object('organization', p_organization));
  end if;
  perform sync.use_ticket(p_ticket, 'export_audit_log', jsonb_build_object('organization', p_organization));
  select coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'actor_id', e.actor_id,
      'act', e.act, 'subject_table', e.subject_table, 'subject_id', e.subject_id, 'detail', e.detail::text, 'hash', e.hash) order by e.seq), '[]')
    into found from (
      select * from public.audit_entries a where a.organization_id = p_organization and a.seq > coalesce(p_after, 0)
      order by a.seq limit most) e;
  return jsonb_build_object('organization_id', p_organization, 'entries', found, 'head', audit.head(p_organization),
    'next', case when jsonb_array_length(found) = most then found -> -1 -> 'seq' end,
    'heads', (select coalesce(jsonb_agg(jsonb_build_object('day', h.day, 'seq', h.seq, 'hash', h.hash) order by h.day), '[]')
      from public.audit_heads h where h.organization_id = p_organization));
end $$;

-- Companies by name, at most 20: [{id, name, slug, plan, members}]. Each one is logged before it is answered.
drop function support_find_organizations(text, text);
create function support_find_organizations(p_search text, p_reason text, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  ids uuid[];
begin
  perform identity.need_support(p_reason);
  if p_ticket is not null then
    select coalesce(array_agg(x::uuid), '{}') into ids
      from jsonb_array_elements_text(sync.use_ticket(p_ticket, 'support_find_organizations', '{}') -> 'ids') x;
    return (select coalesce(jsonb_agg(to_jsonb(f) order by f.name), '[]') from (
      select o.id, o.name, o.slug, o.plan,
        (select count(*) from public.organization_members m where m.organization_id = o.id and m.deleted_at is null) as members
      from public.organizations o where o.id = any (ids) and o.kind = 'company' and o.deleted_at is null) f);
  end if;
  select coalesce(array_agg(f.id), '{}') into ids from (
    select o.id from public.organizations o
    where o.kind = 'company' and o.deleted_at is null and position(lower(trim(p_search)) in lower(o.name)) > 0 and trim(p_search) <> ''
    order by o.name, o.id limit 20) f;
  insert into public.support_reads (organization_id, reader_id, tbl, row_ids, reason)
    select i, auth.uid(), 'organizations', array[i], trim(p_reason) from unnest(ids) i;
  return sync.give_ticket('support_find_organizations', jsonb_build_object('ids', to_jsonb(ids)));
end $$;

-- A page of one table of a company, by id: {rows, next}. Rows that are somebody's own (audience user:… only) are left out. With
-- a ticket: of the rows that were logged those that are still there.
drop function support_read(uuid, text, text, uuid, integer);
create function support_read(p_organization uuid, p_table text, p_reason text, p_after uuid default null, p_limit integer default 100,
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
  if p_table is null or (p_table not in ('organizations', 'people') and not sync.is_of_organization(p_table)) then
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

revoke execute on function sync.give_ticket(text, jsonb), sync.use_ticket(uuid, text, jsonb) from public, anon, authenticated;
revoke execute on function read_circle(uuid, uuid), verify_audit_log(uuid, jsonb, uuid), export_audit_log(uuid, bigint, integer, uuid),
  read_audit_log(uuid, bigint, text, uuid, timestamptz, timestamptz, integer, uuid), support_find_organizations(text, text, uuid),
  support_read(uuid, text, text, uuid, integer, uuid) from public, anon, authenticated;
grant execute on function read_circle(uuid, uuid), verify_audit_log(uuid, jsonb, uuid), export_audit_log(uuid, bigint, integer, uuid),
  read_audit_log(uuid, bigint, text, uuid, timestamptz, timestamptz, integer, uuid), support_find_organizations(text, text, uuid),
  support_read(uuid, text, text, uuid, integer, uuid) to authenticated;
