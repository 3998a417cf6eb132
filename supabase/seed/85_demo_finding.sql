-- Demo: a finding of the last audit that went its whole way.

insert into findings (id, organization_id, subject_table, subject_id, title, body, requirement, severity, state, owner_id, answer, answered_by,
    answered_at, verdict, decided_by, decided_at, raised_by, raised_at) values
  ('00000000-0000-4000-8000-000000000801', '00000000-0000-4000-8000-0000000000a1', 'controls',
   extensions.uuid_generate_v5('00000000-0000-4000-8000-000000000701', 'control/tr-2'), 'Two licences were not on file',
   'Of twelve drivers asked, two could show a licence that the company had no copy of.', 'Safe work at Northfield, TR-2', 'minor', 'closed',
   '00000000-0000-4000-8000-000000000002', 'Both copies are filed, and the list is checked each quarter.',
   '00000000-0000-4000-8000-000000000002', now() - interval '20 days', 'Seen on file on the day of the visit.',
   '00000000-0000-4000-8000-000000000001', now() - interval '18 days', '00000000-0000-4000-8000-000000000001', now() - interval '25 days');
