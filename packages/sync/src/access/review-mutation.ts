import type { Mutation } from '../transport/backend.ts';
import { toMutation } from '../push/batch.ts';
import type { QueueEntry } from '../store/stored.ts';

type OrphanedEntry = Parameters<typeof toMutation>[0] & Pick<QueueEntry, 'conflict'>;

/** What an organisation's review queue is told: it knows no conflicts, and what was chosen in one is an edit of what the person then saw. */
export function toReviewMutation(entry: OrphanedEntry): Mutation {
  const { conflict: _conflict, ...edit } = entry;
  return entry.operation === 'resolve' ? toMutation({ ...edit, operation: 'update' }) : toMutation(entry);
}
