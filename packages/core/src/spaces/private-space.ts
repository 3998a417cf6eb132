import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';

/**
 * A person's own space, which no company owns.
 *
 * @throws {Failure} `not_found` while it has not arrived on this device
 */
export async function privateSpace(tx: Tx, userId: string): Promise<Row<'organizations'>> {
  const spaces = await tx.all('organizations');
  const own = spaces.find(row => row.kind === 'private' && row.created_by === userId && row.deleted_at === null);
  if (!own) throw new Failure('not_found', 'privateSpace: none on this device');
  return own;
}
