-- Usage analytics: what is used and how fast it is, never what somebody wrote (docs/decisions/0056-usage-analytics.md).
-- Rows come straight from the app, ten at a time; they are no records of the device and so not part of the sync feed.

alter table user_preferences add column usage_analytics boolean not null default true;   -- false: nothing is sent
select sync.refresh_table('user_preferences');

create table analytics_events (
  id             uuid primary key default gen_random_uuid(),    -- made by the device: a batch sent twice is stored once
  user_id        uuid not null default auth.uid() references auth.users (id) on delete cascade,
  event_type     text not null check (event_type ~ '^[a-z_]{1,40}$'),
  event_category text not null check (event_category in ('navigation', 'feature', 'error', 'system')),
  event_data     jsonb not null default '{}' check (jsonb_typeof(event_data) = 'object' and octet_length(event_data::text) <= 1000),
  timestamp      timestamptz not null check (timestamp >= timestamptz '1970-01-01T00:00:00Z' and timestamp < timestamptz '2200-01-01T00:00:00Z'),   -- device time
  session_id     uuid not null,                                 -- one visit of the app, not a sign-in
  device_info    jsonb not null default '{}' check (jsonb_typeof(device_info) = 'object' and octet_length(device_info::text) <= 1000),
  network_info   jsonb not null default '{}' check (jsonb_typeof(network_info) = 'object' and octet_length(network_info::text) <= 1000),
  received_at    timestamptz not null default now()             -- server time
);
create index analytics_events_user on analytics_events (user_id, timestamp);

create table analytics_metrics (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null default auth.uid() references auth.users (id) on delete cascade,
  metric_name text not null check (metric_name ~ '^[a-z_]{1,40}$'),            -- ends in its unit, e.g. largest_paint_ms
  value       double precision not null check (value > '-infinity' and value < 'infinity'),
  timestamp   timestamptz not null check (timestamp >= timestamptz '1970-01-01T00:00:00Z' and timestamp < timestamptz '2200-01-01T00:00:00Z'),
  session_id  uuid not null,
  received_at timestamptz not null default now()
);
create index analytics_metrics_user on analytics_metrics (user_id, timestamp);

-- Whether the caller lets usage be counted; a device that has not heard of the choice yet is refused here.
create function sync.shares_usage() returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from public.user_preferences p where p.user_id = auth.uid() and not p.usage_analytics)
$$;
revoke execute on function sync.shares_usage() from public;
grant execute on function sync.shares_usage() to authenticated;

alter table analytics_events enable row level security;
revoke all on analytics_events from anon, authenticated;
create policy "owner reads" on analytics_events for select to authenticated using (user_id = (select auth.uid()));
create policy "who shares usage adds" on analytics_events for insert to authenticated
  with check (user_id = (select auth.uid()) and (select sync.shares_usage()));
grant select, insert on analytics_events to authenticated;
-- No edit and no delete: what happened stays; it goes with the account.

alter table analytics_metrics enable row level security;
revoke all on analytics_metrics from anon, authenticated;
create policy "owner reads" on analytics_metrics for select to authenticated using (user_id = (select auth.uid()));
create policy "who shares usage adds" on analytics_metrics for insert to authenticated
  with check (user_id = (select auth.uid()) and (select sync.shares_usage()));
grant select, insert on analytics_metrics to authenticated;
