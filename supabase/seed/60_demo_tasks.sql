-- Demo: tasks of Site North for Sam Worker (…3) and Mara Manager (…2) in every state, a weekly duty, and four of Pia Person's
-- (…4) own.

insert into task_series (id, organization_id, site_id, title, recurrence, start_day, due_time, zone, assignee_id, steps, created_by, active_since) values
  ('00000000-0000-4000-8000-000000001000', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Test the emergency lights', 'FREQ=WEEKLY;BYDAY=MO', current_date - 14, '08:00', 'UTC', '00000000-0000-4000-8000-000000000003',
   '[{"title": "Corridor", "required": true}, {"title": "Loading bay", "required": true}]', '00000000-0000-4000-8000-000000000002', now());

insert into tasks (id, organization_id, site_id, title, notes, status, status_reason, priority, due_day, due_time, due_zone, assignee_id,
    reviewer_id, labels, evidence_required, ended_at, ended_by, created_by, created_at) values
  ('00000000-0000-4000-8000-000000001001', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Order gloves, size 9', null, 'todo', null, 'medium', current_date + 1, null, 'UTC', '00000000-0000-4000-8000-000000000003', null,
   '["shop"]', false, null, null, '00000000-0000-4000-8000-000000000003', now() - interval '2 days'),
  ('00000000-0000-4000-8000-000000001002', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Clear the escape route behind rack 7', 'A photo of the free route is asked for.', 'in_progress', null, 'high', current_date + 2, '15:00', 'UTC',
   '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', '["fire"]', true, null, null,
   '00000000-0000-4000-8000-000000000002', now() - interval '4 days'),
  ('00000000-0000-4000-8000-000000001003', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Repaint the walkway lines', null, 'blocked', 'The paint comes on Thursday', 'low', current_date + 6, null, 'UTC',
   '00000000-0000-4000-8000-000000000003', null, '[]', false, null, null, '00000000-0000-4000-8000-000000000002', now() - interval '9 days'),
  ('00000000-0000-4000-8000-000000001004', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Label the new chargers', null, 'done', null, 'none', current_date - 3, null, 'UTC', '00000000-0000-4000-8000-000000000003', null, '[]', false,
   now() - interval '3 days', '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000003', now() - interval '8 days'),
  ('00000000-0000-4000-8000-000000001005', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Check the ladder on ramp B', null, 'not_applicable', 'The ladder was taken out of use', 'none', current_date - 2, null, 'UTC',
   '00000000-0000-4000-8000-000000000003', null, '[]', false, now() - interval '2 days', '00000000-0000-4000-8000-000000000002',
   '00000000-0000-4000-8000-000000000002', now() - interval '8 days'),
  ('00000000-0000-4000-8000-000000001006', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Plan the fire drill', null, 'in_review', null, 'high', current_date + 9, null, 'UTC', '00000000-0000-4000-8000-000000000002', null, '["fire"]', false,
   null, null, '00000000-0000-4000-8000-000000000002', now() - interval '6 days');
insert into task_items (id, organization_id, task_id, title, required, position, done_at, done_by, created_by) values
  ('00000000-0000-4000-8000-000000001011', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000001002',
   'Move the pallets', true, 0, now() - interval '1 day', '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000001012', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000001002',
   'Mark the floor', true, 1, null, null, '00000000-0000-4000-8000-000000000002');

insert into tasks (id, organization_id, title, status, priority, due_day, due_time, due_zone, assignee_id, labels, ended_at, ended_by, created_by)
  select t.id::uuid, o.id, t.title, t.status, t.priority, t.due_day, t.due_time, 'UTC', o.created_by, t.labels::jsonb,
    case when t.status = 'done' then now() - interval '1 day' end, case when t.status = 'done' then o.created_by end, o.created_by
  from organizations o cross join (values
    ('00000000-0000-4000-8000-000000001021', 'Book the dentist', 'todo', 'none', current_date + 2, null, '["health"]'),
    ('00000000-0000-4000-8000-000000001022', 'Call Grandma', 'todo', 'medium', current_date + 1, '18:00', '[]'),
    ('00000000-0000-4000-8000-000000001023', 'Read the first chapter', 'in_progress', 'low', null::date, null, '["course"]'),
    ('00000000-0000-4000-8000-000000001024', 'Cancel the old gym card', 'done', 'none', current_date - 2, null, '[]')
  ) as t (id, title, status, priority, due_day, due_time, labels)
  where o.kind = 'private' and o.created_by = '00000000-0000-4000-8000-000000000004';
