import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { asksPresence } from '../on-site/presence.ts';
import { witness } from '../on-site/witness.ts';

/**
 * Starts an inspection that was scheduled, on the version it was scheduled with. Starting one's own again does nothing.
 *
 * @param start `at`: device time, ISO 8601; `by`: the person who inspects
 * @throws {Failure} `not_found`; `not_allowed` before it opens; `stale_version` when somebody else has started it, or it is finished
 */
export async function startScheduledInspection(
  tx: WriteTx,
  start: { id: string; by: string; at: string },
): Promise<void> {
  const inspection = await tx.get('inspections', start.id);
  if (!inspection || inspection.deleted_at !== null) {
    throw new Failure('not_found', `startScheduledInspection: no inspection ${start.id}`);
  }
  if (inspection.status === 'in_progress' && inspection.conducted_by === start.by) return;
  if (inspection.status !== 'scheduled') {
    throw new Failure('stale_version', `startScheduledInspection: inspection ${start.id} is ${inspection.status}`);
  }
  if (inspection.opens_at !== null && Date.parse(start.at) < Date.parse(inspection.opens_at)) {
    throw new Failure('not_allowed', `startScheduledInspection: inspection ${start.id} is not open yet`);
  }
  await tx.change('inspections', start.id, { status: 'in_progress', conducted_by: start.by, started_at: start.at });
  if (asksPresence(await tx.get('form_versions', inspection.form_version_id))) {
    await witness(tx, inspection, start, [{ kind: 'started', facts: {} }]);
  }
}
