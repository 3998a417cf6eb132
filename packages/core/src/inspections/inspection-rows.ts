import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';
import { isOpen, type InspectionStatus } from './inspection-states.ts';

/** Sorts after every question's path. */
const LAST = '\uffff';

/** The id of the answer to one question, the same on every device. */
export const answerId = (inspectionId: string, question: string): string =>
  derivedId(inspectionId, `answer/${question}`);

/** The id of the action item a failed question makes, the same on every device. */
export const failedActionId = (inspectionId: string, question: string): string =>
  derivedId(inspectionId, `action/${question}`);

/** Answers of one inspection, in the order of their paths. */
export const answerRows = (tx: Tx, inspectionId: string): Promise<Row<'inspection_answers'>[]> =>
  tx.range('inspection_answers', 'inspection', `${inspectionId}/`, `${inspectionId}/${LAST}`);

/** Photos of one inspection. */
export const mediaRows = (tx: Tx, inspectionId: string): Promise<Row<'media'>[]> =>
  tx.range('media', 'inspection', inspectionId, inspectionId);

/**
 * An inspection that can still be changed: one in progress, or sent back to be corrected.
 *
 * @throws {Failure} `not_found`; `stale_version` when it is neither (finished here or on another device)
 */
export async function openInspection(tx: Tx, inspectionId: string, operation: string): Promise<Row<'inspections'>> {
  const inspection = await tx.get('inspections', inspectionId);
  if (!inspection || inspection.deleted_at !== null) {
    throw new Failure('not_found', `${operation}: no inspection ${inspectionId}`);
  }
  if (!isOpen(inspection.status)) {
    throw new Failure('stale_version', `${operation}: inspection ${inspectionId} is ${inspection.status}`);
  }
  return inspection;
}

/** Inspections in any of these states, by the `status` key; with `when`, only those that are due (or began) then. */
export async function byStatus(
  tx: Tx,
  statuses: readonly InspectionStatus[],
  when: { from: string; to: string } = { from: '', to: '\uffff' },
): Promise<Row<'inspections'>[]> {
  const ranges = statuses.map(status =>
    tx.range('inspections', 'status', `${status}/${when.from}`, `${status}/${when.to}`),
  );
  return (await Promise.all(ranges)).flat();
}
