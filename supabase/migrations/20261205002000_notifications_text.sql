-- Notifications by text message (docs/decisions/0788-text-messages.md): what a person is told at once by push is also sent to the number
-- they confirmed, if they chose so and this installation's server has an SMS provider.

-- Ways out that depend on the server; it says with each start which it has.
create table inbox.server_channel (
  channel text primary key check (channel = 'text'),
  is_on   boolean not null
);
-- The server's alone: no grant, and no policy lets anybody in.
alter table inbox.server_channel enable row level security;

alter table inbox.delivery drop constraint delivery_channel_check;
alter table inbox.delivery add constraint delivery_channel_check check (channel in ('push', 'email', 'text'));

-- The number text messages go to: nobody's word but a code that came back from it makes it theirs.
create function inbox.text_number(p_user uuid) returns text language sql stable security definer set search_path = '' as $$
  select u.phone::text from auth.users u where u.id = p_user and u.phone_confirmed_at is not null and u.phone <> ''
$$;

drop function inbox.settings(uuid);
-- As before, in the language of `inbox.language`; `text_on`: text messages are wanted, and can be sent.
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

-- As before; a text message costs somebody money: it comes only to who wants them, and for what they are told at once.
create or replace function inbox.cadence(p_user uuid, t public.notification_types, p_channel text, p_settings record) returns text
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
create or replace function inbox.patience(p_channel text, p_class text) returns interval language sql immutable
  return case when p_channel in ('email', 'text') and p_class = 'normal' then interval '2 minutes' else interval '0' end;

-- As before, by text message too.
create or replace function inbox.notify(
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
  if p_organization is not null and not sync.is_member(p_organization, p_user) then return null; end if;
  row_scopes := inbox.subject_scopes(p_type, p_subject);
  if p_organization is not null and row_scopes is not null
    and not sync.sees(p_user, p_organization, row_scopes) then return null; end if;
  select * into strict t from public.notification_types n where n.key = p_type;
  insert into public.notifications (user_id, organization_id, type, module, key, subject_id, params, path)
    values (p_user, p_organization, p_type, t.module, p_key, p_subject, jsonb_strip_nulls(p_params), p_path)
    on conflict (user_id, key) do nothing returning id into told;
  if told is null then return null; end if;
  s := inbox.settings(p_user);
  foreach channel in array array['push', 'email', 'text'] loop
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

drop trigger d_plan on user_preferences;
create trigger d_plan after update on user_preferences for each row
  when ((old.email_notifications, old.text_notifications, old.notification_time, old.timezone, old.quiet_hours_enabled, old.quiet_hours_start, old.quiet_hours_end, old.notification_settings)
    is distinct from (new.email_notifications, new.text_notifications, new.notification_time, new.timezone, new.quiet_hours_enabled, new.quiet_hours_start, new.quiet_hours_end, new.notification_settings))
  execute function inbox.choices_changed();

-- With each start the server says whether it can send text messages. What waits for a provider that is gone is not sent later.
create function inbox.set_text(p_on boolean) returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into inbox.server_channel (channel, is_on) values ('text', p_on)
    on conflict (channel) do update set is_on = excluded.is_on;
  if not p_on then
    update inbox.delivery set state = 'cancelled', settled_at = now() where channel = 'text' and state = 'waiting';
  end if;
end $$;

drop function inbox.claim(text, timestamptz, integer, boolean);
-- As before, with the number text messages go to.
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
    update inbox.delivery d set state = 'cancelled', settled_at = now()
      from public.notifications n, (
        select x.user_id, x.organization_id from (
          select distinct w.user_id, n.organization_id from inbox.delivery w join public.notifications n on n.id = w.notification_id
          where w.user_id = any (people) and w.state = 'waiting' and n.organization_id is not null offset 0) x
        where not sync.is_member(x.organization_id, x.user_id)) gone
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

-- The server forgot a number, or its person did.
create function inbox.number_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_again(new.id);
  return null;
end $$;
create trigger cairn_number_changed after update of phone, phone_confirmed_at on auth.users for each row
  when (old.phone is distinct from new.phone) execute function inbox.number_changed();

revoke execute on function inbox.text_number(uuid), inbox.settings(uuid), inbox.set_text(boolean), inbox.number_changed(),
  inbox.claim(text, timestamptz, integer, boolean) from public;
