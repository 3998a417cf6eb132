-- Weekly briefs of Triad Intelligence: functions.

set local check_function_bodies = off;   -- what they call may be made later

-- Whether whoever has this grant may be told a line: no line tells more than its receiver may look up. `p_items`: what was counted; of a
-- grant of chosen items it must be among them.
create function brief.grant_covers(g public.consent_grants, p_scope text, p_level text, p_items jsonb) returns boolean
  language sql immutable set search_path = '' as $$
  select g.scope = p_scope and (g.item_ids is null or p_items <@ g.item_ids) and case p_scope || '/' || p_level
    when 'goals/summary' then g.level in ('full', 'summary')
    when 'habits/summary' then g.level in ('full', 'summary')
    when 'wellness/summary' then g.level = 'summary'
    when 'wellness/ok' then g.level in ('summary', 'ok')
    when 'tasks/counts' then g.level in ('full', 'act', 'counts')
    else false end
$$;

-- The grants of a relationship that open something now.
create function brief.open_grants(p_relationship uuid) returns setof public.consent_grants
  language sql stable security definer set search_path = '' as $$
  select x.* from public.circle_relationships r
  join public.consent_grants x on x.relationship_id = r.id and x.subject_id = r.subject_id and x.helper_id = r.helper_id
  join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
  where r.id = p_relationship and r.state = 'active' and r.deleted_at is null and x.deleted_at is null and x.revoked_at is null
    and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
$$;

