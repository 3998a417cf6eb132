-- An inspection that two phones answered made a notice for each of its answers. What waits for a choice stands on one page, so that
-- one unread notice says it; it needs no reading once nothing of its person waits any more.

create index conflict_open on sync.conflict (user_id) where resolved_at is null;

create or replace function inbox.conflict_waits() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  unread constant uuid[] := array(
    select n.subject_id from public.notifications n
    where n.user_id = new.user_id and n.type = 'sync.conflict' and not n.is_read and n.deleted_at is null);
begin
  if tg_op = 'UPDATE' then
    if not exists (select from sync.conflict c where c.user_id = new.user_id and c.resolved_at is null) then
      perform inbox.settled(subject, array['sync.conflict'], new.user_id) from unnest(unread) subject;
    end if;
  elsif unread = '{}' then
    perform inbox.notify(new.user_id, 'sync.conflict', 'conflict/' || new.id::text, '/sync', '{}', new.id);
  end if;
  return null;
end $$;
