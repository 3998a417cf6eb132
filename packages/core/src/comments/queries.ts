import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { type Colleague, colleaguesAmong, memberRows } from '../spaces/colleagues.ts';
import { followId } from './follow.ts';
import { subjectPlace, type Subject } from './subject.ts';

/** Comments on one record, the oldest first by when they were written. */
export async function commentRows(tx: Tx, subjectId: string): Promise<Row<'comments'>[]> {
  const rows = await tx.range('comments', 'subject', `${subjectId}/`, `${subjectId}/\uffff`);
  return rows.filter(({ deleted_at: deleted }) => deleted === null);
}

/** What is said at a record, and whether this person hears of it. */
export type Thread = {
  /** The oldest first. */
  comments: Row<'comments'>[];
  /** Display names by person. */
  names: ReadonlyMap<string, string>;
  /** Members of the organisation, by name: who can be named. */
  people: Colleague[];
  /** Whether the person hears of it: as they said, else because they stand on the record, spoke there or are named. */
  follows: boolean;
  /** Version of the record; null when it is not on this device. */
  version: number | null;
};

/** Everything said at one record. @param userId the person at this device */
export function thread(subject: Subject, organizationId: string, userId: string): Query<Thread> {
  return {
    key: `comments/thread/${subject.table}/${subject.id}/${organizationId}/${userId}`,
    tables: ['comments', 'record_follows', 'people', 'organization_members', subject.table],
    async read(tx) {
      const [comments, place, wish, everybody, members] = await Promise.all([
        commentRows(tx, subject.id),
        subjectPlace(tx, subject),
        tx.get('record_follows', followId(userId, subject.id)),
        tx.all('people'),
        memberRows(tx, organizationId),
      ]);
      return {
        comments,
        version: place?.version ?? null,
        names: new Map(everybody.map(({ id, display_name: name }) => [id, name ?? ''])),
        people: colleaguesAmong(everybody, members),
        follows:
          wish?.deleted_at === null
            ? wish.is_following
            : Boolean(place?.people.includes(userId)) || comments.some(comment => concerns(comment, userId)),
      };
    },
  };
}

const concerns = ({ author_id: author, mention_ids: named }: Row<'comments'>, userId: string): boolean =>
  author === userId || (Array.isArray(named) && named.includes(userId));

/** How long after it was written a comment may arrive and still count as said at once, ms. */
const AT_ONCE_MS = 5 * 60_000;

/** Whether a comment arrived so much later than it was written that others may have spoken in between. */
export const cameLater = ({ written_at: written, created_at: arrived }: Row<'comments'>): boolean =>
  Date.parse(arrived) - Date.parse(written) > AT_ONCE_MS;