-- A withdrawn grant takes its lines out of every brief that was not decided on; one with no line left is over.
create function brief.withdraw_lines(p_relationship uuid, p_grant uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.triad_briefs b where b.relationship_id = p_relationship and b.state in ('review', 'approval') order by b.id for update;
  delete from public.triad_brief_lines l using public.triad_briefs b
    where b.id = l.brief_id and b.relationship_id = p_relationship and b.state in ('review', 'approval') and (p_grant is null or l.grant_id = p_grant);
  update public.triad_brief_lines l set wording = null from public.triad_briefs b
    where b.id = l.brief_id and b.relationship_id = p_relationship and b.state in ('review', 'approval') and l.wording is not null;
  update public.triad_briefs b set state = 'withdrawn', decided_at = now()
    where b.relationship_id = p_relationship and b.state in ('review', 'approval')
      and not exists (select from public.triad_brief_lines l where l.brief_id = b.id and not l.is_left_out);
end $$;

-- What one grant says of a week, by fixed rules; nothing where there is nothing to say. Means of a week stand as they were first
-- shown (docs/decisions/35-support-circle-and-briefs.md); the rest is counted when the brief is put together.
-- The days of habits are those whose target is met.
create function brief.brief_lines(g public.consent_grants, p_week date)
  returns table (kind text, level text, place integer, figures jsonb, item_ids jsonb)
  language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  last_day constant date := p_week + 6;
  w record;
  before record;
begin
  case g.scope || '/' || g.level
  when 'goals/summary' then
    return query
      select 'goals', 'summary', 1, jsonb_build_object('active', count(*) filter (where s.state = 'active'),
        'moved', count(*) filter (where s.state = 'active' and s.moved), 'paused', count(*) filter (where s.state = 'paused'),
        'achieved', count(*) filter (where s.state = 'achieved')), jsonb_agg(s.id order by s.id)
      from (
        select o.id, o.state,
          exists (select from public.goal_check_ins c where c.goal_id = o.id and c.user_id = o.user_id and c.deleted_at is null
            and c.day between p_week and last_day)
          or exists (select from public.goal_milestones m where m.goal_id = o.id and m.user_id = o.user_id and m.deleted_at is null
            and m.done_on between p_week and last_day) as moved
        from public.goals o
        where o.user_id = g.subject_id and o.deleted_at is null and (o.started_on is null or o.started_on <= last_day)
          and (o.state in ('active', 'paused') or o.state = 'achieved' and o.ended_on between p_week and last_day)) s
      having count(*) > 0;
  when 'habits/summary' then
    return query
      select 'habits', 'summary', 2, jsonb_build_object('habits', count(distinct h.id),
        'days', count(distinct e.day) filter (where e.day between p_week and last_day),
        'days_before', count(distinct e.day) filter (where e.day between p_week - 7 and p_week - 1)), jsonb_agg(distinct h.id)
      from public.habits h
      left join growth.habit_days_done(g.subject_id, p_week - 7, last_day) e on e.habit_id = h.id
      where h.user_id = g.subject_id and h.deleted_at is null and h.archived_at is null and h.started_on <= last_day
      having count(distinct h.id) > 0;
  when 'wellness/summary' then
    select x.* into w from circle.wellness_weeks(g.subject_id) x where x.week = p_week;
    if w.week is null then return; end if;
    select x.* into before from circle.wellness_weeks(g.subject_id) x where x.week = p_week - 7;
    return query select 'wellness', 'summary', 3, jsonb_strip_nulls(jsonb_build_object('n', w.n, 'mood', w.mood, 'energy', w.energy,
      'stress', w.stress, 'mood_before', before.mood, 'energy_before', before.energy, 'stress_before', before.stress)), '[]'::jsonb;
    -- The same as a partner may be told.
    return query select 'week', 'ok', 4, jsonb_build_object('ok', w.mood >= 3 and coalesce(w.stress, 1) < 4), '[]'::jsonb;
  when 'tasks/counts' then
    return query
      select 'tasks', 'counts', 5, jsonb_build_object('done', count(*) filter (where a.closed_at is not null),
        'open', count(*) filter (where a.closed_at is null), 'late', count(*) filter (where a.closed_at is null and a.due_at < now())),
        jsonb_agg(a.id order by a.id)
      from public.action_items a
      join public.organizations o on o.id = a.organization_id and o.kind = 'private' and o.created_by = g.subject_id
      where a.deleted_at is null and (a.closed_at is null
        or a.closed_at >= p_week::timestamp at time zone 'UTC' and a.closed_at < (p_week + 7)::timestamp at time zone 'UTC')
      having count(*) > 0;
  else return;
  end case;
end $$;

-- The last week that is over in every zone.
create function brief.last_week() returns date
  language sql stable set search_path = '' as $$ select date_trunc('week', (now() at time zone 'UTC') - interval '12 hours')::date - 7 $$;

-- Who may look briefs through, by the table of permissions; null for everybody else.
create function brief.brief_relationship(p_relationship uuid) returns public.circle_relationships
  language sql stable security definer set search_path = '' as $$
  select r from public.circle_relationships r
  where r.id = p_relationship and r.helper_id = auth.uid() and r.deleted_at is null and r.state <> 'ended'
    and exists (select from public.role_permissions p
      where p.role_kind = 'circle' and p.role = r.role and p.permission = 'circle.brief' and p.deleted_at is null)
$$;

-- Adds what is granted and missing in it. What is in it stays as it was when it was put together.
create function brief.compose_brief(r public.circle_relationships, p_week date, p_grants jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  b public.triad_briefs;
begin
  insert into public.triad_briefs (relationship_id, subject_id, operator_id, week) values (r.id, r.subject_id, r.helper_id, p_week)
    on conflict (relationship_id, week) do nothing;
  select * into b from public.triad_briefs t where t.relationship_id = r.id and t.week = p_week for update;
  if b.state <> 'review' then return; end if;
  insert into public.triad_brief_lines (brief_id, subject_id, grant_id, scope, level, kind, position, figures, item_ids)
    select b.id, r.subject_id, g.id, g.scope, l.level, l.kind, l.place, l.figures, l.item_ids
    from brief.open_grants(r.id) g cross join lateral brief.brief_lines(g, p_week) l
    where p_grants ? g.id::text
    order by l.place, g.id
    on conflict (brief_id, kind) do nothing;
  -- A week that says nothing has no brief.
  delete from public.triad_briefs t where t.id = b.id and not exists (select from public.triad_brief_lines l where l.brief_id = t.id);
end $$;

-- For the operator: the brief of the last week, put together if it was not, and those still to be decided on: {at, week,
-- briefs: [{id, week, state, lines: [{id, scope, level, kind, figures, wording, is_left_out}]}]}. It takes two calls, as read_circle does
-- (docs/decisions/03-row-level-security-and-sync-scopes.md): the first writes down what is read and answers a ticket.
create function brief_for_review(p_relationship uuid, p_ticket uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  r constant public.circle_relationships := brief.brief_relationship(p_relationship);
  ticket jsonb;
  read public.consent_grants;
  noted uuid[] := '{}';
begin
  if r.id is null then raise exception 'no such relationship' using errcode = '42501', detail = 'CN180'; end if;
  perform from public.circle_relationships c where c.id = r.id for share;
  -- What is being taken back at this moment is waited for.
  perform from public.consent_grants x where x.relationship_id = r.id order by x.id for share;
  if p_ticket is null then
    for read in select o.* from brief.open_grants(r.id) o order by o.scope, o.id loop
      perform circle.note_read(read);
      noted := noted || read.id;
    end loop;
    return access.issue_read_ticket('brief_for_review', jsonb_build_object('relationship', r.id, 'grants', to_jsonb(noted)));
  end if;
  ticket := access.redeem_read_ticket(p_ticket, 'brief_for_review', jsonb_build_object('relationship', r.id));
  if exists (select from brief.open_grants(r.id) g where ticket -> 'grants' ? g.id::text) then
    perform brief.compose_brief(r, brief.last_week(), ticket -> 'grants');
  end if;
  return jsonb_build_object('at', now(), 'week', brief.last_week(), 'briefs', (
    select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'week', b.week, 'state', b.state, 'lines', shared.lines) order by b.week desc), '[]')
    from public.triad_briefs b cross join lateral (
      select jsonb_agg(jsonb_build_object('id', l.id, 'scope', l.scope, 'level', l.level, 'kind', l.kind, 'figures', l.figures,
          'wording', l.wording, 'is_left_out', l.is_left_out) order by l.position) as lines
      from public.triad_brief_lines l join brief.open_grants(r.id) g on g.id = l.grant_id
      where l.brief_id = b.id and ticket -> 'grants' ? g.id::text) shared
    where b.relationship_id = r.id and b.state in ('review', 'approval') and b.deleted_at is null and shared.lines is not null));
