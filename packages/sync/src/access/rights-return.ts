import type { TableName } from '@cairn/schema';
import type { Page } from '../transport/backend.ts';
import type { Cursors } from '../store/cursors.ts';
import type { DatabaseTx } from '../store/database.ts';
import { belongsTo, statedOrganizationId } from './membership-end.ts';
import { ownerRange } from '../store/read-tx.ts';
import { NO_PARENT } from '../push/outbox-choice.ts';
import { NO_RIGHT, NOT_A_MEMBER } from '../push/apply-push-result.ts';
import type { QueueEntry } from '../store/stored.ts';

/** Tables whose rows say what a person may do. */
const RIGHTS: readonly TableName[] = [
  'organizations',
  'organization_members',
  'site_members',
  'team_members',
  'playbook_members',
  'user_roles',
  'role_permissions',
];

/** Whether this page may have brought a right: a new audience, or news in a table that gives rights. */
export function bringsRights(page: Page, before: Cursors): boolean {
  const isFirst = Object.keys(before).length === 0;
  const isNewScope = !isFirst && Object.keys(page.scopes).some(scope => !(scope in before));
  return isNewScope || RIGHTS.some(table => table in page.rows);
}

/**
 * Work that was refused for want of a right goes again, and what belongs to something this person did not see; also what waits for
 * the review queue of an organisation they are a member of again: no review queue takes that.
 *
 * @param present the audiences they have now
 * @returns whether there was any
 */
export async function retryRefused(tx: DatabaseTx, owner: string, present: Cursors): Promise<boolean> {
  const queue = tx.objectStore('sync_queue');
  const entries = await queue.index('order').getAll(ownerRange(owner));
  const isRefused = (entry: QueueEntry) =>
    entry.lastError === NO_RIGHT ||
    entry.lastError === NO_PARENT ||
    (entry.lastError === NOT_A_MEMBER && belongsTo(present, statedOrganizationId(entry)));
  const refused = entries.filter(entry => entry.state === 'failed' && isRefused(entry));
  for (const entry of refused) await queue.put(sentAnew(entry));
  return refused.length > 0;
}

/** The next refusal is one of its own: what the last one was for is over. */
function sentAnew({ backAgain: _back, ...entry }: QueueEntry): QueueEntry {
  const isOrphan = entry.lastError === NOT_A_MEMBER;
  return { ...entry, state: 'waiting', crashes: 0, ...(isOrphan && { lastError: null, detail: null }) };
}
