-- What goes out by push and by mail, and when it may. packages/core/src/notifications/quiet-hours.ts holds the same rule
-- for the device; supabase/tests/notification-times.test.ts holds the two against each other.

create table inbox.delivery (
  id              uuid primary key default gen_random_uuid(),
  notification_id uuid not null references public.notifications (id) on delete cascade,
  user_id         uuid not null references auth.users (id) on delete cascade,
  channel         text not null check (channel in ('push', 'email')),
  cadence         text not null check (cadence in ('immediate', 'daily')),
  due_at          timestamptz not null,                -- not before this
  -- `sending` is left only by inbox.settle: whoever claimed and died never sends it twice.
  state           text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'cancelled', 'failed')),
  claim           uuid,
  claimed_at      timestamptz,
  attempts        integer not null default 0,
  error           text,                                -- a word for developers, never an address
  settled_at      timestamptz,
  created_at      timestamptz not null default now(),
  unique (notification_id, channel)
);
create index delivery_due on inbox.delivery (due_at) where state = 'waiting';
create index delivery_person on inbox.delivery (user_id) where state = 'waiting';
create index delivery_sending on inbox.delivery (claimed_at) where state = 'sending';

-- Locked while a server claims what waits for a person, so that a digest is one mail also when two servers ask.
create table inbox.recipient (user_id uuid primary key references auth.users (id) on delete cascade);

create table inbox.push_subscription (
  endpoint   text primary key check (endpoint ~ '^https?://' and length(endpoint) <= 2000),
  user_id    uuid not null references auth.users (id) on delete cascade,
  session_id uuid,                                     -- of the sign-in that asked; gone with it
  p256dh     text not null check (p256dh ~ '^[A-Za-z0-9_-]{80,100}=*$'),   -- the browser's public key
  auth       text not null check (auth ~ '^[A-Za-z0-9_-]{16,32}=*$'),      -- its secret for us
  created_at timestamptz not null default now()
);
create index push_subscription_user on inbox.push_subscription (user_id);

-- Every table here is the server's alone: no grant, and no policy lets anybody in.
alter table inbox.delivery enable row level security;
alter table inbox.recipient enable row level security;
alter table inbox.push_subscription enable row level security;

