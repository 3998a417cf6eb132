-- Notifications: what a person is told, in the app, by push and by mail. The inbox is synced like any record; what goes
-- out by push and mail waits in schema `inbox`, which the API does not expose (docs/decisions/0046-notifications.md).

create schema inbox;

-- The registry: what there is to be told, and how it is told unless the person chose otherwise.
create table notification_types (
  id         uuid primary key default gen_random_uuid(),
  key        text not null unique,                               -- e.g. action.assigned
  module     text not null,                                      -- the module of the navigation it is filed under
  class      text not null default 'normal' check (class in ('normal', 'safety', 'security')),  -- not normal: at once, also in quiet hours, no choice
  private    boolean not null default false,                     -- outside the app only its module is named
  setting    text,                                               -- key of user_preferences.notification_settings that switches it off
  app        text not null default 'immediate' check (app in ('off', 'immediate')),             -- a toast; the inbox has it always
  push       text not null default 'immediate' check (push in ('off', 'immediate', 'daily')),
  email      text not null default 'daily' check (email in ('off', 'immediate', 'daily')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1
);
select sync.add_table('notification_types', 9, $$ array['all'] $$,
  p_server_columns => array['key', 'module', 'class', 'private', 'setting', 'app', 'push', 'email']);

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.assigned', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.critical', 'action-items', 'safety', null, 'immediate', 'immediate', 'immediate'),
  ('action.due_soon', 'action-items', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('action.overdue', 'action-items', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('inspection.assigned', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('inspection.failed', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  -- The device that did the work says so itself, and louder.
  ('sync.conflict', 'sync', 'normal', null, 'off', 'off', 'daily'),
  ('sync.refused', 'sync', 'normal', null, 'off', 'off', 'daily'),
  ('security.new_device', 'security', 'security', null, 'immediate', 'immediate', 'immediate'),
  ('member.joined', 'people', 'normal', null, 'immediate', 'off', 'daily');

-- One thing one person is told. What is of an organisation travels in the person's scope there, so that it leaves their
-- devices when they leave (docs/sync-protocol.md); without an organisation it is the person's own.
create table notifications (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references auth.users (id) on delete cascade,
  organization_id uuid references organizations (id) on delete cascade,
  type            text not null references notification_types (key),
  module          text not null,                                 -- copied from its type
  key             text not null check (key <> ''),               -- what it tells of: told once, however often it is asked for
  subject_id      uuid,                                          -- the record it is about
  params          jsonb not null default '{}' check (jsonb_typeof(params) = 'object'),   -- names its sentence needs
  path            text not null check (path ~ '^/([^/\\]|$)'),   -- screen of the app
  is_read         boolean not null default false,
  read_at         timestamptz,                                   -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (user_id, key)
);
create index notifications_subject on notifications (subject_id) where subject_id is not null;
create index notifications_organization on notifications (organization_id);
create index notifications_age on notifications (created_at);
select sync.add_table('notifications', 40,
  $$ sync.scopes(case when organization_id is null then sync.user_scope(user_id) else sync.member_scope(organization_id, user_id) end) $$,
  p_server_columns => array['user_id', 'organization_id', 'type', 'module', 'key', 'subject_id', 'params', 'path', 'read_at']);

-- What a person chose, one row for a type and a channel; without a row the type's own default holds.
create table notification_choices (
  id         uuid primary key,                                   -- derivedId(user_id, 'notifications/<type>/<channel>')
  user_id    uuid not null references auth.users (id) on delete cascade,
  type       text not null references notification_types (key),
  channel    text not null check (channel in ('app', 'push', 'email')),
  cadence    text not null check (cadence in ('off', 'immediate', 'daily')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  unique (user_id, type, channel),
  check (channel <> 'app' or cadence <> 'daily')
);
select sync.add_table('notification_choices', 13, $$ sync.scopes(sync.user_scope(user_id)) $$);

create policy "signed-in people read" on notification_types for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No other policy: the registry changes by migration only.

create policy "scope reads" on notifications for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner marks" on notifications for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
grant update on notifications to authenticated;
-- No insert: inbox.notify writes them. A person may mark and remove their own; everything else is the server's.

create policy "scope reads" on notification_choices for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "owner adds" on notification_choices for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "owner edits" on notification_choices for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
grant insert, update on notification_choices to authenticated;

create function inbox.keep_read_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.read_at := case when new.is_read and not old.is_read then now() when new.is_read then old.read_at end;
  return new;
end $$;
create trigger b_read_at before update on notifications for each row execute function inbox.keep_read_at();

create function inbox.guard_choice() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and (new.user_id, new.type, new.channel) is distinct from (old.user_id, old.type, old.channel) then
    raise exception 'a choice keeps its person, type and channel' using errcode = '42501';
  end if;
  if exists (select from public.notification_types t where t.key = new.type and t.class <> 'normal') then
    raise exception 'what concerns safety and security is always told at once' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger b_guard before insert or update on notification_choices for each row execute function inbox.guard_choice();
