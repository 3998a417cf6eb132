-- What is told: one trigger an area, each calling inbox.notify in the transaction of the work. The sentences stand in
-- packages/core/src/notifications/sentences.ts.

create function inbox.name_of(p_user uuid) returns text language sql stable security definer set search_path = '' as $$
  select p.display_name from public.people p where p.id = p_user
$$;

-- Members of an organisation who hold a permission and see the place.
create function inbox.people_with(p_permission text, p_organization uuid, p_site uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and m.deleted_at is null
    and exists (select from public.role_permissions r
      where r.role_kind = 'organization' and r.role = m.role and r.permission = p_permission and r.deleted_at is null)
    and (p_site is null
      or exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null)
      or exists (select from public.role_permissions r
        where r.role_kind = 'organization' and r.role = m.role and r.permission = 'place.all' and r.deleted_at is null))
$$;

create function inbox.action_ended(p_status text) returns boolean language sql immutable
  return p_status in ('closed', 'risk_accepted', 'duplicate', 'not_valid');

create function inbox.action_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), case when tg_op = 'INSERT' then new.created_by end);
  ended constant boolean := inbox.action_ended(new.status) or new.deleted_at is not null;
  critical constant boolean := new.priority = 'critical';
  fresh constant boolean := tg_op = 'INSERT' or new.assignee_id is distinct from old.assignee_id;
begin
  if tg_op = 'UPDATE' then
    if ended then
      perform inbox.settled(new.id, array['action.assigned', 'action.critical', 'action.due_soon', 'action.overdue']);
    elsif new.assignee_id is distinct from old.assignee_id and old.assignee_id is not null then
      perform inbox.settled(new.id, array['action.assigned', 'action.critical', 'action.due_soon', 'action.overdue'], old.assignee_id);
    end if;
    if new.due_at is distinct from old.due_at then
      perform inbox.settled(new.id, array['action.due_soon', 'action.overdue']);
    end if;
  end if;
  if ended or new.assignee_id is null then return null; end if;
  if fresh or critical and tg_op = 'UPDATE' and old.priority <> 'critical' then
    perform inbox.notify(new.assignee_id, case when critical then 'action.critical' else 'action.assigned' end,
      'action/' || new.id::text || '/assigned/' || new.version::text, '/action-items/' || new.id::text,
      jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on action_items for each row
  when (new.assignee_id is not null) execute function inbox.action_changed();
create trigger x_notify_update after update on action_items for each row
  when ((old.assignee_id, old.status, old.priority, old.due_at, old.deleted_at)
    is distinct from (new.assignee_id, new.status, new.priority, new.due_at, new.deleted_at))
  execute function inbox.action_changed();

create function inbox.inspection_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), new.conducted_by);
  reviewer uuid;
begin
  if new.status = 'scheduled' and new.deleted_at is null and new.assigned_to is not null
    and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) then
    perform inbox.notify(new.assigned_to, 'inspection.assigned', 'inspection/' || new.id::text || '/assigned/' || new.version::text,
      '/field/' || new.id::text, jsonb_build_object('title', new.title, 'by', inbox.name_of(auth.uid())), new.id, new.organization_id, auth.uid());
  end if;
  if tg_op = 'UPDATE' and (new.status <> 'scheduled' or new.deleted_at is not null) then
    perform inbox.settled(new.id, array['inspection.assigned']);
  end if;
  if new.result = 'fail' and new.received_at is not null and new.deleted_at is null
    and (tg_op = 'INSERT' or old.received_at is null or old.result is distinct from 'fail') then
    for reviewer in select inbox.people_with('inspection.review', new.organization_id, new.site_id) loop
      perform inbox.notify(reviewer, 'inspection.failed', 'inspection/' || new.id::text || '/failed', '/field/' || new.id::text,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(actor)), new.id, new.organization_id, actor);
    end loop;
  end if;
  return null;
end $$;
-- What happened long ago and is only now written down tells nobody.
create trigger x_notify_insert after insert on inspections for each row
  when (new.status = 'scheduled' or new.result = 'fail' and new.finished_at > now() - interval '30 days') execute function inbox.inspection_changed();
create trigger x_notify_update after update on inspections for each row
  when ((old.assigned_to, old.status, old.result, old.received_at, old.deleted_at)
    is distinct from (new.assigned_to, new.status, new.result, new.received_at, new.deleted_at))
  execute function inbox.inspection_changed();

