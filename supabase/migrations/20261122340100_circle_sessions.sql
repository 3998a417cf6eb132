-- Sessions of two people of a circle: when they talked, what was said, what follows; and acting for somebody, in their name and
-- for a time.

insert into circle_visibility (role, scope, level, chosen) values
  ('mentor_coach', 'sessions', 'full', false),
  ('accountability_partner', 'sessions', 'full', false),
  ('managed_admin', 'sessions', 'full', false),
  ('managed_admin', 'tasks', 'act', false);

-- How often they mean to talk; either side may say.
alter table circle_relationships add column cadence_days integer check (cadence_days between 1 and 366);   -- days from one session to the next
select sync.refresh_table('circle_relationships');

-- Written by one of the two. The person has all of them; a helper has their own, and reads the person's like anything that is
-- granted: by `read_circle`, which writes it down.
create table circle_sessions (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- copied from the relationship
  author_id       uuid not null references auth.users (id) on delete cascade,
  at              timestamptz not null,                          -- when it is or was, device time
  state           text not null default 'held' check (state in ('planned', 'held', 'cancelled', 'missed')),
  minutes         integer check (minutes between 1 and 1440),
  note            text not null default '' check (char_length(note) <= 4000),   -- for both of them; private notes are check-ins'
  next_steps      jsonb not null default '[]' check (jsonb_typeof(next_steps) = 'array' and pg_column_size(next_steps) <= 8000),   -- [{id, title, due_on?}]
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index circle_sessions_relationship on circle_sessions (relationship_id, at);
create index circle_sessions_subject on circle_sessions (subject_id);
create index circle_sessions_helper on circle_sessions (helper_id);
create index circle_sessions_author on circle_sessions (author_id);
select sync.add_table('circle_sessions', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(author_id)) $$,
  p_server_columns => array['subject_id', 'helper_id']);

create trigger a0_need_push before insert on circle_sessions for each statement execute function sync.need_push();
create policy "the person and who wrote it read" on circle_sessions for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
create policy "both sides write" on circle_sessions for insert to authenticated
  with check ((select sync.pushing()) and author_id = (select auth.uid())
    and (subject_id = (select auth.uid()) or subject_id in (select my_circle_with('circle.nudge'))));
create policy "who wrote it edits" on circle_sessions for update to authenticated
  using ((select sync.pushing()) and author_id = (select auth.uid()));
grant insert, update on circle_sessions to authenticated;

create function sync.guard_circle_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  if tg_op = 'UPDATE' and (new.relationship_id, new.author_id) is distinct from (old.relationship_id, old.author_id) then
    raise exception 'a session keeps its people' using errcode = '42501';
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
create trigger b_guard before insert or update on circle_sessions for each row execute function sync.guard_circle_session();

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.session', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily');
-- The person hears of a session that their helper wrote; what it says stays in the circle.
create function sync.tell_circle_session() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform inbox.notify(new.subject_id, 'circle.session', 'circle.session/' || new.id::text, '/support-circle',
    jsonb_build_object('by', (select r.helper_name from public.circle_relationships r where r.id = new.relationship_id)),
    new.relationship_id, null, new.author_id);
  return null;
end $$;
create trigger x_tell after insert on circle_sessions for each row when (new.author_id <> new.subject_id) execute function sync.tell_circle_session();

create function sync.shared_sessions(p_relationship uuid) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.at, 'state', s.state, 'minutes', s.minutes, 'note', s.note,
      'next_steps', s.next_steps, 'is_mine', s.author_id = s.helper_id) order by s.at desc), '[]')
  from public.circle_sessions s
  where s.relationship_id = p_relationship and s.deleted_at is null and s.at > now() - interval '400 days'
$$;

create or replace function sync.shared_data(g public.consent_grants) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  return case g.scope || '/' || g.level
    when 'goals/full' then sync.shared_goals(g.subject_id, g.item_ids)
    when 'goals/titles' then sync.goal_titles(g.subject_id)
    when 'goals/summary' then sync.goal_figures(g.subject_id)
    when 'habits/full' then sync.shared_habits(g.subject_id, g.item_ids)
    when 'habits/summary' then sync.habit_figures(g.subject_id)
    when 'wellness/summary' then (select coalesce(jsonb_agg(to_jsonb(w) order by w.week), '[]') from sync.wellness_weeks(g.subject_id) w)
    when 'wellness/ok' then (select coalesce(jsonb_agg(jsonb_build_object('week', w.week,
        'ok', w.mood >= 3 and coalesce(w.stress, 1) < 4) order by w.week), '[]') from sync.wellness_weeks(g.subject_id) w)
    when 'tasks/full' then sync.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/act' then sync.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/counts' then sync.task_counts(g.subject_id)
    when 'sessions/full' then sync.shared_sessions(g.relationship_id)
  end;
