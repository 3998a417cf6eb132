-- What rules wait for is done by organisations in turn: the next round begins with the one whose last turn was longest ago, each has half a
-- second at once, and a round has its time however long the list of one is. What fails is its own organisation's
-- (docs/decisions/41-notifications-email-and-push.md).

create table workflow.turn (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  kind            text not null check (kind in ('run', 'event', 'action', 'task')),
  served_at       timestamptz not null,
  primary key (organization_id, kind)
);
alter table workflow.turn enable row level security;
comment on table workflow.turn is 'when an organisation last had its turn of what rules wait for';

create function workflow.had_turn(p_organization uuid, p_kind text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into workflow.turn as t (organization_id, kind, served_at) values (p_organization, p_kind, clock_timestamp())
    on conflict (organization_id, kind) do update set served_at = excluded.served_at
$$;

-- One probe for each organisation, however much waits.
drop index workflow.event_waiting;
create index event_waiting on workflow.event (organization_id, id) where handled_at is null;
drop index workflow.run_approved;
create index run_approved on workflow.run (organization_id, at, id) where outcome = 'approved';
create index action_items_overdue on public.action_items (organization_id, due_at)
  where deleted_at is null and status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid');
create index tasks_overdue on public.tasks (organization_id, due_at)
  where deleted_at is null and status not in ('done', 'not_applicable', 'cancelled');
-- What somebody has: asked by their list, and when their account ends.
create index action_items_assignee on public.action_items (assignee_id);

create function workflow.waiting(p_kind text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  o uuid;
  last uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    if p_kind = 'run' then
      select x.organization_id into o from workflow.run x where x.outcome = 'approved' and x.organization_id > last order by x.organization_id limit 1;
    else
      select x.organization_id into o from workflow.event x where x.handled_at is null and x.organization_id > last order by x.organization_id limit 1;
    end if;
    exit when not found;
    return next o;
    last := o;
  end loop;
end $$;

-- Goes on with a run that was approved. @returns false where there is none, or another server has it
create function workflow.take_run(p_organization uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  run workflow.run;
  r public.workflow_rules;
  e workflow.event;
begin
  select x.* into run from workflow.run x where x.organization_id = p_organization and x.outcome = 'approved'
    order by x.at, x.id limit 1 for update skip locked;
  if not found then return false; end if;
  select * into r from public.workflow_rules x where x.id = run.rule_id;
  select * into e from workflow.event x where x.id = run.event_id;
  if not r.is_on or not workflow.may_act(run.acts_for, e) then
    update workflow.run x set outcome = 'failed', error = case when r.is_on then 'right' else 'off' end where x.id = run.id;
  else
    perform workflow.try_steps(run.id);
  end if;
  return true;
end $$;

-- Asks the rules about the oldest event; those that time leaves are asked in the next turn, each has its run by then.
create function workflow.take_event(p_organization uuid, p_upto bigint, p_ends timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  e workflow.event;
  r public.workflow_rules;
  asked boolean := false;
begin
  select x.* into e from workflow.event x where x.organization_id = p_organization and x.handled_at is null and x.id <= p_upto
    order by x.id limit 1 for update skip locked;
  if not found then return false; end if;
  for r in select * from public.workflow_rules x where x.organization_id = e.organization_id and x.trigger = e.kind and x.is_on
    and x.deleted_at is null and x.on_since <= e.at
    and not exists (select from workflow.run y where y.rule_id = x.id and y.event_id = e.id) order by x.created_at, x.id
  loop
    if asked and clock_timestamp() > p_ends then return true; end if;
    begin
      perform workflow.apply(r, e);
    exception
      when serialization_failure or deadlock_detected or lock_not_available or query_canceled then raise;
      when others then raise warning 'workflow: rule % could not be asked (%)', r.id, sqlstate;
    end;
    asked := true;
  end loop;
  update workflow.event x set handled_at = clock_timestamp() where x.id = e.id;
  return true;
end $$;

create or replace function workflow.sweep(p_limit integer default 100) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  each_kind text;
  o uuid;
  done integer := 0;
  taken integer;
  before integer;
  ends timestamptz;
  own_ends timestamptz;
  took boolean;
  -- What follows from it is for the next round.
  upto constant bigint := (select max(x.id) from workflow.event x);
begin
  foreach each_kind in array array['run', 'event'] loop
    ends := inbox.sweep_ends();
    taken := 0;
    loop
      before := taken;
      for o in select w from workflow.waiting(each_kind) w left join workflow.turn t on t.organization_id = w and t.kind = each_kind
        order by t.served_at nulls first, w
      loop
        exit when taken >= p_limit or clock_timestamp() > ends;
        -- Another server has it: nobody waits for its end.
        continue when not pg_try_advisory_xact_lock(hashtextextended('workflow/' || each_kind || '/' || o::text, 0));
        own_ends := least(ends, clock_timestamp() + interval '500 milliseconds');
        if each_kind = 'run' then took := workflow.take_run(o); else took := workflow.take_event(o, upto, own_ends); end if;
        taken := taken + took::integer;
        perform workflow.had_turn(o, each_kind);
      end loop;
      exit when taken = before or taken >= p_limit or clock_timestamp() > ends;
    end loop;
    done := done + taken;
  end loop;
  return done;
end $$;

-- As before, by organisations in turn, 50 at once.
create or replace function workflow.note_overdue(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  o uuid;
  a public.action_items;
  t public.tasks;
  done integer := 0;
  taken integer := 0;
  before integer;
  ends timestamptz := inbox.sweep_ends();
begin
  -- One server at a time.
  if not pg_try_advisory_xact_lock(hashtextextended('workflow/overdue', 0)) then return 0; end if;
  loop
    before := taken;
    for o in
      select c.id from public.organizations c left join workflow.turn x on x.organization_id = c.id and x.kind = 'action'
      where c.kind = 'company' and exists (select from public.action_items i where i.organization_id = c.id and i.deleted_at is null
        and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid') and i.due_at > p_now - interval '7 days' and i.due_at <= p_now)
      order by x.served_at nulls first, c.id
    loop
      exit when taken >= p_limit or clock_timestamp() > ends;
      for a in
        select i.* from public.action_items i
        where i.organization_id = o and i.deleted_at is null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
          -- Not what has long been late: a first run would flood.
          and i.due_at > p_now - interval '7 days' and i.due_at <= p_now and not exists (select from workflow.event e
            where e.organization_id = i.organization_id and e.key = 'action/' || i.id::text || '/overdue/' || extract(epoch from i.due_at)::text)
        order by i.due_at limit least(50, p_limit - taken)
      loop
        perform workflow.note_action(a, 'action.overdue', 'action/' || a.id::text || '/overdue/' || extract(epoch from a.due_at)::text);
        taken := taken + 1;
        exit when clock_timestamp() > ends;
      end loop;
      perform workflow.had_turn(o, 'action');
    end loop;
    exit when taken = before or taken >= p_limit or clock_timestamp() > ends;
  end loop;
  done := taken;
  taken := 0;
  ends := inbox.sweep_ends();
  loop
    before := taken;
    for o in
      select c.id from public.organizations c left join workflow.turn x on x.organization_id = c.id and x.kind = 'task'
      where c.kind = 'company' and exists (select from public.tasks i where i.organization_id = c.id and i.deleted_at is null
        and i.status not in ('done', 'not_applicable', 'cancelled') and i.due_at > p_now - interval '7 days' and i.due_at <= p_now)
      order by x.served_at nulls first, c.id
    loop
      exit when taken >= p_limit or clock_timestamp() > ends;
      for t in
        select i.* from public.tasks i
        where i.organization_id = o and i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled')
          and i.due_at > p_now - interval '7 days' and i.due_at <= p_now and not exists (select from workflow.event e
            where e.organization_id = i.organization_id and e.key = 'task/' || i.id::text || '/overdue/' || extract(epoch from i.due_at)::text)
        order by i.due_at limit least(50, p_limit - taken)
      loop
        perform workflow.note_task(t, 'task.overdue', 'task/' || t.id::text || '/overdue/' || extract(epoch from t.due_at)::text);
        taken := taken + 1;
        exit when clock_timestamp() > ends;
      end loop;
      perform workflow.had_turn(o, 'task');
    end loop;
    exit when taken = before or taken >= p_limit or clock_timestamp() > ends;
  end loop;
  return done + taken;
end $$;

-- A day of each organisation in turn; what could not be counted rests for an hour.
alter table rates.counting
  add column served_at timestamptz not null default '-infinity',
  add column retry_at  timestamptz not null default '-infinity';
create index counting_turn on rates.counting (served_at, ends_at);

create or replace function rates.sweep(p_now timestamptz default now(), p_budget interval default '00:00:02') returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  began constant timestamptz := clock_timestamp();
  c rates.counting;
  counted integer := 0;
begin
  loop
    select n.* into c from rates.counting n join public.organizations o on o.id = n.organization_id and o.deleted_at is null
      where n.ends_at <= p_now - interval '5 minutes' and n.retry_at <= p_now
      order by n.served_at, n.ends_at limit 1 for update of n skip locked;
    exit when not found;
    begin
      perform rates.count_day(c.organization_id, c.day, c.ends_at);
      update rates.counting n set day = c.day + 1, ends_at = rates.end_of(c.organization_id, c.day + 1), served_at = clock_timestamp()
        where n.organization_id = c.organization_id;
      counted := counted + 1;
    exception
      when serialization_failure or deadlock_detected or lock_not_available or query_canceled then raise;
      when others then
        raise warning 'rates: a day was not counted (%)', sqlstate;
        update rates.counting n set served_at = clock_timestamp(), retry_at = p_now + interval '1 hour' where n.organization_id = c.organization_id;
    end;
    exit when clock_timestamp() - began > p_budget;
  end loop;
  return counted;
end $$;

revoke execute on function workflow.had_turn(uuid, text), workflow.waiting(text), workflow.take_run(uuid), workflow.take_event(uuid, bigint, timestamptz) from public;
