-- The support circle: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- The people whom the caller supports with this permission at present.
create function my_circle_with(p_permission text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select distinct c.subject_id from public.circle_relationships c
    join public.role_permissions p
      on p.role_kind = 'circle' and p.role = c.role and p.permission = p_permission and p.deleted_at is null
    where c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null;
end $$;

-- One's shown name, for the other side.
create function circle.circle_name(p_user uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(p.display_name, ''), nullif(p.full_name, ''), split_part(u.email, '@', 1))
  from auth.users u left join public.profiles p on p.id = u.id where u.id = p_user
$$;

-- Makes an invitation of the caller's own circle and answers its token, this once: {id, token, expires_at}.
create function invite_to_circle(p_role text, p_purpose text, p_wanted jsonb) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  token constant text := identity.new_token();
  i public.circle_invitations;
begin
  if auth.uid() is null then raise exception 'sign in first' using errcode = '42501', detail = 'CN077'; end if;
  if p_role is null or not exists (select from public.role_permissions p where p.role_kind = 'circle' and p.role = p_role) then
    raise exception 'no such role' using errcode = '22023', detail = 'CN050';
  end if;
  perform identity.check_wanted(p_role, p_wanted);
  if (select count(*) from public.circle_invitations x where x.subject_id = auth.uid() and x.created_at > now() - interval '1 day') >= 50 then
    raise exception 'at most 50 invitations a day' using errcode = 'P0001', detail = 'CN178';
  end if;
  insert into public.circle_invitations (subject_id, role, purpose, wanted)
    values (auth.uid(), p_role, nullif(btrim(p_purpose), ''), p_wanted) returning * into i;
  insert into identity.circle_invitation_token (hash, invitation_id) values (identity.token_hash(token), i.id);
  return jsonb_build_object('id', i.id, 'token', token, 'expires_at', i.expires_at);
end $$;

-- What whoever has the link would be, and see: {name, role, purpose, expires_at, wanted: [{scope, level, items, until}]}.
-- How many items, not which: their names are shown to nobody who has not accepted.
create function circle_invitation(p_token text) returns jsonb
  language plpgsql stable security definer set search_path = '' set timezone = 'UTC' as $$
declare
  i constant public.circle_invitations := identity.open_circle_invitation(p_token);
begin
  return jsonb_build_object('name', circle.circle_name(i.subject_id), 'role', i.role, 'purpose', i.purpose, 'expires_at', i.expires_at,
    'wanted', (select coalesce(jsonb_agg(jsonb_build_object('scope', w ->> 'scope', 'level', w ->> 'level',
        'items', jsonb_array_length(coalesce(nullif(w -> 'item_ids', 'null'), '[]')), 'until', w ->> 'until')), '[]')
      from identity.valid_wanted_grants(i.wanted) w));
end $$;

-- Accepts or declines. Accepting begins the relationship, with the grants the person chose; answers its id.
create function answer_circle_invitation(p_token text, p_accept boolean) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  i public.circle_invitations := identity.open_circle_invitation(p_token);
  r uuid;
begin
  -- Two answers at once: the second finds it answered.
  select * into i from public.circle_invitations x where x.id = i.id and x.accepted_at is null and x.declined_at is null
    and x.revoked_at is null and x.expires_at > now() for update;
  if i.id is null then raise exception 'this link cannot be used' using errcode = '42501', detail = 'CN078'; end if;
  if not coalesce(p_accept, false) then
    update public.circle_invitations x set declined_at = now() where x.id = i.id;
    return jsonb_build_object('relationship', null);
  end if;
  select c.id into r from public.circle_relationships c
    where c.subject_id = i.subject_id and c.helper_id = auth.uid() and c.role = i.role and c.state <> 'ended' and c.deleted_at is null;
  if r is null then
    insert into public.circle_relationships (subject_id, helper_id, role, purpose, subject_name, helper_name)
      values (i.subject_id, auth.uid(), i.role, i.purpose, circle.circle_name(i.subject_id), circle.circle_name(auth.uid())) returning id into r;
  end if;
  insert into public.consent_grants (relationship_id, subject_id, helper_id, role, scope, level, item_ids, valid_until)
    select r, i.subject_id, auth.uid(), i.role, w ->> 'scope', w ->> 'level', nullif(w -> 'item_ids', 'null'), (w ->> 'until')::timestamptz
    from identity.valid_wanted_grants(i.wanted) w;
  update public.circle_invitations x set accepted_at = now(), accepted_by = auth.uid() where x.id = i.id;
  return jsonb_build_object('relationship', r);
end $$;

create function revoke_circle_invitation(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.circle_invitations x set revoked_at = now()
    where x.id = p_id and x.subject_id = auth.uid() and x.accepted_at is null and x.declined_at is null and x.revoked_at is null;
  if not found then raise exception 'no such open invitation' using errcode = '42501', detail = 'CN179'; end if;
end $$;

-- Habits with the days of the last 400, for `full`; why somebody paused is nobody's business.
create function circle.shared_habits(p_subject uuid, p_items jsonb) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name, 'kind', h.kind, 'unit', h.unit, 'target', h.target,
      'target_kind', h.target_kind, 'times', h.times, 'per_days', h.per_days, 'started_on', h.started_on,
      'entries', (select coalesce(jsonb_agg(jsonb_build_object('day', e.day, 'value', e.value, 'amount', e.amount) order by e.day), '[]')
        from public.habit_entries e where e.habit_id = h.id and e.user_id = p_subject and e.deleted_at is null and e.day > current_date - 400),
      'pauses', (select coalesce(jsonb_agg(jsonb_build_object('from_day', p.from_day, 'until_day', p.until_day)), '[]')
        from public.habit_pauses p where p.user_id = p_subject and p.deleted_at is null and (p.habit_id is null or p.habit_id = h.id))
    ) order by h.position, h.name), '[]')
  from public.habits h
  where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null
    and (p_items is null or p_items ? h.id::text)
