import type { TestDatabase } from '@cairn/testing/database.ts';
import { addRow } from './add-row.ts';

type PeopleByRole = Record<'worker' | 'admin' | 'auditor', string>;

/** A no that was said at a kiosk by somebody who was not asked. */
async function addKioskAcknowledgement(db: TestDatabase, of: Record<string, unknown>): Promise<void> {
  const times = { opened_at: '2026-11-21T08:00:00Z', decided_at: '2026-11-21T08:05:00Z' };
  const fields = { decision: 'declined', content_hash: 'c'.repeat(64), proof: 'witness', outcome: 'not_owed' };
  await addRow(db, 'kiosk_acknowledgements', { ...of, ...fields, ...times });
}

/** A policy in force with its next version sent for approval, and the worker's word on it. */
export async function addPolicy(db: TestDatabase, organization: string, { worker, admin, auditor }: PeopleByRole) {
  const here = { organization_id: organization };
  const named = { title: 'Lockout', classification: 'internal' };
  const policy = await addRow(db, 'policies', { ...here, ...named, state: 'draft', owner_id: admin });
  const text = { ...here, policy_id: policy, title: 'Lockout', change: 'major', source: 'written', content_hash: '' };
  const inForce = { state: 'published', major: 1, minor: 0, published_at: '2026-11-21T08:00:00Z' };
  const policyVersion = await addRow(db, 'policy_versions', { ...text, ...inForce, body: '# One lock each' });
  await db.asAdmin(
    `update policies set state = 'published', current_version_id = $2, current_major = 1, major_since = '2026-11-21T08:00:00Z' where id = $1`,
    [policy, policyVersion],
  );
  await addRow(db, 'policy_variables', { ...here, key: 'hotline', value: '555 0100' });
  const policyDraft = await addRow(db, 'policy_versions', { ...text, state: 'in_review', body: '# One lock, one key' });
  // Ended, so that the clock of a server tells nobody of it in the middle of a test.
  const asked = { audience: { kind: 'all' }, due_days: 14, state: 'ended', starts_at: '2026-11-21T08:00:00Z' };
  await addRow(db, 'acknowledgement_campaigns', { ...here, policy_id: policy, ...asked });
  const opened = { state: 'opened', opened_at: '2026-11-21T08:00:00Z', sections_read: 0, sections: 1 };
  const of = { policy_id: policy, version_id: policyVersion, user_id: worker };
  await addRow(db, 'policy_acknowledgements', { ...here, ...of, ...opened });
  await addKioskAcknowledgement(db, { ...here, ...of, user_id: admin, witness_id: worker });
  // Away whenever the tests run (a year is the most), and before anything is asked: the clock of a server has nobody to tell.
  const [yesterday, later] = [-1, 30].map(days => new Date(Date.now() + days * 86_400_000));
  const away = { starts_at: yesterday, ends_at: later };
  await addRow(db, 'approval_delegations', { ...here, from_id: admin, to_id: auditor, ...away });
  const stage = { name: 'Safety', rule: 'any', people: [admin] };
  const request = await addRow(db, 'approval_requests', {
    ...here,
    permission: 'policy.approve',
    subject_table: 'policy_versions',
    subject_id: policyDraft,
    title: 'Lockout',
    path: `/policies/${policy}`,
    stages: [stage, stage],
    stage: 2,
    state: 'pending',
    requested_at: '2026-11-21T08:00:00Z',
  });
  const decision = { stage: 1, approver_id: admin, decided_by: admin, decision: 'approve', at: '2026-11-21T08:00:00Z' };
  await addRow(db, 'approval_decisions', { ...here, request_id: request, permission: 'policy.approve', ...decision });
  await addRule(db, organization, admin);
  return { policy, policyVersion, policyDraft };
}

/** A workflow rule, off, so that the clock of a server does nothing of it in the middle of a test. */
async function addRule(db: TestDatabase, organization: string, admin: string): Promise<void> {
  const steps = [{ kind: 'notify', to: 'role:manager', text: 'Look' }];
  const rule = { title: 'Tell of policies', trigger: 'policy.published', matching: 'all', conditions: [], steps };
  const of = { organization_id: organization, created_by: admin, acts_for: admin };
  await addRow(db, 'workflow_rules', { ...rule, ...of, is_on: false });
}
