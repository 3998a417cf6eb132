import type { TableName } from '@cairn/schema';

type Address = (id: string) => string;

const at =
  (beginning: string, end = ''): Address =>
  id =>
    `${beginning}/${id}${end}`;
/** On a screen that shows all of its kind. */
const on =
  (screen: string): Address =>
  () =>
    screen;

/**
 * Where a record is looked at and changed. Null where it has no screen: what is part of something else is opened with that,
 * and the rest is written by the app itself.
 */
const ADDRESSES = {
  inspections: at('/field'),
  inspection_answers: null,
  inspection_events: null,
  presence_entries: null,
  media: null,
  comments: null,
  forms: at('/field/forms', '/edit'),
  form_versions: null,
  form_drafts: null,
  form_pictures: on('/field/forms'),
  schedules: on('/field/schedules'),
  action_items: at('/action-items'),
  recurrence_decisions: on('/action-items'),
  assets: at('/assets'),
  site_maps: on('/field'),
  issue_reports: at('/field/reports'),
  tasks: at('/tasks'),
  task_items: null,
  task_series: on('/tasks'),
  task_views: on('/tasks'),
  workflow_rules: at('/workflows'),
  policies: at('/policies'),
  policy_versions: null,
  policy_variables: on('/policies'),
  policy_acknowledgements: on('/policies'),
  acknowledgement_campaigns: null,
  kiosk_acknowledgements: on('/policies'),
  approval_requests: on('/workflows'),
  approval_decisions: on('/workflows'),
  approval_delegations: on('/workflows/deputies'),
  evidence: at('/policies/evidence'),
  evidence_links: null,
  findings: at('/policies/findings'),
  frameworks: at('/policies/frameworks'),
  controls: at('/policies/controls'),
  control_links: on('/policies/frameworks'),
  poams: on('/policies/frameworks'),
  pack_items: on('/policy-marketplace'),
  wellness_check_ins: on('/wellness'),
  wellness_settings: on('/wellness'),
  cohort_consents: on('/wellness/organisation'),
  habits: at('/wellness/habits'),
  habit_entries: null,
  habit_pauses: on('/wellness/habits'),
  goals: at('/goals'),
  goal_milestones: null,
  goal_links: null,
  goal_check_ins: null,
  goal_pauses: null,
  circle_relationships: at('/support-circle'),
  circle_messages: on('/support-circle'),
  circle_sessions: on('/support-circle'),
  circle_acts: on('/support-circle'),
  consent_grants: on('/support-circle'),
  grant_reads: on('/support-circle'),
  countersignatures: on('/support-circle'),
  triad_briefs: on('/triad-intelligence'),
  triad_brief_lines: on('/triad-intelligence'),
  triad_brief_copies: on('/triad-intelligence'),
  profiles: on('/profile'),
  people: at('/profile'),
  user_preferences: on('/settings'),
  note_keys: null,
  notifications: on('/notifications'),
  notification_choices: on('/notifications'),
  notification_types: null,
  record_follows: null,
  organizations: on('/organization'),
  organization_members: on('/members'),
  organization_activations: null,
  user_roles: on('/members'),
  role_permissions: null,
  subscriptions: on('/plan'),
  subscription_tiers: on('/plan'),
  sites: on('/members'),
  site_members: on('/members'),
  teams: on('/members'),
  team_members: on('/members'),
  playbooks: on('/playbooks'),
  playbook_members: on('/playbooks'),
} as const satisfies Record<TableName, Address | null>;

export const addressOf = (table: TableName, id: string): string | null => ADDRESSES[table]?.(id) ?? null;