$$;

-- Habits as figures, for `summary`: how many there are, and on how many days of the last 7 and 30 one was done.
create function circle.habit_figures(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'habits', (select count(*) from public.habits h where h.user_id = p_subject and h.deleted_at is null and h.archived_at is null),
    'days_7', count(distinct e.day) filter (where e.day > current_date - 7), 'days_30', count(distinct e.day))
  from growth.habit_days_done(p_subject, current_date - 29, current_date) e
$$;

-- Eight weeks of means, never a day, a tag or a note; only weeks that are over in every zone, of two answers or more. A week that
-- was shown once stands, whatever is added or corrected later; it goes when all of its answers are gone.
-- A week that was taken back is not shown.
create function circle.wellness_weeks(p_subject uuid) returns table (week date, n bigint, mood numeric, energy numeric, stress numeric)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  this_week constant date := date_trunc('week', (now() at time zone 'UTC') - interval '12 hours')::date;
begin
  insert into sync.wellness_week (user_id, week, n, mood, energy, stress)
    select p_subject, date_trunc('week', c.day)::date, case when count(*) >= 5 then count(*) end,
      round(avg(c.mood), 1), round(avg(c.energy), 1), round(avg(c.stress), 1)
    from public.wellness_check_ins c
    where c.user_id = p_subject and c.deleted_at is null and c.skipped is null and c.mood is not null
      and c.day >= this_week - 56 and c.day < this_week
    group by 2 having count(*) >= 2 order by 2
    on conflict do nothing;
  return query select w.week, w.n, w.mood, w.energy, w.stress from sync.wellness_week w
    where w.user_id = p_subject and w.week >= this_week - 56 and w.week < this_week and not w.is_gone
      and exists (select from public.wellness_check_ins c where c.user_id = p_subject and c.deleted_at is null and c.skipped is null
        and c.mood is not null and c.day >= w.week and c.day < w.week + 7)
    order by w.week;
end $$;

-- Open tasks of the person's private space, never of an employer.
create function circle.shared_tasks(p_subject uuid, p_items jsonb) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'title', a.title, 'status', a.status, 'priority', a.priority, 'due_at', a.due_at)
      order by a.due_at nulls last, a.id), '[]')
  from public.action_items a join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = p_subject
  where a.deleted_at is null and (p_items is null or p_items ? a.id::text)
$$;

