import type { TableName } from '@cairn/schema';
import type { Page } from './backend.ts';
import type { Cursors } from './cursors.ts';
import type { DatabaseTx } from './database.ts';
import { ownerRange } from './read-tx.ts';
import { NO_PARENT } from './outbox-choice.ts';
import { NO_RIGHT } from './settle.ts';

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
 * Work that was refused for want of a right goes again, and what belongs to something this person did not see.
 *
 * @returns whether there was any
 */
export async function retryRefused(tx: DatabaseTx, owner: string): Promise<boolean> {
  const queue = tx.objectStore('sync_queue');
  const entries = await queue.index('order').getAll(ownerRange(owner));
  const refused = entries.filter(
    ({ state, lastError }) => state === 'failed' && (lastError === NO_RIGHT || lastError === NO_PARENT),
  );
  for (const entry of refused) await queue.put({ ...entry, state: 'waiting', crashes: 0 });
  return refused.length > 0;
}
