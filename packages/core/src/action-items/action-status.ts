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

/** Whether a word is a state of action items. */
export const isActionStatus = (word: string): word is ActionStatus => Object.hasOwn(transitions, word);

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

/** Ends that are somebody else's word, as checking is: nobody has by themselves what they have or did called closed, or nothing. */
export const isOthersDecision = (status: ActionStatus): boolean => isEnded(status) && status !== 'risk_accepted';

type ClosedItem = Pick<Row<'action_items'>, 'created_by' | 'closed_by'>;

/** Whether a person may open an ended one again: what they closed or made, or with `action.manage`. */
export const mayReopen = (item: ClosedItem, by: string, manages: boolean): boolean =>
  manages || item.closed_by === null || item.closed_by === by || item.created_by === by;