create function circle.task_counts(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('open', count(*) filter (where a.closed_at is null),
    'late', count(*) filter (where a.closed_at is null and a.due_at < now()),
    'done_30', count(*) filter (where a.closed_at > now() - interval '30 days'))
  from public.action_items a join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = p_subject
  where a.deleted_at is null
$$;

create function circle.shared_data(g public.consent_grants) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  return case g.scope || '/' || g.level
    when 'goals/full' then circle.shared_goals(g.subject_id, g.item_ids)
    when 'goals/titles' then circle.goal_titles(g.subject_id)
    when 'goals/summary' then circle.goal_figures(g.subject_id)
    when 'habits/full' then circle.shared_habits(g.subject_id, g.item_ids)
    when 'habits/summary' then circle.habit_figures(g.subject_id)
    when 'wellness/summary' then (select coalesce(jsonb_agg(to_jsonb(w) order by w.week), '[]') from circle.wellness_weeks(g.subject_id) w)
    when 'wellness/ok' then (select coalesce(jsonb_agg(jsonb_build_object('week', w.week,
        'ok', w.mood >= 3 and coalesce(w.stress, 1) < 4) order by w.week), '[]') from circle.wellness_weeks(g.subject_id) w)
    when 'tasks/full' then circle.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/act' then circle.shared_tasks(g.subject_id, g.item_ids)
    when 'tasks/counts' then circle.task_counts(g.subject_id)
    when 'sessions/full' then circle.shared_sessions(g.relationship_id)
    when 'principles/countersign' then circle.shared_principle(g.subject_id, (g.item_ids ->> 0)::uuid)
  end;
end $$;

-- What the caller may see of one person now: {at, parts: [{grant_id, scope, level, until, data}]}. Without a ticket each part is
-- written down as read, and the ticket is the answer; a paused or ended relationship, and a grant that is over or not yet begun,
-- give none, with a ticket too.
create function read_circle(p_relationship uuid, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r public.circle_relationships;
  g public.consent_grants;
  ticket jsonb := '{}';
  noted uuid[] := '{}';
  parts jsonb := '[]';
begin
  select * into r from public.circle_relationships c where c.id = p_relationship and c.helper_id = auth.uid() and c.deleted_at is null;
  if r.id is null then raise exception 'no such relationship' using errcode = '42501', detail = 'CN180'; end if;
  if p_ticket is null then
    perform from public.circle_relationships c where c.id = r.id for share;
  else
    ticket := access.redeem_read_ticket(p_ticket, 'read_circle', jsonb_build_object('relationship', r.id));
  end if;
  if r.state = 'active' then
    for g in
      select x.* from public.consent_grants x
      join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
      where x.relationship_id = r.id and x.helper_id = auth.uid() and x.subject_id = r.subject_id and x.deleted_at is null
        and x.revoked_at is null and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
        and (p_ticket is null or ticket -> 'grants' ? x.id::text)
      order by x.scope, x.id
    loop
      if p_ticket is null then
        perform circle.note_read(g);
        noted := noted || g.id;
      else
        parts := parts || jsonb_build_object('grant_id', g.id, 'scope', g.scope, 'level', g.level, 'until', g.valid_until, 'data', circle.shared_data(g));
      end if;
    end loop;
  end if;
  if p_ticket is null then
    return access.issue_read_ticket('read_circle', jsonb_build_object('relationship', r.id, 'grants', to_jsonb(noted)));
  end if;
  return jsonb_build_object('at', now(), 'parts', parts);
end $$;

-- The end of an account: whoever was helped takes everything of it along; whoever helped leaves an ended relationship, and
-- the record of what they read, to the person.
-- The name goes with the account that signed. That somebody did, to which words and when, stays the person's.
create function circle.end_circle(p_user uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  delete from public.circle_invitations i where i.subject_id = p_user;
  delete from public.circle_relationships r where r.subject_id = p_user;
  update public.countersignatures c set signature = null, reason = '',
    signed_name = case when c.signed_name is not null then 'Former helper' end where c.helper_id = p_user;
  update public.circle_relationships r set state = 'ended', helper_name = 'Former helper' where r.helper_id = p_user;
end $$;

-- Goals that have begun, with their steps and figures; neither drafts nor what a person wrote of obstacles, next steps, why,
-- or what they learned.
create function circle.shared_goals(p_subject uuid, p_items jsonb) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title, 'area', g.area, 'state', g.state, 'metric', g.metric,
      'unit', g.unit, 'baseline', g.baseline, 'target', g.target, 'due_on', g.due_on,
      'milestones', (select coalesce(jsonb_agg(jsonb_build_object('title', m.title, 'due_on', m.due_on, 'done_on', m.done_on)
          order by m.position, m.title), '[]')
        from public.goal_milestones m where m.goal_id = g.id and m.user_id = p_subject and m.deleted_at is null),
      'check_ins', (select coalesce(jsonb_agg(jsonb_build_object('day', c.day, 'value', c.value, 'progress', c.progress,
          'confidence', c.confidence) order by c.day, c.at), '[]')
        from public.goal_check_ins c where c.goal_id = g.id and c.user_id = p_subject and c.deleted_at is null and c.day > current_date - 400)
    ) order by g.due_on nulls last, g.title), '[]')
  from public.goals g
  where g.user_id = p_subject and g.deleted_at is null and g.state in ('active', 'paused', 'achieved')
    and (p_items is null or p_items ? g.id::text)
