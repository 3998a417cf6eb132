import { groups, priorities, type Row, type TableName } from './index.ts';

/** The stores of the device's database, as the specification names them. */
export type StoreName =
  | 'tasks'
  | 'policies'
  | 'forms'
  | 'inspections'
  | 'training'
  | 'media'
  | 'scans'
  | 'users'
  | 'settings'
  | 'lifecycle_status'
  | 'issue_reports';

/** Named sort keys of one row; `Tx.range(table, name, from, to)` reads by them. Each costs on every write. */
export type Keys = Record<string, string | string[]>;

export type SyncedTable<T extends TableName> = {
  store: StoreName;
  /** Order of pull and push, lower first. */
  priority: number;
  /** Fields that conflict together. */
  groups: readonly (readonly string[])[];
  /** Columns that are null may be missing from `row`. */
  keys(row: Row<T>): Keys;
  /** A short name of the record for people, or null where it has none of its own. */
  title(row: Row<T>): string | null;
  /** The record this one is counted under in "n inspections waiting". */
  countsUnder?: { table: TableName; id(row: Row<T>): string | null };
};

type Entry<T extends TableName> = {
  store: StoreName;
  keys?: (row: Row<T>) => Record<string, string | null>;
  title?: (row: Row<T>) => string | null;
  countsUnder?: SyncedTable<T>['countsUnder'];
};

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

/** A column that is null may also be missing from the row, so that a key may be undefined. */
function present(keys: Record<string, string | null | undefined>): Keys {
  for (const name in keys) if (keys[name] === null || keys[name] === undefined) delete keys[name];
  return keys as Keys;
}

function entry<T extends TableName>(table: T, { store, keys, title, countsUnder }: Entry<T>): SyncedTable<T> {
  return {
    store,
    priority: priorities[table],
    groups: groups[table],
    keys: row => (keys ? present(keys(row)) : {}),
    title: title ?? (() => null),
    ...(countsUnder && { countsUnder }),
  };
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
 * inspection_comments `inspection` = `<inspection_id>/<written_at>`, inspection_events `inspection` =
 * `<inspection_id>/<created_at>`; playbooks, sites, schedules `organization`; notifications `time`, `unread` = `<created_at>`, `subject` = `<subject_id>/<type>`;
 * memberships `user` (organization_members also `organization`); circle_relationships `helper`, `subject`.
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
    countsUnder: { table: 'forms', id: row => row.form_id },
  }),
  form_drafts: entry('form_drafts', {
    store: 'forms',
    countsUnder: { table: 'forms', id: row => row.form_id },
  }),
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
    countsUnder: { table: 'inspections', id: row => row.inspection_id },
  }),
  inspection_comments: entry('inspection_comments', {
    store: 'inspections',
    keys: row => ({ inspection: `${row.inspection_id}/${row.written_at}` }),
    countsUnder: { table: 'inspections', id: row => row.inspection_id },
  }),
  inspection_events: entry('inspection_events', {
    store: 'inspections',
    keys: row => ({ inspection: `${row.inspection_id}/${row.created_at}` }),
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
  }),
  media: entry('media', {
    store: 'media',
    keys: row => ({ inspection: row.inspection_id }),
    countsUnder: { table: 'inspections', id: row => row.inspection_id },
  }),
  issue_reports: entry('issue_reports', {
    store: 'issue_reports',
    keys: row => ({ asset: row.asset_id }),
    title: row => row.title,
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
