import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { subjectPlace, type Subject } from './subject.ts';

/** The id of a person's wish to hear, or not to hear, of a record. */
export const followId = (userId: string, subjectId: string): string => derivedId(userId, `follow/${subjectId}`);

/**
 * Says whether a person wants to hear of a record from now on.
 *
 * @throws {Failure} `not_found` for the record
 */
export async function follow(
  tx: WriteTx,
  { subject, userId, isFollowing }: { subject: Subject; userId: string; isFollowing: boolean },
): Promise<void> {
  const place = await subjectPlace(tx, subject);
  if (!place) throw new Failure('not_found', `follow: no ${subject.table} ${subject.id}`);
  await tx.put('record_follows', {
    id: followId(userId, subject.id),
    organization_id: place.organizationId,
    user_id: userId,
    subject_table: subject.table,
    subject_id: subject.id,
    is_following: isFollowing,
  });
}
