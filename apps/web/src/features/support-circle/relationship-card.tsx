import { useState } from 'react';
import { Pause, Play, UserX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { moveRelationship, type Relationship } from '@cairn/core/support-circle/grants.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

type Props = { relationship: Relationship; other: string; onEnded: () => void };

/** Pausing, resuming and ending: both sides at once, and only the person themselves resumes. */
export function RelationshipCard({ relationship, other, onEnded }: Props) {
  const { t } = useTranslation('circle');
  const store = useStore();
  const { user } = useSignedIn();
  const [ending, setEnding] = useState(false);
  const isMine = relationship.subject_id === user.id;
  const isPaused = relationship.state === 'paused';
  const moving = useAction(async (state: Relationship['state']) => {
    const move = { id: relationship.id, state, by: user.id };
    await store.write('support-circle.move', tx => moveRelationship(tx, move));
    if (state === 'ended') onEnded();
  });
  return (
    <Card label={t('status.title')} className="parts">
      <h2 className="h2">{t('status.title')}</h2>
      <p className="muted sm">
        {isPaused
          ? t(isMine ? 'status.pausedMine' : 'status.pausedTheirs', { name: other })
          : t(isMine ? 'status.activeMine' : 'status.activeTheirs', { name: other })}
      </p>
      <FailureLine failure={moving.failure} />
      <div className="row wrap">
        {isPaused && isMine && (
          <Button icon={Play} variant="primary" onClick={() => moving.run('active')}>
            {t('status.resume')}
          </Button>
        )}
        {!isPaused && (
          <Button icon={Pause} onClick={() => moving.run('paused')}>
            {t('status.pause')}
          </Button>
        )}
        <Button icon={UserX} variant="danger" onClick={() => setEnding(true)}>
          {t(isMine ? 'status.end' : 'status.leave')}
        </Button>
      </div>
      <Confirm
        open={ending}
        onOpenChange={setEnding}
        title={t('status.endTitle', { name: other })}
        confirmLabel={t(isMine ? 'status.end' : 'status.leave')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => moving.run('ended')}
      >
        {t('status.endText')}
      </Confirm>
    </Card>
  );
}
