-- A critical failure takes its asset out of service at once, until somebody verifies what was done about it
-- (docs/decisions/0760-out-of-service.md). It is worked out from the asset and its open action items, here and on every device, so it
-- can never disagree with them.

-- Whether an action item keeps its asset out of service. packages/core/src/assets/service-status.ts says the same.
create function sync.holds_asset(a public.action_items) returns boolean
  language sql immutable parallel safe set search_path = '' return
  a.asset_id is not null and a.deleted_at is null and a.priority = 'critical'
    and coalesce(a.source_type in ('inspection', 'issue_report'), false) and not inbox.action_ended(a.status);

-- The state an asset is in: what was entered, and down while a critical failure keeps it out of service.
create function sync.service_status(p public.assets) returns text
  language sql stable security definer set search_path = '' return
  case when p.status <> 'retired' and exists (select from public.action_items a
      where a.asset_id = p.id and a.organization_id = p.organization_id and sync.holds_asset(a)) then 'down'
    else p.status end;

create index action_items_holds on action_items (asset_id) where priority = 'critical' and deleted_at is null;

-- Whether somebody may put an asset into service again without verifying what was done: who may call its action item not valid may.
create function sync.may_release(a public.action_items, p_caller uuid) returns boolean
  language sql stable security definer set search_path = '' return
  not sync.ends_own_action(a, p_caller) and (sync.may('action.manage', a.organization_id) or not sync.another_verifies(a));

-- Ends are judged by guard_action_life. Whatever else would put the asset into service (less urgent, another asset, deleted) takes
-- the same right.
create function sync.guard_release() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if caller is null or not sync.is_device_edit() or not sync.holds_asset(old) then return new; end if;
  if sync.holds_asset(new) and new.asset_id is not distinct from old.asset_id then return new; end if;
  if inbox.action_ended(new.status) then return new; end if;
  if not sync.may_release(old, caller) then
    raise exception 'somebody else puts it into service again' using errcode = '42501', hint = 'own';
  end if;
  return new;
end $$;
create trigger c_guard_release before update on action_items for each row execute function sync.guard_release();

-- Who took an asset out of service, and who released it, with the action item and how it ended.
create function audit.note_service() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  holds constant boolean := sync.holds_asset(new);
  held constant boolean := tg_op = 'UPDATE' and sync.holds_asset(case when tg_op = 'UPDATE' then old else new end);
begin
  if held and (not holds or new.asset_id is distinct from old.asset_id) and not exists (select from public.action_items a
      where a.asset_id = old.asset_id and a.id <> old.id and sync.holds_asset(a)) then
    perform audit.note(old.organization_id, 'asset.released', 'assets', old.asset_id,
      jsonb_build_object('action_id', old.id, 'status', new.status, 'priority', nullif(new.priority, old.priority), 'removed', nullif(new.deleted_at is not null, false)));
  end if;
  if holds and (not held or new.asset_id is distinct from old.asset_id) and not exists (select from public.action_items a
      where a.asset_id = new.asset_id and a.id <> new.id and sync.holds_asset(a)) then
    perform audit.note(new.organization_id, 'asset.out_of_service', 'assets', new.asset_id, jsonb_build_object('action_id', new.id, 'inspection_id',
      case when new.source_type = 'inspection' then new.source_id end));
  end if;
  return null;
end $$;
create trigger z_audit_service after insert or update on action_items for each row execute function audit.note_service();

-- What is critical and nobody has is told to whoever manages action items there.
insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.unassigned', 'action-items', 'safety', null, 'immediate', 'immediate', 'immediate');

create function inbox.critical_unassigned() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), new.created_by);
  person uuid;
  waits constant boolean := new.priority = 'critical' and new.assignee_id is null and new.deleted_at is null and not inbox.action_ended(new.status);
  waited constant boolean := tg_op = 'UPDATE'
    and old.priority = 'critical' and old.assignee_id is null and old.deleted_at is null and not inbox.action_ended(old.status);
begin
  if waited and not waits then perform inbox.settled(new.id, array['action.unassigned']); end if;
  if waited or not waits then return null; end if;
  for person in select p from inbox.people_with('action.manage', new.organization_id, new.site_id) p where p <> actor loop
    perform inbox.notify(person, 'action.unassigned', 'action/' || new.id::text || '/unassigned/' || new.version::text, '/action-items/' || new.id::text,
      jsonb_build_object('title', new.title), new.id, new.organization_id, actor);
  end loop;
  return null;
end $$;
create trigger x_notify_critical after insert or update on action_items for each row execute function inbox.critical_unassigned();

revoke execute on function sync.holds_asset(public.action_items), sync.service_status(public.assets), sync.may_release(public.action_items, uuid),
  sync.guard_release(), audit.note_service(), inbox.critical_unassigned() from public;
