import { newId } from '@cairn/base/id.ts';
import { follow } from '@cairn/core/comments/follow.ts';
import { mentionedIn } from '@cairn/core/comments/mentions.ts';
import { thread, type Thread } from '@cairn/core/comments/queries.ts';
import type { Subject } from '@cairn/core/comments/subject.ts';
import { changeComment, removeComment, resolveComment, writeComment } from '@cairn/core/comments/write-comment.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { toNewFile } from '../../shared/media/to-new-file.ts';
import { useSpace } from '../../shared/session/space.ts';

/** What somebody has written and not yet sent. `chosen`: people picked from the list. */
export type CommentDraft = { body: string; chosen: readonly string[]; files: readonly File[] };

/**
 * What is said at a record, and everything one can do there; null while the device reads.
 * @param question of an inspection, where what is said stands: its path; null for the whole record
 */
export function useThread(subject: Subject, question: string | null = null) {
  const store = useStore();
  const { organization, userId } = useSpace();
  const live = useLive(thread(subject, organization.id, userId));
  const found: Thread | null = live.status === 'ready' ? live.answer : null;
  const people = found?.people ?? [];
  const now = () => new Date().toISOString();
  return {
    found,
    userId,
    say: async ({ body, chosen, files }: CommentDraft) => {
      const kept = await Promise.all(files.map(file => toNewFile(store, file)));
      const mentionIds = mentionedIn(body, people, chosen);
      await store.write('comments.write', tx =>
        writeComment(tx, { id: newId(), subject, question, body, mentionIds, files: kept, by: userId, at: now() }),
      );
    },
    change: (id: string, { body, chosen }: CommentDraft) =>
      store.write('comments.change', tx =>
        changeComment(tx, { id, body, mentionIds: mentionedIn(body, people, chosen) }),
      ),
    remove: (id: string) => store.write('comments.remove', tx => removeComment(tx, id)),
    resolve: (id: string, isDone: boolean) =>
      store.write('comments.resolve', tx => resolveComment(tx, { id, by: userId, at: isDone ? now() : null })),
    follow: (isFollowing: boolean) =>
      store.write('comments.follow', tx => follow(tx, { subject, userId, isFollowing })),
  };
}

export type ThreadState = ReturnType<typeof useThread>;
