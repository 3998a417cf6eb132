-- Made by tools/gen-functions.ts from supabase/migrations: the functions of schema calendar as they are now. Do not edit: npm run gen.

CREATE OR REPLACE FUNCTION calendar.entries(p_user uuid, p_kind text, p_scopes text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with span as (select now() - interval '60 days' as first, now() + interval '13 months 1 day' as last),
  due as (
    select 'task' as kind, t.id, t.title, t.due_day as day, t.due_time as time, t.due_at as at, t.estimate_minutes as minutes,
      t.status = 'done' as done, t.updated_at as changed, t.version, t.site_id
    from public.tasks t, span
    where (t.assignee_id = p_user or t.assignee_id is null and t.created_by = p_user)
      and t.deleted_at is null and t.scopes && p_scopes and t.status not in ('cancelled', 'not_applicable')
      and t.due_at between span.first and span.last
    union all
    select 'action', a.id, a.title, null, null, a.due_at, null, a.status in ('closed', 'risk_accepted'), a.updated_at, a.version, a.site_id
    from public.action_items a, span
    where p_kind = 'day' and a.assignee_id = p_user and a.deleted_at is null and a.scopes && p_scopes
      and a.status not in ('duplicate', 'not_valid') and a.due_at between span.first and span.last
    union all
    select 'inspection', i.id, i.title, null, null, i.due_at, null, i.status not in ('scheduled', 'in_progress', 'has_issues'),
      i.updated_at, i.version, i.site_id
    from public.inspections i, span
    where p_kind = 'day' and (i.assigned_to = p_user or i.conducted_by = p_user or i.assigned_team in (
        select m.team_id from public.team_members m where m.user_id = p_user and m.deleted_at is null))
      and i.deleted_at is null and i.missed_at is null and i.scopes && p_scopes and i.due_at between span.first and span.last
  ),
  -- More than calendars take; what is near counts most.
  nearest as (select * from due order by abs(extract(epoch from at - now())), id limit 3000)
  -- A title is cut: what others write into it must not make the whole too large to be answered.
  select coalesce(jsonb_agg(jsonb_build_object('kind', n.kind, 'id', n.id, 'title', left(n.title, 300), 'day', n.day, 'time', n.time, 'at', n.at,
      'minutes', n.minutes, 'done', n.done, 'changed', n.changed, 'version', n.version, 'site', left(s.name, 100)) order by n.at, n.id), '[]')
  from nearest n left join public.sites s on s.id = n.site_id
$function$;
