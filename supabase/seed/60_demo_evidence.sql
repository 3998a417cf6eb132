-- Demo: evidence that runs out in three weeks, one that holds for long, and one that waits for review.

insert into evidence (id, organization_id, series_id, title, description, owner_id, period_from, period_to, effective_on, expires_on, state,
    reviewed_by, reviewed_at, collected_at, created_by) values
  ('00000000-0000-4000-8000-000000000601', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000601',
   'Forklift licence, Sam Worker', 'Card seen, number noted in the training file.', '00000000-0000-4000-8000-000000000002', null, null,
   (now() - interval '709 days')::date, (now() + interval '21 days')::date, 'accepted', '00000000-0000-4000-8000-000000000001',
   now() - interval '700 days', now() - interval '705 days', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000602', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000602',
   'Isolation cards walked through', 'All 14 machines; two cards redrawn.', '00000000-0000-4000-8000-000000000002',
   (now() - interval '40 days')::date, (now() - interval '33 days')::date, (now() - interval '33 days')::date, (now() + interval '332 days')::date,
   'accepted', '00000000-0000-4000-8000-000000000001', now() - interval '30 days', now() - interval '32 days', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000603', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000603',
   'Toolbox talk: keys and locks', null, '00000000-0000-4000-8000-000000000003', (now() - interval '2 days')::date, (now() - interval '2 days')::date,
   (now() - interval '2 days')::date, null, 'collected', null, null, now() - interval '2 days', '00000000-0000-4000-8000-000000000003');

insert into evidence_links (id, organization_id, evidence_id, target_table, target_id, created_by) values
  ('00000000-0000-4000-8000-000000000611', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000601', 'policies',
   '00000000-0000-4000-8000-000000000302', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000612', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000602', 'policies',
   '00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000002'),
  ('00000000-0000-4000-8000-000000000613', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-000000000603', 'policies',
   '00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000003');

-- Nobody is told of a demo.
insert into notifications (user_id, organization_id, type, module, key, subject_id, path, is_read)
  select e.owner_id, e.organization_id, 'evidence.expiring', 'policies', 'evidence/' || e.id::text || '/30/' || e.expires_on::text, e.id,
    '/policies/evidence/' || e.id::text, true
  from evidence e where e.id = '00000000-0000-4000-8000-000000000601';