end $$;

-- Acting for somebody is for a month at most, and is granted anew then.
create function sync.limit_acting() returns trigger language plpgsql set search_path = '' as $$
begin
  new.valid_until := least(new.valid_until, coalesce(new.created_at, now()) + interval '31 days');
  return new;
end $$;
create trigger c_acting before insert or update on consent_grants for each row when (new.level = 'act') execute function sync.limit_acting();

-- What a helper did in somebody's name: "A for B". Both read it, nobody changes it.
create table circle_acts (
  id              uuid primary key default gen_random_uuid(),
  relationship_id uuid not null references circle_relationships (id) on delete cascade,
  subject_id      uuid not null references auth.users (id) on delete cascade,   -- for whom
  helper_id       uuid not null references auth.users (id) on delete cascade,   -- who did it
  act             text not null check (act in ('task_added', 'task_done', 'task_reopened')),
  item_id         uuid not null,                                 -- the action item
  title           text not null,                                 -- its name at that time
  at              timestamptz not null default now(),            -- server time
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  version         bigint not null default 1
);
create index circle_acts_relationship on circle_acts (relationship_id, at);
create index circle_acts_subject on circle_acts (subject_id);
create index circle_acts_helper on circle_acts (helper_id);
select sync.add_table('circle_acts', 45, $$ sync.scopes(sync.user_scope(subject_id), sync.user_scope(helper_id)) $$);
create policy "both sides read" on circle_acts for select to authenticated
  using (scopes && (select array(select my_scopes())) and (deleted_at is null or (select sync.pushing())));
-- No write: act_for.

-- Does one thing in the private space of somebody who granted it, and writes down who did it for whom.
create function act_for(p_relationship uuid, p_act text, p_item uuid, p_title text default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  r public.circle_relationships;
  home uuid;
  name text := nullif(btrim(p_title), '');
begin
  select c.* into r from public.circle_relationships c
    join public.consent_grants g on g.relationship_id = c.id and g.scope = 'tasks' and g.level = 'act' and g.deleted_at is null
      and g.revoked_at is null and g.valid_from <= now() and g.valid_until > now()
    join public.circle_visibility v on v.role = c.role and v.scope = g.scope and v.level = g.level
    where c.id = p_relationship and c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null limit 1 for share of c, g;
  if r.id is null then raise exception 'nothing is granted to act on' using errcode = '42501'; end if;
  select o.id into home from public.organizations o where o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null;
  if (select count(*) from public.circle_acts a where a.relationship_id = r.id and a.at > now() - interval '1 day') >= 200 then
    raise exception 'at most 200 acts a day' using errcode = 'P0001';
  end if;
  -- In the person's name: their own rules judge it, and what it becomes is theirs.
  perform set_config('request.jwt.claims', (claims::jsonb || jsonb_build_object('sub', r.subject_id))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', r.subject_id::text, true); end if;
  perform sync.forget_kept_rights();
  case p_act
    when 'task_added' then
      if name is null or char_length(name) > 200 then raise exception 'a task has a name' using errcode = '22023'; end if;
      insert into public.action_items (id, organization_id, title, status, priority, source_type, created_by)
        values (p_item, home, name, 'open', 'medium', 'manual', r.subject_id) on conflict (id) do nothing;
      if not found then raise exception 'not allowed' using errcode = '42501'; end if;
    when 'task_done' then
      update public.action_items a set status = 'closed', closed_at = now(), closed_by = r.subject_id
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is null returning a.title into name;
    when 'task_reopened' then
      update public.action_items a set status = 'open', closed_at = null, closed_by = null
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is not null returning a.title into name;
    else raise exception 'no such act' using errcode = '22023';
  end case;
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform sync.forget_kept_rights();
  -- Somebody else's, hidden, missing and already done are answered alike.
  if name is null then raise exception 'not allowed' using errcode = '42501'; end if;
  insert into public.circle_acts (relationship_id, subject_id, helper_id, act, item_id, title)
    values (r.id, r.subject_id, auth.uid(), p_act, p_item, name);
  return p_item;
end $$;
revoke execute on function sync.guard_circle_session(), sync.tell_circle_session(), sync.shared_sessions(uuid), sync.limit_acting() from public;
revoke execute on function act_for(uuid, text, uuid, text) from public, anon, authenticated;
grant execute on function act_for(uuid, text, uuid, text) to authenticated;
