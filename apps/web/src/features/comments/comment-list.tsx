import type { Row } from '@cairn/schema';
import { CommentItem } from './comment-item.tsx';
import { usePendingRows } from '../../shared/sync/use-pending-rows.ts';
import type { ThreadState } from './use-thread.ts';
import './comments.css';

type Props = { comments: readonly Row<'comments'>[]; talk: ThreadState; mayWrite: boolean };

/** Comments one below the other, each with where its words are. */
export function CommentList({ comments, talk, mayWrite }: Props) {
  const { waits, refused } = usePendingRows('comments');
  const { found } = talk;
  const stateOf = (id: string) => {
    if (refused.has(id)) return 'refused' as const;
    return waits.has(id) ? ('waits' as const) : ('sent' as const);
  };
  return (
    found && (
      <ul className="comment-thread">
        {comments.map(comment => (
          <CommentItem
            key={comment.id}
            comment={comment}
            found={found}
            talk={talk}
            state={stateOf(comment.id)}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
    )
  );
}
