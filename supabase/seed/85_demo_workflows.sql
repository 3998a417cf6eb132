-- Demo: a rule that is on and seldom has anything to do, and one that is off, with what it once did: a failed critical item was put
-- before the manager, who said yes.

insert into workflow_rules (id, organization_id, title, trigger, conditions, steps, is_on, created_by, acts_for) values
  ('00000000-0000-4000-8000-000000000501', '00000000-0000-4000-8000-0000000000a1', 'Notify admins of every injury', 'issue.reported',
   '[{"field": "category", "op": "is", "value": "injury"}, {"field": "severity", "op": "at_least", "value": "high"}]',
   '[{"kind": "notify", "to": "role:admin", "text": "Someone was hurt"}]',
   true, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001'),
  ('00000000-0000-4000-8000-000000000502', '00000000-0000-4000-8000-0000000000a1', 'Stop work after a critical failure', 'inspection.item_failed',
   '[{"field": "critical", "op": "is", "value": "yes"}]',
   '[{"kind": "approval", "to": "role:manager"}, {"kind": "comment", "text": "Out of use until it is repaired"}]',
   false, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001');

with happened as (
  insert into workflow.event (organization_id, kind, key, subject_table, subject_id, site_id, scopes, actor_id, title, path, facts, at, handled_at)
    select i.organization_id, 'inspection.item_failed', 'demo/502', 'inspections', i.id, i.site_id, i.scopes, i.conducted_by,
      i.title || ': Parking brake does not hold', '/field/' || i.id::text,
      jsonb_build_object('critical', 'yes', 'priority', 'critical', 'site', i.site_id, 'title', 'Parking brake does not hold'),
      now() - interval '5 days', now() - interval '5 days'
    from inspections i where i.organization_id = '00000000-0000-4000-8000-0000000000a1' and i.status = 'finalised' and i.result = 'fail'
    order by i.finished_at desc limit 1
  returning id, organization_id, title
), ran as (
  insert into workflow.run (id, organization_id, rule_id, event_id, outcome, checks, steps, next_step, done, at)
    select '00000000-0000-4000-8000-000000000511', h.organization_id, '00000000-0000-4000-8000-000000000502', h.id, 'fired', '[true]',
      (select r.steps from workflow_rules r where r.id = '00000000-0000-4000-8000-000000000502'), 2,
      '[{"kind": "approval", "path": "/workflows/runs/00000000-0000-4000-8000-000000000511"}, {"kind": "comment"}]', now() - interval '5 days'
    from happened h
  returning id
)
insert into approval_requests (id, organization_id, permission, subject_table, subject_id, path, title, note, stages, state, requested_at, decided_at)
  select '00000000-0000-4000-8000-000000000521', h.organization_id, 'workflow.approve', 'workflow_runs', '00000000-0000-4000-8000-000000000511',
    '/workflows/runs/00000000-0000-4000-8000-000000000511', h.title, 'Stop work after a critical failure',
    '[{"name": "", "rule": "any", "people": ["00000000-0000-4000-8000-000000000002"]}]', 'approved', now() - interval '5 days', now() - interval '4 days'
  from happened h;
insert into approval_decisions (id, organization_id, permission, request_id, stage, approver_id, decided_by, decision, at, counted_at)
  select '00000000-0000-4000-8000-000000000531', r.organization_id, r.permission, r.id, 1, '00000000-0000-4000-8000-000000000002',
    '00000000-0000-4000-8000-000000000002', 'approve', r.decided_at, r.decided_at
  from approval_requests r where r.id = '00000000-0000-4000-8000-000000000521';
