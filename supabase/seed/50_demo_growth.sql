-- Demo: Pia Person (…4) has five weeks of check-ins and two habits, and Sam Worker (…3) as her accountability partner, who
-- sees one of the habits and whether her weeks are all right. None of it is of the company.

insert into wellness_check_ins (id, user_id, day, at, mood, energy, stress, sleep_hours, sleep_quality, tags, skipped)
  select extensions.uuid_generate_v5('00000000-0000-4000-8000-000000000004', 'check-in/' || n), '00000000-0000-4000-8000-000000000004',
    current_date - n, (current_date - n) + interval '7 hours 42 minutes',
    case when skip then null else 2 + (n * 7 + 3) % 3 + (case when outdoors then 1 else 0 end) end,
    case when skip then null else 2 + (n * 5) % 4 end,
    case when skip then null else 1 + (n * 3 + 1) % 4 end,
    case when skip then null else 6 + (n % 5) * 0.5 end,
    case when skip then null else 2 + (n * 2) % 4 end,
    case when skip then '[]' when outdoors then '["outdoors", "family"]' else '["work"]' end::jsonb,
    case when skip then 'holiday' end
  from (select n, n in (16, 17) as skip, n % 3 = 0 as outdoors from generate_series(1, 35) n) days;

insert into habits (id, user_id, name, question, kind, unit, target, times, per_days, position, started_on) values
  ('00000000-0000-4000-8000-000000000f01', '00000000-0000-4000-8000-000000000004', 'Ten-minute walk', 'Did you walk for ten minutes?',
   'yes_no', null, null, 5, 7, 0, current_date - 40),
  ('00000000-0000-4000-8000-000000000f02', '00000000-0000-4000-8000-000000000004', 'Read', 'How many pages?',
   'number', 'pages', 10, 1, 1, 1, current_date - 30);

insert into habit_entries (id, user_id, habit_id, day, value, amount)
  select extensions.uuid_generate_v5(h.id, 'habits/' || to_char(current_date - n, 'YYYY-MM-DD')), h.user_id, h.id, current_date - n, 'done',
    case when h.kind = 'number' then 4 + (n * 7) % 15 end
  from habits h, generate_series(1, 30) n
  where h.id in ('00000000-0000-4000-8000-000000000f01', '00000000-0000-4000-8000-000000000f02')
    and n not in (16, 17) and (n + h.position) % 4 <> 0;

insert into habit_pauses (id, user_id, habit_id, from_day, until_day, reason) values
  ('00000000-0000-4000-8000-000000000f03', '00000000-0000-4000-8000-000000000004', null, current_date - 17, current_date - 16, 'holiday');

insert into circle_relationships (id, subject_id, helper_id, role, purpose, subject_name, helper_name, started_at) values
  ('00000000-0000-4000-8000-000000000f04', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000003',
   'accountability_partner', 'To keep walking through the winter', 'Pia Person', 'Sam Worker', now() - interval '20 days');
insert into consent_grants (id, relationship_id, subject_id, helper_id, role, scope, level, item_ids, valid_from) values
  ('00000000-0000-4000-8000-000000000f05', '00000000-0000-4000-8000-000000000f04', '00000000-0000-4000-8000-000000000004',
   '00000000-0000-4000-8000-000000000003', 'accountability_partner', 'habits', 'full', '["00000000-0000-4000-8000-000000000f01"]', now() - interval '20 days'),
  ('00000000-0000-4000-8000-000000000f06', '00000000-0000-4000-8000-000000000f04', '00000000-0000-4000-8000-000000000004',
   '00000000-0000-4000-8000-000000000003', 'accountability_partner', 'wellness', 'ok', null, now() - interval '20 days');

-- Two goals on the way: one that is counted, with milestones and the walk tied to it, and one told by its check-ins.
insert into goals (id, user_id, area, title, why, metric, unit, baseline, target, due_on, difficulty, state, started_on) values
  ('00000000-0000-4000-8000-000000000f10', '00000000-0000-4000-8000-000000000004', 'health-wellness-foundation', 'Walk the coast path',
   'To see the sea from every headland', 'Distance', 'km', 0, 180, current_date + 120, 'steady', 'active', current_date - 40),
  ('00000000-0000-4000-8000-000000000f11', '00000000-0000-4000-8000-000000000004', 'personal-development-basics', 'Read twelve books this year',
   null, 'Books', 'books', 0, 12, current_date + 60, 'easy', 'active', current_date - 90);
insert into goal_milestones (id, user_id, goal_id, title, due_on, done_on, position) values
  ('00000000-0000-4000-8000-000000000f12', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000f10',
   'The first headland', current_date - 14, current_date - 15, 0),
  ('00000000-0000-4000-8000-000000000f13', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000f10',
   'Half of the way', current_date + 21, null, 1);
insert into goal_links (id, user_id, goal_id, kind, item_id) values
  (extensions.uuid_generate_v5('00000000-0000-4000-8000-000000000f10', 'link/00000000-0000-4000-8000-000000000f01'),
   '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000f10', 'habit', '00000000-0000-4000-8000-000000000f01');
insert into goal_check_ins (id, user_id, goal_id, day, at, value, confidence, obstacle, next_step) values
  ('00000000-0000-4000-8000-000000000f14', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000f10',
   current_date - 20, (current_date - 20) + interval '18 hours', 64, 3, 'Short days', null),
  ('00000000-0000-4000-8000-000000000f15', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000f10',
   current_date - 3, (current_date - 3) + interval '18 hours', 112, 4, null, 'Look up the bus to the harbour'),
  ('00000000-0000-4000-8000-000000000f16', '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000f11',
   current_date - 12, (current_date - 12) + interval '20 hours', 7, 4, null, null);
