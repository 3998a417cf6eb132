-- Reminders of habits and check-ins at a time of one's own, and quiet mode: for a day, what only reminds waits.

alter table habits add column remind_at text check (remind_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');   -- HH:MM on the person's clocks; null: never
select sync.refresh_table('habits');

create table wellness_settings (
  id          uuid primary key default gen_random_uuid(),         -- derived from the person, so that two devices make one
  user_id     uuid not null unique references auth.users (id) on delete cascade,
  check_in_at text check (check_in_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),   -- HH:MM on the person's clocks; null: no reminder
  quiet_until timestamptz,                                        -- until then reminders wait; device time plus a day
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  deleted_at  timestamptz,
  version     bigint not null default 1
);
select sync.add_table('wellness_settings', 14, $$ sync.scopes(sync.user_scope(user_id)) $$);

create policy "the person reads" on wellness_settings for select to authenticated
  using (user_id = (select auth.uid()) and (deleted_at is null or (select sync.pushing())));
create policy "the person adds" on wellness_settings for insert to authenticated
  with check ((select sync.pushing()) and user_id = (select auth.uid()));
create policy "the person edits" on wellness_settings for update to authenticated
  using ((select sync.pushing()) and user_id = (select auth.uid()));
grant insert, update on wellness_settings to authenticated;

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('habit.reminder', 'wellness', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off'),
  ('wellness.reminder', 'wellness', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off');

-- Until when a person's reminders wait; null where they do not.
create function inbox.quiet_until(p_user uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select w.quiet_until from public.wellness_settings w where w.user_id = p_user and w.deleted_at is null
$$;

-- What only reminds is what a person may switch off by a setting of its own; it waits for the end of quiet mode, and of quiet
-- hours should that fall into them.
create function inbox.wait_for_quiet() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := inbox.quiet_until(new.user_id);
  s record;
begin
  if until is null or new.due_at >= until then return new; end if;
  if exists (select from public.notifications n join public.notification_types t on t.key = n.type
      where n.id = new.notification_id and t.class = 'normal' and t.setting is not null) then
    s := inbox.settings(new.user_id);
    new.due_at := inbox.goes_out_at(until, 'immediate', false, s.zone, s.daily, s.quiet, s.quiet_start, s.quiet_end);
  end if;
  return new;
end $$;
create trigger b_quiet before insert or update of due_at on inbox.delivery for each row
  when (new.state = 'waiting') execute function inbox.wait_for_quiet();

create trigger d_plan after update on wellness_settings for each row
  when (old.quiet_until is distinct from new.quiet_until) execute function inbox.choices_changed();
create trigger d_plan_first after insert on wellness_settings for each row
  when (new.quiet_until is not null) execute function inbox.choices_changed();

-- When clocks in a zone last showed a time, if that was within two hours; a reminder that is later than that is none.
create function inbox.struck_at(p_now timestamptz, p_zone text, p_clock text) returns timestamptz
  language sql stable set search_path = '' as $$
  select n.at from (select inbox.next_local(p_now - interval '2 hours', p_zone, p_clock::time) as at) n where n.at <= p_now
$$;

-- By the clock: habits with a time, on days that nothing was said of and that are neither paused nor covered, and check-ins. Nobody
-- is reminded in quiet mode.
create function sync.sweep_growth(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  told integer := 0;
begin
  for r in
    select h.id, h.user_id, h.name, z.day, 'habit/' || h.id::text || '/' || z.day::text as key
    from public.habits h
    cross join lateral (select (inbox.struck_at(p_now, s.zone, h.remind_at) at time zone s.zone)::date as day from inbox.settings(h.user_id) s) z
    where h.remind_at is not null and h.deleted_at is null and h.archived_at is null and h.started_on <= z.day
      and coalesce(inbox.quiet_until(h.user_id) <= p_now, true)
      and not exists (select from public.habit_entries e
        where e.habit_id = h.id and e.day = z.day and e.value <> 'unknown' and e.deleted_at is null)
      and not exists (select from public.habit_pauses p where p.user_id = h.user_id and p.deleted_at is null
        and (p.habit_id is null or p.habit_id = h.id) and p.from_day <= z.day and coalesce(p.until_day, z.day) >= z.day)
      and (h.kind = 'number' or h.times > (select count(*) from public.habit_entries e
        where e.habit_id = h.id and e.value = 'done' and e.deleted_at is null and e.day > z.day - h.per_days and e.day < z.day))
      and not exists (select from public.notifications n where n.user_id = h.user_id and n.key = 'habit/' || h.id::text || '/' || z.day::text)
    limit p_limit
  loop
    perform inbox.notify(r.user_id, 'habit.reminder', r.key, '/wellness/habits', jsonb_build_object('title', r.name), r.id);
    told := told + 1;
  end loop;
  for r in
    select w.user_id, 'check-in/' || z.day::text as key
    from public.wellness_settings w
    cross join lateral (select (inbox.struck_at(p_now, s.zone, w.check_in_at) at time zone s.zone)::date as day from inbox.settings(w.user_id) s) z
    where w.check_in_at is not null and w.deleted_at is null and z.day is not null
      and coalesce(w.quiet_until <= p_now, true)
      and not exists (select from public.wellness_check_ins c where c.user_id = w.user_id and c.day = z.day and c.deleted_at is null)
      and not exists (select from public.notifications n where n.user_id = w.user_id and n.key = 'check-in/' || z.day::text)
    limit p_limit
  loop
    perform inbox.notify(r.user_id, 'wellness.reminder', r.key, '/wellness', '{}', r.user_id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- What was done needs no reminding.
create function inbox.growth_said() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'habit_entries' then perform inbox.settled(new.habit_id, array['habit.reminder'], new.user_id);
  else perform inbox.settled(new.user_id, array['wellness.reminder'], new.user_id); end if;
  return null;
end $$;
create trigger x_settle after insert or update on habit_entries for each row
  when (new.value <> 'unknown') execute function inbox.growth_said();
create trigger x_settle after insert on wellness_check_ins for each row execute function inbox.growth_said();

revoke execute on function inbox.quiet_until(uuid), inbox.wait_for_quiet(), inbox.struck_at(timestamptz, text, text),
  sync.sweep_growth(timestamptz, integer), inbox.growth_said() from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-growth', '* * * * *', 'select sync.sweep_growth()') $cron$;
  end if;
end $$;
