-- Who is a member now is said by one function, sync.is_member: whose membership ended by the clock is given, asked and told nothing
-- (docs/decisions/0460-taken-along-is-what-is-read.md). Every function below is as before but for that.

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
begin
  if p_user is null or p_user = p_by then return null; end if;
  if p_organization is not null and not sync.is_member(p_organization, p_user) then return null; end if;
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

create or replace function inbox.people_with(p_permission text, p_organization uuid, p_site uuid) returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select m.user_id from public.organization_members m
  where m.organization_id = p_organization and sync.is_member(m.organization_id, m.user_id)
    and exists (select from public.role_permissions r
      where r.role_kind = 'organization' and r.role = m.role and r.permission = p_permission and r.deleted_at is null)
    and (p_site is null
      or exists (select from public.site_members s where s.site_id = p_site and s.user_id = m.user_id and s.deleted_at is null)
      or exists (select from public.role_permissions r
        where r.role_kind = 'organization' and r.role = m.role and r.permission = 'place.all' and r.deleted_at is null))
$$;

create or replace function inbox.claim(p_channel text, p_now timestamptz default now(), p_people integer default 50)
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
      and not sync.is_member(n.organization_id, n.user_id);
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

create or replace function sync.guard_named() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  named uuid[];
  before uuid[] := '{}';
begin
  case tg_table_name
    when 'inspections' then
      named := array[new.assigned_to, new.conducted_by];
      if tg_op = 'UPDATE' then before := array[old.assigned_to, old.conducted_by]; end if;
    when 'inspection_answers' then
      named := array[new.answered_by];
      if tg_op = 'UPDATE' then before := array[old.answered_by]; end if;
    when 'action_items' then
      named := array[new.assignee_id, new.created_by, new.closed_by];
      if tg_op = 'UPDATE' then before := array[old.assignee_id, old.created_by, old.closed_by]; end if;
    when 'media' then
      named := array[new.captured_by];
      if tg_op = 'UPDATE' then before := array[old.captured_by]; end if;
  end case;
  if named = before then return new; end if;
  if exists (select from unnest(named, before) as p (now, before)
             where p.now is not null and p.now is distinct from p.before and not sync.is_member(new.organization_id, p.now)) then
    if current_setting('role', true) = 'authenticated' and auth.uid() is not null and not sync.is_of_mine(new.organization_id) then return new; end if;
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace function sync.guard_cohort_consent() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.employer_id) is distinct from (old.user_id, old.employer_id)
      or old.revoked_at is not null and new.revoked_at is null then
      raise exception 'a consent is taken back, and another one given' using errcode = '42501';
    end if;
  elsif not exists (select from public.organization_members m join public.organizations o on o.id = m.organization_id and o.kind = 'company'
      where m.organization_id = new.employer_id and m.user_id = new.user_id and o.deleted_at is null
        and sync.is_member(m.organization_id, m.user_id)) then
    raise exception 'no such employer' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace function cohort.consenting(p_organization uuid, p_week date) returns table (user_id uuid, person uuid)
  language sql stable set search_path = '' as $$
  select m.user_id, cohort.alias(p_organization, m.user_id)
  from public.organization_members m
  where m.organization_id = p_organization and sync.is_member(m.organization_id, m.user_id)
    and exists (select from public.cohort_consents c
      where c.user_id = m.user_id and c.employer_id = p_organization and c.revoked_at is null and c.deleted_at is null
        and c.created_at >= m.joined_at and c.created_at < p_week::timestamp at time zone 'UTC')
$$;

create or replace function sync.guard_comment() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
  of record;
begin
  select * into of from sync.subject_of(new.subject_table, new.subject_id);
  if not found or (caller is not null and tg_op = 'INSERT' and (of.is_gone or not sync.is_in_sight(of.scopes))) then
    raise exception 'a comment needs its record' using errcode = '23503';
  end if;
  new.organization_id := of.organization_id;
  new.scopes := case when of.is_gone then '{}' else of.scopes end;
  if caller is null or pg_trigger_depth() > 1 then return new; end if;
  if not sync.may_comment(new.subject_table, new.subject_id) then
    raise exception 'this is somebody else''s work' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    new.author_id := caller;
    new.round := of.round;
    new.resolved_by := case when new.resolved_at is null then null else caller end;
  else
    if (new.subject_table, new.subject_id, new.question, new.written_at, new.author_id, new.round)
      is distinct from (old.subject_table, old.subject_id, old.question, old.written_at, old.author_id, old.round) then
      raise exception 'a comment keeps its place and its author' using errcode = '42501';
    end if;
    if (new.body, new.mention_ids, new.media_ids, new.deleted_at) is distinct from (old.body, old.mention_ids, old.media_ids, old.deleted_at)
      and old.author_id is distinct from caller then
      raise exception 'only its author changes a comment' using errcode = '42501';
    end if;
    if new.resolved_at is distinct from old.resolved_at then
      new.resolved_by := case when new.resolved_at is null then null else caller end;
    else
      new.resolved_by := old.resolved_by;
    end if;
  end if;
  if exists (
    select from jsonb_array_elements_text(new.mention_ids) p
    where (tg_op = 'INSERT' or not old.mention_ids ? p) and not exists (
      select from public.organization_members m where m.organization_id = new.organization_id and m.user_id::text = lower(p)
        and sync.is_member(m.organization_id, m.user_id))) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace function sync.guard_schedule() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or old.state <> 'active' and new.state = 'active'
    or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    if auth.uid() is not null then new.active_since := now(); end if;
  elsif auth.uid() is not null and coalesce(current_setting('cairn.form_is_back', true), '') <> 'yes' then
    new.active_since := old.active_since;
  end if;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended schedule stays ended' using errcode = '42501';
  end if;
  if (tg_op = 'INSERT' or new.zone <> old.zone) and not sync.is_zone(new.zone) then
    raise exception 'no such time zone' using errcode = '22023';
  end if;
  if new.assigned_to is not null and (tg_op = 'INSERT' or new.assigned_to is distinct from old.assigned_to) and not sync.is_member(new.organization_id, new.assigned_to) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  if new.assigned_team is not null and not exists (
    select from public.teams t where t.id = new.assigned_team and t.organization_id = new.organization_id) then
    raise exception 'the team is not of this organisation' using errcode = '23503';
  end if;
  return new;
