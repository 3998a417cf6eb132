-- Who is reminded by their own clock stands in a list by when that is next. Reckoning everybody's clock each minute cost half a millisecond a
-- habit, and one person's many habits, or many people's check-ins, took the time of all. A person's reminders take turns with others'.

create table inbox.reminder (
  kind       text not null check (kind in ('habit', 'check_in', 'look', 'talk')),
  subject_id uuid not null,                                      -- the habit, the relationship, else the person
  user_id    uuid not null references auth.users (id) on delete cascade,
  next_at    timestamptz not null default '-infinity',           -- to be reckoned by the next sweep
  primary key (kind, subject_id, user_id)
);
create index reminder_due on inbox.reminder (kind, next_at);
create index reminder_person on inbox.reminder (user_id);
alter table inbox.reminder enable row level security;

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
  struck := inbox.struck_at(p_now, s.zone, clock);
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

create function inbox.plan_habit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.remind_at is not null and new.deleted_at is null and new.archived_at is null then
    perform inbox.plan_reminder('habit', new.id, new.user_id);
  else
    delete from inbox.reminder r where r.kind = 'habit' and r.subject_id = new.id;
  end if;
  return null;
end $$;
create trigger x_remind_first after insert on public.habits for each row when (new.remind_at is not null) execute function inbox.plan_habit();
create trigger x_remind after update on public.habits for each row
  when (old.remind_at is not null or new.remind_at is not null) execute function inbox.plan_habit();

-- With the clock of a person, or their quiet mode, everything of theirs is reckoned anew.
create function inbox.plan_person() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'wellness_settings' then
    if new.check_in_at is not null and new.deleted_at is null then perform inbox.plan_reminder('check_in', new.user_id, new.user_id); end if;
  end if;
  update inbox.reminder r set next_at = '-infinity' where r.user_id = new.user_id and r.next_at > '-infinity';
  return null;
end $$;
create trigger x_remind after insert or update on public.wellness_settings for each row execute function inbox.plan_person();
create trigger x_remind_first after insert on public.user_preferences for each row execute function inbox.plan_person();
create trigger x_remind after update on public.user_preferences for each row
  when ((old.timezone, old.notification_time, old.deleted_at) is distinct from (new.timezone, new.notification_time, new.deleted_at))
  execute function inbox.plan_person();

create function inbox.plan_look() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_reminder('look', o.created_by, o.created_by) from public.organizations o
    where o.id = new.organization_id and o.kind = 'private' and o.created_by is not null;
  return null;
end $$;
create trigger x_remind after insert or update on public.forms for each row
  when (new.category = 'wellness' and new.state = 'published' and new.deleted_at is null) execute function inbox.plan_look();

create function inbox.plan_talk() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.plan_reminder('talk', new.id, new.subject_id), inbox.plan_reminder('talk', new.id, new.helper_id);
  return null;
end $$;
create trigger x_remind after insert or update on public.circle_relationships for each row
  when (new.cadence_days is not null and new.state = 'active' and new.deleted_at is null) execute function inbox.plan_talk();

insert into inbox.reminder (kind, subject_id, user_id)
  select 'habit', h.id, h.user_id from public.habits h where h.remind_at is not null and h.deleted_at is null and h.archived_at is null
  union select 'check_in', w.user_id, w.user_id from public.wellness_settings w where w.check_in_at is not null and w.deleted_at is null
  union select 'look', o.created_by, o.created_by from public.organizations o join public.forms f on f.organization_id = o.id
    where o.kind = 'private' and o.created_by is not null and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null
  union select 'talk', r.id, w.id from public.circle_relationships r cross join lateral (values (r.subject_id), (r.helper_id)) w (id)
    where r.cadence_days is not null and r.state = 'active' and r.deleted_at is null;

-- A person is reminded of 200 habits at most, and of 20 questionnaires.
create function sync.bound_reminded_habits() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- What had one already keeps it.
  if tg_op = 'UPDATE' and old.remind_at is not null and old.deleted_at is null and old.archived_at is null then return new; end if;
  -- Of others nothing is told: the policy refuses them.
  if new.user_id = auth.uid() and (select count(*) from public.habits h
      where h.user_id = new.user_id and h.id <> new.id and h.remind_at is not null and h.deleted_at is null and h.archived_at is null) >= 200 then
    raise exception 'at most 200 habits have a reminder' using errcode = '23514', hint = 'many';
  end if;
  return new;
end $$;
create trigger c_bound before insert or update on public.habits for each row
  when (new.remind_at is not null and new.deleted_at is null and new.archived_at is null) execute function sync.bound_reminded_habits();