$$;

create function circle.goal_titles(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title, 'state', g.state, 'due_on', g.due_on)
    order by g.due_on nulls last, g.title), '[]')
  from public.goals g
  where g.user_id = p_subject and g.deleted_at is null and g.state in ('active', 'paused')
$$;

-- How many goals run, rest, were reached in 90 days, and had something said or done about them in 14.
create function circle.goal_figures(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'active', count(*) filter (where g.state = 'active'), 'paused', count(*) filter (where g.state = 'paused'),
    'achieved_90', count(*) filter (where g.state = 'achieved' and g.ended_on > current_date - 90),
    'moved_14', count(*) filter (where g.state = 'active' and (
      exists (select from public.goal_check_ins c where c.goal_id = g.id and c.deleted_at is null and c.day > current_date - 14)
      or exists (select from public.goal_milestones m where m.goal_id = g.id and m.deleted_at is null and m.done_on > current_date - 14))))
  from public.goals g where g.user_id = p_subject and g.deleted_at is null
$$;

create function circle.shared_sessions(p_relationship uuid) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.at, 'state', s.state, 'minutes', s.minutes, 'note', s.note,
      'reason', s.reason, 'next_steps', s.next_steps, 'is_mine', s.author_id = s.helper_id) order by s.at desc), '[]')
  from public.circle_sessions s
  where s.relationship_id = p_relationship and s.deleted_at is null and s.at > now() - interval '400 days'
$$;

-- Does one thing in the private space of somebody who granted it, and writes down who did it for whom.
-- A task a helper adds has its id from the server, whatever was sent: a refusal told that a record of that id exists somewhere.
create function public.act_for(p_relationship uuid, p_act text, p_item uuid, p_title text default null) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  claims constant text := current_setting('request.jwt.claims', true);
  caller constant text := current_setting('request.jwt.claim.sub', true);
  r public.circle_relationships;
  home uuid;
  name text := nullif(btrim(p_title), '');
  item constant uuid := case when p_act = 'task_added' then gen_random_uuid() else p_item end;
