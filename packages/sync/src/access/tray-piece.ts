import type { Mutation } from '../transport/backend.ts';
import { toMutation } from '../push/batch.ts';
import type { QueueEntry } from '../store/stored.ts';

type Piece = Parameters<typeof toMutation>[0] & Pick<QueueEntry, 'conflict'>;

/** What an organisation's tray is told: it knows no conflicts, and what was chosen in one is an edit of what the person then saw. */
export function toPiece(entry: Piece): Mutation {
  const { conflict: _conflict, ...said } = entry;
  return entry.operation === 'resolve' ? toMutation({ ...said, operation: 'update' }) : toMutation(entry);
}
