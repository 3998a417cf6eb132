import type { World } from './world.ts';

/** s select, i insert, u update, d delete: what goes through by a direct call, outside sync_push. */
type Verbs = '' | 's' | 'si' | 'su' | 'siu';

/** Whose row it is, a colleague at another site, a manager of the organisation, and somebody of another one. */
export type Expectation = { owner: Verbs; colleague: Verbs; manager: Verbs; other: Verbs; row(world: World): string };

/** Which person of the world stands for whom. */
export const PERSONS = {
  owner: 'worker',
  colleague: 'colleague',
  manager: 'manager',
  other: 'stranger',
  visitor: null,
} as const satisfies Record<string, keyof World | null>;
export type Person = keyof typeof PERSONS;

const own = (person: keyof World) => (world: World) => `user_id = '${world[person]}'`;
const inOrganization = (world: World) => `organization_id = '${world.organization}'`;
/** Not a copy of it that stands elsewhere. */
const atNorth = (world: World) => `${inOrganization(world)} and site_id = '${world.north}'`;
const id = (key: keyof World) => (world: World) => `id = '${world[key]}'`;

const everybodyThere = { owner: 's', colleague: 's', manager: 's', other: '' } as const;
const whoIsAtThePlace = { owner: 's', colleague: '', manager: 's', other: '' } as const;
const nobodyElse = { owner: 's', colleague: '', manager: '', other: '' } as const;
const nobody = { owner: '', colleague: '', manager: '', other: '' } as const;
const everybody = { owner: 's', colleague: 's', manager: 's', other: 's' } as const;

/**
 * Every public table, one sample row each, and which verbs each person gets through on it. A signed-out visitor gets
 * through on none. `tools/check-rls-tests.ts` fails when a table is missing here.
 */
