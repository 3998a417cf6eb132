-- Permissions, and the roles that bundle them. They change by migration only.

insert into permissions (key, description) values
  ('organization.manage', 'Change the organisation, its sites and teams'),
  ('people.manage', 'Invite people, change roles, remove members'),
  ('playbook.create', 'Create playbooks'),
  ('playbook.manage', 'Change and archive any playbook of the organisation'),
  ('place.all', 'See the rows of every site of the organisation'),
  ('asset.manage', 'Add and change assets'),
  ('form.manage', 'Import, publish and archive forms'),
  ('inspection.conduct', 'Start, answer and finish inspections'),
  ('inspection.assign', 'Schedule inspections for others'),
  ('inspection.review', 'Review inspections, see their conflicts'),
  ('action.create', 'Create action items'),
  ('action.work', 'Change the state of action items one may see'),
  ('action.manage', 'Change, reassign and delete any action item one may see'),
  ('sample.remove', 'Remove the sample data');

insert into permissions (key, description) values
  ('content.manage', 'Create and change learning content and packs'),
  ('analytics.view', 'See analytics'),
  ('marketplace.access', 'Install packs from the marketplace'),
  ('partner.link', 'Make partner links and name the programme'),
  ('orphaned_edits.review', 'Accept or decline work that somebody could not send before they left'),
  ('platform.moderate', 'Moderate listings, comments and reported content'),
  ('platform.support', 'Read any company, each time with a reason and a log entry'),
  ('platform.fulfil', 'Decide purchase requests'),
  ('circle.view', 'See what was shared with them'),
  ('circle.nudge', 'Send encouragement'),
  ('circle.session', 'Hold sessions and agree next steps'),
  ('circle.manage', 'Act for the person in what they handed over'),
  ('circle.brief', 'Review the weekly brief before the person approves it');

insert into permissions (key, description) values
  ('issue.report', 'Report issues'),
  ('issue.triage', 'Judge issue reports, act on them, resolve them');

insert into permissions (key, description) values
  ('issue.code', 'Make codes with which anybody on the spot reports an issue without signing in');

insert into permissions (key, description, is_audience) values
  ('policy.author', 'Write policies and send them for approval', false),
  ('policy.approve', 'Read drafts of policies, approve them when asked', true),
  ('policy.publish', 'Publish and archive policies, ask for acknowledgements, exempt from them', false),
  ('policy.report', 'See who acknowledged what', false);

insert into permissions (key, description) values
  ('task.create', 'Make tasks'),
  ('task.work', 'Work on tasks one may see'),
  ('task.manage', 'Change, reassign, close and delete any task one may see');

insert into permissions (key, description) values ('audit.read', 'Read, verify and export the audit log');

insert into permissions (key, description, is_audience) values
  ('evidence.read', 'See all evidence of the organisation and its files', true),
  ('evidence.add', 'Add evidence, change what is not accepted yet', false),
  ('evidence.review', 'Accept evidence, send it back, withdraw it', false);

insert into permissions (key, description) values ('control.manage', 'Bring frameworks in, say which policies and forms answer to their controls');

insert into permissions (key, description, is_audience) values
  ('action.accept_risk', 'Approve that a risk is accepted until a day', true);

insert into permissions (key, description) values
  ('finding.raise', 'Write findings of an audit, close them or open them again'),
  ('finding.answer', 'Answer findings, say who is responsible');

insert into permissions (key, description, is_audience) values
  ('workflow.manage', 'Make, change and switch workflow rules; see what they did', true),
  ('workflow.approve', 'Approve what a workflow asks about', true);

insert into permissions (key, description, is_audience) values
  ('policy.witness', 'Let others acknowledge on one''s own device', false);

insert into role_permissions (role_kind, role, permission)
  select 'circle', 'accountability_partner', unnest(array[
    'circle.nudge', 'circle.view']);

insert into role_permissions (role_kind, role, permission)
  select 'circle', 'managed_admin', unnest(array[
    'analytics.view', 'circle.manage', 'circle.nudge', 'circle.view']);

insert into role_permissions (role_kind, role, permission)
  select 'circle', 'mentor_coach', unnest(array[
    'circle.nudge', 'circle.session', 'circle.view']);

insert into role_permissions (role_kind, role, permission)
  select 'circle', 'triad_intelligence_operator', unnest(array[
    'circle.brief', 'circle.view']);

insert into role_permissions (role_kind, role, permission)
  select 'organization', 'admin', unnest(array[
    'action.accept_risk', 'action.create', 'action.manage', 'action.work', 'analytics.view', 'asset.manage', 'audit.read',
    'content.manage', 'control.manage', 'evidence.add', 'evidence.read', 'evidence.review', 'finding.answer', 'finding.raise', 'form.manage',
    'inspection.assign', 'inspection.conduct', 'inspection.review', 'issue.code', 'issue.report', 'issue.triage', 'marketplace.access',
    'organization.manage', 'partner.link', 'people.manage', 'place.all', 'playbook.create', 'playbook.manage', 'policy.approve',
    'policy.author', 'policy.publish', 'policy.report', 'policy.witness', 'sample.remove', 'task.create', 'task.manage', 'task.work',
    'orphaned_edits.review', 'workflow.approve', 'workflow.manage']);

insert into role_permissions (role_kind, role, permission)
  select 'organization', 'auditor', unnest(array[
    'evidence.read', 'finding.raise', 'place.all', 'policy.report']);

insert into role_permissions (role_kind, role, permission)
  select 'organization', 'manager', unnest(array[
    'action.accept_risk', 'action.create', 'action.manage', 'action.work', 'asset.manage', 'control.manage', 'evidence.add',
    'evidence.read', 'evidence.review', 'finding.answer', 'finding.raise', 'form.manage', 'inspection.assign', 'inspection.conduct',
    'inspection.review', 'issue.report', 'issue.triage', 'place.all', 'playbook.create', 'policy.approve', 'policy.author', 'policy.publish',
    'policy.report', 'policy.witness', 'task.create', 'task.manage', 'task.work', 'workflow.approve', 'workflow.manage']);

insert into role_permissions (role_kind, role, permission)
  select 'organization', 'member', unnest(array[
    'action.create', 'action.work', 'evidence.add', 'inspection.conduct', 'issue.report', 'playbook.create', 'task.create',
    'task.work']);

-- A system role widens what one may do in the organisations one belongs to; it opens no other one.

insert into role_permissions (role_kind, role, permission)
  select 'system', 'admin', unnest(array[
    'analytics.view', 'content.manage', 'marketplace.access', 'partner.link', 'people.manage', 'platform.fulfil', 'platform.moderate']);

insert into role_permissions (role_kind, role, permission)
  select 'system', 'customer_support', unnest(array[
    'analytics.view', 'platform.support']);

insert into role_permissions (role_kind, role, permission)
  select 'system', 'moderator', unnest(array[
    'platform.moderate']);

insert into role_permissions (role_kind, role, permission)
  select 'system', 'partner', unnest(array[
    'content.manage', 'marketplace.access', 'partner.link']);
