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
  inspections: { ...whoIsAtThePlace, row: id('inspection') },
  inspection_answers: { ...whoIsAtThePlace, row: id('answer') },
  inspection_comments: { ...whoIsAtThePlace, row: world => `inspection_id = '${world.inspection}'` },
  inspection_events: { ...whoIsAtThePlace, row: world => `inspection_id = '${world.inspection}'` },
  schedules: { ...whoIsAtThePlace, row: inOrganization },
  action_items: { ...whoIsAtThePlace, row: id('action') },
  media: { ...whoIsAtThePlace, row: id('media') },
  issue_reports: { ...whoIsAtThePlace, row: id('report') },
  report_codes: { ...nobody, manager: 's', row: id('code') },
  report_contacts: { ...nobody, manager: 's', row: id('report') },
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
