-- Whoever has an action item, and whoever did it, hear that it needs more work. What is missing stands in a comment, which tells of itself.

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.sent_back', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily');

-- As before; and back to whoever has it.
create or replace function inbox.action_moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  person uuid;
begin
  perform inbox.settled(new.id, array['action.to_verify', 'action.risk_ended', 'action.check_due', 'action.sent_back']);
  if inbox.action_ended(new.status) then perform inbox.settled(new.id, array['action.escalated']); end if;
  if new.deleted_at is not null then return null; end if;
  if new.status = 'needs_revision' then
    for person in select distinct p from unnest(array[new.assignee_id, new.done_by]) p where p is not null and p is distinct from caller
    loop
      perform inbox.notify(person, 'action.sent_back', 'action/' || new.id::text || '/sent_back/' || new.version::text, '/action-items/' || new.id::text,
        jsonb_build_object('title', new.title, 'by', inbox.name_of(caller)), new.id, new.organization_id, caller);
    end loop;
  end if;
  if new.status <> 'ready_for_verification' then return null; end if;
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