end $$;

create or replace function sync.guard_task_people(t public.tasks, before public.tasks) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from (
      values (t.assignee_id, before.assignee_id), (t.reviewer_id, before.reviewer_id), (t.ended_by, before.ended_by), (t.created_by, before.created_by)
      union all
      select w::uuid, null from jsonb_array_elements_text(t.watcher_ids) w
        where t.watcher_ids is distinct from before.watcher_ids and not coalesce(before.watcher_ids, '[]') ? w
    ) as named (now, before)
    where named.now is not null and named.now is distinct from named.before and not sync.is_member(t.organization_id, named.now)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
end $$;

create or replace function sync.guard_task_series() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  -- Refuses a zone that is none.
  perform now() at time zone new.zone;
  if tg_op = 'UPDATE' and old.state = 'ended' and new.state <> 'ended' then
    raise exception 'an ended series stays ended' using errcode = '42501';
  end if;
  if auth.uid() is null then return new; end if;
  if tg_op = 'INSERT' or (new.recurrence, new.start_day, new.due_time, new.zone, new.based_on)
      is distinct from (old.recurrence, old.start_day, old.due_time, old.zone, old.based_on) then
    new.active_since := now();
  else
    new.active_since := old.active_since;
  end if;
  if exists (select from (values (new.assignee_id, case when tg_op = 'UPDATE' then old.assignee_id end),
        (new.reviewer_id, case when tg_op = 'UPDATE' then old.reviewer_id end)) as named (now, before)
      where named.now is not null and named.now is distinct from named.before and not sync.is_member(new.organization_id, named.now)) then
    raise exception 'only a member of the organisation can be named on its records' using errcode = '42501';
  end if;
  return new;
end $$;

create or replace function sync.member_or_nobody(p_organization uuid, p_person uuid) returns uuid
  language sql stable security definer set search_path = '' return
  case when sync.is_member(p_organization, p_person) then p_person end;

