-- Demo: what people reported, each further on its way. None is new: nobody is told of a demo.

insert into issue_reports (id, organization_id, site_id, asset_id, title, description, category, severity, status, location,
    is_anonymous, reported_by, reported_at, answer, decided_at, decided_by) values
  ('00000000-0000-4000-8000-000000000201', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000e6',
   'Guard of the conveyor rattles', 'Since Tuesday, worst when it starts', 'hazard', 'high', 'triaged', 'Packing line, second roller',
   false, '00000000-0000-4000-8000-000000000003', now() - interval '1 day 2 hours', null, now() - interval '1 day', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000202', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', null,
   'People cross behind reversing trucks', null, 'near_miss', 'critical', 'acting', 'Loading dock',
   true, null, now() - interval '4 days', 'A mirror and a marked path are ordered.', now() - interval '3 days', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000203', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-0000000000e8',
   'Oil below the dock leveller', 'A patch as large as a plate', 'environment', 'medium', 'resolved', 'Gate 1',
   false, '00000000-0000-4000-8000-000000000002', now() - interval '12 days', 'The hose was changed and the floor cleaned.', now() - interval '9 days', '00000000-0000-4000-8000-000000000002');
