-- The whole life of an action item: why it happened, what kind of measure it is, that somebody else looks whether it is done, that
-- it is looked at once more whether it worked, that a risk is accepted by an approver until a day, and that what stays undone is
-- told further and further up (docs/decisions/0331-who-did-it-does-not-verify.md).

insert into permissions (key, description, is_audience) values
  ('action.accept_risk', 'Approve that a risk is accepted until a day', true);
insert into role_permissions (role_kind, role, permission)
  select 'organization', role, 'action.accept_risk' from unnest(array['admin', 'manager']) role;

alter table action_items
  add column kind         text check (kind in ('corrective', 'preventive')),
  add column root_cause   text check (char_length(root_cause) <= 4000),
  add column done_by      uuid references auth.users (id) on delete set null,   -- who last said that it is ready to be checked
  add column check_on     date check (check_on >= date '1970-01-01' and check_on < date '2200-01-01'),   -- day to look whether it worked
  add column outcome      text check (outcome in ('effective', 'not_effective')),   -- what was found then
  add column outcome_note text check (char_length(outcome_note) <= 2000),
  add column outcome_by   uuid references auth.users (id) on delete set null,
  add column outcome_at   timestamptz constraint action_items_outcome_at_in_time check (outcome_at >= timestamptz '1970-01-01T00:00:00Z' and outcome_at < timestamptz '2200-01-01T00:00:00Z'),   -- device time
  add column risk_until   date,                                  -- last day the risk is, or is asked to be, accepted
  add column risk_reason  text check (char_length(risk_reason) <= 2000),
  add column escalation   integer not null default 0 check (escalation between 0 and 3);   -- how far up its delay was told
create index action_items_done_by on action_items (done_by);
create index action_items_check on action_items (check_on) where status = 'closed' and outcome is null and deleted_at is null;
create index action_items_risk on action_items (risk_until) where status = 'risk_accepted' and deleted_at is null;

update sync.tables set
  groups = '[["status","closed_at","closed_by","done_by"],["outcome","outcome_note","outcome_by","outcome_at"]]',
  server_columns = server_columns || array['risk_until', 'risk_reason', 'escalation']
  where name = 'action_items';
select sync.refresh_table('action_items');

-- Whether somebody else could check it: works on action items there, did not do it, and is not asked to.
create function sync.another_verifies(a public.action_items) returns boolean
  language sql stable security definer set search_path = '' return
  exists (select from inbox.people_with('action.work', a.organization_id, a.site_id) q
    where q is distinct from a.done_by and q is distinct from a.assignee_id and q is distinct from auth.uid());

create function sync.guard_action_life() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if new.due_at is distinct from (case when tg_op = 'UPDATE' then old.due_at end) then new.escalation := 0; end if;
  -- What the server does itself, by its clock or after an approval, is its own word.
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if new.status = 'risk_accepted' and (tg_op = 'INSERT' or old.status <> 'risk_accepted') then
    raise exception 'a risk is accepted by an approver' using errcode = '42501', hint = 'approval';
  end if;
  if tg_op = 'INSERT' then
    if new.status = 'closed' and sync.another_verifies(new) then
      raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
    end if;
    new.done_by := case when new.status in ('ready_for_verification', 'closed') then caller end;
    new.outcome := null;
    new.outcome_by := null;
    new.outcome_at := null;
    return new;
  end if;
  if new.status is distinct from old.status and new.status = 'closed' and sync.another_verifies(old)
    and (caller = old.done_by or caller = old.assignee_id
      or old.status <> 'ready_for_verification' and not sync.may('action.manage', old.organization_id)) then
    raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
  end if;
  new.done_by := case when new.status is distinct from old.status and new.status = 'ready_for_verification' then caller else old.done_by end;
  if old.status = 'risk_accepted' and new.status <> old.status then
    new.risk_until := null;
    new.risk_reason := null;
  end if;
  if new.outcome is distinct from old.outcome then
    if new.outcome is not null and old.status <> 'closed' then
      raise exception 'whether it worked is said once it is closed' using errcode = '23514', constraint = 'outcome_needs_closed';
    end if;
    if new.outcome is not null and caller = old.done_by and sync.another_verifies(old) then
      raise exception 'somebody else checks it' using errcode = '42501', hint = 'own';
    end if;
    new.outcome_by := case when new.outcome is not null then caller end;
    new.outcome_at := case when new.outcome is not null then coalesce(new.outcome_at, now()) end;
  else
    new.outcome_by := old.outcome_by;
  end if;
  return new;
end $$;
create trigger c_life before insert or update on action_items for each row execute function sync.guard_action_life();

