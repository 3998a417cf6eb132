import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { addRow } from './add-row.ts';

const AT = '2026-11-21T08:00:00Z';

export type Principle = { policy: string; version: string; title: string; body: string; hash: string };

/** A principle in force in a person's own space, which they committed to. */
export async function addPrinciple(
  db: TestDatabase,
  person: string,
  { title = 'I rest on Sundays', quiz = null }: { title?: string; quiz?: string | null } = {},
): Promise<Principle> {
  const ownSpace = `select id from organizations where kind = 'private' and created_by = $1`;
  const [privateSpace] = await db.asAdmin(ownSpace, [person]);
  const here = { organization_id: privateSpace?.['id'] };
  const body = 'No work on **Sundays**.';
  const policy = await addRow(db, 'policies', { ...here, title, classification: 'internal', state: 'draft' });
  const inForce = { state: 'published', major: 1, minor: 0, published_at: AT, change: 'major', source: 'written' };
  const words = { policy_id: policy, title, body, quiz, content_hash: '' };
  const version = await addRow(db, 'policy_versions', { ...here, ...words, ...inForce });
  await db.asAdmin(
    `update policies set state = 'published', current_version_id = $2, current_major = 1, major_since = $3 where id = $1`,
    [policy, version, AT],
  );
  const fields = { state: 'acknowledged', method: 'typed', signed_name: 'Sam Worker', opened_at: AT, decided_at: AT };
  const counts = { received_at: AT, sections_read: 1, sections: 1 };
  const of = { policy_id: policy, version_id: version, user_id: person };
  const [kept] = await db.asAdmin('select content_hash from policy_versions where id = $1', [version]);
  const hash = String(kept?.['content_hash']);
  await addRow(db, 'policy_acknowledgements', { ...here, ...of, ...fields, ...counts, content_hash: hash });
  return { policy, version, title, body, hash };
}

/** Somebody who asked a partner to countersign, and the partner's answer. */
export async function addCountersignature(db: TestDatabase, subject: string, helper: string): Promise<void> {
  const { version, hash } = await addPrinciple(db, subject);
  const pair = { subject_id: subject, helper_id: helper };
  const role = 'accountability_partner';
  const of = { ...pair, role, state: 'active', started_at: AT };
  const relationship_id = await addRow(db, 'circle_relationships', of);
  const shown = { scope: 'principles', level: 'countersign', item_ids: [version], valid_from: AT };
  const grant_id = await addRow(db, 'consent_grants', { ...pair, relationship_id, role, ...shown });
  const fields = { decision: 'signed', method: 'typed', signed_name: 'Ada Auditor', reason: '', decided_at: AT };
  const signed = { id: randomUUID(), version_id: version, content_hash: hash, received_at: AT };
  await addRow(db, 'countersignatures', { ...pair, grant_id, ...fields, ...signed });
}
