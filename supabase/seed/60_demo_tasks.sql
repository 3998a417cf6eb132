-- Demo: tasks of Site North for Sam Worker (…3) and Mara Manager (…2) in every state, five of them Sam's of today and the two
-- days after; a weekly duty, one of each month's last day on the clocks of Berlin (over the new year and both changes of clocks),
-- and four of Pia Person's (…4) own.

insert into task_series (id, organization_id, site_id, title, recurrence, start_day, due_time, zone, assignee_id, steps, created_by, active_since) values
  ('00000000-0000-4000-8000-000000001000', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Test the emergency lights', 'FREQ=WEEKLY;BYDAY=MO', current_date - 14, '08:00', 'UTC', '00000000-0000-4000-8000-000000000003',
   '[{"title": "Corridor", "required": true}, {"title": "Loading bay", "required": true}]', '00000000-0000-4000-8000-000000000002', now()),
  ('00000000-0000-4000-8000-000000001002', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
   'Read the water meters', 'FREQ=MONTHLY;BYMONTHDAY=-1', current_date + 1, '07:30', 'Europe/Berlin', '00000000-0000-4000-8000-000000000003',
   '[]', '00000000-0000-4000-8000-000000000002', now());

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

-- As many as a place has in a week, so that lists, board and filters have something to show.
insert into tasks (id, organization_id, site_id, title, status, status_reason, priority, due_day, due_zone, assignee_id, labels, ended_at, ended_by,
    created_by, created_at)
  select ('00000000-0000-4000-8000-0000000010' || t.n)::uuid, '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1',
    t.title, t.status, t.reason, t.priority, current_date + t.days, 'UTC', p.id, t.labels::jsonb,
    case when t.status in ('done', 'not_applicable', 'cancelled') then now() + t.days * interval '1 day' end,
    case when t.status in ('done', 'not_applicable', 'cancelled') then p.id end, p.id, now() - interval '10 days'
  from (values
    ('31', 'sam', 'Sign for the parcel of filters', 'todo', null, 'medium', 0, '["shop"]'),
    ('32', 'sam', 'Test the gas sensor after its repair', 'todo', null, 'high', 0, '["fire"]'),
    ('33', 'sam', 'Sort the returned pallets', 'in_progress', null, 'none', 0, '[]'),
    ('34', 'sam', 'Straighten the sign at gate 2', 'reopened', null, 'low', 3, '[]'),
    ('35', 'sam', 'Refill the eyewash bottles', 'done', null, 'none', -1, '[]'),
    ('36', 'sam', 'Hang up the new escape plan', 'done', null, 'medium', -5, '["fire"]'),
    ('37', 'sam', 'Move the old lockers', 'cancelled', null, 'none', -4, '[]'),
    ('38', 'sam', 'Think about a better tool board', 'todo', null, 'low', null, '["ideas"]'),
    ('39', 'mara', 'Answer the insurer', 'todo', null, 'high', 1, '["office"]'),
    ('40', 'mara', 'Write the next shift plan', 'in_progress', null, 'medium', 4, '["office"]'),
    ('41', 'mara', 'Order the new racking', 'blocked', 'Waits for the second offer', 'none', 10, '["shop"]'),
    ('42', 'mara', 'Check the visitors'' book', 'in_review', null, 'none', 2, '[]'),
    ('43', 'mara', 'Book the ladder training', 'done', null, 'none', -6, '["office"]'),
    ('44', 'mara', 'Compare two suppliers of paint', 'todo', null, 'low', null, '["shop", "ideas"]'),
    ('45', 'mara', 'Ask for a quieter compressor', 'not_applicable', 'The new one is quiet', 'none', -8, '["ideas"]')
  ) as t (n, who, title, status, reason, priority, days, labels)
  join (values ('sam', '00000000-0000-4000-8000-000000000003'::uuid), ('mara', '00000000-0000-4000-8000-000000000002'::uuid)) as p (who, id) using (who);

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
