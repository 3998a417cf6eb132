import type { Row } from '@cairn/schema';

export type ActionStatus = Row<'action_items'>['status'];

/** From a state to those a person may move it to. Ends: closed, and the side exits with their reason in the text. */
export const transitions: Record<ActionStatus, readonly ActionStatus[]> = {
  open: ['assigned', 'in_progress', 'risk_accepted', 'duplicate', 'not_valid'],
  assigned: ['open', 'in_progress', 'risk_accepted', 'duplicate', 'not_valid'],
  in_progress: ['ready_for_verification', 'assigned', 'open', 'risk_accepted', 'duplicate', 'not_valid'],
  ready_for_verification: ['closed', 'needs_revision', 'in_progress'],
  needs_revision: ['in_progress', 'ready_for_verification', 'risk_accepted', 'duplicate', 'not_valid'],
  closed: ['open'],
  risk_accepted: ['open'],
  duplicate: ['open'],
  not_valid: ['open'],
};

const ENDED: ReadonlySet<ActionStatus> = new Set(['closed', 'risk_accepted', 'duplicate', 'not_valid']);

/** States in which somebody still has something to do. */
export const openStatuses: readonly ActionStatus[] = [
  'open',
  'assigned',
  'in_progress',
  'ready_for_verification',
  'needs_revision',
];

/** Whether nothing is left to do. */
export const isEnded = (status: ActionStatus): boolean => ENDED.has(status);

/** Whether a person may move an action item so; staying is always allowed. */
export const mayMove = (from: ActionStatus, to: ActionStatus): boolean => from === to || transitions[from].includes(to);
