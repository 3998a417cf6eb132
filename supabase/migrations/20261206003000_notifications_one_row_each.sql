-- The two seconds of a sweep begin with the first row it has found, and one row of each organisation is told of whatever the time: looking for
-- rows that took two seconds told nobody anything, round after round.

create or replace function inbox.sweep(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
  ends timestamptz;
begin
  -- For a day: who is back by then is told after all.
  delete from inbox.swept where swept_at < now() - interval '1 day';
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key,
      row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
    from public.action_items i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told) w
    cross join lateral (select case when i.due_at <= p_now then 'action.overdue' else 'action.due_soon' end as type) t
    cross join lateral (select t.type, 'action/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and w.told is not null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + interval '24 hours'
      -- Whoever set a date within the day knows.
      and (i.due_at <= p_now or i.created_at < i.due_at - interval '24 hours')
      and not exists (select from inbox.swept x where x.key = k.key || ' ' || w.told::text)
    order by turn, i.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when a.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'action.overdue' then perform inbox.settled(a.id, array['action.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/action-items/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
  -- Claimed by a server that died: it may have gone out, so it does not go again.
  update inbox.delivery set state = 'failed', settled_at = p_now, error = 'unknown' where state = 'sending' and claimed_at < p_now - interval '10 minutes';
  update public.notifications set deleted_at = p_now where deleted_at is null and created_at < p_now - interval '90 days';
  delete from public.notifications where created_at < p_now - interval '180 days';
end $$;

create or replace function inbox.sweep_tasks(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
  ends timestamptz;
begin
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key,
      row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
    from public.tasks i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told, case when i.due_time is null then interval '15 hours' else interval '1 hour' end as ahead) w
    cross join lateral (select case when i.due_at <= p_now then 'task.overdue' else 'task.due_soon' end as type) t
    cross join lateral (select t.type, 'task/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled') and w.told is not null
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + w.ahead
      and (i.due_at <= p_now or i.created_at < i.due_at - w.ahead)
      and not exists (select from inbox.swept x where x.key = k.key || ' ' || w.told::text)
    order by turn, i.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when a.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'task.overdue' then perform inbox.settled(a.id, array['task.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/tasks/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
end $$;

create or replace function inbox.sweep_actions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r record;
  a public.action_items;
  person uuid;
  step integer;
  due_check text;
  done integer := 0;
  ends timestamptz;
begin
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.due_at, row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
      from public.action_items i join public.organizations o on o.id = i.organization_id and o.kind <> 'private'
      where i.deleted_at is null and not inbox.action_ended(i.status) and i.escalation < 3
        -- Not what has long been late: a first sweep would flood.
        and i.due_at > p_now - interval '60 days' and i.due_at <= p_now - interval '1 day'
        and sync.escalation_of(i.priority, p_now - i.due_at) > i.escalation) t on t.id = i.id
    where sync.escalation_of(i.priority, p_now - i.due_at) > i.escalation
    order by t.turn, t.due_at limit p_limit for update of i skip locked
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    for step in a.escalation + 1 .. sync.escalation_of(a.priority, p_now - a.due_at) loop
      for person in select inbox.escalation_people(a, step) loop
        perform inbox.notify(person, 'action.escalated', 'action/' || a.id::text || '/escalated/' || step::text || '/' || extract(epoch from a.due_at)::text,
          '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
      end loop;
    end loop;
    update public.action_items set escalation = sync.escalation_of(a.priority, p_now - a.due_at) where id = a.id;
    done := done + 1;
  end loop;
  ends := null;
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.risk_until, row_number() over (partition by i.organization_id order by i.risk_until, i.id) as turn
      from public.action_items i where i.status = 'risk_accepted' and i.deleted_at is null and i.risk_until < p_now::date) t on t.id = i.id
    where i.status = 'risk_accepted' order by t.turn, t.risk_until limit p_limit for update of i skip locked
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    update public.action_items set status = 'open', closed_at = null, closed_by = null, risk_until = null, risk_reason = null where id = a.id;
    for person in select distinct p from unnest(array[a.assignee_id, a.created_by, a.closed_by]) p where p is not null loop
      perform inbox.notify(person, 'action.risk_ended', 'action/' || a.id::text || '/risk_ended/' || a.risk_until::text, '/action-items/' || a.id::text,
        jsonb_build_object('title', a.title), a.id, a.organization_id);
    end loop;
    done := done + 1;
  end loop;
  ends := null;
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.check_on, row_number() over (partition by i.organization_id order by i.check_on, i.id) as turn
      from public.action_items i
      where i.status = 'closed' and i.outcome is null and i.deleted_at is null and i.check_on <= p_now::date and i.check_on > p_now::date - 60
        and coalesce(i.closed_by, i.created_by) is not null and not exists (select from inbox.swept x
          where x.key = 'action/' || i.id::text || '/check/' || i.check_on::text || ' ' || coalesce(i.closed_by, i.created_by)::text)) t on t.id = i.id
    order by t.turn, t.check_on limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    due_check := 'action/' || a.id::text || '/check/' || a.check_on::text;
    perform inbox.note_swept(due_check, coalesce(a.closed_by, a.created_by));
    perform inbox.notify(coalesce(a.closed_by, a.created_by), 'action.check_due', due_check,
      '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.check_on), a.id, a.organization_id);
    done := done + 1;
  end loop;
  return done;
end $$;

create or replace function sync.sweep_evidence(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  o record;
  told integer := 0;
  ends timestamptz;
begin
  for o in
    select e.*, s.type, coalesce(e.owner_id, e.created_by) as person, k.key,
      row_number() over (partition by e.organization_id order by e.expires_on, e.id) as turn
    from public.evidence e
    cross join lateral (select e.expires_on - p_now::date as days) d
    cross join lateral (select case when d.days < 0 then 'evidence.expired' else 'evidence.expiring' end as type,
      case when d.days < 0 then 'expired' when d.days <= 7 then '7' else '30' end as step) s
    cross join lateral (select 'evidence/' || e.id::text || '/' || s.step || '/' || e.expires_on::text as key) k
    where e.state = 'accepted' and e.deleted_at is null and d.days between -7 and 30 and coalesce(e.owner_id, e.created_by) is not null
      and not exists (select from inbox.swept x where x.key = k.key || ' ' || coalesce(e.owner_id, e.created_by)::text)
    order by turn, e.expires_on limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when o.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(o.key, o.person);
    if o.type = 'evidence.expired' then perform inbox.settled(o.id, array['evidence.expiring'], null); end if;
    perform inbox.notify(o.person, o.type, o.key, '/policies/evidence/' || o.id::text, jsonb_build_object('title', o.title, 'due', o.expires_on),
      o.id, o.organization_id);
    told := told + 1;
  end loop;
  return told;
end $$;

create or replace function sync.sweep_occurrences(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  i public.inspections;
  told uuid;
  ends timestamptz;
begin
  for r in
    select o as item, t.turn from public.inspections o join (
      select o.id, o.closes_at, row_number() over (partition by o.organization_id order by o.closes_at, o.id) as turn from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null and o.closes_at <= p_now) t on t.id = o.id
    where o.status = 'scheduled' and o.missed_at is null order by t.turn, t.closes_at limit 500 for update of o skip locked
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    i := r.item;
    update public.inspections o set missed_at = p_now where o.id = i.id;
    perform inbox.settled(i.id, array['inspection.due_soon']);
    -- Not what was long over when a server came back: it would flood.
    continue when i.closes_at < p_now - interval '7 days';
    for told in select inbox.occurrence_people(i) union select inbox.people_with('inspection.assign', i.organization_id, i.site_id) loop
      perform inbox.notify(told, 'inspection.missed', 'inspection/' || i.id::text || '/missed', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
  ends := null;
  for r in
    select o as item, t.turn from public.inspections o join (
      select o.id, o.due_at, row_number() over (partition by o.organization_id order by o.due_at, o.id) as turn from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null
        and o.due_at > p_now and o.due_at <= p_now + interval '2 hours'
        -- Of the whole occurrence: nobody may be there to be told.
        and not exists (select from inbox.swept x where x.key = 'inspection/' || o.id::text || '/due_soon')) t on t.id = o.id
    order by t.turn, t.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    i := r.item;
    insert into inbox.swept (key) values ('inspection/' || i.id::text || '/due_soon') on conflict do nothing;
    for told in select inbox.occurrence_people(i) loop
      perform inbox.notify(told, 'inspection.due_soon', 'inspection/' || i.id::text || '/due_soon', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
end $$;