create or replace function sync.plan_schedule(p_schedule uuid, p_version bigint, p_occurrences jsonb, p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s public.schedules;
  form_version uuid;
  touched integer := 0;
  n integer;
begin
  select * into s from public.schedules where id = p_schedule for update;
  if not found or s.version <> p_version then return 0; end if;
  select f.current_version_id into form_version from public.forms f where f.id = s.form_id and f.deleted_at is null and f.state = 'published';
  -- Who has left is named on nothing new: it is planned for anybody at the place.
  if not sync.is_member(s.organization_id, s.assigned_to) then
    s.assigned_to := null;
  end if;
  if s.state <> 'active' or s.deleted_at is not null or form_version is null then p_occurrences := '[]'; end if;

  update public.inspections i set deleted_at = p_now
    where i.schedule_id = p_schedule and i.deleted_at is null and i.status = 'scheduled' and i.missed_at is null and i.due_at > p_now
      and i.id not in (select (o ->> 'id')::uuid from jsonb_array_elements(p_occurrences) o);
  get diagnostics n = row_count;
  touched := touched + n;

  insert into public.inspections as i (id, organization_id, site_id, playbook_id, form_id, form_version_id, asset_id, title, status,
      due_at, assigned_to, assigned_team, schedule_id, occurs_on, opens_at, closes_at)
    select (o ->> 'id')::uuid, s.organization_id, s.site_id, s.playbook_id, s.form_id, form_version, s.asset_id, s.title, 'scheduled',
      (o ->> 'due_at')::timestamptz, s.assigned_to, s.assigned_team, s.id, o ->> 'day', (o ->> 'opens_at')::timestamptz, (o ->> 'closes_at')::timestamptz
    from jsonb_array_elements(p_occurrences) o
    on conflict (id) do update set
      deleted_at = null, site_id = excluded.site_id, playbook_id = excluded.playbook_id, form_id = excluded.form_id,
      form_version_id = excluded.form_version_id, asset_id = excluded.asset_id, title = excluded.title, due_at = excluded.due_at,
      assigned_to = excluded.assigned_to, assigned_team = excluded.assigned_team, opens_at = excluded.opens_at, closes_at = excluded.closes_at
      where i.schedule_id = excluded.schedule_id and i.status = 'scheduled' and i.missed_at is null
        and (i.deleted_at is not null or (i.site_id, i.playbook_id, i.form_id, i.form_version_id, i.asset_id, i.title, i.due_at, i.assigned_to,
            i.assigned_team, i.opens_at, i.closes_at)
          is distinct from (excluded.site_id, excluded.playbook_id, excluded.form_id, excluded.form_version_id, excluded.asset_id, excluded.title,
            excluded.due_at, excluded.assigned_to, excluded.assigned_team, excluded.opens_at, excluded.closes_at));
  get diagnostics n = row_count;
  insert into sync.schedule_plan (schedule_id, version, planned_at) values (s.id, s.version, p_now)
    on conflict (schedule_id) do update set version = excluded.version, planned_at = excluded.planned_at;
  return touched + n;
end $$;

create or replace function sync.plan_series(p_series uuid, p_version bigint, p_occurrences jsonb, p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s public.task_series;
  touched integer := 0;
  n integer;
begin
  select * into s from public.task_series where id = p_series for update;
  if not found or s.version <> p_version then return 0; end if;
  -- Who has left is named on nothing new.
  if not sync.is_member(s.organization_id, s.assignee_id) then s.assignee_id := null; end if;
  if not sync.is_member(s.organization_id, s.reviewer_id) then s.reviewer_id := null; end if;
  if s.state <> 'active' or s.deleted_at is not null then p_occurrences := '[]'; end if;

  update public.tasks t set deleted_at = p_now
    where t.series_id = p_series and t.deleted_at is null and t.status = 'todo' and not t.is_exception and t.due_at > p_now
      and t.id not in (select (o ->> 'id')::uuid from jsonb_array_elements(p_occurrences) o);
  get diagnostics n = row_count;
  touched := touched + n;

  insert into public.tasks as t (id, organization_id, site_id, playbook_id, title, notes, priority, due_day, due_time, due_zone, assignee_id,
      reviewer_id, labels, estimate_minutes, evidence_required, series_id, occurs_on, created_by)
    select (o ->> 'id')::uuid, s.organization_id, s.site_id, s.playbook_id, s.title, s.notes, s.priority, (o ->> 'day')::date, s.due_time, s.zone,
      s.assignee_id, s.reviewer_id, s.labels, s.estimate_minutes, s.evidence_required, s.id, (o ->> 'day')::date, s.created_by
    from jsonb_array_elements(p_occurrences) o
    on conflict (id) do update set
      deleted_at = null, site_id = excluded.site_id, playbook_id = excluded.playbook_id, title = excluded.title, notes = excluded.notes,
      priority = excluded.priority, due_day = excluded.due_day, due_time = excluded.due_time, due_zone = excluded.due_zone,
      assignee_id = excluded.assignee_id, reviewer_id = excluded.reviewer_id, labels = excluded.labels,
      estimate_minutes = excluded.estimate_minutes, evidence_required = excluded.evidence_required
      where t.series_id = excluded.series_id and t.status = 'todo' and not t.is_exception
        and (t.deleted_at is not null or (t.site_id, t.playbook_id, t.title, t.notes, t.priority, t.due_day, t.due_time, t.due_zone, t.assignee_id,
            t.reviewer_id, t.labels, t.estimate_minutes, t.evidence_required)
          is distinct from (excluded.site_id, excluded.playbook_id, excluded.title, excluded.notes, excluded.priority, excluded.due_day,
            excluded.due_time, excluded.due_zone, excluded.assignee_id, excluded.reviewer_id, excluded.labels, excluded.estimate_minutes,
            excluded.evidence_required));
  get diagnostics n = row_count;
  insert into public.task_items (id, organization_id, task_id, title, required, position, created_by)
    select extensions.uuid_generate_v5(t.id, 'step/' || (step.n - 1)), t.organization_id, t.id, left(step.value ->> 'title', 300),
      coalesce((step.value ->> 'required')::boolean, false), step.n - 1, s.created_by
    from public.tasks t cross join lateral jsonb_array_elements(s.steps) with ordinality as step (value, n)
    where t.series_id = s.id and t.deleted_at is null and t.status = 'todo' and t.due_at > p_now
      and btrim(coalesce(step.value ->> 'title', '')) <> ''
    on conflict (id) do nothing;
  insert into sync.series_plan (series_id, version, planned_at) values (s.id, s.version, p_now)
    on conflict (series_id) do update set version = excluded.version, planned_at = excluded.planned_at;
  return touched + n;
end $$;
