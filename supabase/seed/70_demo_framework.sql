-- Demo: a small framework of the company's own, with controls that are proven, only answered, and open.

insert into frameworks (id, organization_id, title, edition, created_by) values
  ('00000000-0000-4000-8000-000000000701', '00000000-0000-4000-8000-0000000000a1', 'Safe work at Northfield', '2026',
   '00000000-0000-4000-8000-000000000002');

insert into controls (id, organization_id, framework_id, code, label, title, family, statement, position, created_by)
  select extensions.uuid_generate_v5('00000000-0000-4000-8000-000000000701', 'control/' || c.code), '00000000-0000-4000-8000-0000000000a1',
    '00000000-0000-4000-8000-000000000701', c.code, upper(c.code), c.title, c.family, c.statement, c.n, '00000000-0000-4000-8000-000000000002'
  from (values
    (0, 'en-1', 'Energy is isolated', 'Energy', 'Nobody opens a machine that can move. Every source of energy has a point at which it is locked.'),
    (1, 'en-2', 'Locks are personal', 'Energy', 'One person, one lock, one key. Only the person who fitted a lock removes it.'),
    (2, 'tr-1', 'Trucks are checked before use', 'Transport', 'Each truck is checked before the first lift of a shift, and stays out of use if something is wrong.'),
    (3, 'tr-2', 'Drivers are licensed', 'Transport', 'Every driver has a valid licence, and the company has seen it.'),
    (4, 'em-1', 'The way out is free', 'Emergency', 'Exits are marked, lit and clear, and checked once a month.'),
    (5, 'em-2', 'Everyone knows what to do', 'Emergency', 'Each site rehearses leaving the building once a year.')
  ) c (n, code, title, family, statement);

insert into control_links (id, organization_id, control_id, target_table, target_id, created_by)
  select l.id::uuid, '00000000-0000-4000-8000-0000000000a1',
    extensions.uuid_generate_v5('00000000-0000-4000-8000-000000000701', 'control/' || l.code), 'policies', l.policy::uuid,
    '00000000-0000-4000-8000-000000000002'
  from (values
    ('00000000-0000-4000-8000-000000000711', 'en-1', '00000000-0000-4000-8000-000000000301'),
    ('00000000-0000-4000-8000-000000000712', 'en-2', '00000000-0000-4000-8000-000000000301'),
    ('00000000-0000-4000-8000-000000000713', 'tr-1', '00000000-0000-4000-8000-000000000302'),
    ('00000000-0000-4000-8000-000000000714', 'tr-2', '00000000-0000-4000-8000-000000000302')
  ) l (id, code, policy);

insert into evidence_links (id, organization_id, evidence_id, target_table, target_id, created_by)
  select l.id::uuid, '00000000-0000-4000-8000-0000000000a1', l.evidence::uuid, 'controls',
    extensions.uuid_generate_v5('00000000-0000-4000-8000-000000000701', 'control/' || l.code), '00000000-0000-4000-8000-000000000002'
  from (values
    ('00000000-0000-4000-8000-000000000721', 'tr-2', '00000000-0000-4000-8000-000000000601'),
    ('00000000-0000-4000-8000-000000000722', 'en-1', '00000000-0000-4000-8000-000000000602')
  ) l (id, code, evidence);