begin
  select c.* into r from public.circle_relationships c
    join public.consent_grants g on g.relationship_id = c.id and g.scope = 'tasks' and g.level = 'act' and g.deleted_at is null
      and g.revoked_at is null and g.valid_from <= now() and g.valid_until > now()
    join public.circle_visibility v on v.role = c.role and v.scope = g.scope and v.level = g.level
    where c.id = p_relationship and c.helper_id = auth.uid() and c.state = 'active' and c.deleted_at is null limit 1 for share of c, g;
  if r.id is null then raise exception 'nothing is granted to act on' using errcode = '42501', detail = 'CN181'; end if;
  select o.id into home from public.organizations o where o.kind = 'private' and o.created_by = r.subject_id and o.deleted_at is null;
  if (select count(*) from public.circle_acts a where a.relationship_id = r.id and a.at > now() - interval '1 day') >= 200 then
    raise exception 'at most 200 acts a day' using errcode = 'P0001', detail = 'CN182';
  end if;
  -- In the person's name: their own rules judge it, and what it becomes is theirs. Without the helper's session, whose level is none
  -- of theirs (identity.require_full_session).
  perform set_config('request.jwt.claims', ((claims::jsonb - 'session_id') || jsonb_build_object('sub', r.subject_id, 'aal', 'aal2'))::text, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', r.subject_id::text, true); end if;
  perform access.clear_cached_rights();
  case p_act
    when 'task_added' then
      if name is null or char_length(name) > 200 then raise exception 'a task has a name' using errcode = '22023', detail = 'CN183'; end if;
      insert into public.action_items (id, organization_id, title, status, priority, source_type, created_by)
        values (item, home, name, 'open', 'medium', 'manual', r.subject_id);
    when 'task_done' then
      update public.action_items a set status = 'closed', closed_at = now(), closed_by = r.subject_id
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is null returning a.title into name;
    when 'task_reopened' then
      update public.action_items a set status = 'open', closed_at = null, closed_by = null
        where a.id = p_item and a.organization_id = home and a.deleted_at is null and a.closed_at is not null returning a.title into name;
    else raise exception 'no such act' using errcode = '22023', detail = 'CN184';
  end case;
  perform set_config('request.jwt.claims', claims, true);
  if caller <> '' then perform set_config('request.jwt.claim.sub', caller, true); end if;
  perform access.clear_cached_rights();
  -- Somebody else's, hidden, missing and already done are answered alike.
  if name is null then raise exception 'not allowed' using errcode = '42501', detail = 'CN185'; end if;
  insert into public.circle_acts (relationship_id, subject_id, helper_id, act, item_id, title)
    values (r.id, r.subject_id, auth.uid(), p_act, item, name);
  return item;
end $$;

-- The grant by which a helper sees what the person writes of their sessions; null where there is none now.
create function circle.session_grant(p_relationship uuid, p_now timestamptz) returns uuid
  language sql stable security definer set search_path = '' as $$
  select g.id from public.consent_grants g
  join public.circle_relationships r on r.id = g.relationship_id and r.helper_id = g.helper_id and r.subject_id = g.subject_id
  join public.circle_visibility v on v.role = r.role and v.scope = g.scope and v.level = g.level and v.chosen = (g.item_ids is not null)
  where g.relationship_id = p_relationship and g.scope = 'sessions' and r.state = 'active' and r.deleted_at is null
    and g.deleted_at is null and g.revoked_at is null and g.valid_from <= p_now and (g.valid_until is null or g.valid_until > p_now)
  order by g.id limit 1
$$;

-- Tells a helper what they know by a grant alone; that they were told is a read and stands in the access log. Answers whether they were.
create function circle.notify_grantee(r public.circle_relationships, p_type text, p_key text, p_subject uuid, p_by uuid, p_now timestamptz) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  given constant uuid := circle.session_grant(r.id, p_now);
begin
  if given is null or inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text,
      jsonb_build_object('by', r.subject_name), p_subject, null, p_by) is null then return false; end if;
  perform circle.note_read(g, p_now) from public.consent_grants g where g.id = given;
  return true;
end $$;

