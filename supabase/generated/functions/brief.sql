-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema brief as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION brief.brief_lines(g consent_grants, p_week date)
 RETURNS TABLE(kind text, level text, place integer, figures jsonb, item_ids jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION brief.brief_relationship(p_relationship uuid)
 RETURNS circle_relationships
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r from public.circle_relationships r
  where r.id = p_relationship and r.helper_id = auth.uid() and r.deleted_at is null and r.state <> 'ended'
    and exists (select from public.role_permissions p
      where p.role_kind = 'circle' and p.role = r.role and p.permission = 'circle.brief' and p.deleted_at is null)
$function$;

CREATE OR REPLACE FUNCTION brief.brief_relationship_moved()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.triad_brief_copies c set is_open = (new.state = 'active' and new.deleted_at is null and c.taken_back_at is null)
    where c.relationship_id = new.id and c.is_open <> (new.state = 'active' and new.deleted_at is null and c.taken_back_at is null);
  if new.state = 'ended' or new.deleted_at is not null then perform brief.withdraw_lines(new.id, null); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION brief.compose_brief(r circle_relationships, p_week date, p_grants jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION brief.grant_covers(g consent_grants, p_scope text, p_level text, p_items jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select g.scope = p_scope and (g.item_ids is null or p_items <@ g.item_ids) and case p_scope || '/' || p_level
    when 'goals/summary' then g.level in ('full', 'summary')
    when 'habits/summary' then g.level in ('full', 'summary')
    when 'wellness/summary' then g.level = 'summary'
    when 'wellness/ok' then g.level in ('summary', 'ok')
    when 'tasks/counts' then g.level in ('full', 'act', 'counts')
    else false end
$function$;

CREATE OR REPLACE FUNCTION brief.grant_reveals(g consent_grants, p_scope text, p_level text, p_items jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select brief.grant_covers(g, p_scope, p_level, p_items)
    or g.scope = p_scope and p_scope <> 'sessions' and (g.item_ids is null or p_items <@ g.item_ids)
      and (g.level = p_level or p_level in ('full', 'act', 'titles') and g.level in ('full', 'act'))
$function$;

CREATE OR REPLACE FUNCTION brief.grant_withdrawn()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform brief.withdraw_lines(new.relationship_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION brief.last_week()
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select date_trunc('week', (now() at time zone 'UTC') - interval '12 hours')::date - 7 $function$;

CREATE OR REPLACE FUNCTION brief.open_grants(p_relationship uuid)
 RETURNS SETOF consent_grants
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select x.* from public.circle_relationships r
  join public.consent_grants x on x.relationship_id = r.id and x.subject_id = r.subject_id and x.helper_id = r.helper_id
  join public.circle_visibility v on v.role = r.role and v.scope = x.scope and v.level = x.level and v.chosen = (x.item_ids is not null)
  where r.id = p_relationship and r.state = 'active' and r.deleted_at is null and x.deleted_at is null and x.revoked_at is null
    and x.valid_from <= now() and (x.valid_until is null or x.valid_until > now())
$function$;

CREATE OR REPLACE FUNCTION brief.sweep_briefs(p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION brief.withdraw_lines(p_relationship uuid, p_grant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.triad_briefs b where b.relationship_id = p_relationship and b.state in ('review', 'approval') order by b.id for update;
  delete from public.triad_brief_lines l using public.triad_briefs b
    where b.id = l.brief_id and b.relationship_id = p_relationship and b.state in ('review', 'approval') and (p_grant is null or l.grant_id = p_grant);
  update public.triad_brief_lines l set wording = null from public.triad_briefs b
    where b.id = l.brief_id and b.relationship_id = p_relationship and b.state in ('review', 'approval') and l.wording is not null;
  update public.triad_briefs b set state = 'withdrawn', decided_at = now()
    where b.relationship_id = p_relationship and b.state in ('review', 'approval')
      and not exists (select from public.triad_brief_lines l where l.brief_id = b.id and not l.is_left_out);
end $function$;

CREATE OR REPLACE FUNCTION brief.wording_may_reach(b triad_briefs, p_relationship uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select not exists (select from (
      select l.scope, l.level, l.item_ids from public.triad_brief_lines l where l.brief_id = b.id
      union all select o.scope, o.level, o.item_ids from public.circle_relationships r cross join lateral brief.open_grants(r.id) o
        where r.subject_id = b.subject_id and r.helper_id = b.operator_id
      union all select g.scope, g.level, g.item_ids from public.grant_reads x join public.consent_grants g on g.id = x.grant_id
        where x.subject_id = b.subject_id and x.helper_id = b.operator_id and x.received_at >= (b.week + 7)::timestamp at time zone 'UTC') seen
    where not exists (select from brief.open_grants(p_relationship) g where brief.grant_reveals(g, seen.scope, seen.level, seen.item_ids)))
$function$;