-- As before; also whether something worked is somebody's word on it.
create or replace function sync.is_decision(p_table text, p_row jsonb) returns boolean
  language sql immutable parallel safe set search_path = '' return
  coalesce(case p_table
    when 'inspections' then p_row ->> 'status' in ('has_issues', 'approved', 'rejected', 'closed')
    when 'action_items' then p_row ->> 'status' in ('needs_revision', 'closed', 'risk_accepted', 'duplicate', 'not_valid') or p_row ->> 'outcome' is not null
    when 'issue_reports' then p_row ->> 'status' <> 'reported'
    when 'evidence' then p_row ->> 'state' in ('sent_back', 'accepted', 'superseded')
    when 'tasks' then p_row ->> 'status' = 'reopened' or p_row ->> 'status' = 'done' and p_row ->> 'reviewer_id' is not null
    else false end, false);

alter table approval_requests drop constraint approval_requests_subject_table_check;
alter table approval_requests add constraint approval_requests_subject_table_check check (subject_table in ('policy_versions', 'action_items'));

-- Asks that the risk be accepted until a day. `p_people`: who is asked, any of them may say yes; without, all who may but the caller.
create function ask_to_accept_risk(p_action uuid, p_until date, p_reason text, p_people uuid[] default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a public.action_items;
  asked uuid[] := p_people;
  made uuid;
begin
  select * into a from public.action_items x where x.id = p_action for update;
  if not found or auth.uid() is null or a.deleted_at is not null or not sync.is_in_sight(a.scopes)
    or not (sync.may('action.work', a.organization_id) or sync.may('action.manage', a.organization_id)) then
    raise exception 'no such action item' using errcode = '42501';
  end if;
  if inbox.action_ended(a.status) then raise exception 'it is ended' using errcode = '23514', hint = 'state'; end if;
  if p_until is null or p_until <= (now() at time zone 'UTC')::date or p_until > (now() at time zone 'UTC')::date + 730 then
    raise exception 'a risk is accepted for at most two years' using errcode = '22023', hint = 'until';
  end if;
  if btrim(coalesce(p_reason, '')) = '' or char_length(p_reason) > 2000 then
    raise exception 'why the risk can be borne' using errcode = '22023', hint = 'reason';
  end if;
  if asked is null then
    asked := array(select h from sync.holders('action.accept_risk', a.organization_id) h where h <> auth.uid() order by h limit 20);
    if asked = '{}' then asked := array[auth.uid()]; end if;
  end if;
  made := sync.open_approval(a.organization_id, 'action.accept_risk', 'action_items', a.id, '/action-items/' || a.id::text, a.title,
    jsonb_build_array(jsonb_build_object('name', '', 'rule', 'any', 'people', to_jsonb(asked))), p_reason);
  update public.action_items set risk_until = p_until, risk_reason = btrim(p_reason) where id = a.id;
  return made;
end $$;
revoke execute on function ask_to_accept_risk(uuid, date, text, uuid[]) from public, anon, authenticated;
grant execute on function ask_to_accept_risk(uuid, date, text, uuid[]) to authenticated;

-- What is still open then, and whose day has not passed meanwhile, is accepted; else the question is over, and nothing else.
create function sync.risk_approval_ended(r public.approval_requests) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.action_items a set status = 'risk_accepted', closed_at = now(), closed_by = auth.uid()
    where a.id = r.subject_id and r.state = 'approved' and a.deleted_at is null and not inbox.action_ended(a.status)
      and a.risk_until >= (now() at time zone 'UTC')::date;
  if not found then
    update public.action_items a set risk_until = null, risk_reason = null where a.id = r.subject_id and a.status <> 'risk_accepted';
  end if;
end $$;

create or replace function sync.approval_ended(r public.approval_requests) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if r.subject_table = 'policy_versions' then perform sync.policy_approval_ended(r); end if;
  if r.subject_table = 'action_items' then perform sync.risk_approval_ended(r); end if;
end $$;

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.to_verify', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.check_due', 'action-items', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('action.risk_ended', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.escalated', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily');

-- Who made it hears that it is ready to be checked; where they did it themselves, whoever manages action items there.
create function inbox.action_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
begin
  perform inbox.settled(new.id, array['action.to_verify', 'action.risk_ended', 'action.check_due']);
  if inbox.action_ended(new.status) then perform inbox.settled(new.id, array['action.escalated']); end if;
  if new.status <> 'ready_for_verification' or new.deleted_at is not null then return null; end if;
  for person in
    select new.created_by where new.created_by is distinct from new.done_by and new.created_by is distinct from new.assignee_id
    union select q from inbox.people_with('action.manage', new.organization_id, new.site_id) q
      where q is distinct from new.assignee_id and (new.created_by is null or new.created_by in (new.done_by, new.assignee_id))
  loop
    perform inbox.notify(person, 'action.to_verify', 'action/' || new.id::text || '/to_verify/' || new.version::text, '/action-items/' || new.id::text,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(new.done_by)), new.id, new.organization_id, new.done_by);
  end loop;
  return null;
