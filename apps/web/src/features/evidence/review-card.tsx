import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { decideEvidence, type DecideEvidence } from '@cairn/core/evidence/collect-evidence.ts';
import { type Evidence, evidenceMoves } from '@cairn/core/evidence/evidence-states.ts';
import { organizationMembers } from '@cairn/core/spaces/members.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { emptied } from '../../shared/input/emptied.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';

const SAID = { accepted: 'accepted', sent_back: 'sentBack', withdrawn: 'withdrawn' } as const;

/** Whether somebody else could decide on what this person brought; then they do. */
function useIsOwn({ created_by: maker, owner_id: owner }: Evidence): boolean {
  const { organization, userId } = useSpace();
  const known = useLive(organizationMembers(organization.id));
  if (userId !== maker && userId !== owner) return false;
  if (known.status !== 'ready') return true;
  return known.answer.members.some(
    ({ userId: who, role }) => (role === 'admin' || role === 'manager') && who !== maker && who !== owner,
  );
}

/** Accepts a piece, sends it back or withdraws it; without signal the decision waits here like all work. */
export function ReviewCard({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation('evidence');
  const { may } = useSpace();
  const store = useStore();
  const isOwn = useIsOwn(evidence);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const deciding = useAction(async (state: DecideEvidence['state']) => {
    await store.write('evidence.decide', tx => decideEvidence(tx, { id: evidence.id, state, note }));
    toast({ title: t(`review.${SAID[state]}`) });
    setNote(emptied(note));
    setTried(false);
  });
  const moves = evidenceMoves[evidence.state];
  if (!may('evidence.review') || !moves.includes('withdrawn')) return null;
  const say = (state: DecideEvidence['state']) => {
    setTried(state !== 'accepted');
    if (state === 'accepted' || note.trim() !== '') deciding.run(state);
  };
  const mayJudge = moves.includes('accepted');
  return (
    <Card label={t('review.title')} className="parts evidence-card">
      <h2 className="h2">{t('review.title')}</h2>
      {mayJudge && <p className="muted sm">{t(isOwn ? 'review.own' : 'review.text')}</p>}
      <Textarea
        label={t('review.why')}
        value={note}
        maxLength={2000}
        error={tried && note.trim() === '' ? t('review.whyNeeded') : undefined}
        onChange={event => setNote(event.target.value)}
      />
      <FailureLine failure={deciding.failure} />
      <div className="row wrap">
        {mayJudge && !isOwn && (
          <>
            <Button variant="primary" busy={deciding.busy} onClick={() => say('accepted')}>
              {t('review.accept')}
            </Button>
            <Button busy={deciding.busy} onClick={() => say('sent_back')}>
              {t('review.sendBack')}
            </Button>
          </>
        )}
        <Button variant="plain" busy={deciding.busy} onClick={() => say('withdrawn')}>
          {t('review.withdraw')}
        </Button>
      </div>
    </Card>
  );
}