-- Tells both of a session, but for whoever did what is told.
create function circle.notify_session_parties(s public.circle_sessions, p_type text, p_key text, p_by uuid, p_now timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.circle_relationships;
begin
  select * into r from public.circle_relationships c where c.id = s.relationship_id and c.state = 'active' and c.deleted_at is null;
  if r.id is null then return; end if;
  perform inbox.notify(r.subject_id, p_type, p_key, '/support-circle/' || r.id::text, jsonb_build_object('by', r.helper_name), s.id, null, p_by);
  if s.author_id = r.helper_id then
    perform inbox.notify(r.helper_id, p_type, p_key, '/support-circle/' || r.id::text, jsonb_build_object('by', r.subject_name), s.id, null, p_by);
  else perform circle.notify_grantee(r, p_type, p_key, s.id, p_by, p_now); end if;
end $$;

-- What is over or was moved is no longer near, and whoever has planned or talked need not be told to.
create function circle.expire_session_notices(s public.circle_sessions) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform inbox.mark_resolved_read(s.id, array['circle.session_soon']);
  if s.deleted_at is not null or s.state not in ('planned', 'held') then return; end if;
  perform inbox.mark_resolved_read(s.relationship_id, array['circle.session_due'], s.subject_id);
  if s.author_id = s.helper_id or circle.session_grant(s.relationship_id, now()) is not null then
    perform inbox.mark_resolved_read(s.relationship_id, array['circle.session_due'], s.helper_id);
  end if;
end $$;

create function circle.session_soon_key(c public.circle_sessions) returns text
  language sql immutable parallel safe
  return 'circle.session_soon/' || (c).id::text || '/' || floor(extract(epoch from (c).at))::text;

-- By the clock: a planned session an hour before it begins, and who would have talked by their rhythm and has planned nothing, two
-- days before, at their own time of day. A helper's rhythm is that of the sessions they may see.
create function circle.sweep_sessions(p_now timestamptz default now(), p_limit integer default 500) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  s record;
  pair public.circle_relationships;
  t record;
  day date;
  told integer := 0;
  ends timestamptz;
begin
  for s in
    select d.session from (
      select distinct on (c.relationship_id) c as session, c.at
      from public.circle_sessions c join public.circle_relationships r on r.id = c.relationship_id and r.state = 'active' and r.deleted_at is null
      where c.state = 'planned' and c.deleted_at is null and c.at > p_now and c.at <= p_now + interval '1 hour'
        and c.created_at < c.at - interval '1 hour'
        and not exists (select from inbox.sweep_mark x where x.key = circle.session_soon_key(c) || ' ' || c.subject_id::text)
      order by c.relationship_id, c.at, c.id) d
    order by d.at, (d.session).id limit p_limit
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    -- Whoever is left out now comes in the next round: what is told of does not come again.
    exit when told > 0 and clock_timestamp() > ends;
    -- The others of the two that begin in that hour are told of with it.
    perform inbox.note_swept(circle.session_soon_key(c), c.subject_id) from public.circle_sessions c
      where c.relationship_id = (s.session).relationship_id and c.at > p_now and c.at <= p_now + interval '1 hour'
        and c.state = 'planned' and c.deleted_at is null and c.created_at < c.at - interval '1 hour';
    perform circle.notify_session_parties(s.session, 'circle.session_soon', circle.session_soon_key(s.session), null, p_now);
    told := told + 1;
  end loop;
  ends := null;
  for s in select * from inbox.due_reminders('talk', p_now, p_limit) loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when s.turn > 1 and clock_timestamp() > ends;
    day := inbox.strike('talk', s.subject_id, s.user_id, p_now);
    continue when day is null;
    select * into t from circle.due_talk(s.subject_id, s.user_id, day, (inbox.settings(s.user_id)).zone, p_now);
    continue when t.key is null;
    select * into pair from public.circle_relationships c where c.id = s.subject_id;
    if s.user_id = pair.subject_id or t.by_own then
      perform inbox.notify(s.user_id, 'circle.session_due', t.key, '/support-circle/' || pair.id::text,
        jsonb_build_object('by', case when s.user_id = pair.subject_id then pair.helper_name else pair.subject_name end), pair.id);
    else perform circle.notify_grantee(pair, 'circle.session_due', t.key, pair.id, null, p_now); end if;
    told := told + 1;
  end loop;
  return told;
end $$;

-- What a person may ask somebody to countersign: a version of a principle in force in their own space, in words alone, that they
-- committed to. The version counts as long as their own word does: until the next major.
create function circle.committed_principle(p_subject uuid, p_version uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select v.id from public.policy_versions v
  join public.organizations o on o.id = v.organization_id and o.kind = 'private' and o.created_by = p_subject
  join public.policies p on p.id = v.policy_id and p.state = 'published' and p.current_major = v.major and p.deleted_at is null
  join public.policy_acknowledgements a on a.version_id = v.id and a.user_id = p_subject and a.state = 'acknowledged' and a.deleted_at is null
  where v.id = p_version and v.deleted_at is null and v.file is null and v.quiz is null
$$;

-- The one version that was granted, and that the person committed to it; nothing else of the principle.
create function circle.shared_principle(p_subject uuid, p_version uuid) returns jsonb
  language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select jsonb_build_object('version_id', v.id, 'title', v.title, 'body', v.body, 'major', v.major, 'minor', v.minor,
      'content_hash', v.content_hash, 'is_current', p.state = 'published' and p.current_major = v.major,
      'name', a.signed_name, 'account_name', a.account_name, 'decided_at', a.decided_at, 'received_at', a.received_at)
  from public.policy_versions v
  join public.organizations o on o.id = v.organization_id and o.kind = 'private' and o.created_by = p_subject
  join public.policies p on p.id = v.policy_id
  join public.policy_acknowledgements a on a.version_id = v.id and a.user_id = p_subject and a.state = 'acknowledged' and a.deleted_at is null
  where v.id = p_version and v.deleted_at is null and v.major is not null
$$;

create function circle.due_talk(p_relationship uuid, p_user uuid, p_day date, p_zone text, p_now timestamptz) returns table (by_own boolean, key text)
  language sql stable security definer set search_path = '' as $$
  select not seen.sees_all, 'circle.session_due/' || r.id::text || '/' || (l.last_day + r.cadence_days)::text
  from public.circle_relationships r
  cross join lateral (select p_user = r.subject_id or circle.session_grant(r.id, p_now) is not null as sees_all) seen
  cross join lateral (select max(c.at at time zone p_zone)::date as last_day from public.circle_sessions c
    where c.relationship_id = r.id and c.state = 'held' and c.deleted_at is null and c.at <= p_now
      and (seen.sees_all or c.author_id = r.helper_id)) l
  where r.id = p_relationship and p_user in (r.subject_id, r.helper_id) and r.cadence_days is not null and r.state = 'active' and r.deleted_at is null
    and exists (select from public.circle_visibility v where v.role = r.role and v.scope = 'sessions')
    and p_day >= greatest(l.last_day + r.cadence_days - 2, l.last_day + 1)
    and not exists (select from public.circle_sessions c where c.relationship_id = r.id and c.state = 'planned' and c.deleted_at is null
      and c.at > p_now and (seen.sees_all or c.author_id = r.helper_id))
$$;

-- Writes down a read at the server.
create function circle.note_read(g public.consent_grants, p_now timestamptz default now()) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into public.grant_reads as x (id, grant_id, relationship_id, subject_id, helper_id, offline, read_at)
    values (extensions.uuid_generate_v5(g.id, 'read/' || floor(extract(epoch from p_now) / 300)::bigint::text),
      g.id, g.relationship_id, g.subject_id, g.helper_id, false, p_now)
    on conflict (id) do update set times = x.times + 1 where x.times < 10000
$$;

-- Who may call what.
revoke execute on function my_circle_with(text), invite_to_circle(text, text, jsonb), circle_invitation(text), answer_circle_invitation(text, boolean),
  revoke_circle_invitation(uuid), read_circle(uuid, uuid), act_for(uuid, text, uuid, text) from public, anon;
revoke execute on function circle.circle_name(uuid), circle.shared_habits(uuid, jsonb), circle.habit_figures(uuid), circle.wellness_weeks(uuid),
  circle.shared_tasks(uuid, jsonb), circle.task_counts(uuid), circle.shared_data(public.consent_grants), circle.end_circle(uuid),
  circle.shared_goals(uuid, jsonb), circle.goal_titles(uuid), circle.goal_figures(uuid), circle.shared_sessions(uuid),
  circle.session_grant(uuid, timestamp with time zone), circle.notify_grantee(public.circle_relationships, text, text, uuid, uuid, timestamp with time zone),
  circle.notify_session_parties(public.circle_sessions, text, text, uuid, timestamp with time zone), circle.expire_session_notices(public.circle_sessions),
  circle.session_soon_key(public.circle_sessions), circle.sweep_sessions(timestamp with time zone, integer), circle.committed_principle(uuid, uuid), circle.shared_principle(uuid, uuid),
  circle.due_talk(uuid, uuid, date, text, timestamp with time zone), circle.note_read(public.consent_grants, timestamp with time zone) from public;
