-- An account: preferences, usage analytics, export and end: tables.

create table user_preferences (
  id                      uuid primary key generated always as (user_id) stored,
  user_id                 uuid not null unique references auth.users (id) on delete cascade,
  theme_mode              text not null default 'system' check (theme_mode in ('system', 'light', 'dark')),
  email_notifications     boolean not null default true,
  text_notifications      boolean not null default false,
  notification_time       text not null default '09:00',          -- HH:MM, local
  primary_color           text not null default 'blue',
  language                text not null default 'en',
  timezone                text not null default 'UTC',            -- IANA name
  date_format             text not null default 'MM/dd/yyyy',
  time_format             text not null default '12h' check (time_format in ('12h', '24h')),
  font_size               text not null default 'medium',
  high_contrast           boolean not null default false,
  reduce_motion           boolean not null default false,
  sidebar_collapsed       boolean not null default false,
  show_activity_status    boolean not null default true,
  profile_visibility      text not null default 'public' check (profile_visibility in ('public', 'members', 'private')),
  quiet_hours_enabled     boolean not null default false,
  quiet_hours_start       text not null default '22:00',          -- HH:MM, local
  quiet_hours_end         text not null default '08:00',          -- HH:MM, local
  dashboard_layout        text not null default 'default',
  wellness_coach_avatar   text not null default 'friendly-professional',
  custom_avatar_url       text,
  dashboard_config        jsonb not null default '{"show_wellness_widgets":true,"show_compliance_overview":true,"default_view":"today"}' check (jsonb_typeof(dashboard_config) = 'object'),
  notification_settings   jsonb not null default '{"email_enabled":true,"push_enabled":true,"wellness_reminders":true,"task_deadlines":true}' check (jsonb_typeof(notification_settings) = 'object'),
  preferred_playbook_type text not null default 'company' check (preferred_playbook_type in ('company', 'personal')),
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now(),
  deleted_at              timestamptz,
  version                 bigint not null default 1,
  files_on_mobile_data    boolean not null default true,          -- false: photos wait for another network
  storage_limit_mb        integer                          -- megabytes of received files kept on a device; null: as much as fits
    check (storage_limit_mb between 50 and 100000),
  week_start              text not null default 'auto' check (week_start in ('auto', 'monday', 'saturday', 'sunday')),
  usage_analytics         boolean not null default true,          -- false: nothing is sent
  strip_photo_location    boolean not null default true,          -- the position a camera writes into a photo is taken out
  photo_size              text not null default 'original' -- larger photos are made so large before they are kept
    check (photo_size in ('original', 'large', 'small')),
  auto_advance            boolean not null default true,          -- after Pass or N/A the next question comes by itself
  locale_chosen           boolean not null default false,
  constraint user_preferences_times check (
    notification_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and quiet_hours_start ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
    and quiet_hours_end ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  constraint user_preferences_look check (
    font_size in ('small', 'medium', 'large', 'extra-large') and primary_color ~ '^[a-z][a-z-]{1,19}$'),
  constraint user_preferences_language check (
    language ~ '^[a-z]{2}(-[A-Z]{2})?$' and timezone ~ '^[A-Za-z0-9_+/-]{1,64}$'
    and date_format in ('MM/dd/yyyy', 'dd/MM/yyyy', 'dd.MM.yyyy', 'yyyy-MM-dd')),
  constraint user_preferences_person check (
    char_length(dashboard_layout) <= 4000 and wellness_coach_avatar ~ '^[a-z][a-z-]{1,39}$'
    and char_length(custom_avatar_url) <= 500),
  constraint user_preferences_dashboard_config_bounded check (octet_length(dashboard_config::text) <= 200000),
  constraint user_preferences_notification_settings_bounded check (octet_length(notification_settings::text) <= 200000)
);
select sync.add_table('user_preferences', 12, $$ sync.scopes(sync.user_scope(user_id)) $$);

create table analytics_events (
  id             uuid primary key default gen_random_uuid(),      -- made by the device: a batch sent twice is stored once
  user_id        uuid not null default auth.uid() references auth.users (id) on delete cascade,
  event_type     text not null check (event_type ~ '^[a-z_]{1,40}$'),
  event_category text not null check (event_category in ('navigation', 'feature', 'error', 'system')),
  event_data     jsonb not null default '{}' check (jsonb_typeof(event_data) = 'object' and octet_length(event_data::text) <= 1000),
  timestamp      timestamptz not null check (timestamp >= timestamptz '1970-01-01T00:00:00Z' and timestamp < timestamptz '2200-01-01T00:00:00Z'),   -- device time
  session_id     uuid not null,                                   -- one visit of the app, not a sign-in
  device_info    jsonb not null default '{}' check (jsonb_typeof(device_info) = 'object' and octet_length(device_info::text) <= 1000),
  network_info   jsonb not null default '{}' check (jsonb_typeof(network_info) = 'object' and octet_length(network_info::text) <= 1000),
  received_at    timestamptz not null default now()               -- server time
);
create index analytics_events_user on analytics_events (user_id, timestamp);

create table analytics_metrics (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null default auth.uid() references auth.users (id) on delete cascade,
  metric_name text not null check (metric_name ~ '^[a-z_]{1,40}$'),   -- ends in its unit, e.g. largest_paint_ms
  value       double precision not null check (value > '-infinity' and value < 'infinity'),
  timestamp   timestamptz not null check (timestamp >= timestamptz '1970-01-01T00:00:00Z' and timestamp < timestamptz '2200-01-01T00:00:00Z'),
  session_id  uuid not null,
  received_at timestamptz not null default now()
);
create index analytics_metrics_user on analytics_metrics (user_id, timestamp);
