import type { Row } from '@cairn/schema';

export type InspectionStatus = Row<'inspections'>['status'];

/** What a reviewer decides. */
export type Decision = Extract<InspectionStatus, 'has_issues' | 'approved' | 'rejected'>;

/** What state may follow which; the database holds the same table (`inspection.inspection_may_become`). */
export const nextStates: { readonly [From in InspectionStatus]: readonly InspectionStatus[] } = {
  scheduled: ['in_progress', 'finalised'],
  in_progress: ['scheduled', 'finalised'],
  finalised: ['has_issues', 'approved', 'rejected'],
  has_issues: ['finalised', 'approved', 'rejected'],
  approved: ['closed'],
  rejected: ['closed'],
  closed: [],
};

export const mayBecome = (from: InspectionStatus, to: InspectionStatus): boolean => nextStates[from].includes(to);

/** Whether its answers can be changed: begun, or sent back. */
export const isOpen = (status: InspectionStatus): boolean => status === 'in_progress' || status === 'has_issues';

/** Whether it was done, whatever a reviewer says of it. */
export const isDone = (status: InspectionStatus): boolean => !['scheduled', 'in_progress'].includes(status);

/** Whether it stays as it was signed: done, and not sent back. */
export const isFinished = (status: InspectionStatus): boolean => isDone(status) && !isOpen(status);

/** The state as a person is told: `received` is the server's word for a finished one, `missed` is what nobody did in time. */
export type ShownState = InspectionStatus | 'received' | 'missed';

type Facts = Pick<Row<'inspections'>, 'status' | 'received_at' | 'missed_at'>;

/** @param waits whether this device holds a change of it that the server has not acknowledged */
export function shownState({ status, received_at: received, missed_at: missed }: Facts, waits: boolean): ShownState {
  if (status === 'finalised') return received !== null && !waits ? 'received' : 'finalised';
  return status === 'scheduled' && missed !== null ? 'missed' : status;
}