end $$;

-- The operator hands the brief to the person: `p_lines` are those that stay, [{id, wording?}]; the others are left out.
create function review_brief(p_brief uuid, p_lines jsonb) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  b public.triad_briefs;
  r public.circle_relationships;
begin
  r := brief.brief_relationship((select x.relationship_id from public.triad_briefs x where x.id = p_brief and x.deleted_at is null));
  perform from public.circle_relationships c where c.id = r.id for share;
  select * into b from public.triad_briefs x where x.id = p_brief and x.relationship_id = r.id for update;
  if b.id is null or r.state <> 'active' or b.state <> 'review' then raise exception 'nothing to look through' using errcode = '42501', detail = 'CN186'; end if;
  if jsonb_typeof(p_lines) is distinct from 'array' or jsonb_array_length(p_lines) not between 1 and 20
    or exists (select from jsonb_array_elements(p_lines) e where jsonb_typeof(e) <> 'object' or jsonb_typeof(e -> 'id') is distinct from 'string'
      or coalesce(jsonb_typeof(e -> 'wording'), 'null') not in ('string', 'null') or char_length(btrim(e ->> 'wording')) > 400)
    or (select count(distinct e ->> 'id') from jsonb_array_elements(p_lines) e) < jsonb_array_length(p_lines) then
    raise exception 'which lines stay, each once, with at most 400 letters' using errcode = '22023', detail = 'CN187';
  end if;
  if exists (select from jsonb_array_elements(p_lines) e where not exists (
      select from public.triad_brief_lines l join brief.open_grants(r.id) g on g.id = l.grant_id
      where l.brief_id = b.id and l.id::text = e ->> 'id')) then
    raise exception 'a line is not there any more' using errcode = '42501', detail = 'CN188';
  end if;
  update public.triad_brief_lines l set is_left_out = e.value is null, wording = nullif(btrim(e.value ->> 'wording'), '')
    from public.triad_brief_lines own left join jsonb_array_elements(p_lines) e on e.value ->> 'id' = own.id::text
    where own.id = l.id and l.brief_id = b.id;
  update public.triad_briefs x set state = 'approval', reviewed_at = now() where x.id = b.id;
  perform inbox.notify(b.subject_id, 'brief.reviewed', 'brief.reviewed/' || b.id::text, '/triad-intelligence',
    jsonb_build_object('by', r.helper_name), b.id, null, auth.uid());
end $$;

-- The person decides. `p_lines`: the lines they approve; `p_to`: who is sent which of them, [{relationship, lines: [id]}], empty to keep it to
-- themselves. Nobody is sent what they are not granted at this moment, nor what was withdrawn from the operator since. Answers how
-- many lines went to whom: [{relationship, lines}].
create function decide_brief(p_brief uuid, p_lines uuid[], p_to jsonb default '[]') returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  b public.triad_briefs;
  r public.circle_relationships;
  wanted jsonb;
  told jsonb;
  sent jsonb := '[]';