export const rlsExpectations: Record<string, Expectation> = {
  organizations: { ...everybodyThere, row: id('organization') },
  organization_members: { ...everybodyThere, row: world => `${own('worker')(world)} and ${inOrganization(world)}` },
  organization_activations: { ...nobodyElse, row: own('worker') },
  user_roles: { ...nobodyElse, row: own('worker') },
  profiles: { ...nobodyElse, owner: 'su', row: id('worker') },
  people: { ...everybodyThere, row: id('worker') },
  user_preferences: { ...nobodyElse, owner: 'siu', row: own('worker') },
  sites: { ...everybodyThere, row: id('north') },
  site_members: { ...everybodyThere, row: own('worker') },
  teams: { ...everybodyThere, row: inOrganization },
  team_members: { ...everybodyThere, row: own('worker') },
  playbooks: { ...everybodyThere, owner: 'si', row: id('playbook') },
  playbook_members: { ...everybodyThere, row: world => `playbook_id = '${world.playbook}'` },
  permissions: { ...everybody, row: () => `key = 'place.all'` },
  circle_relationships: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  circle_visibility: { ...everybody, row: () => `role = 'mentor_coach' and scope = 'habits' and level = 'full'` },
  circle_invitations: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  consent_grants: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  grant_reads: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  circle_messages: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  cohort_consents: { ...nobodyElse, row: own('worker') },
  cohort_settings: { ...everybodyThere, row: inOrganization },
  cohort_figures: { ...everybodyThere, row: inOrganization },
  circle_sessions: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  countersignatures: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  circle_acts: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  triad_briefs: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  triad_brief_lines: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  triad_brief_copies: { ...nobodyElse, row: world => `subject_id = '${world.worker}'` },
  note_keys: { ...nobodyElse, row: own('worker') },
  wellness_check_ins: { ...nobodyElse, row: own('worker') },
  wellness_settings: { ...nobodyElse, row: own('worker') },
  habits: { ...nobodyElse, row: own('worker') },
  habit_entries: { ...nobodyElse, row: own('worker') },
  habit_pauses: { ...nobodyElse, row: own('worker') },
  goals: { ...nobodyElse, row: own('worker') },
  goal_milestones: { ...nobodyElse, row: own('worker') },
  goal_links: { ...nobodyElse, row: own('worker') },
  goal_check_ins: { ...nobodyElse, row: own('worker') },
  goal_pauses: { ...nobodyElse, row: own('worker') },
  organization_invitations: { ...nobody, row: inOrganization },
  partner_links: { ...nobody, row: inOrganization },
  subscription_tiers: { ...everybody, row: () => `tier = 'personal_consumer'` },
  subscriptions: { ...nobodyElse, row: id('worker') },
  purchase_requests: { ...nobodyElse, row: own('worker') },
  support_reads: { ...nobody, row: inOrganization },
  role_permissions: { ...everybody, row: () => `role = 'auditor'` },
  assets: { ...whoIsAtThePlace, row: id('asset') },
  forms: { ...everybodyThere, row: id('form') },
  form_versions: { ...everybodyThere, row: id('formVersion') },
  form_drafts: { ...everybodyThere, row: world => `form_id = '${world.form}'` },
  form_pictures: { ...everybodyThere, row: inOrganization },
  inspections: { ...whoIsAtThePlace, row: id('inspection') },
  inspection_answers: { ...whoIsAtThePlace, row: id('answer') },
  comments: { ...whoIsAtThePlace, row: world => `subject_id = '${world.inspection}'` },
  record_follows: { ...nobodyElse, row: own('worker') },
  inspection_events: { ...whoIsAtThePlace, row: world => `inspection_id = '${world.inspection}'` },
  presence_entries: { ...whoIsAtThePlace, row: world => `inspection_id = '${world.inspection}'` },
  schedules: { ...whoIsAtThePlace, row: atNorth },
  action_items: { ...whoIsAtThePlace, row: id('action') },
  recurrence_decisions: { ...whoIsAtThePlace, row: atNorth },
  task_series: { ...whoIsAtThePlace, row: atNorth },
  tasks: { ...whoIsAtThePlace, row: id('task') },
  task_items: { ...whoIsAtThePlace, row: world => `task_id = '${world.task}'` },
  task_views: { ...nobodyElse, row: own('worker') },
  media: { ...whoIsAtThePlace, row: id('media') },
  site_maps: { ...whoIsAtThePlace, row: atNorth },
  issue_reports: { ...whoIsAtThePlace, row: id('report') },
  report_codes: { ...nobody, manager: 's', row: id('code') },
  report_contacts: { ...nobody, manager: 's', row: id('report') },
  policies: { ...everybodyThere, row: id('policy') },
  policy_variables: { ...everybodyThere, row: inOrganization },
  policy_versions: { ...nobody, manager: 's', row: id('policyDraft') },
  acknowledgement_campaigns: { ...everybodyThere, row: inOrganization },
  policy_acknowledgements: { ...nobodyElse, row: own('worker') },
  kiosk_acknowledgements: { ...nobodyElse, row: world => `witness_id = '${world.worker}'` },
  approval_requests: { ...nobody, manager: 's', row: inOrganization },
  approval_delegations: { ...everybodyThere, row: world => `from_id = '${world.admin}'` },
  approval_decisions: { ...nobody, manager: 's', row: inOrganization },
  workflow_rules: { ...nobody, manager: 's', row: inOrganization },
  evidence: { ...nobodyElse, manager: 's', row: id('evidence') },
  evidence_links: { ...nobodyElse, manager: 's', row: world => `evidence_id = '${world.evidence}'` },
  frameworks: { ...everybodyThere, row: inOrganization },
  controls: { ...everybodyThere, row: inOrganization },
  control_links: { ...everybodyThere, row: inOrganization },
  findings: { ...nobodyElse, manager: 's', row: inOrganization },
  poams: { ...nobody, manager: 's', row: inOrganization },
  // Who may install packs: administrators of a company, here that of another one.
  policy_packs: { ...nobody, other: 's', row: id('pack') },
  pack_versions: { ...nobody, other: 's', row: world => `pack_id = '${world.pack}'` },
  pack_installs: { ...nobody, row: inOrganization },
  pack_reviews: { ...nobody, row: inOrganization },
  pack_items: { ...everybodyThere, row: inOrganization },
  audit_entries: { ...nobody, row: inOrganization },
  audit_heads: { ...nobody, row: () => 'seq = 1' },
  notification_types: { ...everybody, row: () => `key = 'action.assigned'` },
  notifications: { ...nobodyElse, row: own('worker') },
  notification_choices: { ...nobodyElse, row: own('worker') },
  analytics_events: { ...nobodyElse, owner: 'si', row: own('worker') },
  analytics_metrics: { ...nobodyElse, owner: 'si', row: own('worker') },
};

/** One case per table and person, for `test.for`. */
export const rlsCases = Object.entries(rlsExpectations).flatMap(([table, expectation]) =>
  (Object.keys(PERSONS) as Person[]).map(person => ({
    table,
    person,
    row: expectation.row,
    verbs: person === 'visitor' ? '' : expectation[person],
  })),
);
