import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, Clock, EllipsisVertical, History, RotateCcw, TriangleAlert } from 'lucide-react';
import { oneLine } from '@cairn/base/one-line.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import { textParts } from '@cairn/core/comments/mentions.ts';
import { cameLater, type Thread } from '@cairn/core/comments/queries.ts';
import type { Row } from '@cairn/schema';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Menu } from '@cairn/ui/overlays/menu.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SubmittedByLine } from '../../shared/records/submitted-by.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { PhotoView } from '../../shared/media/photo-view.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { CommentForm } from './comment-form.tsx';
import type { ThreadState } from './use-thread.ts';

type Props = {
  comment: Row<'comments'>;
  found: Thread;
  talk: ThreadState;
  /** Where its words are: waiting here, refused, or with the server. */
  state: 'waits' | 'refused' | 'sent';
  mayWrite: boolean;
};

/** One comment: who, when, what, its files, and whether it is settled. */
export function CommentItem({ comment, found, talk, state, mayWrite }: Props) {
  const { t } = useTranslation('comments');
  const { formatInstant } = useFormat();
  const [changing, setChanging] = useState(false);
  const resolving = useAction(talk.resolve);
  const isDone = comment.resolved_at !== null;
  const isOwn = comment.author_id === talk.userId;
  // A row that was made or came before guests were has no such column.
  const name = comment.outside_name
    ? t('outside', { name: oneLine(comment.outside_name) })
    : found.names.get(comment.author_id ?? '') || t('somebody');
  const named = textsIn(comment.mention_ids).map(id => found.names.get(id) ?? '');
  return (
    <li className={`comment${isDone ? ' is-done' : ''}`}>
      <div className="row between">
        <p className="row wrap sm muted">
          <span className="strong">{name}</span>
          <time dateTime={comment.written_at}>{formatInstant(new Date(comment.written_at))}</time>
          <SubmittedByLine row={comment} />
        </p>
        {isOwn && mayWrite && !changing && (
          <OwnMenu onChange={() => setChanging(true)} onRemove={() => talk.remove(comment.id)} name={name} />
        )}
      </div>
      {changing ? (
        <CommentForm
          people={found.people}
          before={comment.body}
          takesFiles={false}
          onSend={async written => {
            await talk.change(comment.id, written);
            setChanging(false);
          }}
          onCancel={() => setChanging(false)}
        />
      ) : (
        <p className="comment-body">
          {textParts(comment.body, named).map((part, index) =>
            part.isName ? <strong key={index}>{part.text}</strong> : <span key={index}>{part.text}</span>,
          )}
        </p>
      )}
      <CommentFiles ids={textsIn(comment.media_ids)} name={name} />
      <div className="row wrap">
        {state === 'waits' && (
          <Pill tone="warn" icon={Clock}>
            {t('willSend')}
          </Pill>
        )}
        {state === 'refused' && (
          <Pill tone="bad" icon={TriangleAlert}>
            {t('notTaken')}
          </Pill>
        )}
        {state === 'sent' && cameLater(comment) && (
          <Pill tone="line" icon={History}>
            {t('cameLater', { when: formatInstant(new Date(comment.created_at)) })}
          </Pill>
        )}
        {isDone && (
          <Pill tone="good" icon={Check}>
            {t('resolved', { name: found.names.get(comment.resolved_by ?? '') || t('somebody') })}
          </Pill>
        )}
        {mayWrite && !changing && (
          <Button
            size="sm"
            variant="plain"
            busy={resolving.busy}
            icon={isDone ? RotateCcw : Check}
            onClick={() => resolving.run(comment.id, !isDone)}
          >
            {t(isDone ? 'reopen' : 'resolve')}
          </Button>
        )}
      </div>
      <FailureLine failure={resolving.failure} />
    </li>
  );
}

function CommentFiles({ ids, name }: { ids: readonly string[]; name: string }) {
  const { t } = useTranslation('comments');
  if (ids.length === 0) return null;
  return (
    <div className="photo-grid">
      {ids.map((id, index) => (
        <PhotoView key={id} mediaId={id} label={t('file', { number: index + 1, name })} />
      ))}
    </div>
  );
}

type OwnProps = { onChange: () => void; onRemove: () => Promise<void>; name: string };

function OwnMenu({ onChange, onRemove, name }: OwnProps) {
  const { t } = useTranslation('comments');
  const [asking, setAsking] = useState(false);
  const removing = useAction(onRemove);
  return (
    <>
      <Menu
        trigger={<IconButton icon={EllipsisVertical} label={t('more', { name })} />}
        entries={[
          { label: t('change'), onSelect: onChange },
          { label: t('remove'), danger: true, onSelect: () => setAsking(true) },
        ]}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('removeTitle')}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        onConfirm={() => removing.run()}
        danger
      >
        {t('removeText')}
      </Confirm>
    </>
  );
}
