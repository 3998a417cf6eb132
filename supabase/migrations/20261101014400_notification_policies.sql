-- Notifications: who sees and writes which rows.

create policy "signed-in people read" on notification_types for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));

grant update on notifications to authenticated;
-- No other policy: the registry changes by migration only.
create policy "scope reads" on notifications for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner marks" on notifications for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));

grant insert, update on notification_choices to authenticated;
-- No insert: inbox.notify writes them. A person may mark and remove their own; everything else is the server's.
create policy "scope reads" on notification_choices for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner adds" on notification_choices for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "owner edits" on notification_choices for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

alter table inbox.delivery enable row level security;

alter table inbox.recipient enable row level security;

alter table inbox.push_subscription enable row level security;

alter table inbox.known_device enable row level security;

alter table inbox.sweep_mark enable row level security;

alter table inbox.server_channel enable row level security;

alter table inbox.reminder enable row level security;
