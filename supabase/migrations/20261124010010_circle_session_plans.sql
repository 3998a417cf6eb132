-- Sessions that are planned, and what became of them: who planned one moves it and writes it down, and the person also says what became
-- of one their helper planned. The other side hears of it; a helper, of what the person plans, under a grant alone.

alter table circle_sessions add column reason text not null default '' check (char_length(reason) <= 500);   -- why it was missed or cancelled, if somebody says so
select sync.refresh_table('circle_sessions');
create index circle_sessions_planned on circle_sessions (at) where state = 'planned' and deleted_at is null;

drop policy "who wrote it edits" on circle_sessions;
create policy "who wrote it edits, the person says what became of it" on circle_sessions for update to authenticated
  using ((select sync.pushing()) and (author_id = (select auth.uid()) or subject_id = (select auth.uid())));

-- As before; and nobody changes another's words: of a session their helper planned, the person says how it went, once.
create or replace function sync.guard_circle_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  if tg_op = 'UPDATE' and (new.relationship_id, new.author_id) is distinct from (old.relationship_id, old.author_id) then
    raise exception 'a session keeps its people' using errcode = '42501';
  end if;
  if tg_op = 'UPDATE' and auth.uid() <> old.author_id and (old.state <> 'planned'
    or (new.at, new.minutes, new.note, new.next_steps, new.deleted_at) is distinct from (old.at, old.minutes, old.note, old.next_steps, old.deleted_at)) then
    raise exception 'a session is mended by who wrote it' using errcode = '42501';
  end if;
  select * into r from public.circle_relationships c where c.id = new.relationship_id and c.deleted_at is null;
  if r.id is null or new.author_id not in (r.subject_id, r.helper_id)
    or not exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions') then
    raise exception 'nobody to talk with' using errcode = '42501';
  end if;
  -- One's own words can be mended and taken back as long as the two have to do with each other.
  if r.state <> 'active' and not (tg_op = 'UPDATE' and new.author_id = r.subject_id) then
    raise exception 'nobody to talk with' using errcode = '42501';
  end if;
  if exists (select from jsonb_array_elements(new.next_steps) s where jsonb_typeof(s) <> 'object' or coalesce(btrim(s ->> 'title'), '') = ''
      or char_length(s ->> 'title') > 200 or coalesce(s ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      or coalesce(s ->> 'due_on', '2026-01-01') !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') then
    raise exception 'a next step has an id and a title' using errcode = '22023';
  end if;
  new.subject_id := r.subject_id;
  new.helper_id := r.helper_id;
  return new;
end $$;

create or replace function sync.shared_sessions(p_relationship uuid) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.at, 'state', s.state, 'minutes', s.minutes, 'note', s.note,
      'reason', s.reason, 'next_steps', s.next_steps, 'is_mine', s.author_id = s.helper_id) order by s.at desc), '[]')
  from public.circle_sessions s
  where s.relationship_id = p_relationship and s.deleted_at is null and s.at > now() - interval '400 days'
