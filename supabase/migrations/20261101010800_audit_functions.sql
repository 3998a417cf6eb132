-- The audit log: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- What the hash of an entry is taken of; the script in an export does the same. No part can hold a line break.
create function audit.hash_of(e public.audit_entries) returns text
  language sql immutable parallel safe set search_path = '' set timezone = 'UTC' return
  encode(sha256(convert_to(concat_ws(E'\n', e.prev, e.seq::text, e.organization_id::text, to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    coalesce(e.actor_id::text, '-'), e.act, e.subject_table, e.subject_id::text, e.detail::text), 'UTF8')), 'hex');

-- Notes an act for the commit to link. A private space keeps no log: there is nobody to prove anything to.
-- Whose work it is stays the actor, and who accepted it, and who brought it, stand beside.
-- Of what came by the review queue every later entry says who had brought it.
create function audit.note(p_organization uuid, p_act text, p_table text, p_subject uuid, p_detail jsonb default '{}') returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  acceptor constant uuid := nullif(review_queue.accepted_by(), auth.uid());
begin
  if not exists (select from public.organizations o where o.id = p_organization and o.kind = 'company') then return; end if;
  insert into audit.pending_entry (xid, organization_id, actor_id, act, subject_table, subject_id, detail)
    values (pg_current_xact_id(), p_organization, auth.uid(), p_act, p_table, p_subject, jsonb_strip_nulls(p_detail)
      || jsonb_strip_nulls(jsonb_build_object('accepted_by', acceptor,
        'submitted_by', case when acceptor is not null then review_queue.submitter_of(p_organization, p_subject)
          else (select b.person from sync.submitted_record b where b.tbl = p_table and b.id = p_subject and b.involvement = 'submitted' limit 1) end)));
  insert into sync.pending (xid) values (pg_current_xact_id()) on conflict do nothing;
end $$;

create function audit.append(p_organization uuid, p_xid xid8) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c audit.chain;
  n audit.pending_entry;
  e public.audit_entries;
begin
  insert into audit.chain (organization_id) values (p_organization) on conflict do nothing;
  select * into c from audit.chain k where k.organization_id = p_organization for update;
  for n in select * from audit.pending_entry w where w.xid = p_xid and w.organization_id = p_organization order by w.n loop
    -- A clock that goes back does not make the log go back.
    e.at := greatest(clock_timestamp(), c.at);
    if (c.at at time zone 'UTC')::date < (e.at at time zone 'UTC')::date then
      insert into public.audit_heads (organization_id, day, seq, hash) values (p_organization, (c.at at time zone 'UTC')::date, c.seq, c.hash);
    end if;
    e.organization_id := p_organization;
    e.seq := c.seq + 1;
    e.prev := c.hash;
    e.actor_id := n.actor_id;
    e.act := n.act;
    e.subject_table := n.subject_table;
    e.subject_id := n.subject_id;
    e.detail := n.detail;
    e.hash := audit.hash_of(e);
    insert into public.audit_entries (organization_id, seq, at, actor_id, act, subject_table, subject_id, detail, prev, hash)
      values (e.organization_id, e.seq, e.at, e.actor_id, e.act, e.subject_table, e.subject_id, e.detail, e.prev, e.hash);
    c.seq := e.seq;
    c.hash := e.hash;
    c.at := e.at;
  end loop;
  update audit.chain k set seq = c.seq, hash = c.hash, at = c.at where k.organization_id = p_organization;
end $$;

-- Links what this transaction noted, company by company in one order, so that no two transactions wait for each other.
create function audit.link(p_xid xid8) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  company uuid;
begin
  for company in select distinct w.organization_id from audit.pending_entry w where w.xid = p_xid order by 1 loop
    if exists (select from public.organizations o where o.id = company) then perform audit.append(company, p_xid); end if;
  end loop;
  delete from audit.pending_entry w where w.xid = p_xid;
end $$;

-- What is wrong with a log, at most 100 faults by place: `altered` (its words are not those of its hash), `torn` (it does not
-- follow the one before), `missing` (no entry where one was), `cut` (the end is gone), `head` (the head of a day is not in it),
-- `known` (a head that somebody kept elsewhere, [{"seq", "hash"}], is not in it).
create function audit.faults(p_organization uuid, p_known jsonb) returns table (seq bigint, kind text)
  language sql stable security definer set search_path = '' as $$
  with log as (
    select e.seq, e.hash, e.prev, audit.hash_of(e) as reckoned,
      lag(e.hash, 1, repeat('0', 64)) over w as before, lag(e.seq, 1, 0::bigint) over w as before_seq
    from public.audit_entries e where e.organization_id = p_organization window w as (order by e.seq)
  ), last as (select coalesce(max(l.seq), 0) as seq from log l)
  select f.seq, f.kind from (
    select l.seq, 'altered' as kind from log l where l.reckoned <> l.hash
    union all select l.before_seq + 1, 'missing' from log l where l.seq > l.before_seq + 1
    union all select l.seq, 'torn' from log l where l.seq = l.before_seq + 1 and l.prev <> l.before
    union all select z.seq + 1, 'cut' from last z, audit.chain c where c.organization_id = p_organization and c.seq > z.seq
    union all select c.seq, 'head' from audit.chain c join log l on l.seq = c.seq where c.organization_id = p_organization and c.hash <> l.hash
    union all select z.seq, 'head' from last z where z.seq > coalesce((select c.seq from audit.chain c where c.organization_id = p_organization), 0)
    union all select h.seq, case when l.seq is null then 'cut' else 'head' end
      from public.audit_heads h left join log l on l.seq = h.seq where h.organization_id = p_organization and l.hash is distinct from h.hash
    union all select k.seq, 'known' from jsonb_to_recordset(p_known) as k (seq bigint, hash text)
      left join log l on l.seq = k.seq where k.seq > 0 and l.hash is distinct from k.hash
  ) f group by f.seq, f.kind order by f.seq, f.kind limit 100
