-- Goals in the support circle: what each role may be granted at most (domain 1.5), read by `read_circle` alone.

insert into circle_visibility (role, scope, level, chosen) values
  ('mentor_coach', 'goals', 'full', false),
  ('accountability_partner', 'goals', 'full', true),
  ('managed_admin', 'goals', 'titles', false),
  ('triad_intelligence_operator', 'goals', 'summary', false);

-- Goals that have begun, with their steps and figures; neither drafts nor what a person wrote of obstacles, next steps, why,
-- or what they learned.
create function sync.shared_goals(p_subject uuid, p_items jsonb) returns jsonb
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

create function sync.goal_titles(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title, 'state', g.state, 'due_on', g.due_on)
    order by g.due_on nulls last, g.title), '[]')
  from public.goals g
  where g.user_id = p_subject and g.deleted_at is null and g.state in ('active', 'paused')
$$;

-- How many goals run, rest, were reached in 90 days, and had something said or done about them in 14.
create function sync.goal_figures(p_subject uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'active', count(*) filter (where g.state = 'active'), 'paused', count(*) filter (where g.state = 'paused'),
    'achieved_90', count(*) filter (where g.state = 'achieved' and g.ended_on > current_date - 90),
    'moved_14', count(*) filter (where g.state = 'active' and (
      exists (select from public.goal_check_ins c where c.goal_id = g.id and c.deleted_at is null and c.day > current_date - 14)
      or exists (select from public.goal_milestones m where m.goal_id = g.id and m.deleted_at is null and m.done_on > current_date - 14))))
  from public.goals g where g.user_id = p_subject and g.deleted_at is null
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
    when 'tasks/counts' then sync.task_counts(g.subject_id)
  end;
end $$;
revoke execute on function sync.shared_goals(uuid, jsonb), sync.goal_titles(uuid), sync.goal_figures(uuid) from public;