$$;

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.session_planned', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.session_changed', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.session_soon', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'off'),
  ('circle.session_due', 'support-circle', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off');

-- The grant by which a helper sees what the person writes of their sessions; null where there is none now.
create function sync.session_grant(p_relationship uuid, p_now timestamptz) returns uuid
  language sql stable security definer set search_path = '' as $$
  select g.id from public.consent_grants g
  join public.circle_relationships r on r.id = g.relationship_id and r.helper_id = g.helper_id and r.subject_id = g.subject_id
  join public.circle_visibility v on v.role = r.role and v.scope = g.scope and v.level = g.level and v.chosen = (g.item_ids is not null)
  where g.relationship_id = p_relationship and g.scope = 'sessions' and r.state = 'active' and r.deleted_at is null
    and g.deleted_at is null and g.revoked_at is null and g.valid_from <= p_now and (g.valid_until is null or g.valid_until > p_now)
  order by g.id limit 1
$$;

-- Tells a helper what they know by a grant alone; that they were told is a read and stands in the access log. Answers whether they were.
create function sync.tell_granted(r public.circle_relationships, p_type text, p_key text, p_subject uuid, p_by uuid, p_now timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  given constant uuid := sync.session_grant(r.id, p_now);
begin
  if given is null or inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text,
      jsonb_build_object('by', r.subject_name), p_subject, null, p_by) is null then return false; end if;
  insert into public.grant_reads (grant_id, relationship_id, subject_id, helper_id, offline, read_at)
    values (given, r.id, r.subject_id, r.helper_id, false, p_now);
  return true;
end $$;

-- Tells both of a session, but for whoever did what is told.
create function sync.tell_of_session(s public.circle_sessions, p_type text, p_key text, p_by uuid, p_now timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  select * into r from public.circle_relationships c where c.id = s.relationship_id and c.state = 'active' and c.deleted_at is null;
  if r.id is null then return; end if;
  perform inbox.notify(r.subject_id, p_type, p_key, '/support-circle/' || r.id::text, jsonb_build_object('by', r.helper_name), s.id, null, p_by);
  if s.author_id = r.helper_id then
    perform inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text, jsonb_build_object('by', r.subject_name), s.id, null, p_by);
  else perform sync.tell_granted(r, p_type, p_key, s.id, p_by, p_now); end if;
end $$;

-- What is over or was moved is no longer near, and whoever has planned or talked need not be told to.
create function sync.settle_session(s public.circle_sessions) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform inbox.settled(s.id, array['circle.session_soon']);
  if s.deleted_at is not null or s.state not in ('planned', 'held') then return; end if;
  perform inbox.settled(s.relationship_id, array['circle.session_due'], s.subject_id);
  if s.author_id = s.helper_id or sync.session_grant(s.relationship_id, now()) is not null then
    perform inbox.settled(s.relationship_id, array['circle.session_due'], s.helper_id);
  end if;
end $$;

-- The other side hears what was planned, moved, cancelled or missed, and the person that their helper wrote a session down. What it says
-- stays in the circle.
create or replace function sync.tell_circle_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  actor constant uuid := coalesce(auth.uid(), new.author_id);
  is_new constant boolean := tg_op = 'INSERT';
begin
  if not is_new and (old.state <> 'planned' or (new.state, new.at, new.deleted_at) is not distinct from (old.state, old.at, old.deleted_at)) then
    return null;
  end if;
  perform sync.settle_session(new);
  if is_new and new.state = 'planned' then
    perform sync.tell_of_session(new, 'circle.session_planned', 'circle.session_planned/' || new.id::text, actor, now());
  elsif new.state = 'held' and new.deleted_at is null then
    if new.author_id <> new.subject_id then
      perform inbox.notify(new.subject_id, 'circle.session', 'circle.session/' || new.id::text, '/support-circle',
        jsonb_build_object('by', (select r.helper_name from public.circle_relationships r where r.id = new.relationship_id)),
        new.relationship_id, null, actor);
    end if;
  elsif not is_new then
    perform sync.tell_of_session(new, 'circle.session_changed', concat_ws('/', 'circle.session_changed', new.id, new.version), actor, now());
  end if;
  return null;
end $$;
drop trigger x_tell on circle_sessions;
create trigger x_tell after insert or update on circle_sessions for each row execute function sync.tell_circle_session();

-- By the clock: a planned session an hour before it begins, and who would have talked by their rhythm and has planned nothing, two
-- days before, at their own time of day. A helper's rhythm is that of the sessions they may see.
create function sync.sweep_sessions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s record;
  told integer := 0;
begin
  for s in
    select c, 'circle.session_soon/' || c.id::text || '/' || floor(extract(epoch from c.at))::text as key
    from public.circle_sessions c join public.circle_relationships r on r.id = c.relationship_id and r.state = 'active' and r.deleted_at is null
    where c.state = 'planned' and c.deleted_at is null and c.at > p_now and c.at <= p_now + interval '1 hour'
      and c.created_at < c.at - interval '1 hour'
      and not exists (select from public.notifications n where n.user_id = c.subject_id
        and n.key = 'circle.session_soon/' || c.id::text || '/' || floor(extract(epoch from c.at))::text)
    limit p_limit
  loop
    perform sync.tell_of_session(s.c, 'circle.session_soon', s.key, null, p_now);
    told := told + 1;
  end loop;
  for s in select d.*, c from sync.due_talks(p_now) d join public.circle_relationships c on c.id = d.relationship_id limit p_limit loop
    if s.user_id = (s.c).subject_id or s.by_own then
      perform inbox.notify(s.user_id, 'circle.session_due', s.key, '/support-circle/' || s.relationship_id::text,
        jsonb_build_object('by', case when s.user_id = (s.c).subject_id then (s.c).helper_name else (s.c).subject_name end), s.relationship_id);
    else perform sync.tell_granted(s.c, 'circle.session_due', s.key, s.relationship_id, null, p_now); end if;
    told := told + 1;
  end loop;
  return told;
end $$;

-- Who is to be told now that it is time to talk, each side by what they may see: `by_own` where a helper's own sessions say so.
create function sync.due_talks(p_now timestamptz) returns table (relationship_id uuid, user_id uuid, by_own boolean, key text)
  language sql stable security definer set search_path = '' as $$
  select t.id, t.user_id, not t.sees_all, t.key
  from (
    select r.id, w.user_id, seen.sees_all, z.day, z.zone, l.last_day, r.cadence_days,
      'circle.session_due/' || r.id::text || '/' || (l.last_day + r.cadence_days)::text as key
    from public.circle_relationships r
    cross join lateral (values (r.subject_id), (r.helper_id)) w (user_id)
    cross join lateral (select st.zone, (inbox.struck_at(p_now, st.zone, st.daily::text) at time zone st.zone)::date as day
      from inbox.settings(w.user_id) st) z
    cross join lateral (select w.user_id = r.subject_id or sync.session_grant(r.id, p_now) is not null as sees_all) seen
    cross join lateral (select max(c.at at time zone z.zone)::date as last_day from public.circle_sessions c
      where c.relationship_id = r.id and c.state = 'held' and c.deleted_at is null and c.at <= p_now
        and (seen.sees_all or c.author_id = r.helper_id)) l
    where r.cadence_days is not null and r.state = 'active' and r.deleted_at is null and z.day is not null
      and exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions')
      and coalesce(inbox.quiet_until(w.user_id) <= p_now, true)
  ) t
  where t.day >= greatest(t.last_day + t.cadence_days - 2, t.last_day + 1)
    and not exists (select from public.circle_sessions c where c.relationship_id = t.id and c.state = 'planned' and c.deleted_at is null
      and c.at > p_now and (t.sees_all or c.author_id = (select r.helper_id from public.circle_relationships r where r.id = t.id)))
    and not exists (select from public.notifications n where n.user_id = t.user_id and n.key = t.key)
$$;

revoke execute on function sync.session_grant(uuid, timestamptz),
  sync.tell_granted(public.circle_relationships, text, text, uuid, uuid, timestamptz),
  sync.tell_of_session(public.circle_sessions, text, text, uuid, timestamptz), sync.settle_session(public.circle_sessions),
  sync.sweep_sessions(timestamptz, integer), sync.due_talks(timestamptz) from public;

do $$
begin
  if exists (select from pg_extension where extname = 'pg_cron') then
    execute $cron$ select cron.schedule('cairn-sessions', '* * * * *', 'select sync.sweep_sessions()') $cron$;
  end if;
end $$;
