import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, MessageSquare, RotateCcw } from 'lucide-react';
import { COMMENT_LENGTH } from '@cairn/core/field-ops/comment-on-inspection.ts';
import type { Row } from '@cairn/schema';
import { Button } from '@cairn/ui/button.tsx';
import { Textarea } from '@cairn/ui/field.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { Pill } from '@cairn/ui/pill.tsx';
import { useFormat } from '../../shared/format.ts';
import { useAction } from '../../shared/use-action.ts';
import { FailureLine } from './failure-line.tsx';
import { commentsAt, type Review } from './use-review.ts';
import './review.css';

type Props = {
  review: Review;
  /** Path of the question; null for the whole inspection. */
  question: string | null;
  /** What is commented on, for screen readers. */
  subject: string;
};

/** What was said at one question, and the place to say something. */
export function QuestionComments({ review, question, subject }: Props) {
  const { t } = useTranslation('review');
  const comments = commentsAt(review.trail, question);
  const [writing, setWriting] = useState(false);
  if (comments.length === 0 && !review.mayComment) return null;
  return (
    <section className="comments" aria-label={t('comments.label', { subject })}>
      {comments.length > 0 && (
        <ul className="comment-list">
          {comments.map(comment => (
            <Comment key={comment.id} comment={comment} review={review} />
          ))}
        </ul>
      )}
      {review.mayComment && !writing && (
        <Button size="sm" variant="plain" icon={MessageSquare} onClick={() => setWriting(true)}>
          {t(comments.length > 0 ? 'comments.reply' : 'comments.add')}
        </Button>
      )}
      {writing && <CommentForm review={review} question={question} onDone={() => setWriting(false)} />}
    </section>
  );
}

function Comment({ comment, review }: { comment: Row<'inspection_comments'>; review: Review }) {
  const { t } = useTranslation('review');
  const { formatDay, formatTime } = useFormat();
  const resolving = useAction(review.resolve);
  const isDone = comment.resolved_at !== null;
  const when = new Date(comment.written_at);
  const name = review.trail?.names.get(comment.author_id ?? '') || t('comments.somebody');
  return (
    <li className={`comment${isDone ? ' is-done' : ''}`}>
      <p className="row between wrap sm muted">
        <span className="strong">{name}</span>
        <time dateTime={comment.written_at}>{`${formatDay(when)} ${formatTime(when)}`}</time>
      </p>
      <p className="comment-body">{comment.body}</p>
      <div className="row wrap">
        {isDone && (
          <Pill tone="good" icon={Check}>
            {t('comments.resolved')}
          </Pill>
        )}
        {review.mayComment && (
          <Button
            size="sm"
            variant="plain"
            busy={resolving.busy}
            icon={isDone ? RotateCcw : Check}
            onClick={() => resolving.run(comment.id, !isDone)}
          >
            {t(isDone ? 'comments.reopen' : 'comments.resolve')}
          </Button>
        )}
      </div>
      <FailureLine failure={resolving.failure} />
    </li>
  );
}

type FormProps = { review: Review; question: string | null; onDone: () => void };

function CommentForm({ review, question, onDone }: FormProps) {
  const { t } = useTranslation('review');
  const [body, setBody] = useState('');
  const [tried, setTried] = useState(false);
  const keeping = useAction(async (text: string) => {
    await review.comment(question, text);
    onDone();
  });
  const isEmpty = body.trim() === '';
  const isLong = body.trim().length > COMMENT_LENGTH;
  const problem = isLong ? t('comments.tooLong', { count: COMMENT_LENGTH }) : t('comments.needed');
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (!isEmpty && !isLong) keeping.run(body);
      }}
    >
      <Textarea
        label={t('comments.text')}
        autoFocus
        value={body}
        error={(tried && isEmpty) || isLong ? problem : undefined}
        onChange={event => setBody(event.target.value)}
      />
      <FailureLine failure={keeping.failure} />
      <div className="row wrap">
        <Button type="submit" variant="primary" busy={keeping.busy}>
          {t('comments.send')}
        </Button>
        <Button variant="plain" onClick={onDone}>
          {t('comments.cancel')}
        </Button>
      </div>
    </form>
  );
}

/** How many open comments a question has, in its row; nothing for none. */
export function OpenComments({ count }: { count: number }) {
  const { t } = useTranslation('review');
  if (count === 0) return null;
  return (
    <span className="row comment-count">
      <Icon of={MessageSquare} size="s" />
      <span aria-hidden="true">{count}</span>
      <span className="sr">{t('comments.count', { count })}</span>
    </span>
  );
}
