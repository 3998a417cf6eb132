import { growthTables } from './growth-tables.ts';
import type { Row, TableName } from './index.ts';
import { entry, type SyncedTable } from './synced-table.ts';
import { taskTables } from './task-tables.ts';

/** Sorts after every date, so that what has no date comes last. */
const NO_DATE = '9999';

const OPEN_ACTION: ReadonlySet<string> = new Set([
  'open',
  'assigned',
  'in_progress',
  'ready_for_verification',
  'needs_revision',
] satisfies Row<'action_items'>['status'][]);
const FINISHED: ReadonlySet<string> = new Set([
  'finalised',
  'has_issues',
  'approved',
  'rejected',
  'closed',
] satisfies Row<'inspections'>['status'][]);

function whoseKey(row: Row<'action_items'>): string | null {
  const whose = row.assignee_id ?? row.created_by;
  return whose && `${whose}/${row.due_at ?? NO_DATE}`;
}

/** Published versions in their order, six digits each; what is not published yet comes last. */
function orderOf({ major, minor }: Row<'policy_versions'>): string {
  const digits = (value: number | null | undefined): string => String(value ?? 0).padStart(6, '0');
  return typeof major === 'number' ? `${digits(major)}.${digits(minor)}` : 'next';
}

/**
 * Which store each synced table lives in on the device, and by which keys it is read there.
 *
 * Keys: inspections `status` = `<status>/<due_at ?? started_at>`, `asset`, `arrived` = when the server had a finished one
 * (before that, when it was finished); inspection_answers `inspection` = `<inspection_id>/<question>`; action_items
 * `status` = `<status>/<due_at ?? 9999>`, `source`, of open ones `whose` = `<assignee, else who made it>/<due_at ?? 9999>`
 * and `created`, of closed ones `closed` = `<closed_by>/<closed_at>`; media `inspection`;
 * form_versions `form` = `<form_id>/<number, six digits>`; assets `code`, `barcode`; issue_reports `asset`; forms `state` =
 * `<state>/<name>`;
 * policies, policy_variables `organization`, policy_versions `policy` = `<policy_id>/<major>.<minor>` (`next` before it is published),
 * policy_acknowledgements, kiosk_acknowledgements, acknowledgement_campaigns `policy`; approval_requests `subject`, approval_decisions `request`;
 * controls `framework`, control_links `control`; pack_items `target`; evidence `organization`, `series`, findings `organization`, `subject`, evidence_links `evidence`, `target`;
 * inspection_events `inspection` = `<inspection_id>/<created_at>`; presence_entries `inspection` = `<inspection_id>/<strand>/<position, six digits>`; comments `subject` = `<subject_id>/<written_at>`; playbooks, sites, schedules, site_maps `organization`; notifications `time`, `unread` = `<created_at>`, `subject` = `<subject_id>/<type>`;
 * memberships `user` (organization_members also `organization`); circle_relationships `helper`, `subject`; those of tasks and of a person's own growth
 * stand with them.
 */
