import { useTranslation } from 'react-i18next';
import { Bell, BellOff } from 'lucide-react';
import type { Subject } from '@cairn/core/comments/subject.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentList } from './comment-list.tsx';
import { NearLine } from './near-line.tsx';
import { useNear } from './use-near.ts';
import { useThread } from './use-thread.ts';
import './comments.css';

type Props = {
  subject: Subject;
  mayWrite: boolean;
  /** Whether files may go with a comment. */
  takesFiles?: boolean;
  /** What whoever writes here should know first. */
  note?: string | undefined;
};

function emptyText(mayWrite: boolean, people: number) {
  if (!mayWrite) return 'emptyReader' as const;
  return people > 1 ? ('empty' as const) : ('emptyAlone' as const);
}

/** What people say about a record, and the place to say something; with no signal too. */
export function RecordComments({ subject, mayWrite, takesFiles = true, note }: Props) {
  const { t } = useTranslation('comments');
  const talk = useThread(subject);
  const near = useNear(subject, talk.userId);
  const following = useAction(talk.follow);
  const { found } = talk;
  if (!found) {
    return (
      <Card label={t('title')}>
        <SkeletonRows label={t('loading')} rows={2} />
      </Card>
    );
  }
  // What is gone is said by its own screen.
  if (found.version === null) return null;
  const who = <NearLine near={near.people} people={found.people} />;
  return (
    <Card className="comment-card" label={t('title')}>
      <div className="row between wrap">
        <h2 className="h2">{t('title')}</h2>
        {found.people.length > 1 && (
          <Button
            size="sm"
            variant="plain"
            icon={found.follows ? BellOff : Bell}
            busy={following.busy}
            onClick={() => following.run(!found.follows)}
          >
            {t(found.follows ? 'unfollow' : 'follow')}
          </Button>
        )}
      </div>
      <FailureLine failure={following.failure} />
      {found.comments.length === 0 && <p className="sm muted">{t(emptyText(mayWrite, found.people.length))}</p>}
      {found.comments.length > 0 && <CommentList comments={found.comments} talk={talk} mayWrite={mayWrite} />}
      {mayWrite && note !== undefined && <p className="sm muted">{note}</p>}
      {mayWrite ? (
        <CommentForm people={found.people} takesFiles={takesFiles} onSend={talk.say} onWriting={near.say} aside={who} />
      ) : (
        who
      )}
    </Card>
  );
}