create function sync.bound_looks() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and old.category = 'wellness' and old.state = 'published' and old.deleted_at is null then return new; end if;
  if exists (select from public.organizations o where o.id = new.organization_id and o.kind = 'private' and o.created_by = auth.uid())
    and (select count(*) from public.forms f where f.organization_id = new.organization_id and f.id <> new.id
      and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null) >= 20 then
    raise exception 'at most 20 questionnaires ask again' using errcode = '23514', hint = 'many';
  end if;
  return new;
end $$;
create trigger c_bound before insert or update on public.forms for each row
  when (new.category = 'wellness' and new.state = 'published' and new.deleted_at is null) execute function sync.bound_looks();

-- As before; of those whose time has come.
create or replace function sync.sweep_growth(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  h public.habits;
  struck date;
  told integer := 0;
  ends timestamptz;
begin
  for r in select * from inbox.due_reminders('habit', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    struck := inbox.strike('habit', r.subject_id, r.user_id, p_now);
    continue when struck is null;
    select * into h from public.habits x where x.id = r.subject_id;
    continue when h.started_on > struck
      or exists (select from public.habit_entries e where e.habit_id = h.id and e.day = struck and e.value <> 'unknown' and e.deleted_at is null)
      or exists (select from public.habit_pauses p where p.user_id = h.user_id and p.deleted_at is null
        and (p.habit_id is null or p.habit_id = h.id) and p.from_day <= struck and coalesce(p.until_day, struck) >= struck)
      or sync.habit_is_covered(h, struck);
    perform inbox.notify(h.user_id, 'habit.reminder', 'habit/' || h.id::text || '/' || struck::text, '/wellness/habits',
      jsonb_build_object('title', h.name), h.id);
    told := told + 1;
  end loop;
  ends := null;
  for r in select * from inbox.due_reminders('check_in', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_ends());
    exit when r.turn > 1 and clock_timestamp() > ends;
    struck := inbox.strike('check_in', r.subject_id, r.user_id, p_now);
    continue when struck is null or exists (select from public.wellness_check_ins c
      where c.user_id = r.user_id and c.day = struck and c.deleted_at is null);
    perform inbox.notify(r.user_id, 'wellness.reminder', 'check-in/' || struck::text, '/wellness', '{}', r.user_id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- As before, of one person on one of their days: the one that has waited longest.
drop function sync.due_looks(timestamptz);
create function sync.due_look(p_user uuid, p_day date, p_zone text) returns table (form_id uuid, title text, key text)
  language sql stable security definer set search_path = '' as $$
  select l.form_id, l.title, l.key
  from (
    select f.id as form_id, f.name as title, a.since, 'look/' || f.id::text || '/' || (a.since + 14 * ((p_day - a.since) / 14))::text as key
    from public.organizations o
    join public.forms f on f.organization_id = o.id and f.category = 'wellness' and f.state = 'published' and f.deleted_at is null
    cross join lateral (select (coalesce(max(i.finished_at), f.updated_at) at time zone p_zone)::date as since from public.inspections i
      where i.form_id = f.id and i.deleted_at is null and i.status not in ('scheduled', 'in_progress')) a
    where o.created_by = p_user and o.kind = 'private' and o.deleted_at is null
  ) l
  where p_day >= l.since + 14 and not exists (select from public.notifications n where n.user_id = p_user and n.key = l.key)
  order by l.since, l.form_id limit 1
$$;

-- As before, one of each person and round.
create or replace function sync.sweep_looks(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  l record;
  day date;
  told integer := 0;
begin
  for r in select * from inbox.due_reminders('look', p_now, p_limit) loop
    day := inbox.strike('look', r.subject_id, r.user_id, p_now);
    continue when day is null;
    select * into l from sync.due_look(r.user_id, day, (inbox.settings(r.user_id)).zone);
    continue when l.form_id is null;
    -- The next one with the next round.
    if inbox.notify(r.user_id, 'wellness.look', l.key, '/wellness', jsonb_build_object('title', l.title), l.form_id) is not null then
      update inbox.reminder x set next_at = p_now where x.kind = 'look' and x.subject_id = r.subject_id and x.user_id = r.user_id;
      told := told + 1;
    end if;
  end loop;
  return told;
end $$;

revoke execute on function inbox.plan_reminder(text, uuid, uuid), inbox.reminder_clock(text, uuid, uuid, time),
  inbox.strike(text, uuid, uuid, timestamptz), inbox.due_reminders(text, timestamptz, integer), inbox.plan_habit(), inbox.plan_person(),
  inbox.plan_look(), inbox.plan_talk(), sync.bound_reminded_habits(), sync.bound_looks(), sync.due_look(uuid, date, text) from public;