begin
  if jsonb_typeof(p_to) is distinct from 'array' or jsonb_array_length(p_to) > 50
    or exists (select from jsonb_array_elements(p_to) e where jsonb_typeof(e) <> 'object' or jsonb_typeof(e -> 'lines') is distinct from 'array'
      or coalesce(e ->> 'relationship', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    or (select count(distinct e ->> 'relationship') from jsonb_array_elements(p_to) e) < jsonb_array_length(p_to) then
    raise exception 'who is sent which lines, each once' using errcode = '22023', detail = 'CN189';
  end if;
  -- A pause or an end of one of them waits until this is done, or has happened.
  perform from public.circle_relationships c where c.subject_id = auth.uid() order by c.id for share;
  select * into b from public.triad_briefs x where x.id = p_brief and x.subject_id = auth.uid() and x.deleted_at is null for update;
  if b.id is null or b.state <> 'approval' then raise exception 'nothing to decide on' using errcode = '42501', detail = 'CN190'; end if;
  update public.triad_brief_lines l set is_approved = true
    where l.brief_id = b.id and not l.is_left_out and l.id = any (p_lines)
      and exists (select from brief.open_grants(b.relationship_id) g where g.id = l.grant_id);
  for wanted in select e from jsonb_array_elements(p_to) e order by e ->> 'relationship' loop
    select * into r from public.circle_relationships c where c.id = (wanted ->> 'relationship')::uuid and c.subject_id = b.subject_id
      and c.helper_id <> b.operator_id and c.state = 'active' and c.deleted_at is null;
    continue when r.id is null;
    select jsonb_agg(jsonb_build_object('id', l.id, 'scope', l.scope, 'level', l.level, 'kind', l.kind, 'figures', l.figures, 'wording', case when brief.wording_may_reach(b, r.id) then l.wording end)
        order by l.position) into told
      from public.triad_brief_lines l
      where l.brief_id = b.id and l.is_approved and wanted -> 'lines' ? l.id::text
        and exists (select from brief.open_grants(r.id) g where brief.grant_covers(g, l.scope, l.level, l.item_ids));
    continue when told is null;
    insert into public.triad_brief_copies (brief_id, relationship_id, subject_id, helper_id, week, lines)
      values (b.id, r.id, b.subject_id, r.helper_id, b.week, told);
    insert into public.grant_reads (grant_id, relationship_id, subject_id, helper_id, offline, read_at, brief_id)
      select distinct g.id, r.id, b.subject_id, r.helper_id, false, now(), b.id
      from public.triad_brief_lines l join brief.open_grants(r.id) g on brief.grant_covers(g, l.scope, l.level, l.item_ids)
      where l.brief_id = b.id and told @> jsonb_build_array(jsonb_build_object('id', l.id));
    perform inbox.notify(r.helper_id, 'brief.received', 'brief.received/' || b.id::text, '/triad-intelligence',
      jsonb_build_object('by', r.subject_name), b.id, null, auth.uid());
    sent := sent || jsonb_build_object('relationship', r.id, 'lines', jsonb_array_length(told));
  end loop;
  if jsonb_array_length(p_to) > 0 and sent = '[]' then raise exception 'nothing of it may be shown to them' using errcode = '42501', detail = 'CN191'; end if;
  update public.triad_briefs x set state = case when sent = '[]' then 'kept' else 'sent' end, decided_at = now() where x.id = b.id;
  return sent;
end $$;

-- Takes a sent brief back; it goes from the receiver's devices with their next contact.
create function take_back_brief(p_copy uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.triad_brief_copies c set taken_back_at = now(), is_open = false
    where c.id = p_copy and c.subject_id = auth.uid() and c.deleted_at is null and c.taken_back_at is null;
  if not found then raise exception 'nothing to take back' using errcode = '42501', detail = 'CN192'; end if;
end $$;

-- By the clock: tells an operator once a week that there is a week to look through, and lets go of lines whose grant has run out.
create function brief.sweep_briefs(p_now timestamptz default now()) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  r public.circle_relationships;
  x record;
  told integer := 0;
  ends timestamptz;
begin
  for x in
    select d.*, row_number() over (partition by d.operator_id order by d.relationship_id, d.grant_id) as turn from (
      select distinct b.operator_id, b.relationship_id, l.grant_id from public.triad_briefs b join public.triad_brief_lines l on l.brief_id = b.id
      join public.consent_grants g on g.id = l.grant_id
      where b.state in ('review', 'approval') and (g.valid_until <= p_now or g.revoked_at is not null or g.deleted_at is not null)) d
    order by turn, d.relationship_id limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when x.turn > 1 and clock_timestamp() > ends;
    perform brief.withdraw_lines(x.relationship_id, x.grant_id);
  end loop;
  ends := null;
  for x in
    with near as materialized (
      select c.id, c.helper_id from public.circle_relationships c
      where c.state = 'active' and c.deleted_at is null and c.started_at < (brief.last_week() + 7)::timestamp at time zone 'UTC'
        and exists (select from public.role_permissions p
          where p.role_kind = 'circle' and p.role = c.role and p.permission = 'circle.brief' and p.deleted_at is null)
        and not exists (select from public.triad_briefs b where b.relationship_id = c.id and b.week = brief.last_week())
        and not exists (select from public.notifications n
          where n.user_id = c.helper_id and n.key = 'brief.due/' || c.id::text || '/' || brief.last_week()::text)
    )
    select n.id, row_number() over (partition by n.helper_id order by n.id) as turn from near n
    where exists (select from brief.open_grants(n.id)) order by turn, n.id limit 500
  loop
    ends := coalesce(ends, inbox.sweep_deadline());
    exit when x.turn > 1 and clock_timestamp() > ends;
    select * into r from public.circle_relationships c where c.id = x.id;
    perform inbox.notify(r.helper_id, 'brief.due', 'brief.due/' || r.id::text || '/' || brief.last_week()::text, '/triad-intelligence',
      jsonb_build_object('by', r.subject_name), r.id);
    told := told + 1;
  end loop;
  return told;
end $$;

-- Whether a receiver is granted whatever the operator of a brief was shown: each of its lines, and what the operator is granted now.
-- Also what the operator looked at since the week was over and was withdrawn since. The log of reads has it.
-- Of every part the operator has in the person's circle; `item_ids` is null where all of it was shown.
create function brief.wording_may_reach(b public.triad_briefs, p_relationship uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (select from (
      select l.scope, l.level, l.item_ids from public.triad_brief_lines l where l.brief_id = b.id
      union all select o.scope, o.level, o.item_ids from public.circle_relationships r cross join lateral brief.open_grants(r.id) o
        where r.subject_id = b.subject_id and r.helper_id = b.operator_id
      union all select g.scope, g.level, g.item_ids from public.grant_reads x join public.consent_grants g on g.id = x.grant_id
        where x.subject_id = b.subject_id and x.helper_id = b.operator_id and x.received_at >= (b.week + 7)::timestamp at time zone 'UTC') seen
    where not exists (select from brief.open_grants(p_relationship) g where brief.grant_reveals(g, seen.scope, seen.level, seen.item_ids)))
$$;

-- Whether a grant tells at least what another told. What was written in a session belongs to its one relationship: no other tells it.
create function brief.grant_reveals(g public.consent_grants, p_scope text, p_level text, p_items jsonb) returns boolean
  language sql immutable set search_path = '' as $$
  select brief.grant_covers(g, p_scope, p_level, p_items)
    or g.scope = p_scope and p_scope <> 'sessions' and (g.item_ids is null or p_items <@ g.item_ids)
      and (g.level = p_level or p_level in ('full', 'act', 'titles') and g.level in ('full', 'act'))
$$;

-- Who may call what.
revoke execute on function brief.grant_covers(public.consent_grants, text, text, jsonb), brief.open_grants(uuid), brief.withdraw_lines(uuid, uuid),
  brief.brief_lines(public.consent_grants, date), brief.last_week(), brief.brief_relationship(uuid),
  brief.compose_brief(public.circle_relationships, date, jsonb), brief.sweep_briefs(timestamp with time zone),
  brief.wording_may_reach(public.triad_briefs, uuid), brief.grant_reveals(public.consent_grants, text, text, jsonb) from public;
revoke execute on function brief_for_review(uuid, uuid), review_brief(uuid, jsonb), decide_brief(uuid, uuid[], jsonb), take_back_brief(uuid) from public, anon;