export const syncedTables: { readonly [T in TableName]: SyncedTable<T> } = {
  organizations: entry('organizations', { store: 'settings', title: row => row.name }),
  organization_members: entry('organization_members', {
    store: 'users',
    keys: row => ({ user: row.user_id, organization: row.organization_id }),
  }),
  organization_activations: entry('organization_activations', { store: 'users' }),
  user_roles: entry('user_roles', { store: 'users', title: row => row.role }),
  circle_relationships: entry('circle_relationships', {
    store: 'users',
    keys: row => ({ helper: row.helper_id, subject: row.subject_id }),
  }),
  subscriptions: entry('subscriptions', { store: 'users', title: row => row.tier }),
  subscription_tiers: entry('subscription_tiers', { store: 'settings', title: row => row.tier }),
  profiles: entry('profiles', { store: 'users', title: row => row.display_name ?? row.full_name }),
  people: entry('people', { store: 'users', title: row => row.display_name }),
  user_preferences: entry('user_preferences', { store: 'settings' }),
  role_permissions: entry('role_permissions', { store: 'settings', title: row => row.permission }),
  sites: entry('sites', {
    store: 'settings',
    keys: row => ({ organization: row.organization_id }),
    title: row => row.name,
  }),
  site_members: entry('site_members', { store: 'users', keys: row => ({ user: row.user_id }) }),
  teams: entry('teams', { store: 'settings', title: row => row.name }),
  team_members: entry('team_members', { store: 'users', keys: row => ({ user: row.user_id }) }),
  playbooks: entry('playbooks', {
    store: 'settings',
    keys: row => ({ organization: row.organization_id }),
    title: row => row.name,
  }),
  playbook_members: entry('playbook_members', { store: 'users', keys: row => ({ user: row.user_id }) }),
  assets: entry('assets', {
    store: 'scans',
    keys: row => ({ code: row.code, barcode: row.barcode }),
    title: row => row.name,
  }),
  forms: entry('forms', {
    store: 'forms',
    keys: row => ({ state: `${row.state}/${row.name}` }),
    title: row => row.name,
  }),
  form_versions: entry('form_versions', {
    store: 'forms',
    keys: row => ({ form: `${row.form_id}/${String(row.number).padStart(6, '0')}` }),
    aggregateRoot: { table: 'forms', id: row => row.form_id },
  }),
  form_drafts: entry('form_drafts', {
    store: 'forms',
    aggregateRoot: { table: 'forms', id: row => row.form_id },
    derived: row => [row.form_id, 'draft'],
  }),
  form_pictures: entry('form_pictures', { store: 'forms', title: row => row.name }),
  inspections: entry('inspections', {
    store: 'inspections',
    keys: row => ({
      status: `${row.status}/${row.due_at ?? row.started_at ?? ''}`,
      asset: row.asset_id,
      arrived: FINISHED.has(row.status) ? (row.received_at ?? row.finished_at ?? row.updated_at) : null,
    }),
    title: row => row.title,
  }),
  inspection_answers: entry('inspection_answers', {
    store: 'inspections',
    keys: row => ({ inspection: `${row.inspection_id}/${row.question}` }),
    title: row => row.question,
    aggregateRoot: { table: 'inspections', id: row => row.inspection_id },
    derived: row => [row.inspection_id, `answer/${row.question}`],
  }),
  inspection_events: entry('inspection_events', {
    store: 'inspections',
    keys: row => ({ inspection: `${row.inspection_id}/${row.created_at}` }),
  }),
  presence_entries: entry('presence_entries', {
    store: 'inspections',
    keys: row => ({ inspection: `${row.inspection_id}/${row.strand}/${String(row.position).padStart(6, '0')}` }),
    aggregateRoot: { table: 'inspections', id: row => row.inspection_id },
  }),
  schedules: entry('schedules', {
    store: 'lifecycle_status',
    keys: row => ({ organization: row.organization_id }),
    title: row => row.title,
  }),
  action_items: entry('action_items', {
    store: 'tasks',
    keys: row => ({
      status: `${row.status}/${row.due_at ?? NO_DATE}`,
      source: row.source_id,
      ...(OPEN_ACTION.has(row.status)
        ? { whose: whoseKey(row), created: row.created_at }
        : { closed: row.closed_by && row.closed_at && `${row.closed_by}/${row.closed_at}` }),
    }),
    title: row => row.title,
    derived: row => [row.source_id, `action/${row.source_question}`],
    steps: { field: 'status', fromNew: false },
  }),
  recurrence_decisions: entry('recurrence_decisions', {
    store: 'tasks',
    keys: row => ({ organization: row.organization_id }),
  }),
  media: entry('media', {
    store: 'media',
    keys: row => ({ inspection: row.inspection_id }),
    aggregateRoot: { table: 'inspections', id: row => row.inspection_id },
  }),
  site_maps: entry('site_maps', {
    store: 'media',
    keys: row => ({ organization: row.organization_id }),
    title: row => row.name,
  }),
  issue_reports: entry('issue_reports', {
    store: 'issue_reports',
    keys: row => ({ asset: row.asset_id }),
    title: row => row.title,
    steps: { field: 'status', fromNew: true },
  }),
  evidence: entry('evidence', {
    store: 'policies',
    keys: row => ({ organization: row.organization_id, series: row.series_id }),
    title: row => row.title,
    steps: { field: 'state', fromNew: true },
  }),
  evidence_links: entry('evidence_links', {
    store: 'policies',
    keys: row => ({ evidence: row.evidence_id, target: row.target_id }),
    aggregateRoot: { table: 'evidence', id: row => row.evidence_id },
  }),
  findings: entry('findings', {
    store: 'policies',
    keys: row => ({ organization: row.organization_id, subject: row.subject_id }),
    title: row => row.title,
    steps: { field: 'state', fromNew: true },
  }),
  frameworks: entry('frameworks', { store: 'policies', title: row => row.title }),
  controls: entry('controls', {
    store: 'policies',
    keys: row => ({ framework: row.framework_id }),
    title: row => row.label,
    derived: row => [row.framework_id, `control/${row.code}`],
  }),
  control_links: entry('control_links', { store: 'policies', keys: row => ({ control: row.control_id }) }),
  poams: entry('poams', {
    store: 'policies',
    title: row => row.title,
    derived: row => [row.organization_id, `poam/${row.source_id}`],
  }),
  pack_items: entry('pack_items', { store: 'policies', keys: row => ({ target: row.target_id }) }),
  comments: entry('comments', {
    store: 'tasks',
    keys: row => ({ subject: `${row.subject_id}/${row.written_at}` }),
    // Of an inspection a part like its answers; on everything else something of its own.
    aggregateRoot: { table: 'inspections', id: row => (row.subject_table === 'inspections' ? row.subject_id : null) },
  }),
  record_follows: entry('record_follows', {
    store: 'settings',
    derived: row => [row.user_id, `follow/${row.subject_id}`],
  }),
  ...growthTables,
  ...taskTables,
  policies: entry('policies', {
    store: 'policies',
    keys: row => ({ organization: row.organization_id }),
    title: row => row.title,
  }),
  policy_variables: entry('policy_variables', {
    store: 'policies',
    keys: row => ({ organization: row.organization_id }),
    title: row => row.key,
  }),
  policy_versions: entry('policy_versions', {
    store: 'policies',
    keys: row => ({ policy: `${row.policy_id}/${orderOf(row)}` }),
    title: row => row.title,
    aggregateRoot: { table: 'policies', id: row => row.policy_id },
  }),
  acknowledgement_campaigns: entry('acknowledgement_campaigns', {
    store: 'policies',
    keys: row => ({ policy: row.policy_id }),
    aggregateRoot: { table: 'policies', id: row => row.policy_id },
  }),
  policy_acknowledgements: entry('policy_acknowledgements', {
    store: 'policies',
    keys: row => ({ policy: row.policy_id }),
  }),
  kiosk_acknowledgements: entry('kiosk_acknowledgements', {
    store: 'policies',
    keys: row => ({ policy: row.policy_id }),
  }),
  approval_requests: entry('approval_requests', {
    store: 'policies',
    keys: row => ({ subject: row.subject_id }),
    title: row => row.title,
  }),
  approval_delegations: entry('approval_delegations', { store: 'policies' }),
  approval_decisions: entry('approval_decisions', {
    store: 'policies',
    keys: row => ({ request: row.request_id }),
  }),
  notification_types: entry('notification_types', { store: 'settings', keys: row => ({ key: row.key }) }),
  notification_choices: entry('notification_choices', { store: 'settings' }),
  notifications: entry('notifications', {
    store: 'settings',
    keys: row => ({
      time: row.created_at,
      unread: row.is_read ? null : row.created_at,
      subject: row.subject_id && `${row.subject_id}/${row.type}`,
    }),
  }),
};