-- A device's edit that waits for its person's choice, or was refused: told also where that device is not at hand.
create function inbox.conflict_waits() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform inbox.notify(new.user_id, 'sync.conflict', 'conflict/' || new.id::text, '/sync', '{}', new.id);
  else
    perform inbox.settled(new.id, array['sync.conflict'], new.user_id);
  end if;
  return null;
end $$;
create trigger x_notify_insert after insert on sync.conflict for each row execute function inbox.conflict_waits();
create trigger x_notify_resolved after update of resolved_at on sync.conflict for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function inbox.conflict_waits();

-- sync.settle forgets a refused edit, so that a retry is judged anew; one that went through has its result.
create function inbox.edit_refused() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.notify(old.user_id, 'sync.refused', 'refused/' || old.mid::text, '/sync', '{}', old.row_id);
  return null;
end $$;
create trigger x_notify_refused after delete on sync.mutation for each row
  when (old.result is null) execute function inbox.edit_refused();

create function inbox.member_joined() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  organisation record;
  told uuid;
begin
  select o.name, o.kind into organisation from public.organizations o where o.id = new.organization_id;
  if organisation.kind is distinct from 'company' then return null; end if;
  for told in select inbox.people_with('people.manage', new.organization_id, null) loop
    perform inbox.notify(told, 'member.joined', 'member/' || new.id::text || '/joined/' || new.version::text, '/dashboard',
      jsonb_build_object('name', inbox.name_of(new.user_id), 'organization', organisation.name), new.user_id, new.organization_id, new.user_id);
  end loop;
  return null;
end $$;
create trigger x_notify_insert after insert on organization_members for each row
  when (new.deleted_at is null) execute function inbox.member_joined();
create trigger x_notify_again after update on organization_members for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function inbox.member_joined();

-- A browser or phone that signed in before, by a hash of how it names itself.
create table inbox.known_device (
  user_id  uuid not null references auth.users (id) on delete cascade,
  agent    bytea not null,                             -- sha-256
  first_at timestamptz not null default now(),
  primary key (user_id, agent)
);
alter table inbox.known_device enable row level security;

create function inbox.signed_in() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  hash constant bytea := sha256(convert_to(coalesce(new.user_agent, ''), 'UTF8'));
  first boolean;
begin
  select not exists (select from inbox.known_device d where d.user_id = new.user_id) into first;
  insert into inbox.known_device (user_id, agent) values (new.user_id, hash) on conflict do nothing;
  if found and not first then
    perform inbox.notify(new.user_id, 'security.new_device', 'session/' || new.id::text, '/profile',
      jsonb_build_object('agent', left(new.user_agent, 300)), new.id);
  end if;
  return null;
exception when others then
  -- Nobody is kept out because they could not be told.
  raise warning 'inbox: a sign-in was not told (%)', sqlstate;
  return null;
end $$;

-- Where the platform does not let us listen to sessions, this one is not told.
do $$
begin
  create trigger cairn_signed_in after insert on auth.sessions for each row execute function inbox.signed_in();
exception when insufficient_privilege or undefined_table then
  raise notice 'inbox: sign-ins from new devices are not told on this platform';
end $$;

-- By the clock: what is due soon or late, what was claimed and never settled, what is old. Idempotent, so that our server
-- and pg_cron may both call it.
create index action_items_due on action_items (due_at)
  where deleted_at is null and due_at is not null and status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid');

create function inbox.sweep(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
begin
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key
    from public.action_items i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told) w
    cross join lateral (select case when i.due_at <= p_now then 'action.overdue' else 'action.due_soon' end as type) t
    cross join lateral (select t.type, 'action/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + interval '24 hours'
      -- Whoever set a date within the day knows.
      and (i.due_at <= p_now or i.created_at < i.due_at - interval '24 hours')
      and not exists (select from public.notifications n where n.user_id = w.told and n.key = k.key)
    order by i.due_at limit 500
  loop
    if a.type = 'action.overdue' then perform inbox.settled(a.id, array['action.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/action-items/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
  -- Claimed by a server that died: it may have gone out, so it does not go again.
  update inbox.delivery set state = 'failed', settled_at = p_now, error = 'unknown' where state = 'sending' and claimed_at < p_now - interval '10 minutes';
  update public.notifications set deleted_at = p_now where deleted_at is null and created_at < p_now - interval '90 days';
  delete from public.notifications where created_at < p_now - interval '180 days';
end $$;

revoke execute on all functions in schema inbox from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-inbox-sweep', '* * * * *', 'select inbox.sweep()') $cron$;
  end if;
end $$;