end $$;
create trigger x_notify_moved after update of status on action_items for each row
  when (old.status is distinct from new.status) execute function inbox.action_moved();

create function inbox.action_checked() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.settled(new.id, array['action.check_due']);
  return null;
end $$;
create trigger x_notify_checked after update on action_items for each row
  when ((old.outcome, old.check_on) is distinct from (new.outcome, new.check_on)) execute function inbox.action_checked();

-- The ladder: after how many days of delay each of its three steps is told; what is more urgent climbs sooner.
create function sync.escalation_of(p_priority text, p_late interval) returns integer
  language sql immutable parallel safe
  return (select count(*)::integer from unnest(case p_priority when 'critical' then array[1, 2, 4] when 'high' then array[2, 4, 8] else array[3, 7, 14] end) d
    where p_late >= make_interval(days => d));

-- Who is told at a step: who has it and who made it; who manages action items there; who manages the organisation.
create function inbox.escalation_people(a public.action_items, p_step integer) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select distinct p from (
    select unnest(array[a.assignee_id, a.created_by]) as p where p_step = 1
    union all select inbox.people_with('action.manage', a.organization_id, a.site_id) where p_step = 2
    union all select inbox.people_with('people.manage', a.organization_id, null) where p_step = 3) x
  where p is not null
$$;

-- By the clock, in portions: delays climb, risks run out, and it is time to look whether something worked. Each is told once.
create function inbox.sweep_actions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  a public.action_items;
  person uuid;
  step integer;
  done integer := 0;
begin
  for a in
    select i.* from public.action_items i join public.organizations o on o.id = i.organization_id and o.kind <> 'private'
    where i.deleted_at is null and not inbox.action_ended(i.status) and i.escalation < 3
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '60 days' and i.due_at <= p_now - interval '1 day'
      and sync.escalation_of(i.priority, p_now - i.due_at) > i.escalation
    order by i.due_at limit p_limit for update of i skip locked
  loop
    for step in a.escalation + 1 .. sync.escalation_of(a.priority, p_now - a.due_at) loop
      for person in select inbox.escalation_people(a, step) loop
        perform inbox.notify(person, 'action.escalated', 'action/' || a.id::text || '/escalated/' || step::text || '/' || extract(epoch from a.due_at)::text,
          '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
      end loop;
    end loop;
    update public.action_items set escalation = sync.escalation_of(a.priority, p_now - a.due_at) where id = a.id;
    done := done + 1;
  end loop;
  for a in
    select i.* from public.action_items i where i.status = 'risk_accepted' and i.deleted_at is null and i.risk_until < p_now::date
    order by i.risk_until limit p_limit for update skip locked
  loop
    update public.action_items set status = 'open', closed_at = null, closed_by = null, risk_until = null, risk_reason = null where id = a.id;
    for person in select distinct p from unnest(array[a.assignee_id, a.created_by, a.closed_by]) p where p is not null loop
      perform inbox.notify(person, 'action.risk_ended', 'action/' || a.id::text || '/risk_ended/' || a.risk_until::text, '/action-items/' || a.id::text,
        jsonb_build_object('title', a.title), a.id, a.organization_id);
    end loop;
    done := done + 1;
  end loop;
  for a in
    select i.* from public.action_items i
    where i.status = 'closed' and i.outcome is null and i.deleted_at is null and i.check_on <= p_now::date and i.check_on > p_now::date - 60
      and coalesce(i.closed_by, i.created_by) is not null and not exists (
        select from public.notifications n where n.user_id = coalesce(i.closed_by, i.created_by) and n.key = 'action/' || i.id::text || '/check/' || i.check_on::text)
    order by i.check_on limit p_limit
  loop
    perform inbox.notify(coalesce(a.closed_by, a.created_by), 'action.check_due', 'action/' || a.id::text || '/check/' || a.check_on::text,
      '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.check_on), a.id, a.organization_id);
    done := done + 1;
  end loop;
  return done;
end $$;

drop trigger y_activity on action_items;
create trigger y_activity after update on action_items for each row
  execute function sync.note_activity('status,assignee_id,due_at,priority,site_id,kind,check_on,outcome,risk_until', 'title,description,root_cause,media_ids');

revoke execute on function sync.another_verifies(public.action_items), sync.guard_action_life(), sync.risk_approval_ended(public.approval_requests),
  inbox.action_moved(), inbox.action_checked(), sync.escalation_of(text, interval), inbox.escalation_people(public.action_items, integer),
  inbox.sweep_actions(timestamptz, integer) from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-actions', '* * * * *', 'select inbox.sweep_actions()') $cron$;
  end if;
end $$;
