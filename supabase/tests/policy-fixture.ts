import { randomUUID } from 'node:crypto';
import { acknowledgementId } from '@cairn/core/policies/acknowledge.ts';
import { nextVersionId } from '@cairn/core/policies/write-policy.ts';
import type { PushResult } from '@cairn/sync/transport/backend.ts';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { testDevice, type Edit } from './device.ts';
import type { World } from './world.ts';

type PolicyWorld = Pick<World, 'organization' | 'manager' | 'admin'>;
type Decision = 'approve' | 'reject' | 'request_change';
type Data = Record<string, unknown>;

/** What the people of a company do with policies, through the same doors as their devices. */
export class PolicyFixture {
  private readonly db: TestDatabase;
  private readonly place: PolicyWorld;

  constructor(db: TestDatabase, place: PolicyWorld) {
    this.db = db;
    this.place = place;
  }

  private push(person: string, ...edits: Edit[]): Promise<PushResult[]> {
    return testDevice(this.db, person).push(...edits);
  }

  private async must(person: string, ...edits: Edit[]): Promise<void> {
    const results = await this.push(person, ...edits);
    if (results.some(({ st }) => st !== 'applied')) throw new Error(JSON.stringify(results));
  }

  async draft(title: string, body = `Words of ${title}`, forged: Data = {}) {
    const [policy, version] = [randomUUID(), randomUUID()];
    const here = { organization_id: this.place.organization, title };
    await this.must(
      this.place.manager,
      { t: 'policies', op: 'insert', id: policy, patch: here },
      { t: 'policy_versions', op: 'insert', id: version, patch: { ...here, policy_id: policy, body, ...forged } },
    );
    return { policy, version };
  }

  submit(version: string, stages: unknown = [{ name: '', rule: 'any', people: [this.place.admin] }]): Promise<string> {
    const asked = { p_version: version, p_stages: JSON.stringify(stages) };
    return this.db.rpc(this.place.manager, 'submit_policy_version', asked);
  }

  async requestOf(version: string): Promise<string> {
    const [row] = await this.db.asAdmin('select approval_id from policy_versions where id = $1', [version]);
    return String(row?.['approval_id']);
  }

  /** What a device sends for a decision. */
  async deciding(version: string, person: string, decision: Decision, more: Data = {}): Promise<Edit> {
    const request = await this.requestOf(version);
    const [row] = await this.db.asAdmin('select stage from approval_requests where id = $1', [request]);
    const of = { organization_id: this.place.organization, request_id: request, stage: row?.['stage'] };
    const fields = { decision, reason: decision === 'approve' ? null : 'Because', at: '2026-11-21T09:00:00Z' };
    const patch = { ...of, approver_id: person, decided_by: person, ...fields, ...more };
    return { t: 'approval_decisions', op: 'insert', patch };
  }

  async decide(version: string, person: string, decision: Decision, more: Data = {}): Promise<PushResult | undefined> {
    return (await this.push(person, await this.deciding(version, person, decision, more)))[0];
  }

  async approve(version: string): Promise<void> {
    await this.submit(version);
    const result = await this.decide(version, this.place.admin, 'approve');
    if (result?.st !== 'applied') throw new Error(JSON.stringify(result));
  }

  async publish(version: string): Promise<{ major: number; minor: number }> {
    await this.approve(version);
    return this.db.rpc(this.place.manager, 'publish_policy_version', { p_version: version });
  }

  async inForce(title: string, more: Data = {}) {
    const made = await this.draft(title, undefined, more);
    await this.publish(made.version);
    return made;
  }

  async next(policy: string, change: 'major' | 'minor', body: string, more: Data = {}): Promise<string> {
    const [row] = await this.db.asAdmin('select current_version_id, title from policies where id = $1', [policy]);
    const id = nextVersionId(policy, String(row?.['current_version_id']));
    const of = {
      organization_id: this.place.organization,
      policy_id: policy,
      title: row?.['title'],
      based_on_id: row?.['current_version_id'],
    };
    await this.must(this.place.manager, {
      t: 'policy_versions',
      op: 'insert',
      id,
      patch: { ...of, body, change, ...more },
    });
    return id;
  }

  async ask(
    policy: string,
    audience: unknown = { kind: 'all' },
    dueDays: number | null = 14,
    more: Data = {},
  ): Promise<string> {
    const id = randomUUID();
    const patch = { organization_id: this.place.organization, policy_id: policy, audience, due_days: dueDays, ...more };
    await this.must(this.place.manager, { t: 'acknowledgement_campaigns', op: 'insert', id, patch });
    return id;
  }

  /** The row and the hash that whatever a device says of a version begins with. */
  async reading(version: string, person: string) {
    const [row] = await this.db.asAdmin('select policy_id, content_hash from policy_versions where id = $1', [version]);
    const of = { organization_id: this.place.organization, policy_id: row?.['policy_id'], version_id: version };
    const patch = { ...of, user_id: person, opened_at: new Date().toISOString() };
    return { id: acknowledgementId(version, person), hash: row?.['content_hash'], patch };
  }

  /** What a person says of a version, as their device would send it. */
  async acknowledge(
    version: string,
    person: string,
    more: Data = {},
    id = acknowledgementId(version, person),
  ): Promise<PushResult | undefined> {
    const [row] = await this.db.asAdmin('select policy_id, content_hash from policy_versions where id = $1', [version]);
    const of = { organization_id: this.place.organization, policy_id: row?.['policy_id'], version_id: version };
    const fields = {
      state: 'acknowledged',
      method: 'typed',
      signed_name: 'Sam Worker',
      content_hash: row?.['content_hash'],
    };
    const now = new Date().toISOString();
    const at = { opened_at: now, decided_at: now };
    const patch = { ...of, user_id: person, ...fields, ...at, ...more };
    return (await this.push(person, { t: 'policy_acknowledgements', op: 'insert', id, patch }))[0];
  }
}
