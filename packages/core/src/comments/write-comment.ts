import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';
import { subjectPlace, type Subject } from './subject.ts';

/** Longest comment, in characters. */
export const COMMENT_LENGTH = 4000;
/** Most people named in one, and most files with one. */
export const MAX_MENTIONS = 20;
export const MAX_FILES = 10;

export type NewComment = {
  /** A fresh id. */
  id: string;
  subject: Subject;
  /** Path of the question of an inspection it is about; null for the whole record. */
  question?: string | null;
  body: string;
  /** People it names. */
  mentionIds?: readonly string[];
  files?: readonly NewFile[];
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

const textOf = (body: string): string => {
  const text = body.trim();
  if (text === '' || text.length > COMMENT_LENGTH) throw new Failure('invalid', 'a comment is empty or too long');
  return text;
};

/**
 * Says something at a record, with the files that go with it.
 *
 * @throws {Failure} `not_found` for the record; `invalid` for a text that is empty or too long, too many people or files, and
 * a file the server would not take
 */
export async function writeComment(tx: WriteTx, comment: NewComment): Promise<void> {
  const { files = [], mentionIds = [] } = comment;
  const body = textOf(comment.body);
  if (files.length > MAX_FILES || mentionIds.length > MAX_MENTIONS)
    throw new Failure('invalid', `writeComment: ${comment.id} holds what the server would not take`);
  const place = await subjectPlace(tx, comment.subject);
  if (!place) throw new Failure('not_found', `writeComment: no ${comment.subject.table} ${comment.subject.id}`);
  const { organizationId: organization_id, siteId: site_id } = place;
  for (const file of files)
    await keepFile(tx, file, { organization_id, site_id, captured_at: comment.at, captured_by: comment.by });
  await tx.put('comments', {
    id: comment.id,
    organization_id: place.organizationId,
    subject_table: comment.subject.table,
    subject_id: comment.subject.id,
    question: comment.question ?? null,
    round: place.round,
    body,
    mention_ids: [...new Set(mentionIds)],
    media_ids: files.map(({ id }) => id),
    author_id: comment.by,
    written_at: comment.at,
  });
}

/** Says one's own comment in other words. @throws {Failure} `not_found`; `invalid` as for a new one */
export async function changeComment(
  tx: WriteTx,
  { id, body, mentionIds }: { id: string; body: string; mentionIds: readonly string[] },
): Promise<void> {
  if (mentionIds.length > MAX_MENTIONS) throw new Failure('invalid', `changeComment: ${id} names too many people`);
  await tx.change('comments', id, { body: textOf(body), mention_ids: [...new Set(mentionIds)] });
}

/** Takes one's own comment back. @throws {Failure} `not_found` */
export const removeComment = (tx: WriteTx, id: string): Promise<void> => tx.remove('comments', id);

/**
 * Ticks a comment off, or opens it again.
 *
 * @param tick `at`: device time, ISO 8601; null opens it again
 * @throws {Failure} `not_found`
 */
export const resolveComment = (tx: WriteTx, tick: { id: string; by: string; at: string | null }): Promise<void> =>
  tx.change('comments', tick.id, { resolved_at: tick.at, resolved_by: tick.at === null ? null : tick.by });
