import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { isSaidByOther, talkingPair, wordColumns, type Session, type SessionFields } from './sessions.ts';

/** Letters of a reason at most, as the server has it. */
export const MAX_REASON_LENGTH = 500;

export type PlanSession = Pick<SessionFields, 'at' | 'minutes'> & {
  id: string;
  relationshipId: string;
  authorId: string;
  /** What it is to be about; may be empty. */
  note: string;
};

/**
 * Plans a session, with no network too. A helper hears of one that the person plans under a grant alone.
 *
 * @throws {Failure} `not_found` where there is nobody to talk with; `not_allowed` for a role without sessions; `invalid`
 */
export async function planSession(tx: WriteTx, { id, relationshipId, authorId, ...plan }: PlanSession): Promise<void> {
  await talkingPair(tx, relationshipId);
  const words = wordColumns({ ...plan, steps: [] });
  await tx.put('circle_sessions', {
    id,
    relationship_id: relationshipId,
    author_id: authorId,
    state: 'planned',
    ...words,
  });
}

export type ChangeSession = SessionFields & {
  id: string;
  by: string;
  /** What it is from now on; as it was where nothing is said. */
  state?: 'planned' | 'held';
};

/**
 * Mends what was written of a session, moves a planned one, or writes one down that was planned. Only who wrote it does; when it was and
 * what became of it stays as the other said it.
 *
 * @throws {Failure} `not_found`; `not_allowed` for somebody else's, also for what the other said of it; `invalid`
 */
export async function changeSession(tx: WriteTx, { id, by, state, ...words }: ChangeSession): Promise<void> {
  const session = await ownSession(tx, id, by);
  const columns = wordColumns(words);
  if (isSaidByOther(session, by)) {
    if ((state && state !== session.state) || minuteOf(columns.at) !== minuteOf(session.at))
      throw new Failure('not_allowed', `changeSession: what became of ${id} was said by another`);
    await tx.change('circle_sessions', id, { ...columns, at: session.at });
    return;
  }
  await tx.change('circle_sessions', id, { ...columns, ...(state && { state, reason: '' }) });
}

/** What becomes of a planned session. */
export type Outcome = 'held' | 'missed' | 'cancelled';

export type SayOfSession = { id: string; by: string; outcome: Outcome; /** Why; may be empty. */ reason: string };

/**
 * Says what became of a planned session: who planned it, and the person of one that their helper planned.
 *
 * @throws {Failure} `not_found`; `not_allowed` for a helper of what the person planned; `stale_version` for one of which
 * something was said already; `invalid` for too long a reason
 */
export async function sayOfSession(tx: WriteTx, { id, by, outcome, reason }: SayOfSession): Promise<void> {
  const session = await sessionHere(tx, id);
  if (session.author_id !== by && session.subject_id !== by) throw new Failure('not_allowed', `sayOfSession: ${id}`);
  if (session.state !== 'planned') throw new Failure('stale_version', `sayOfSession: ${id} is ${session.state}`);
  const text = reason.trim();
  if (text.length > MAX_REASON_LENGTH) throw new Failure('invalid', `sayOfSession: ${id}`);
  await tx.change('circle_sessions', id, { state: outcome, reason: outcome === 'held' ? '' : text });
}

/**
 * Takes back what one wrote of a session; action items made of its steps stay.
 *
 * @throws {Failure} `not_found`; `not_allowed` for somebody else's, and for one of which the other said what became of it
 */
export async function removeSession(tx: WriteTx, id: string, by: string): Promise<void> {
  const session = await ownSession(tx, id, by);
  if (isSaidByOther(session, by)) throw new Failure('not_allowed', `removeSession: ${id} was concluded by another`);
  await tx.remove('circle_sessions', id);
}

async function sessionHere(tx: WriteTx, id: string): Promise<Session> {
  const session = await tx.get('circle_sessions', id);
  if (!session || session.deleted_at !== null) throw new Failure('not_found', `session ${id}`);
  return session;
}

async function ownSession(tx: WriteTx, id: string, by: string): Promise<Session> {
  const session = await sessionHere(tx, id);
  if (session.author_id !== by) throw new Failure('not_allowed', `session ${id} of another`);
  return session;
}

const minuteOf = (iso: string): number => Math.floor(Date.parse(iso) / 60_000);
