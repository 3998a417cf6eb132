-- Who stands in for somebody is looked up at once, and a person has 50 open deputies at most: each was looked up among all of them, so that
-- many of one pair took the time in which everybody is told. Requests take turns as policies do.

create index approval_delegations_open on public.approval_delegations (organization_id, from_id, ends_at) where revoked_at is null and deleted_at is null;

create function sync.bound_delegations() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.uid() is null or sync.is_outsider(new.organization_id) then return new; end if;   -- the policy refuses, and says nothing of others
  if (select count(*) from public.approval_delegations d where d.organization_id = new.organization_id and d.from_id = new.from_id and d.id <> new.id
      and d.deleted_at is null and d.revoked_at is null and d.ends_at > now()) >= 50 then
    raise exception 'at most 50 deputies are named at once' using errcode = '23514', hint = 'many';
  end if;
  return new;
end $$;
create trigger d_bound before insert on public.approval_delegations for each row execute function sync.bound_delegations();

-- Who decides in somebody's name at present, and by which delegation, each once; as sync.stands_in has it of one.
create function sync.deputies_of(p_organization uuid, p_for uuid) returns table (to_id uuid, delegation_id uuid)
  language sql stable security definer set search_path = '' as $$
  select distinct on (d.to_id) d.to_id, d.id from public.approval_delegations d
  where d.organization_id = p_organization and d.from_id = p_for and d.deleted_at is null and d.revoked_at is null
    and d.ends_at > now() and d.starts_at <= now()
    and sync.is_member(p_organization, p_for) and sync.has_enterprise_plan(p_organization)
  order by d.to_id, d.created_at, d.id
$$;

-- Who is told of a request, and in whose place: whoever was asked, or those who stand in for them.
create function inbox.people_of_approval(r public.approval_requests) returns table (asked uuid, told uuid)
  language sql stable security definer set search_path = '' as $$
  select a, coalesce(d.to_id, a) from sync.people_of_stage(r) a left join lateral sync.deputies_of(r.organization_id, a) d on true
$$;

create or replace function inbox.sweep_approvals(p_limit integer default 200) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  w record;
  r public.approval_requests;
  p record;
  here integer;
  done integer := 0;
  seen text[] := '{}';
  is_short boolean := false;
  ends timestamptz;
begin
  for w in
    select q as item, k.key, row_number() over (partition by q.organization_id order by x.swept_at nulls first, q.created_at, q.id) as turn
    from public.approval_requests q
    cross join lateral (select 'turn/approval/' || q.id::text as key) k
    left join inbox.swept x on x.key = k.key
    where q.state = 'pending' and q.deleted_at is null
    order by turn, x.swept_at nulls first, q.created_at
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    is_short := done >= p_limit or w.turn > 1 and clock_timestamp() > ends;
    exit when is_short;
    seen := seen || w.key;
    r := w.item;
    here := 0;
    for p in
      select t.told, k.key
      from inbox.people_of_approval(r) t
      cross join lateral (select 'approval/' || r.id::text || '/' || r.stage::text || '/' || t.asked::text as key) k
      where sync.is_member(r.organization_id, t.told) and (t.asked is distinct from r.requested_by or t.told is distinct from t.asked)
        and not exists (select from inbox.swept x where x.key = k.key || ' ' || t.told::text)
        and not exists (select from public.approval_decisions d
          where d.request_id = r.id and d.stage = r.stage and d.approver_id = t.asked and d.deleted_at is null)
      order by t.told limit p_limit - done
    loop
      exit when here > 0 and clock_timestamp() > ends;
      perform inbox.note_swept(p.key, p.told);
      perform inbox.notify(p.told, 'approval.requested', p.key, r.path, jsonb_build_object('title', r.title, 'by', inbox.name_of(r.requested_by)),
        r.id, r.organization_id);
      here := here + 1;
      done := done + 1;
    end loop;
  end loop;
  if is_short or clock_timestamp() > ends then perform inbox.note_turns(seen); end if;
  return done;
end $$;

create or replace function inbox.approval_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  p record;
begin
  if tg_op = 'UPDATE' then perform inbox.settled(new.id, array['approval.requested']); end if;
  if new.state = 'pending' then
    for p in select * from inbox.people_of_approval(new) loop
      perform inbox.notify(p.told, 'approval.requested', 'approval/' || new.id::text || '/' || new.stage::text || '/' || p.asked::text, new.path,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(new.requested_by)), new.id, new.organization_id,
        case when p.asked = new.requested_by then null else new.requested_by end);
    end loop;
  elsif new.state <> 'withdrawn' then
    perform inbox.notify(new.requested_by, 'approval.decided', 'approval/' || new.id::text || '/' || new.state, new.path,
      jsonb_build_object('title', new.title, 'state', new.state), new.id, new.organization_id, auth.uid());
  end if;
  return null;
end $$;

revoke execute on function sync.bound_delegations(), sync.deputies_of(uuid, uuid), inbox.people_of_approval(public.approval_requests) from public;
