-- The access log has a bound: what was read under one grant within five minutes is one entry that counts, and a device brings 300 entries a day
-- of one grant at most. What it brings lies in the time of the grant, give or take a clock, or within thirty days after: so long it may not have heard of the end.

alter table public.grant_reads add column times integer not null default 1 check (times between 1 and 10000);   -- so often in those five minutes
update sync.tables set server_columns = server_columns || array['times'] where name = 'grant_reads';
select sync.refresh_table('grant_reads');
create index grant_reads_brought on public.grant_reads (grant_id, received_at) where offline;

create or replace function sync.guard_grant_read() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  g public.consent_grants;
begin
  select * into g from public.consent_grants c where c.id = new.grant_id;
  if g.id is null or g.helper_id <> new.helper_id then
    raise exception 'no such grant' using errcode = '42501';
  end if;
  new.relationship_id := g.relationship_id;
  new.subject_id := g.subject_id;
  new.scope := g.scope;
  new.level := g.level;
  if sync.pushing() then
    new.offline := true;
    new.received_at := now();
    new.times := 1;
    -- A clock that is ahead must not hide a read in the future, nor one that is behind put it long before there was anything to read.
    new.read_at := greatest(least(new.read_at, now()), least(g.valid_from, now()) - interval '1 day');
    if g.helper_id = auth.uid() then
      if sync.is_derived(new.id) then
        raise exception 'this id follows from another record' using errcode = '23514', constraint = 'id_is_derived';
      end if;
      if new.read_at > least(g.valid_until, g.revoked_at, g.deleted_at) + interval '30 days' then
        raise exception 'there was nothing to read any more' using errcode = '42501';
      end if;
      if (select count(*) from (select from public.grant_reads x
          where x.grant_id = g.id and x.offline and x.received_at > now() - interval '1 day' limit 300) b) >= 300 then
        raise exception 'at most 300 reads a day' using errcode = '23514', hint = 'many';
      end if;
    end if;
  end if;
  return new;
end $$;

-- Writes down a read at the server.
create function sync.note_read(g public.consent_grants, p_now timestamptz default now()) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into public.grant_reads as x (id, grant_id, relationship_id, subject_id, helper_id, offline, read_at)
    values (extensions.uuid_generate_v5(g.id, 'read/' || floor(extract(epoch from p_now) / 300)::bigint::text),
      g.id, g.relationship_id, g.subject_id, g.helper_id, false, p_now)
    on conflict (id) do update set times = x.times + 1 where x.times < 10000
$$;
revoke execute on function sync.note_read(public.consent_grants, timestamptz) from public;

create or replace function read_circle(p_relationship uuid, p_ticket uuid default null) returns jsonb
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
        perform sync.note_read(g);
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

create or replace function brief_for_review(p_relationship uuid, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r constant public.circle_relationships := sync.brief_relationship(p_relationship);
  ticket jsonb;
  read public.consent_grants;
  noted uuid[] := '{}';
begin
  if r.id is null then raise exception 'no such relationship' using errcode = '42501'; end if;
  perform from public.circle_relationships c where c.id = r.id for share;
  -- What is being taken back at this moment is waited for.
  perform from public.consent_grants x where x.relationship_id = r.id order by x.id for share;
  if p_ticket is null then
    for read in select o.* from sync.open_grants(r.id) o order by o.scope, o.id loop
      perform sync.note_read(read);
      noted := noted || read.id;
    end loop;
    return sync.give_ticket('brief_for_review', jsonb_build_object('relationship', r.id, 'grants', to_jsonb(noted)));
  end if;
  ticket := sync.use_ticket(p_ticket, 'brief_for_review', jsonb_build_object('relationship', r.id));
  if exists (select from sync.open_grants(r.id) g where ticket -> 'grants' ? g.id::text) then
    perform sync.compose_brief(r, sync.last_week(), ticket -> 'grants');
  end if;
  return jsonb_build_object('at', now(), 'week', sync.last_week(), 'briefs', (
    select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'week', b.week, 'state', b.state, 'lines', said.lines) order by b.week desc), '[]')
    from public.triad_briefs b cross join lateral (
      select jsonb_agg(jsonb_build_object('id', l.id, 'scope', l.scope, 'level', l.level, 'kind', l.kind, 'figures', l.figures,
          'wording', l.wording, 'is_left_out', l.is_left_out) order by l.position) as lines
      from public.triad_brief_lines l join sync.open_grants(r.id) g on g.id = l.grant_id
      where l.brief_id = b.id and ticket -> 'grants' ? g.id::text) said
    where b.relationship_id = r.id and b.state in ('review', 'approval') and b.deleted_at is null and said.lines is not null));
end $$;

create or replace function sync.tell_granted(r public.circle_relationships, p_type text, p_key text, p_subject uuid, p_by uuid, p_now timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  given constant uuid := sync.session_grant(r.id, p_now);
begin
  if given is null or inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text,
      jsonb_build_object('by', r.subject_name), p_subject, null, p_by) is null then return false; end if;
  perform sync.note_read(g, p_now) from public.consent_grants g where g.id = given;
  return true;
end $$;