-- A time zone PostgreSQL knows, else UTC: preferences take any text.
create function inbox.zone(p_zone text) returns text language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone p_zone;
  return coalesce(p_zone, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end $$;

create function inbox.clock(p_clock text, p_else time) returns time language sql immutable
  return case when p_clock ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then p_clock::time else p_else end;

-- From `p_from` on, the next instant at which clocks in the zone show `p_time`. A time that a clock change leaves out
-- counts as the same time before the change; of one that comes twice the second is meant, as PostgreSQL reads them.
create function inbox.next_local(p_from timestamptz, p_zone text, p_time time) returns timestamptz
  language sql stable set search_path = '' as $$
  select min(c.at) from generate_series(-1, 2) d,
    lateral (select ((p_from at time zone p_zone)::date + d + p_time) at time zone p_zone as at) c
  where c.at >= p_from
$$;

create function inbox.is_quiet(p_at timestamptz, p_zone text, p_start time, p_end time) returns boolean
  language sql stable set search_path = '' as $$
  select case
    when p_start = p_end then false
    when p_start < p_end then t >= p_start and t < p_end
    else t >= p_start or t < p_end end
  from (select (p_at at time zone p_zone)::time as t) local
$$;

-- When something told at `p_from` may go out: never before, never in quiet hours, a daily one at its time of day.
create function inbox.goes_out_at(
  p_from timestamptz, p_cadence text, p_bypass boolean, p_zone text, p_daily time,
  p_quiet boolean, p_start time, p_end time
) returns timestamptz language plpgsql stable set search_path = '' as $$
declare
  at timestamptz := p_from;
begin
  if p_bypass then return p_from; end if;
  if p_cadence = 'daily' then at := inbox.next_local(p_from, p_zone, p_daily); end if;
  -- The end of quiet hours may be moved by a clock change into quiet hours that nearly fill the day.
  for attempt in 1 .. 3 loop
    exit when not p_quiet or not inbox.is_quiet(at, p_zone, p_start, p_end);
    at := inbox.next_local(at + interval '1 microsecond', p_zone, p_end);
  end loop;
  return at;
end $$;

-- A person's settings as far as they decide on notifications; defaults where they have none yet.
create function inbox.settings(
  p_user uuid, out zone text, out language text, out daily time, out quiet boolean, out quiet_start time, out quiet_end time,
  out email_on boolean, out push_on boolean, out switches jsonb
) language plpgsql stable security definer set search_path = '' as $$
declare
  p public.user_preferences;
begin
  select * into p from public.user_preferences u where u.user_id = p_user and u.deleted_at is null;
  zone := inbox.zone(coalesce(p.timezone, 'UTC'));
  language := coalesce(p.language, 'en');
  daily := inbox.clock(p.notification_time, '09:00');
  quiet := coalesce(p.quiet_hours_enabled, false);
  quiet_start := inbox.clock(p.quiet_hours_start, '22:00');
  quiet_end := inbox.clock(p.quiet_hours_end, '08:00');
  switches := coalesce(p.notification_settings, '{}');
  email_on := coalesce(p.email_notifications, true) and coalesce(switches ->> 'email_enabled', 'true') <> 'false';
  push_on := coalesce(switches ->> 'push_enabled', 'true') <> 'false';
end $$;

-- off, immediate or daily: what a person chose for a type on a channel, within what they switched off altogether.
create function inbox.cadence(p_user uuid, t public.notification_types, p_channel text, p_settings record) returns text
  language plpgsql stable security definer set search_path = '' as $$
begin
  if t.class <> 'normal' then return 'immediate'; end if;
  if p_channel = 'email' and not p_settings.email_on or p_channel = 'push' and not p_settings.push_on then return 'off'; end if;
  if t.setting is not null and p_settings.switches ->> t.setting = 'false' then return 'off'; end if;
  return coalesce(
    (select c.cadence from public.notification_choices c
      where c.user_id = p_user and c.type = t.key and c.channel = p_channel and c.deleted_at is null),
    case p_channel when 'push' then t.push else t.email end);
end $$;

-- A mail that tells at once waits this long for the person to see it in the app.
create function inbox.patience(p_channel text, p_class text) returns interval language sql immutable
  return case when p_channel = 'email' and p_class = 'normal' then interval '2 minutes' else interval '0' end;

create function inbox.due(p_from timestamptz, p_cadence text, p_channel text, p_class text, s record) returns timestamptz
  language plpgsql stable set search_path = '' as $$
begin
  return inbox.goes_out_at(p_from + case p_cadence when 'immediate' then inbox.patience(p_channel, p_class) else interval '0' end,
    p_cadence, p_class <> 'normal', s.zone, s.daily, s.quiet, s.quiet_start, s.quiet_end);
end $$;

-- Tells a person something, in the caller's transaction: kept with the work or taken back with it. The same key tells
-- once. Nobody is told of what they did themselves (p_by). A fault here never refuses the work it tells of.
-- Returns the notification's id, or null when there was nothing to tell.
create function inbox.notify(
  p_user uuid, p_type text, p_key text, p_path text, p_params jsonb default '{}', p_subject uuid default null,
  p_organization uuid default null, p_by uuid default null
) returns uuid language plpgsql volatile security definer set search_path = '' as $$
declare
  t public.notification_types;
  s record;
  told uuid;
  channel text;
  chosen text;
begin
  if p_user is null or p_user = p_by then return null; end if;
  if p_organization is not null and not exists (
    select from public.organization_members m
    where m.organization_id = p_organization and m.user_id = p_user and m.deleted_at is null) then return null; end if;
  select * into strict t from public.notification_types n where n.key = p_type;
  insert into public.notifications (user_id, organization_id, type, module, key, subject_id, params, path)
    values (p_user, p_organization, p_type, t.module, p_key, p_subject, jsonb_strip_nulls(p_params), p_path)
    on conflict (user_id, key) do nothing returning id into told;
  if told is null then return null; end if;
  s := inbox.settings(p_user);
  foreach channel in array array['push', 'email'] loop
    chosen := inbox.cadence(p_user, t, channel, s);
    continue when chosen = 'off' or channel = 'push' and not exists (select from inbox.push_subscription b where b.user_id = p_user);
    insert into inbox.recipient (user_id) values (p_user) on conflict do nothing;
    insert into inbox.delivery (notification_id, user_id, channel, cadence, due_at)
      values (told, p_user, channel, chosen, inbox.due(now(), chosen, channel, t.class, s));
  end loop;
  return told;
exception
  when serialization_failure or deadlock_detected or lock_not_available then raise;
  when others then
    raise warning 'inbox: % was not told (%)', p_type, sqlstate;
    return null;
end $$;

-- What is settled needs no telling: marks it read for everybody it was told to, or for one person.
-- plpgsql keeps its plan: this runs with nearly every edit of an action item.
create function inbox.settled(p_subject uuid, p_types text[], p_user uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.notifications set is_read = true
  where subject_id = p_subject and type = any (p_types) and not is_read and deleted_at is null and (p_user is null or user_id = p_user);
end $$;

-- Read or removed in the app: what has not gone out yet stays here.
create function inbox.cancel_read() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update inbox.delivery set state = 'cancelled', settled_at = now() where notification_id = new.id and state = 'waiting';
  return null;
end $$;
create trigger d_cancel after update on notifications for each row
  when (new.is_read and not old.is_read or new.deleted_at is not null and old.deleted_at is null) execute function inbox.cancel_read();

-- Other choices or other hours: what waits follows them at once.
create function inbox.plan_again(p_user uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  s record := inbox.settings(p_user);
begin
  update inbox.delivery d
    set state = case when p.cadence = 'off' then 'cancelled' else 'waiting' end,
      settled_at = case when p.cadence = 'off' then now() end,
      cadence = case when p.cadence = 'off' then d.cadence else p.cadence end,
      due_at = case when p.cadence = 'off' then d.due_at else inbox.due(now(), p.cadence, d.channel, p.class, s) end
    from (select w.id, t.class, inbox.cadence(p_user, t, w.channel, s) as cadence
          from inbox.delivery w join public.notifications n on n.id = w.notification_id join public.notification_types t on t.key = n.type
          where w.user_id = p_user and w.state = 'waiting') p
    where d.id = p.id and d.state = 'waiting';
end $$;

create function inbox.choices_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_again(new.user_id);
  return null;
end $$;
create trigger d_plan after insert or update on notification_choices for each row execute function inbox.choices_changed();
create trigger d_plan_first after insert on user_preferences for each row execute function inbox.choices_changed();
create trigger d_plan after update on user_preferences for each row
  when ((old.email_notifications, old.notification_time, old.timezone, old.quiet_hours_enabled, old.quiet_hours_start, old.quiet_hours_end, old.notification_settings)
    is distinct from (new.email_notifications, new.notification_time, new.timezone, new.quiet_hours_enabled, new.quiet_hours_start, new.quiet_hours_end, new.notification_settings))
  execute function inbox.choices_changed();

-- Takes what may go out now on one channel. A row is handed out once: it leaves `sending` only by inbox.settle.
create function inbox.claim(p_channel text, p_now timestamptz default now(), p_people integer default 50)
  returns table (delivery uuid, person uuid, cadence text, email text, language text, zone text,
    notification uuid, type text, module text, class text, private boolean, params jsonb, path text, told_at timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  people uuid[];
  taken constant uuid := gen_random_uuid();
begin
  select array_agg(locked.user_id) into people from (
    select r.user_id from inbox.recipient r
    where r.user_id in (select d.user_id from inbox.delivery d where d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now)
    limit p_people for update skip locked) locked;
  if people is null then return; end if;
  -- Who left the organisation since is not told of it any more.
  update inbox.delivery d set state = 'cancelled', settled_at = now()
    from public.notifications n
    where d.notification_id = n.id and d.user_id = any (people) and d.state = 'waiting' and n.organization_id is not null
      and not exists (select from public.organization_members m
        where m.organization_id = n.organization_id and m.user_id = n.user_id and m.deleted_at is null);
  update inbox.delivery d set state = 'sending', claim = taken, claimed_at = now(), attempts = d.attempts + 1
    where d.user_id = any (people) and d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now;
  return query
    select d.id, d.user_id, d.cadence, u.email::text, s.language, s.zone, n.id, n.type, n.module, t.class, t.private, n.params, n.path, n.created_at
    from inbox.delivery d
    join public.notifications n on n.id = d.notification_id
    join public.notification_types t on t.key = n.type
    join auth.users u on u.id = d.user_id
    cross join lateral inbox.settings(d.user_id) s
    where d.claim = taken order by d.user_id, n.created_at, n.id;
end $$;

-- What became of claimed rows. `again` gives them back, later each time, at most five times: only for what surely did
-- not go out.
create function inbox.settle(p_deliveries uuid[], p_outcome text, p_error text default null) returns void
  language sql volatile security definer set search_path = '' as $$
  update inbox.delivery set
    state = case when p_outcome = 'sent' then 'sent' when p_outcome = 'again' and attempts < 5 then 'waiting' else 'failed' end,
    due_at = case when p_outcome = 'again' then now() + interval '1 minute' * 4 ^ (attempts - 1) else due_at end,
    settled_at = case when p_outcome = 'again' and attempts < 5 then null else now() end,
    error = p_error
  where id = any (p_deliveries) and state = 'sending'
$$;

-- Push subscriptions: a browser's own, for as long as the sign-in that asked for them lives.
create function save_push_subscription(p_endpoint text, p_p256dh text, p_auth text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'save_push_subscription needs a signed-in person' using errcode = '42501'; end if;
  -- Who holds the address is at that browser: it changes hands with it.
  insert into inbox.push_subscription (endpoint, user_id, session_id, p256dh, auth)
    values (p_endpoint, auth.uid(), (auth.jwt() ->> 'session_id')::uuid, p_p256dh, p_auth)
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, created_at = now();
  -- Old browsers are forgotten first.
  delete from inbox.push_subscription b where b.user_id = auth.uid() and b.endpoint not in (
    select k.endpoint from inbox.push_subscription k where k.user_id = auth.uid() order by k.created_at desc limit 20);
  return true;
end $$;

create function remove_push_subscription(p_endpoint text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'remove_push_subscription needs a signed-in person' using errcode = '42501'; end if;
  delete from inbox.push_subscription where endpoint = p_endpoint and user_id = auth.uid();
  return found;
end $$;

create function inbox.push_targets(p_user uuid) returns table (endpoint text, p256dh text, auth text)
  language sql stable security definer set search_path = '' as $$
  select b.endpoint, b.p256dh, b.auth from inbox.push_subscription b
  where b.user_id = p_user and (b.session_id is null or exists (
    select from auth.sessions s where s.id = b.session_id and (s.not_after is null or s.not_after > now())))
$$;

create function inbox.forget_push(p_endpoint text) returns void language sql volatile security definer set search_path = '' as $$
  delete from inbox.push_subscription where endpoint = p_endpoint
$$;

revoke execute on all functions in schema inbox from public;
revoke execute on function save_push_subscription(text, text, text), remove_push_subscription(text) from public, anon, authenticated, service_role;
grant execute on function save_push_subscription(text, text, text), remove_push_subscription(text) to authenticated;