$$;

create function audit.require_reader(p_organization uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if auth.uid() is null or p_organization is null or not access.may('audit.read', p_organization) then
    raise exception 'this needs audit.read in that organisation' using errcode = '42501', detail = 'CN195';
  end if;
end $$;

create function audit.head(p_organization uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce((select jsonb_build_object('seq', c.seq, 'hash', c.hash, 'at', c.at) from audit.chain c where c.organization_id = p_organization),
    jsonb_build_object('seq', 0, 'hash', repeat('0', 64)))
$$;

-- Looks through the whole log: {"entries", "head", "faults": [{"seq", "kind"}], "at"}. `p_known`: heads the caller kept. What
-- was found when it was written down is what the ticket gives.
create function verify_audit_log(p_organization uuid, p_known jsonb default '[]', p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform audit.require_reader(p_organization);
  if p_ticket is not null then
    return access.redeem_read_ticket(p_ticket, 'verify_audit_log', jsonb_build_object('organization', p_organization)) -> 'verdict';
  end if;
  if jsonb_typeof(p_known) is distinct from 'array' or jsonb_array_length(p_known) > 1000 then
    raise exception 'known heads are a list of at most 1000' using errcode = '22023', detail = 'CN196';
  end if;
  answer := jsonb_build_object('at', clock_timestamp(), 'head', audit.head(p_organization),
    'entries', (select count(*) from public.audit_entries e where e.organization_id = p_organization),
    'faults', (select coalesce(jsonb_agg(jsonb_build_object('seq', f.seq, 'kind', f.kind)), '[]') from audit.faults(p_organization, p_known) f));
  perform audit.note(p_organization, 'audit.verified', 'organizations', p_organization,
    jsonb_build_object('entries', answer -> 'entries', 'faults', jsonb_array_length(answer -> 'faults')));
  return access.issue_read_ticket('verify_audit_log', jsonb_build_object('organization', p_organization, 'verdict', answer));
end $$;

-- A page, newest first: {"entries", "people": {id: name}, "next"}. Reading is noted as well, once an hour and person.
create function read_audit_log(p_organization uuid, p_before bigint default null, p_act text default null, p_actor uuid default null,
  p_from timestamptz default null, p_until timestamptz default null, p_limit integer default 100, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 100), 1), 500);
begin
  perform audit.require_reader(p_organization);
  if p_ticket is null then
    if not exists (select from public.audit_entries e where e.organization_id = p_organization and e.actor_id = auth.uid()
        and e.act = 'audit.read' and e.at > now() - interval '1 hour') then
      perform audit.note(p_organization, 'audit.read', 'organizations', p_organization);
    end if;
    return access.issue_read_ticket('read_audit_log', jsonb_build_object('organization', p_organization));
  end if;
  perform access.redeem_read_ticket(p_ticket, 'read_audit_log', jsonb_build_object('organization', p_organization));
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
-- is good for every portion of it. An export is noted wherever it begins: what goes on from a portion is one that this person began
-- within the hour.
create function export_audit_log(p_organization uuid, p_after bigint default 0, p_limit integer default 5000, p_ticket uuid default null)
  returns jsonb language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  found jsonb;
  most constant integer := least(greatest(coalesce(p_limit, 5000), 1), 5000);
begin
  perform audit.require_reader(p_organization);
  if p_ticket is null then
    perform audit.note(p_organization, 'audit.exported', 'organizations', p_organization);
    return access.issue_read_ticket('export_audit_log', jsonb_build_object('organization', p_organization));
  end if;
  perform access.redeem_read_ticket(p_ticket, 'export_audit_log', jsonb_build_object('organization', p_organization));
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

-- Who may call what.
revoke execute on function audit.hash_of(public.audit_entries), audit.note(uuid, text, text, uuid, jsonb), audit.append(uuid, xid8), audit.link(xid8),
  audit.faults(uuid, jsonb), audit.require_reader(uuid), audit.head(uuid) from public;
revoke execute on function verify_audit_log(uuid, jsonb, uuid),
  read_audit_log(uuid, bigint, text, uuid, timestamp with time zone, timestamp with time zone, integer, uuid),
  export_audit_log(uuid, bigint, integer, uuid) from public, anon;
