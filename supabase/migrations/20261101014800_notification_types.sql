-- Types of notifications: how each is told where a person chose nothing.

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.assigned', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.critical', 'action-items', 'safety', null, 'immediate', 'immediate', 'immediate'),
  ('action.due_soon', 'action-items', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('action.overdue', 'action-items', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('inspection.assigned', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('inspection.failed', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  -- The device that did the work says so itself, and louder.
  ('sync.conflict', 'sync', 'normal', null, 'off', 'off', 'daily'),
  ('sync.refused', 'sync', 'normal', null, 'off', 'off', 'daily'),
  ('security.new_device', 'security', 'security', null, 'immediate', 'immediate', 'immediate'),
  ('member.joined', 'people', 'normal', null, 'immediate', 'off', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('inspection.sent_back', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('inspection.approved', 'field', 'normal', null, 'immediate', 'off', 'daily'),
  ('inspection.rejected', 'field', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('inspection.due_soon', 'field', 'normal', 'task_deadlines', 'immediate', 'immediate', 'off'),
  ('inspection.missed', 'field', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('issue.reported', 'field', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('issue.critical', 'field', 'safety', null, 'immediate', 'immediate', 'immediate'),
  ('issue.progress', 'field', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('issue.code_flooded', 'field', 'normal', null, 'immediate', 'immediate', 'immediate');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('approval.requested', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('approval.decided', 'policies', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('policy.requested', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('policy.due_soon', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('policy.overdue', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('policy.declined', 'policies', 'normal', null, 'immediate', 'off', 'daily');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.message', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('work.accepted', 'sync', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('work.declined', 'sync', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('task.assigned', 'tasks', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('task.due_soon', 'tasks', 'normal', 'task_deadlines', 'immediate', 'immediate', 'off'),
  ('task.overdue', 'tasks', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('task.to_review', 'tasks', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('habit.reminder', 'wellness', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off'),
  ('wellness.reminder', 'wellness', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('evidence.sent_back', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('evidence.expiring', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('evidence.expired', 'policies', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('comment.mentioned', 'collaboration', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('comment.added', 'collaboration', 'normal', null, 'immediate', 'off', 'daily'),
  ('record.moved', 'collaboration', 'normal', null, 'immediate', 'off', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.to_verify', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.check_due', 'action-items', 'normal', 'task_deadlines', 'immediate', 'immediate', 'daily'),
  ('action.risk_ended', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.escalated', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.session', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('brief.due', 'triad-intelligence', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('brief.reviewed', 'triad-intelligence', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('brief.received', 'triad-intelligence', 'normal', true, null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('finding.raised', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('finding.answered', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('finding.reopened', 'policies', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('finding.closed', 'policies', 'normal', null, 'immediate', 'off', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('workflow.told', 'workflows', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.session_planned', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.session_changed', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.session_soon', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'off'),
  ('circle.session_due', 'support-circle', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('wellness.look', 'wellness', 'normal', true, 'wellness_reminders', 'immediate', 'immediate', 'off');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.guest_accepted', 'action-items', 'normal', null, 'immediate', 'off', 'daily'),
  ('action.guest_declined', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('action.guest_done', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, private, setting, app, push, email) values
  ('circle.countersign_asked', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.countersigned', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily'),
  ('circle.countersign_declined', 'support-circle', 'normal', true, null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.sent_back', 'action-items', 'normal', null, 'immediate', 'immediate', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('pack.waits', 'policy-marketplace', 'normal', null, 'immediate', 'off', 'daily'),
  ('pack.listed', 'policy-marketplace', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('pack.sent_back', 'policy-marketplace', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('pack.withdrawn', 'policy-marketplace', 'normal', null, 'immediate', 'immediate', 'daily'),
  ('pack.later', 'policy-marketplace', 'normal', null, 'immediate', 'off', 'daily');

insert into notification_types (key, module, class, setting, app, push, email) values
  ('action.unassigned', 'action-items', 'safety', null, 'immediate', 'immediate', 'immediate');
