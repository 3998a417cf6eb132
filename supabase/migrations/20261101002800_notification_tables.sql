-- Notifications: tables.

-- The registry: what there is to be told, and how it is told unless the person chose otherwise.
create table notification_types (
  id         uuid primary key default gen_random_uuid(),
  key        text not null unique,                                -- e.g. action.assigned
  module     text not null,                                       -- the module of the navigation it is filed under
  class      text not null default 'normal' check (class in ('normal', 'safety', 'security')),   -- not normal: at once, also in quiet hours, no choice
  private    boolean not null default false,                      -- outside the app only its module is named
  setting    text,                                                -- key of user_preferences.notification_settings that switches it off
  app        text not null default 'immediate' check (app in ('off', 'immediate')),   -- a toast; the inbox has it always
  push       text not null default 'immediate' check (push in ('off', 'immediate', 'daily')),
  email      text not null default 'daily' check (email in ('off', 'immediate', 'daily')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version    bigint not null default 1,
  constraint notification_types_key_bounded check (char_length(key) <= 100),
  constraint notification_types_module_bounded check (char_length(module) <= 100),
  constraint notification_types_setting_bounded check (char_length(setting) <= 100)
);
select sync.add_table('notification_types', 9, $$ array['all'] $$,
  p_server_columns => array['app', 'class', 'email', 'key', 'module', 'private', 'push', 'setting']);

-- One thing one person is told. What is of an organisation travels in the person's scope there, so that it leaves their
-- devices when they leave (docs/sync-protocol.md); without an organisation it is the person's own.
create table notifications (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references auth.users (id) on delete cascade,
  organization_id uuid references organizations (id) on delete cascade,
  type            text not null references notification_types (key),
  module          text not null,                                  -- copied from its type
  key             text not null check (key <> ''),                -- what it tells of: told once, however often it is asked for
  subject_id      uuid,                                           -- the record it is about
  params          jsonb not null default '{}' check (jsonb_typeof(params) = 'object'),   -- names its sentence needs
  path            text not null check (path ~ '^/([^/\\]|$)'),    -- screen of the app
  is_read         boolean not null default false,
  read_at         timestamptz,                                    -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1,
  unique (user_id, key),
  constraint notifications_key_bounded check (char_length(key) <= 2000),
  constraint notifications_module_bounded check (char_length(module) <= 100),
  constraint notifications_path_bounded check (char_length(path) <= 2000),
  constraint notifications_params_bounded check (octet_length(params::text) <= 200000)
);
create index notifications_subject on notifications (subject_id) where subject_id is not null;
create index notifications_organization on notifications (organization_id);
create index notifications_age on notifications (created_at);
select sync.add_table('notifications', 40, $$ sync.scopes(case when organization_id is null then sync.user_scope(user_id) else sync.member_scope(organization_id, user_id) end) $$,
  p_server_columns => array['key', 'module', 'organization_id', 'params', 'path', 'read_at', 'subject_id', 'type', 'user_id']);

-- What a person chose, one row for a type and a channel; without a row the type's own default holds.
create table notification_choices (
  id         uuid primary key,                                    -- derivedId(user_id, 'notifications/<type>/<channel>')
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

-- What goes out by push and by mail, and when it may. packages/core/src/notifications/quiet-hours.ts holds the same rule
-- for the device; supabase/tests/notification-times.test.ts holds the two against each other.
create table inbox.delivery (
  id              uuid primary key default gen_random_uuid(),
  notification_id uuid not null references public.notifications (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  channel         text not null check (channel in ('push', 'email', 'text')),
  cadence         text not null check (cadence in ('immediate', 'daily')),
  due_at          timestamptz not null,                           -- not before this
  -- `sending` is left only by inbox.record_delivery: whoever claimed and died never sends it twice.
  state           text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'cancelled', 'failed')),
  claim           uuid,
  claimed_at      timestamptz,
  attempts        integer not null default 0,
  error           text,                                           -- a word for developers, never an address
  finished_at     timestamptz,
  created_at      timestamptz not null default now(),
  unique (notification_id, channel)
);
create index delivery_due on inbox.delivery (due_at) where state = 'waiting';
create index delivery_person on inbox.delivery (user_id) where state = 'waiting';
create index delivery_sending on inbox.delivery (claimed_at) where state = 'sending';
create index delivery_claim on inbox.delivery (claim) where state = 'sending';
create index delivery_text_person on inbox.delivery (user_id, created_at) where channel = 'text';
create index delivery_text_all on inbox.delivery (created_at) where channel = 'text';

-- Locked while a server claims what waits for a person, so that a digest is one mail also when two servers ask.
create table inbox.recipient (
  user_id   uuid primary key references auth.users (id) on delete cascade,
  -- Whose mail goes out next: who waits longest for their turn, so that one person's many mails do not keep everybody's.
  served_at timestamptz not null default '-infinity'
);

create table inbox.push_subscription (
  endpoint   text primary key check (endpoint ~ '^https?://' and length(endpoint) <= 2000),
  user_id    uuid not null references auth.users (id) on delete cascade,
  session_id uuid,                                                -- of the sign-in that asked; gone with it
  p256dh     text not null check (p256dh ~ '^[A-Za-z0-9_-]{80,100}=*$'),   -- the browser's public key
  auth       text not null check (auth ~ '^[A-Za-z0-9_-]{16,32}=*$'),   -- its secret for us
  created_at timestamptz not null default now()
);
create index push_subscription_user on inbox.push_subscription (user_id);

-- A browser or phone that signed in before, by a hash of how it names itself.
create table inbox.known_device (
  user_id  uuid not null references auth.users (id) on delete cascade,
  agent    bytea not null,                                        -- sha-256
  first_at timestamptz not null default now(),
  primary key (user_id, agent)
);

-- Sweeps take what fell due in turns, one row of each organisation first, and for two seconds of each kind. What one has looked at is
-- noted whatever came of it: who left, or may not see it, is told nothing, and kept everybody's notices back as the oldest of 500 rows.
create table inbox.sweep_mark (
  key      text primary key,                                      -- of the notice, and whose it would be
  user_id  uuid references auth.users (id) on delete cascade,     -- null for what is looked at as a whole
  swept_at timestamptz not null default now()
);
create index swept_age on inbox.sweep_mark (swept_at);
create index swept_person on inbox.sweep_mark (user_id);

-- Notifications by text message (docs/decisions/43-sign-in-services-saml-and-text-messages.md): what a person is told at once by push is also sent to the number
-- they confirmed, if they chose so and this installation's server has an SMS provider.

-- Ways out that depend on the server; it says with each start which it has.
create table inbox.server_channel (
  channel text primary key check (channel = 'text'),
  is_on   boolean not null
);

-- Who is reminded by their own clock stands in a list by when that is next. Reckoning everybody's clock each minute cost half a millisecond a
-- habit, and one person's many habits, or many people's check-ins, took the time of all. A person's reminders take turns with others'.
create table inbox.reminder (
  kind       text not null check (kind in ('habit', 'check_in', 'look', 'talk')),
  subject_id uuid not null,                                       -- the habit, the relationship, else the person
  user_id    uuid not null references auth.users (id) on delete cascade,
  next_at    timestamptz not null default '-infinity',            -- to be reckoned by the next sweep
  primary key (kind, subject_id, user_id)
);
create index reminder_due on inbox.reminder (kind, next_at);
create index reminder_person on inbox.reminder (user_id);
