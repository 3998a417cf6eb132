-- Sweeps take what fell due in turns, one row of each organisation first, and for two seconds of each kind. What one has looked at is
-- noted whatever came of it: who left, or may not see it, is told nothing, and kept everybody's notices back as the oldest of 500 rows.

create table inbox.swept (
  key      text primary key,                           -- of the notice, and whose it would be
  user_id  uuid references auth.users (id) on delete cascade,   -- null for what is looked at as a whole
  swept_at timestamptz not null default now()
);
create index swept_age on inbox.swept (swept_at);
create index swept_person on inbox.swept (user_id);
alter table inbox.swept enable row level security;

create function inbox.sweep_ends() returns timestamptz language sql volatile set search_path = '' as $$
  select clock_timestamp() + interval '2 seconds'
$$;

create function inbox.note_swept(p_key text, p_user uuid) returns void language sql volatile security definer set search_path = '' as $$
  insert into inbox.swept (key, user_id) values (p_key || ' ' || p_user::text, p_user) on conflict do nothing
$$;
revoke execute on function inbox.sweep_ends(), inbox.note_swept(text, uuid) from public;

create or replace function inbox.sweep(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
  ends constant timestamptz := inbox.sweep_ends();
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
    exit when clock_timestamp() > ends;
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
  ends constant timestamptz := inbox.sweep_ends();
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
    exit when clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'task.overdue' then perform inbox.settled(a.id, array['task.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/tasks/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
end $$;

create or replace function inbox.sweep_actions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  a public.action_items;
  person uuid;
  step integer;
  due_check text;
  done integer := 0;
  ends timestamptz := inbox.sweep_ends();
begin
  for a in
    select i.* from public.action_items i join (
      select i.id, i.due_at, row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
      from public.action_items i join public.organizations o on o.id = i.organization_id and o.kind <> 'private'
      where i.deleted_at is null and not inbox.action_ended(i.status) and i.escalation < 3
        -- Not what has long been late: a first sweep would flood.
        and i.due_at > p_now - interval '60 days' and i.due_at <= p_now - interval '1 day'
        and sync.escalation_of(i.priority, p_now - i.due_at) > i.escalation) t on t.id = i.id
    where sync.escalation_of(i.priority, p_now - i.due_at) > i.escalation
    order by t.turn, t.due_at limit p_limit for update of i skip locked
  loop
    exit when clock_timestamp() > ends;
    for step in a.escalation + 1 .. sync.escalation_of(a.priority, p_now - a.due_at) loop
      for person in select inbox.escalation_people(a, step) loop
        perform inbox.notify(person, 'action.escalated', 'action/' || a.id::text || '/escalated/' || step::text || '/' || extract(epoch from a.due_at)::text,
          '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
      end loop;
    end loop;
    update public.action_items set escalation = sync.escalation_of(a.priority, p_now - a.due_at) where id = a.id;
    done := done + 1;
  end loop;
  ends := inbox.sweep_ends();
  for a in
    select i.* from public.action_items i join (
      select i.id, i.risk_until, row_number() over (partition by i.organization_id order by i.risk_until, i.id) as turn
      from public.action_items i where i.status = 'risk_accepted' and i.deleted_at is null and i.risk_until < p_now::date) t on t.id = i.id
    where i.status = 'risk_accepted' order by t.turn, t.risk_until limit p_limit for update of i skip locked
  loop
    exit when clock_timestamp() > ends;
    update public.action_items set status = 'open', closed_at = null, closed_by = null, risk_until = null, risk_reason = null where id = a.id;
    for person in select distinct p from unnest(array[a.assignee_id, a.created_by, a.closed_by]) p where p is not null loop
      perform inbox.notify(person, 'action.risk_ended', 'action/' || a.id::text || '/risk_ended/' || a.risk_until::text, '/action-items/' || a.id::text,
        jsonb_build_object('title', a.title), a.id, a.organization_id);
    end loop;
    done := done + 1;
  end loop;
  ends := inbox.sweep_ends();
  for a in
    select i.* from public.action_items i join (
      select i.id, i.check_on, row_number() over (partition by i.organization_id order by i.check_on, i.id) as turn
      from public.action_items i
      where i.status = 'closed' and i.outcome is null and i.deleted_at is null and i.check_on <= p_now::date and i.check_on > p_now::date - 60
        and coalesce(i.closed_by, i.created_by) is not null and not exists (select from inbox.swept x
          where x.key = 'action/' || i.id::text || '/check/' || i.check_on::text || ' ' || coalesce(i.closed_by, i.created_by)::text)) t on t.id = i.id
    order by t.turn, t.check_on limit p_limit
  loop
    exit when clock_timestamp() > ends;
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
  ends constant timestamptz := inbox.sweep_ends();
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
    exit when clock_timestamp() > ends;
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
  i public.inspections;
  told uuid;
  ends timestamptz := inbox.sweep_ends();
begin
  for i in
    select o.* from public.inspections o join (
      select o.id, o.closes_at, row_number() over (partition by o.organization_id order by o.closes_at, o.id) as turn from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null and o.closes_at <= p_now) t on t.id = o.id
    where o.status = 'scheduled' and o.missed_at is null order by t.turn, t.closes_at limit 500 for update of o skip locked
  loop
    exit when clock_timestamp() > ends;
    update public.inspections o set missed_at = p_now where o.id = i.id;
    perform inbox.settled(i.id, array['inspection.due_soon']);
    -- Not what was long over when a server came back: it would flood.
    continue when i.closes_at < p_now - interval '7 days';
    for told in select inbox.occurrence_people(i) union select inbox.people_with('inspection.assign', i.organization_id, i.site_id) loop
      perform inbox.notify(told, 'inspection.missed', 'inspection/' || i.id::text || '/missed', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
  ends := inbox.sweep_ends();
  for i in
    select o.* from public.inspections o join (
      select o.id, o.due_at, row_number() over (partition by o.organization_id order by o.due_at, o.id) as turn from public.inspections o
      where o.status = 'scheduled' and o.schedule_id is not null and o.missed_at is null and o.deleted_at is null
        and o.due_at > p_now and o.due_at <= p_now + interval '2 hours'
        -- Of the whole occurrence: nobody may be there to be told.
        and not exists (select from inbox.swept x where x.key = 'inspection/' || o.id::text || '/due_soon')) t on t.id = o.id
    order by t.turn, t.due_at limit 500
  loop
    exit when clock_timestamp() > ends;
    insert into inbox.swept (key) values ('inspection/' || i.id::text || '/due_soon') on conflict do nothing;
    for told in select inbox.occurrence_people(i) loop
      perform inbox.notify(told, 'inspection.due_soon', 'inspection/' || i.id::text || '/due_soon', '/field/' || i.id::text,
        jsonb_build_object('title', i.title, 'due', i.due_at), i.id, i.organization_id);
    end loop;
  end loop;
end $$;

create or replace function sync.due_talks(p_now timestamptz) returns table (relationship_id uuid, user_id uuid, by_own boolean, key text)
  language sql stable security definer set search_path = '' as $$
  select t.id, t.user_id, not t.sees_all, t.key
  from (
    select r.id, w.user_id, seen.sees_all, z.day, z.zone, l.last_day, r.cadence_days,
      'circle.session_due/' || r.id::text || '/' || (l.last_day + r.cadence_days)::text as key
    from public.circle_relationships r
    cross join lateral (values (r.subject_id), (r.helper_id)) w (user_id)
    cross join lateral (select st.zone, (inbox.struck_at(p_now, st.zone, st.daily::text) at time zone st.zone)::date as day
      from inbox.settings(w.user_id) st) z
    cross join lateral (select w.user_id = r.subject_id or sync.session_grant(r.id, p_now) is not null as sees_all) seen
    cross join lateral (select max(c.at at time zone z.zone)::date as last_day from public.circle_sessions c
      where c.relationship_id = r.id and c.state = 'held' and c.deleted_at is null and c.at <= p_now
        and (seen.sees_all or c.author_id = r.helper_id)) l
    where r.cadence_days is not null and r.state = 'active' and r.deleted_at is null and z.day is not null
      and exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions')
      and coalesce(inbox.quiet_until(w.user_id) <= p_now, true)
  ) t
  where t.day >= greatest(t.last_day + t.cadence_days - 2, t.last_day + 1)
    and not exists (select from public.circle_sessions c where c.relationship_id = t.id and c.state = 'planned' and c.deleted_at is null
      and c.at > p_now and (t.sees_all or c.author_id = (select r.helper_id from public.circle_relationships r where r.id = t.id)))
    and not exists (select from inbox.swept x where x.key = t.key || ' ' || t.user_id::text)
$$;

create or replace function sync.sweep_sessions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s record;
  told integer := 0;
  ends timestamptz := inbox.sweep_ends();
begin
  for s in
    select c, 'circle.session_soon/' || c.id::text || '/' || floor(extract(epoch from c.at))::text as key
    from public.circle_sessions c join public.circle_relationships r on r.id = c.relationship_id and r.state = 'active' and r.deleted_at is null
    where c.state = 'planned' and c.deleted_at is null and c.at > p_now and c.at <= p_now + interval '1 hour'
      and c.created_at < c.at - interval '1 hour'
      and not exists (select from inbox.swept x
        where x.key = 'circle.session_soon/' || c.id::text || '/' || floor(extract(epoch from c.at))::text || ' ' || c.subject_id::text)
    limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.note_swept(s.key, (s.c).subject_id);
    perform sync.tell_of_session(s.c, 'circle.session_soon', s.key, null, p_now);
    told := told + 1;
  end loop;
  ends := inbox.sweep_ends();
  for s in select d.*, c from sync.due_talks(p_now) d join public.circle_relationships c on c.id = d.relationship_id limit p_limit loop
    exit when clock_timestamp() > ends;
    perform inbox.note_swept(s.key, s.user_id);
    if s.user_id = (s.c).subject_id or s.by_own then
      perform inbox.notify(s.user_id, 'circle.session_due', s.key, '/support-circle/' || s.relationship_id::text,
        jsonb_build_object('by', case when s.user_id = (s.c).subject_id then (s.c).helper_name else (s.c).subject_name end), s.relationship_id);
    else perform sync.tell_granted(s.c, 'circle.session_due', s.key, s.relationship_id, null, p_now); end if;
    told := told + 1;
  end loop;
  return told;
end $$;

create or replace function sync.sweep_acknowledgements(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  o record;
  told integer := 0;
  ends constant timestamptz := inbox.sweep_ends();
begin
  for o in
    select w.policy_id, w.user_id, w.due_at, p.title, p.organization_id, t.type, k.key,
      row_number() over (partition by p.organization_id order by w.due_at nulls last, w.user_id) as turn
    from public.policies p
    cross join lateral sync.owed_acknowledgements(p.organization_id, p.id) w
    cross join lateral (select case when w.due_at <= p_now then 'policy.overdue'
      when w.due_at <= p_now + interval '3 days' and w.owed_since < w.due_at - interval '3 days' then 'policy.due_soon' else 'policy.requested' end as type) t
    cross join lateral (select 'policy/' || w.policy_id::text || '/' || w.major::text || '/' || t.type || coalesce('/' || extract(epoch from w.due_at)::text, '') as key) k
    where p.state = 'published' and p.deleted_at is null
      and exists (select from public.acknowledgement_campaigns c where c.policy_id = p.id and c.state = 'active' and c.deleted_at is null)
      and case t.type when 'policy.overdue' then w.due_at > p_now - interval '7 days'
        when 'policy.due_soon' then true else w.owed_since > p_now - interval '7 days' end
      and not exists (select from public.policy_acknowledgements a join public.policy_versions v on v.id = a.version_id
        where a.policy_id = p.id and a.user_id = w.user_id and v.major = w.major and a.deleted_at is null and a.state in ('acknowledged', 'declined', 'exempt'))
      and not exists (select from inbox.swept x where x.key = k.key || ' ' || w.user_id::text)
    order by turn, p.id limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.note_swept(o.key, o.user_id);
    if o.type <> 'policy.requested' then perform inbox.settled(o.policy_id, array['policy.requested', 'policy.due_soon'], o.user_id); end if;
    perform inbox.notify(o.user_id, o.type, o.key, '/policies/' || o.policy_id::text, jsonb_build_object('title', o.title, 'due', o.due_at),
      o.policy_id, o.organization_id);
    told := told + 1;
  end loop;
  return told;
end $$;

create or replace function inbox.sweep_approvals(p_limit integer default 200) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  w record;
  done integer := 0;
  ends constant timestamptz := inbox.sweep_ends();
begin
  for w in
    select r.id, r.organization_id, r.path, r.title, r.requested_by, t.told, k.key,
      row_number() over (partition by r.organization_id order by r.created_at, r.id, t.told) as turn
    from public.approval_requests r
    cross join lateral sync.people_of_stage(r) asked
    cross join lateral (
      select d.to_id as told from public.approval_delegations d
        where d.organization_id = r.organization_id and d.from_id = asked and sync.stands_in(r.organization_id, asked, d.to_id) = d.id
      union select asked where not exists (select from public.approval_delegations d
        where d.organization_id = r.organization_id and d.from_id = asked and sync.stands_in(r.organization_id, asked, d.to_id) is not null)) t
    cross join lateral (select 'approval/' || r.id::text || '/' || r.stage::text || '/' || asked::text as key) k
    where r.state = 'pending' and r.deleted_at is null and sync.is_member(r.organization_id, t.told)
      and (asked is distinct from r.requested_by or t.told is distinct from asked)
      and not exists (select from public.approval_decisions d where d.request_id = r.id and d.stage = r.stage and d.approver_id = asked and d.deleted_at is null)
      and not exists (select from inbox.swept x where x.key = k.key || ' ' || t.told::text)
    order by turn, r.created_at limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.note_swept(w.key, w.told);
    perform inbox.notify(w.told, 'approval.requested', w.key, w.path, jsonb_build_object('title', w.title, 'by', inbox.name_of(w.requested_by)),
      w.id, w.organization_id);
    done := done + 1;
  end loop;
  return done;
end $$;

create or replace function sync.sweep_growth(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  told integer := 0;
  ends timestamptz := inbox.sweep_ends();
begin
  for r in
    select h.id, h.user_id, h.name, z.day, 'habit/' || h.id::text || '/' || z.day::text as key,
      row_number() over (partition by h.user_id order by h.id) as turn
    from public.habits h
    cross join lateral (select (inbox.struck_at(p_now, s.zone, h.remind_at) at time zone s.zone)::date as day from inbox.settings(h.user_id) s) z
    where h.remind_at is not null and h.deleted_at is null and h.archived_at is null and h.started_on <= z.day
      and coalesce(inbox.quiet_until(h.user_id) <= p_now, true)
      and not exists (select from public.habit_entries e
        where e.habit_id = h.id and e.day = z.day and e.value <> 'unknown' and e.deleted_at is null)
      and not exists (select from public.habit_pauses p where p.user_id = h.user_id and p.deleted_at is null
        and (p.habit_id is null or p.habit_id = h.id) and p.from_day <= z.day and coalesce(p.until_day, z.day) >= z.day)
      and not sync.habit_is_covered(h, z.day)
      and not exists (select from public.notifications n where n.user_id = h.user_id and n.key = 'habit/' || h.id::text || '/' || z.day::text)
    order by turn limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.notify(r.user_id, 'habit.reminder', r.key, '/wellness/habits', jsonb_build_object('title', r.name), r.id);
    told := told + 1;
  end loop;
  ends := inbox.sweep_ends();
  for r in
    select w.user_id, 'check-in/' || z.day::text as key
    from public.wellness_settings w
    cross join lateral (select (inbox.struck_at(p_now, s.zone, w.check_in_at) at time zone s.zone)::date as day from inbox.settings(w.user_id) s) z
    where w.check_in_at is not null and w.deleted_at is null and z.day is not null
      and coalesce(w.quiet_until <= p_now, true)
      and not exists (select from public.wellness_check_ins c where c.user_id = w.user_id and c.day = z.day and c.deleted_at is null)
      and not exists (select from public.notifications n where n.user_id = w.user_id and n.key = 'check-in/' || z.day::text)
    limit p_limit
  loop
    exit when clock_timestamp() > ends;
    perform inbox.notify(r.user_id, 'wellness.reminder', r.key, '/wellness', '{}', r.user_id);
    told := told + 1;
  end loop;
  return told;
end $$;

create or replace function workflow.sweep(p_limit integer default 100) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  run workflow.run;
  r public.workflow_rules;
  e workflow.event;
  done integer := 0;
  ends timestamptz := inbox.sweep_ends();
begin
  for run in
    select x.* from workflow.run x join (
      select w.id, w.at, row_number() over (partition by w.organization_id order by w.at, w.id) as turn
      from workflow.run w where w.outcome = 'approved') t on t.id = x.id
    where x.outcome = 'approved' order by t.turn, t.at limit p_limit for update of x skip locked
  loop
    exit when clock_timestamp() > ends;
    select * into r from public.workflow_rules x where x.id = run.rule_id;
    select * into e from workflow.event x where x.id = run.event_id;
    if not r.is_on or not workflow.may_act(r.acts_for, e) then
      update workflow.run x set outcome = 'failed', error = case when r.is_on then 'right' else 'off' end where x.id = run.id;
    else
      perform workflow.try_steps(run.id);
    end if;
    done := done + 1;
  end loop;
  ends := inbox.sweep_ends();
  for e in
    select x.* from workflow.event x join (
      select w.id, row_number() over (partition by w.organization_id order by w.id) as turn
      from workflow.event w where w.handled_at is null) t on t.id = x.id
    where x.handled_at is null order by t.turn, t.id limit p_limit for update of x skip locked
  loop
    exit when clock_timestamp() > ends;
    for r in select * from public.workflow_rules x where x.organization_id = e.organization_id and x.trigger = e.kind and x.is_on
      and x.deleted_at is null and x.on_since <= e.at order by x.created_at, x.id loop
      perform workflow.apply(r, e);
    end loop;
    update workflow.event x set handled_at = clock_timestamp() where x.id = e.id;
    done := done + 1;
  end loop;
  return done;
end $$;

-- Whose mail goes out next: who waits longest for their turn, so that one person's many mails do not keep everybody's.
alter table inbox.recipient add column served_at timestamptz not null default '-infinity';
create index delivery_claim on inbox.delivery (claim) where state = 'sending';

-- As before; with `p_one` of each person only what makes one mail: the oldest of what is told at once, and where there is none, the
-- digest, of 500 lines at most.
create or replace function inbox.claim(p_channel text, p_now timestamptz default now(), p_people integer default 50, p_one boolean default false)
  returns table (delivery uuid, person uuid, cadence text, email text, language text, zone text,
    notification uuid, type text, module text, class text, private boolean, params jsonb, path text, told_at timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  people uuid[];
  taken constant uuid := gen_random_uuid();
begin
  -- Whose every notice was cancelled gets no mail; the next one may.
  loop
    select array_agg(locked.user_id) into people from (
      select r.user_id from inbox.recipient r
      where r.user_id in (select d.user_id from inbox.delivery d where d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now)
      order by r.served_at, r.user_id limit p_people for update skip locked) locked;
    exit when people is null;
    update inbox.recipient r set served_at = clock_timestamp() where r.user_id = any (people);
    -- Who left the organisation since is not told of it any more. Asked once for each of their organisations, not for each row.
    update inbox.delivery d set state = 'cancelled', settled_at = now()
      from public.notifications n, (
        select x.user_id, x.organization_id from (
          select distinct w.user_id, n.organization_id from inbox.delivery w join public.notifications n on n.id = w.notification_id
          where w.user_id = any (people) and w.state = 'waiting' and n.organization_id is not null offset 0) x
        where not sync.is_member(x.organization_id, x.user_id)) gone
      where d.notification_id = n.id and d.state = 'waiting' and d.user_id = gone.user_id and n.organization_id = gone.organization_id;
    with due as (
      select w.id, w.cadence,
        row_number() over (partition by w.user_id, w.cadence = 'daily' order by w.created_at, w.id) as nth,
        bool_or(w.cadence <> 'daily') over (partition by w.user_id) as has_sooner
      from inbox.delivery w
      where w.user_id = any (people) and w.state = 'waiting' and w.channel = p_channel and w.due_at <= p_now
    )
    update inbox.delivery d set state = 'sending', claim = taken, claimed_at = now(), attempts = d.attempts + 1
      from due where d.id = due.id and (not p_one
        or due.has_sooner and due.cadence <> 'daily' and due.nth = 1
        or not due.has_sooner and due.nth <= 500);
    exit when found;
  end loop;
  return query
    select d.id, d.user_id, d.cadence, u.email::text, s.language, s.zone, n.id, n.type, n.module, t.class, t.private, n.params, n.path, n.created_at
    from inbox.delivery d
    join public.notifications n on n.id = d.notification_id
    join public.notification_types t on t.key = n.type
    join auth.users u on u.id = d.user_id
    cross join lateral inbox.settings(d.user_id) s
    where d.claim = taken and d.state = 'sending' order by d.user_id, n.created_at, n.id;
end $$;
