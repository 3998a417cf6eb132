-- Notifications: functions.

set local check_function_bodies = off;   -- what they call may be made later

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
create function inbox.send_time(
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
-- In the language of `inbox.language`; `text_on`: text messages are wanted, and can be sent.
create function inbox.settings(
  p_user uuid, out zone text, out language text, out daily time, out quiet boolean, out quiet_start time, out quiet_end time,
  out email_on boolean, out push_on boolean, out switches jsonb, out text_on boolean
) language plpgsql stable security definer set search_path = '' as $$
declare
  p public.user_preferences;
begin
  select * into p from public.user_preferences u where u.user_id = p_user and u.deleted_at is null;
  zone := inbox.zone(coalesce(p.timezone, 'UTC'));
  language := inbox.language(p_user);
  daily := inbox.clock(p.notification_time, '09:00');
  quiet := coalesce(p.quiet_hours_enabled, false);
  quiet_start := inbox.clock(p.quiet_hours_start, '22:00');
  quiet_end := inbox.clock(p.quiet_hours_end, '08:00');
  switches := coalesce(p.notification_settings, '{}');
  email_on := coalesce(p.email_notifications, true) and coalesce(switches ->> 'email_enabled', 'true') <> 'false';
  push_on := coalesce(switches ->> 'push_enabled', 'true') <> 'false';
  text_on := coalesce(p.text_notifications, false)
    and exists (select from inbox.server_channel c where c.channel = 'text' and c.is_on)
    and inbox.text_number(p_user) is not null;
end $$;

-- off, immediate or daily: what a person chose for a type on a channel, within what they switched off altogether.
-- A text message costs somebody money: it comes only to who wants them, and for what they are told at once.
create function inbox.cadence(p_user uuid, t public.notification_types, p_channel text, p_settings record) returns text
  language plpgsql stable security definer set search_path = '' as $$
declare
  chosen text;
begin
  if p_channel = 'text' and not p_settings.text_on then return 'off'; end if;
  if t.class <> 'normal' then return 'immediate'; end if;
  if p_channel = 'email' and not p_settings.email_on or p_channel = 'push' and not p_settings.push_on then return 'off'; end if;
  if t.setting is not null and p_settings.switches ->> t.setting = 'false' then return 'off'; end if;
  chosen := coalesce(
    (select c.cadence from public.notification_choices c
      where c.user_id = p_user and c.type = t.key and c.deleted_at is null
        and c.channel = case p_channel when 'text' then 'push' else p_channel end),
    case p_channel when 'email' then t.email else t.push end);
  return case when p_channel = 'text' and chosen <> 'immediate' then 'off' else chosen end;
end $$;

-- A mail or a text message that tells at once waits this long for the person to see it in the app.
create function inbox.delivery_delay(p_channel text, p_class text) returns interval language sql immutable
  return case when p_channel in ('email', 'text') and p_class = 'normal' then interval '2 minutes' else interval '0' end;

create function inbox.due(p_from timestamptz, p_cadence text, p_channel text, p_class text, s record) returns timestamptz
  language plpgsql stable set search_path = '' as $$
begin
  return inbox.send_time(p_from + case p_cadence when 'immediate' then inbox.delivery_delay(p_channel, p_class) else interval '0' end,
    p_cadence, p_class <> 'normal', s.zone, s.daily, s.quiet, s.quiet_start, s.quiet_end);
end $$;

-- Whether a text message may still go to this person's number: each costs the operator money, and one account must not take everybody's.
-- As codes are counted (auth-limits.ts). What is not sent stands in the inbox, and goes by mail.
create function inbox.has_text_room(p_user uuid) returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  per_ten_minutes constant integer := 10;     -- of a person, who has one number
  per_day         constant integer := 30;     -- of a person
  per_hour_of_all constant integer := 300;
begin
  return (select count(*) from inbox.delivery d
      where d.channel = 'text' and d.user_id = p_user and d.created_at > now() - interval '10 minutes') < per_ten_minutes
    and (select count(*) from inbox.delivery d
      where d.channel = 'text' and d.user_id = p_user and d.created_at > now() - interval '1 day') < per_day
    and (select count(*) from inbox.delivery d
      where d.channel = 'text' and d.created_at > now() - interval '1 hour') < per_hour_of_all;
end $$;

-- Tells a person something, in the caller's transaction: kept with the work or taken back with it. The same key tells
-- once. Nobody is told of what they did themselves (p_by), nor of a row they may not read, nor of an organisation whose membership
-- ended by the clock (access.is_member). A fault here never refuses the work it tells of. By text message too.
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
  row_scopes text[];
begin
  if p_user is null or p_user = p_by then return null; end if;
  if p_organization is not null and not access.is_member(p_organization, p_user) then return null; end if;
  row_scopes := inbox.subject_scopes(p_type, p_subject);
  if p_organization is not null and row_scopes is not null
    and not access.user_sees_scopes(p_user, p_organization, row_scopes) then return null; end if;
  select * into strict t from public.notification_types n where n.key = p_type;
  insert into public.notifications (user_id, organization_id, type, module, key, subject_id, params, path)
    values (p_user, p_organization, p_type, t.module, p_key, p_subject, jsonb_strip_nulls(inbox.on_one_line(p_params)), p_path)
    on conflict (user_id, key) do nothing returning id into told;
  if told is null then return null; end if;
  s := inbox.settings(p_user);
  foreach channel in array array['push', 'email', 'text'] loop
    chosen := inbox.cadence(p_user, t, channel, s);
    continue when chosen = 'off' or channel = 'push' and not exists (select from inbox.push_subscription b where b.user_id = p_user);
    continue when channel = 'text' and not inbox.has_text_room(p_user);
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
create function inbox.mark_resolved_read(p_subject uuid, p_types text[], p_user uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.notifications set is_read = true
  where subject_id = p_subject and type = any (p_types) and not is_read and deleted_at is null and (p_user is null or user_id = p_user);
end $$;

-- Other choices or other hours: what waits follows them at once.
create function inbox.plan_again(p_user uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  s record := inbox.settings(p_user);
begin
  update inbox.delivery d
    set state = case when p.cadence = 'off' then 'cancelled' else 'waiting' end,
      finished_at = case when p.cadence = 'off' then now() end,
      cadence = case when p.cadence = 'off' then d.cadence else p.cadence end,
      due_at = case when p.cadence = 'off' then d.due_at else inbox.due(now(), p.cadence, d.channel, p.class, s) end
    from (select w.id, t.class, inbox.cadence(p_user, t, w.channel, s) as cadence
          from inbox.delivery w join public.notifications n on n.id = w.notification_id join public.notification_types t on t.key = n.type
          where w.user_id = p_user and w.state = 'waiting') p
    where d.id = p.id and d.state = 'waiting';
end $$;

-- Takes what may go out now on one channel. A row is handed out once: it leaves `sending` only by inbox.record_delivery.
-- With `p_one` of each person only what makes one mail: the oldest of what is told at once, and where there is none, the
-- digest, of 500 lines at most. With the number text messages go to.
create function inbox.claim(p_channel text, p_now timestamptz default now(), p_people integer default 50, p_one boolean default false)
  returns table (delivery uuid, person uuid, cadence text, email text, phone text, language text, zone text,
    notification uuid, type text, module text, class text, private boolean, params jsonb, path text, told_at timestamptz)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  people uuid[];
  taken constant uuid := gen_random_uuid();
begin
  -- Whose every notice was cancelled gets no mail; the next one may.
  loop
    select array_agg(locked.user_id) into people from (
      select r.user_id from inbox.recipient r
      where r.user_id in (select d.user_id from inbox.delivery d where d.state = 'waiting' and d.channel = p_channel and d.due_at <= p_now)
      order by r.served_at, r.user_id limit p_people for update skip locked) locked;
    exit when people is null;
    update inbox.recipient r set served_at = clock_timestamp() where r.user_id = any (people);
    -- Who left the organisation since is not told of it any more. Asked once for each of their organisations, not for each row.
    update inbox.delivery d set state = 'cancelled', finished_at = now()
      from public.notifications n, (
        select x.user_id, x.organization_id from (
          select distinct w.user_id, n.organization_id from inbox.delivery w join public.notifications n on n.id = w.notification_id
          where w.user_id = any (people) and w.state = 'waiting' and n.organization_id is not null offset 0) x
        where not access.is_member(x.organization_id, x.user_id)) gone
      where d.notification_id = n.id and d.state = 'waiting' and d.user_id = gone.user_id and n.organization_id = gone.organization_id;
    with due as (
      select w.id, w.cadence,
        row_number() over (partition by w.user_id, w.cadence = 'daily' order by w.created_at, w.id) as nth,
        bool_or(w.cadence <> 'daily') over (partition by w.user_id) as has_sooner
      from inbox.delivery w
      where w.user_id = any (people) and w.state = 'waiting' and w.channel = p_channel and w.due_at <= p_now
    )
    update inbox.delivery d set state = 'sending', claim = taken, claimed_at = now(), attempts = d.attempts + 1
      from due where d.id = due.id and (not p_one
        or due.has_sooner and due.cadence <> 'daily' and due.nth = 1
        or not due.has_sooner and due.nth <= 500);
    exit when found;
  end loop;
  return query
    select d.id, d.user_id, d.cadence, u.email::text, inbox.text_number(u.id), s.language, s.zone, n.id, n.type, n.module, t.class,
      t.private, n.params, n.path, n.created_at
    from inbox.delivery d
    join public.notifications n on n.id = d.notification_id
    join public.notification_types t on t.key = n.type
    join auth.users u on u.id = d.user_id
    cross join lateral inbox.settings(d.user_id) s
    where d.claim = taken and d.state = 'sending' order by d.user_id, n.created_at, n.id;
end $$;

-- What became of claimed rows. `again` gives them back, later each time, at most five times: only for what surely did
-- not go out.
create function inbox.record_delivery(p_deliveries uuid[], p_outcome text, p_error text default null) returns void
  language sql volatile security definer set search_path = '' as $$
  update inbox.delivery set
    state = case when p_outcome = 'sent' then 'sent' when p_outcome = 'again' and attempts < 5 then 'waiting' else 'failed' end,
    due_at = case when p_outcome = 'again' then now() + interval '1 minute' * 4 ^ (attempts - 1) else due_at end,
    finished_at = case when p_outcome = 'again' and attempts < 5 then null else now() end,
    error = p_error
  where id = any (p_deliveries) and state = 'sending'
$$;

-- Push subscriptions: a browser's own, for as long as the sign-in that asked for them lives.
create function save_push_subscription(p_endpoint text, p_p256dh text, p_auth text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  if auth.uid() is null then raise exception 'save_push_subscription needs a signed-in person' using errcode = '42501', detail = 'CN081'; end if;
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
  if auth.uid() is null then raise exception 'remove_push_subscription needs a signed-in person' using errcode = '42501', detail = 'CN082'; end if;
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

create function inbox.name_of(p_user uuid) returns text language sql stable security definer set search_path = '' as $$
  select p.display_name from public.people p where p.id = p_user
$$;

-- Members of an organisation who hold a permission and see the place.
-- A permission for every place is one for the sites of who is limited to sites.
create function inbox.people_with(p_permission text, p_organization uuid, p_site uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and access.is_member(m.organization_id, m.user_id)
    and exists (select from public.role_permissions r
      where r.role_kind = 'organization' and r.role = m.role and r.permission = p_permission and r.deleted_at is null)
    and (p_site is null
      or exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null)
      or not m.site_limited and exists (select from public.role_permissions r
        where r.role_kind = 'organization' and r.role = m.role and r.permission = 'place.all' and r.deleted_at is null))
$$;

create function inbox.sweep(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
  ends timestamptz;
begin
  -- For a day: who is back by then is told after all.
  delete from inbox.sweep_mark where swept_at < now() - interval '1 day';
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key,
      row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
    from public.action_items i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told) w
    cross join lateral (select case when i.due_at <= p_now then 'action.overdue' else 'action.due_soon' end as type) t
    cross join lateral (select t.type, 'action/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and w.told is not null and i.status not in ('closed', 'risk_accepted', 'duplicate', 'not_valid')
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + interval '24 hours'
      -- Whoever set a date within the day knows.
      and (i.due_at <= p_now or i.created_at < i.due_at - interval '24 hours')
      and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || w.told::text)
    order by turn, i.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when a.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'action.overdue' then perform inbox.mark_resolved_read(a.id, array['action.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/action-items/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
  -- Claimed by a server that died: it may have gone out, so it does not go again.
  update inbox.delivery set state = 'failed', finished_at = p_now, error = 'unknown' where state = 'sending' and claimed_at < p_now - interval '10 minutes';
  update public.notifications set deleted_at = p_now where deleted_at is null and created_at < p_now - interval '90 days';
  delete from public.notifications where created_at < p_now - interval '180 days';
end $$;

-- Who an occurrence is for: the person, the team, or who does inspections at its place.
create function inbox.occurrence_people(i public.inspections) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select i.assigned_to where i.assigned_to is not null
  union select m.user_id from public.team_members m where i.assigned_to is null and m.team_id = i.assigned_team and m.deleted_at is null
  union select m.user_id from public.site_members m
    where i.assigned_to is null and i.assigned_team is null and m.site_id = i.site_id and m.deleted_at is null
$$;

create function inbox.orphaned_edits_decided(p_organization uuid, p_user uuid, p_type text) returns void
  language sql volatile security definer set search_path = '' as $$
  select inbox.notify(p_user, p_type, p_type || '/' || p_organization::text || '/' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD'),
    '/sync', (select jsonb_build_object('organization', o.name) from public.organizations o where o.id = p_organization))
$$;

-- By the clock. Soon: at nine o'clock of its day, or an hour before its time; not to whoever set the date later than that.
create function inbox.sweep_tasks(p_now timestamptz default now()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  a record;
  ends timestamptz;
begin
  for a in
    select i.id, i.organization_id, i.title, i.due_at, w.told, k.type, k.key,
      row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
    from public.tasks i
    cross join lateral (select coalesce(i.assignee_id, i.created_by) as told, case when i.due_time is null then interval '15 hours' else interval '1 hour' end as ahead) w
    cross join lateral (select case when i.due_at <= p_now then 'task.overdue' else 'task.due_soon' end as type) t
    cross join lateral (select t.type, 'task/' || i.id::text || '/' || t.type || '/' || extract(epoch from i.due_at)::text as key) k
    where i.deleted_at is null and i.status not in ('done', 'not_applicable', 'cancelled') and w.told is not null
      -- Not what has long been late: a first sweep would flood.
      and i.due_at > p_now - interval '7 days' and i.due_at <= p_now + w.ahead
      and (i.due_at <= p_now or i.created_at < i.due_at - w.ahead)
      and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || w.told::text)
    order by turn, i.due_at limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when a.turn > 1 and clock_timestamp() > ends;
    perform inbox.note_swept(a.key, a.told);
    if a.type = 'task.overdue' then perform inbox.mark_resolved_read(a.id, array['task.due_soon']); end if;
    perform inbox.notify(a.told, a.type, a.key, '/tasks/' || a.id::text,
      jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
  end loop;
end $$;

-- Until when a person's reminders wait; null where they do not.
create function inbox.quiet_until(p_user uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select w.quiet_until from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null
$$;

-- When clocks in a zone last showed a time, if that was within two hours; a reminder that is later than that is none.
create function inbox.last_occurrence_at(p_now timestamptz, p_zone text, p_clock text) returns timestamptz
  language sql stable set search_path = '' as $$
  select n.at from (select inbox.next_local(p_now - interval '2 hours', p_zone, p_clock::time) as at) n where n.at <= p_now
$$;

-- Who is told at a step: who has it and who made it; who manages action items there; who manages the organisation.
create function inbox.escalation_people(a public.action_items, p_step integer) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select distinct p from (
    select unnest(array[a.assignee_id, a.created_by]) as p where p_step = 1
    union all select inbox.people_with('action.manage', a.organization_id, a.site_id) where p_step = 2
    union all select inbox.people_with('people.manage', a.organization_id, null) where p_step = 3) x
  where p is not null
$$;

-- By the clock, in portions: delays climb, risks run out, and it is time to look whether something worked. Each is told once.
create function inbox.sweep_actions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r record;
  a public.action_items;
  person uuid;
  step integer;
  due_check text;
  done integer := 0;
  ends timestamptz;
begin
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.due_at, row_number() over (partition by i.organization_id order by i.due_at, i.id) as turn
      from public.action_items i join public.organizations o on o.id = i.organization_id and o.kind <> 'private'
      where i.deleted_at is null and not inbox.action_ended(i.status) and i.escalation < 3
        -- Not what has long been late: a first sweep would flood.
        and i.due_at > p_now - interval '60 days' and i.due_at <= p_now - interval '1 day'
        and action.escalation_of(i.priority, p_now - i.due_at) > i.escalation) t on t.id = i.id
    where action.escalation_of(i.priority, p_now - i.due_at) > i.escalation
    order by t.turn, t.due_at limit p_limit for update of i skip locked
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    for step in a.escalation + 1 .. action.escalation_of(a.priority, p_now - a.due_at) loop
      for person in select inbox.escalation_people(a, step) loop
        perform inbox.notify(person, 'action.escalated', 'action/' || a.id::text || '/escalated/' || step::text || '/' || extract(epoch from a.due_at)::text,
          '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.due_at), a.id, a.organization_id);
      end loop;
    end loop;
    update public.action_items set escalation = action.escalation_of(a.priority, p_now - a.due_at) where id = a.id;
    done := done + 1;
  end loop;
  ends := null;
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.risk_until, row_number() over (partition by i.organization_id order by i.risk_until, i.id) as turn
      from public.action_items i where i.status = 'risk_accepted' and i.deleted_at is null and i.risk_until < p_now::date) t on t.id = i.id
    where i.status = 'risk_accepted' order by t.turn, t.risk_until limit p_limit for update of i skip locked
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    update public.action_items set status = 'open', closed_at = null, closed_by = null, risk_until = null, risk_reason = null where id = a.id;
    for person in select distinct p from unnest(array[a.assignee_id, a.created_by, a.closed_by]) p where p is not null loop
      perform inbox.notify(person, 'action.risk_ended', 'action/' || a.id::text || '/risk_ended/' || a.risk_until::text, '/action-items/' || a.id::text,
        jsonb_build_object('title', a.title), a.id, a.organization_id);
    end loop;
    done := done + 1;
  end loop;
  ends := null;
  for r in
    select i as item, t.turn from public.action_items i join (
      select i.id, i.check_on, row_number() over (partition by i.organization_id order by i.check_on, i.id) as turn
      from public.action_items i
      where i.status = 'closed' and i.outcome is null and i.deleted_at is null and i.check_on <= p_now::date and i.check_on > p_now::date - 60
        and coalesce(i.closed_by, i.created_by) is not null and not exists (select from inbox.sweep_mark x
          where x.key = 'action/' || i.id::text || '/check/' || i.check_on::text || ' ' || coalesce(i.closed_by, i.created_by)::text)) t on t.id = i.id
    order by t.turn, t.check_on limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when r.turn > 1 and clock_timestamp() > ends;
    a := r.item;
    due_check := 'action/' || a.id::text || '/check/' || a.check_on::text;
    perform inbox.note_swept(due_check, coalesce(a.closed_by, a.created_by));
    perform inbox.notify(coalesce(a.closed_by, a.created_by), 'action.check_due', due_check,
      '/action-items/' || a.id::text, jsonb_build_object('title', a.title, 'due', a.check_on), a.id, a.organization_id);
    done := done + 1;
  end loop;
  return done;
end $$;

-- Who reads the row that a notification of this type is about; null where it is about none of these.
-- A request is told to who sees it.
create function inbox.subject_scopes(p_type text, p_subject uuid) returns text[]
  language sql stable security definer set search_path = '' return
  case split_part(p_type, '.', 1)
    when 'action' then (select a.scopes from public.action_items a where a.id = p_subject)
    when 'inspection' then (select i.scopes from public.inspections i where i.id = p_subject)
    when 'issue' then (select r.scopes from public.issue_reports r where r.id = p_subject)
    when 'task' then coalesce((select t.scopes from public.tasks t where t.id = p_subject),
      (select s.scopes from public.task_series s where s.id = p_subject))
    when 'policy' then (select p.scopes from public.policies p where p.id = p_subject)
    when 'evidence' then (select e.scopes from public.evidence e where e.id = p_subject)
    when 'finding' then (select f.scopes from public.findings f where f.id = p_subject)
    when 'approval' then (select r.scopes from public.approval_requests r where r.id = p_subject)
  end;

-- Who begins to be away while something waits for them: their deputy is told then, and who is back and still asked is told again.
-- By the clock, each of them once a request, stage and person asked.
create function inbox.sweep_approvals(p_limit integer default 200) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  w record;
  r public.approval_requests;
  p record;
  here integer;
  done integer := 0;
  seen text[] := '{}';
  is_short boolean := false;
  ends timestamptz;
begin
  for w in
    select q as item, k.key, row_number() over (partition by q.organization_id order by x.swept_at nulls first, q.created_at, q.id) as turn
    from public.approval_requests q
    cross join lateral (select 'turn/approval/' || q.id::text as key) k
    left join inbox.sweep_mark x on x.key = k.key
    where q.state = 'pending' and q.deleted_at is null
    order by turn, x.swept_at nulls first, q.created_at
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    is_short := done >= p_limit or w.turn > 1 and clock_timestamp() > ends;
    exit when is_short;
    seen := seen || w.key;
    r := w.item;
    here := 0;
    for p in
      select t.told, k.key
      from inbox.people_of_approval(r) t
      cross join lateral (select 'approval/' || r.id::text || '/' || r.stage::text || '/' || t.asked::text as key) k
      where access.is_member(r.organization_id, t.told) and (t.asked is distinct from r.requested_by or t.told is distinct from t.asked)
        and not exists (select from inbox.sweep_mark x where x.key = k.key || ' ' || t.told::text)
        and not exists (select from public.approval_decisions d
          where d.request_id = r.id and d.stage = r.stage and d.approver_id = t.asked and d.deleted_at is null)
      order by t.told limit p_limit - done
    loop
      exit when here > 0 and clock_timestamp() > ends;
      perform inbox.note_swept(p.key, p.told);
      perform inbox.notify(p.told, 'approval.requested', p.key, r.path, jsonb_build_object('title', r.title, 'by', inbox.name_of(r.requested_by)),
        r.id, r.organization_id);
      here := here + 1;
      done := done + 1;
    end loop;
  end loop;
  if is_short or clock_timestamp() > ends then perform inbox.note_turns(seen); end if;
  return done;
end $$;

create function inbox.sweep_deadline() returns timestamptz language sql volatile set search_path = '' as $$
  select clock_timestamp() + interval '2 seconds'
$$;

create function inbox.note_swept(p_key text, p_user uuid) returns void language sql volatile security definer set search_path = '' as $$
  insert into inbox.sweep_mark (key, user_id) values (p_key || ' ' || p_user::text, p_user) on conflict do nothing
$$;

-- The language a person is written to in: the one they chose, else that of their sign-up.
create function inbox.language(p_user uuid) returns text language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select p.language from public.user_preferences p where p.user_id = p_user and p.deleted_at is null and p.locale_chosen),
    (select substring(u.raw_user_meta_data ->> 'locale' from '^[a-z]{2}(?:-[A-Z]{2})?$') from auth.users u where u.id = p_user),
    'en')
$$;

-- The number text messages go to: nobody's word but a code that came back from it makes it theirs.
create function inbox.text_number(p_user uuid) returns text language sql stable security definer set search_path = '' as $$
  select u.phone::text from auth.users u where u.id = p_user and u.phone_confirmed_at is not null and u.phone <> ''
$$;

-- With each start the server says whether it can send text messages. What waits for a provider that is gone is not sent later.
create function inbox.set_text(p_on boolean) returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into inbox.server_channel (channel, is_on) values ('text', p_on)
    on conflict (channel) do update set is_on = excluded.is_on;
  if not p_on then
    update inbox.delivery set state = 'cancelled', finished_at = now() where channel = 'text' and state = 'waiting';
  end if;
end $$;

create function inbox.on_one_line(p_params jsonb) returns jsonb
  language sql immutable parallel safe set search_path = '' as $$
  select coalesce(jsonb_object_agg(p.key, case jsonb_typeof(p.value)
    when 'string' then to_jsonb(nullif(content.one_line(p.value #>> '{}', 1000), '')) else p.value end), '{}')
  from jsonb_each(p_params) p
$$;

create function inbox.plan_reminder(p_kind text, p_subject uuid, p_user uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into inbox.reminder as r (kind, subject_id, user_id) values (p_kind, p_subject, p_user)
    on conflict (kind, subject_id, user_id) do update set next_at = '-infinity' where r.next_at > '-infinity'
$$;

-- The time of day of a reminder, HH:MM; null where there is nothing to remind of any more.
create function inbox.reminder_clock(p_kind text, p_subject uuid, p_user uuid, p_daily time) returns text
  language sql stable security definer set search_path = '' as $$
  select case p_kind
    when 'habit' then (select h.remind_at from public.habits h
      where h.id = p_subject and h.user_id = p_user and h.deleted_at is null and h.archived_at is null)
    when 'check_in' then (select w.check_in_at from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null)
    when 'look' then (select coalesce((select w.check_in_at from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null), p_daily::text)
      where exists (select from public.forms f join public.organizations o on o.id = f.organization_id and o.kind = 'private' and o.deleted_at is null
        where o.created_by = p_user and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null))
    else (select p_daily::text from public.circle_relationships r
      where r.id = p_subject and p_user in (r.subject_id, r.helper_id) and r.cadence_days is not null and r.state = 'active' and r.deleted_at is null) end
$$;

-- The person's day on which a reminder struck within two hours, or null; plans the next one. In quiet mode it waits for its end.
create function inbox.strike(p_kind text, p_subject uuid, p_user uuid, p_now timestamptz) returns date
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s constant record := inbox.settings(p_user);
  clock constant text := inbox.reminder_clock(p_kind, p_subject, p_user, s.daily);
  quiet constant timestamptz := inbox.quiet_until(p_user);
  struck timestamptz;
  following timestamptz;
begin
  if clock is null then
    delete from inbox.reminder r where r.kind = p_kind and r.subject_id = p_subject and r.user_id = p_user;
    return null;
  end if;
  struck := inbox.last_occurrence_at(p_now, s.zone, clock);
  following := inbox.next_local(p_now + interval '1 second', s.zone, clock::time);
  update inbox.reminder r set next_at = case when struck is not null and quiet > p_now then least(quiet, following) else following end
    where r.kind = p_kind and r.subject_id = p_subject and r.user_id = p_user;
  return case when coalesce(quiet <= p_now, true) then (struck at time zone s.zone)::date end;
end $$;

-- Whose time has come, one of each person first.
create function inbox.due_reminders(p_kind text, p_now timestamptz, p_limit integer) returns table (subject_id uuid, user_id uuid, turn bigint)
  language sql stable security definer set search_path = '' as $$
  select d.subject_id, d.user_id, d.turn from (
    select r.subject_id, r.user_id, r.next_at, row_number() over (partition by r.user_id order by r.next_at, r.subject_id) as turn
    from inbox.reminder r where r.kind = p_kind and r.next_at <= p_now) d
  order by d.turn, d.next_at, d.user_id limit p_limit
$$;

-- What a round had no time for comes first in the next one.
create function inbox.note_turns(p_keys text[]) returns void language sql volatile security definer set search_path = '' as $$
  insert into inbox.sweep_mark (key, swept_at) select k, clock_timestamp() from unnest(p_keys) k
    on conflict (key) do update set swept_at = excluded.swept_at
$$;

-- Who is told of a request, and in whose place: whoever was asked, or those who stand in for them.
-- Who is told for whom that a stage waits: the deputies who may decide themselves, else whoever was asked.
create function inbox.people_of_approval(r public.approval_requests) returns table (asked uuid, told uuid)
  language sql stable security definer set search_path = '' as $$
  with able as materialized (select h as person from approval.holders(r.permission, r.organization_id) h),
  deputies as materialized (
    select distinct d.from_id, d.to_id from public.approval_delegations d
    where d.organization_id = r.organization_id and d.from_id in (select approval.people_of_stage(r)) and d.deleted_at is null and d.revoked_at is null
      and now() >= d.starts_at and now() < d.ends_at and access.has_enterprise_plan(r.organization_id)
      and d.from_id in (select person from able) and d.to_id in (select person from able)
      and d.to_id is distinct from r.requested_by and approval.sees_subject(r, d.to_id))
  select p, coalesce(d.to_id, p) from approval.people_of_stage(r) p left join deputies d on d.from_id = p
$$;

-- Who may call what.
revoke execute on function inbox.zone(text), inbox.clock(text, time without time zone),
  inbox.next_local(timestamp with time zone, text, time without time zone),
  inbox.is_quiet(timestamp with time zone, text, time without time zone, time without time zone),
  inbox.send_time(timestamp with time zone, text, boolean, text, time without time zone, boolean, time without time zone, time without time zone),
  inbox.settings(uuid), inbox.cadence(uuid, public.notification_types, text, record), inbox.delivery_delay(text, text),
  inbox.due(timestamp with time zone, text, text, text, record), inbox.notify(uuid, text, text, text, jsonb, uuid, uuid, uuid),
  inbox.mark_resolved_read(uuid, text[], uuid), inbox.plan_again(uuid), inbox.claim(text, timestamp with time zone, integer, boolean),
  inbox.record_delivery(uuid[], text, text), inbox.push_targets(uuid), inbox.forget_push(text), inbox.name_of(uuid), inbox.people_with(text, uuid, uuid),
  inbox.sweep(timestamp with time zone), inbox.occurrence_people(public.inspections), inbox.orphaned_edits_decided(uuid, uuid, text),
  inbox.sweep_tasks(timestamp with time zone), inbox.quiet_until(uuid), inbox.last_occurrence_at(timestamp with time zone, text, text),
  inbox.escalation_people(public.action_items, integer), inbox.sweep_actions(timestamp with time zone, integer), inbox.subject_scopes(text, uuid),
  inbox.sweep_approvals(integer), inbox.sweep_deadline(), inbox.note_swept(text, uuid), inbox.language(uuid), inbox.text_number(uuid),
  inbox.set_text(boolean), inbox.on_one_line(jsonb), inbox.plan_reminder(text, uuid, uuid),
  inbox.reminder_clock(text, uuid, uuid, time without time zone), inbox.strike(text, uuid, uuid, timestamp with time zone),
  inbox.due_reminders(text, timestamp with time zone, integer), inbox.note_turns(text[]), inbox.people_of_approval(public.approval_requests) from public;
revoke execute on function save_push_subscription(text, text, text), remove_push_subscription(text) from public, anon, service_role;
