-- The longer questionnaire says so when its two weeks are over: a published form of one's private space in the category "wellness"
-- (packages/core/src/wellness/questionnaires.ts), each period once, at the time of one's check-in, else of one's daily notifications.

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('wellness.look', 'wellness', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off');

create index forms_about_oneself on forms (organization_id) where category = 'wellness' and deleted_at is null;

-- Questionnaires whose time has struck and whose period nobody was told of. One that was never answered waits its first period from when
-- it was last changed: that is how it was chosen.
create function sync.due_looks(p_now timestamptz) returns table (user_id uuid, form_id uuid, title text, key text)
  language sql stable security definer set search_path = '' as $$
  select l.user_id, l.form_id, l.title, l.key
  from (
    select o.created_by as user_id, f.id as form_id, f.name as title,
      'look/' || f.id::text || '/' || (a.since + 14 * ((z.day - a.since) / 14))::text as key
    from public.forms f
    join public.organizations o on o.id = f.organization_id and o.kind = 'private' and o.deleted_at is null and o.created_by is not null
    left join public.wellness_settings w on w.user_id = o.created_by and w.deleted_at is null
    cross join lateral (select st.zone, (inbox.struck_at(p_now, st.zone, coalesce(w.check_in_at, st.daily::text)) at time zone st.zone)::date as day
      from inbox.settings(o.created_by) st) z
    cross join lateral (select (coalesce(max(i.finished_at), f.updated_at) at time zone z.zone)::date as since from public.inspections i
      where i.form_id = f.id and i.deleted_at is null and i.status not in ('scheduled', 'in_progress')) a
    where f.category = 'wellness' and f.state = 'published' and f.deleted_at is null and z.day >= a.since + 14
      and coalesce(w.quiet_until <= p_now, true)
  ) l
  where not exists (select from public.notifications n where n.user_id = l.user_id and n.key = l.key)
$$;

create function sync.sweep_looks(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r record;
  told integer := 0;
begin
  for r in select * from sync.due_looks(p_now) limit p_limit loop
    perform inbox.notify(r.user_id, 'wellness.look', r.key, '/wellness', jsonb_build_object('title', r.title), r.form_id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- What was answered, or is asked no longer, needs no reminding.
create function inbox.look_said() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'forms' then perform inbox.settled(new.id, array['wellness.look']);
  else perform inbox.settled(new.form_id, array['wellness.look']); end if;
  return null;
end $$;
create trigger x_settle_look after update on inspections for each row
  when (old.finished_at is null and new.finished_at is not null) execute function inbox.look_said();
create trigger x_settle_look after update on forms for each row
  when (old.category = 'wellness' and (new.category is distinct from 'wellness' or new.deleted_at is not null)) execute function inbox.look_said();

revoke execute on function sync.due_looks(timestamptz), sync.sweep_looks(timestamptz, integer), inbox.look_said() from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-looks', '* * * * *', 'select sync.sweep_looks()') $cron$;
  end if;
end $$;
