import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, Undo2, X } from 'lucide-react';
import { mayBecome, type Decision } from '@cairn/core/inspections/inspection-states.ts';
import type { Row } from '@cairn/schema';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import type { Review } from './use-review.ts';
import './review.css';

const ACTS = [
  { decision: 'approved', word: 'approve', icon: Check },
  { decision: 'has_issues', word: 'sendBack', icon: Undo2 },
  { decision: 'rejected', word: 'reject', icon: X },
] as const;
type Word = (typeof ACTS)[number]['word'];

type Props = { inspection: Row<'inspections'>; review: Review };

/** What a reviewer can do with a finished inspection. */
export function ReviewCard({ inspection, review }: Props) {
  const { t } = useTranslation('review');
  const [asked, setAsked] = useState<(typeof ACTS)[number] | null>(null);
  const closing = useAction(review.close);
  const isDecided = inspection.status === 'approved' || inspection.status === 'rejected';
  if (review.isLeftToOthers && !isDecided) return inspection.status === 'finalised' ? <LeftToOthers /> : null;
  if (!review.mayReview || inspection.status === 'closed') return null;
  const acts = ACTS.filter(({ decision }) => mayBecome(inspection.status, decision));
  return (
    <Card className="stack" label={t('decide.title')}>
      <h2 className="h2">{t('decide.title')}</h2>
      {acts.length > 0 ? (
        <>
          <p className="muted sm">{t('decide.lead')}</p>
          <div className="decide-acts">
            {acts.map(act => (
              <Button
                key={act.decision}
                size="lg"
                variant={act.decision === 'approved' ? 'primary' : 'quiet'}
                icon={act.icon}
                onClick={() => setAsked(act)}
              >
                {t(`decide.${act.word}`)}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <>
          <p className="muted sm">{t('decide.closeText')}</p>
          <Button busy={closing.busy} onClick={() => closing.run()}>
            {t('decide.close')}
          </Button>
        </>
      )}
      <FailureLine failure={closing.failure} />
      {asked && (
        <DecideDialog
          inspection={inspection}
          review={review}
          decision={asked.decision}
          word={asked.word}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}

function LeftToOthers() {
  const { t } = useTranslation('capture');
  return (
    <Card className="stack" label={t('ownReview.title')}>
      <h2 className="h2">{t('ownReview.title')}</h2>
      <p className="muted sm">{t('ownReview.text')}</p>
    </Card>
  );
}

type DialogProps = Props & { decision: Decision; word: Word; onClose: () => void };

function DecideDialog({ inspection, review, decision, word, onClose }: DialogProps) {
  const { t } = useTranslation('review');
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const open = (review.trail?.comments ?? []).filter(
    comment => comment.resolved_at === null && comment.round === inspection.round,
  ).length;
  const isNeeded = decision !== 'approved' && open === 0 && text.trim() === '';
  const deciding = useAction(async () => {
    await review.decide(decision, text);
    toast({ title: t(`decide.done.${decision}`) });
    onClose();
  });
  const go = () => {
    setTried(true);
    if (!isNeeded) deciding.run();
  };
  return (
    <Dialog
      open
      onOpenChange={isOpen => !isOpen && onClose()}
      title={t(`decide.${word}Title`)}
      description={t(`decide.${word}Text`)}
      closeLabel={t('decide.cancel')}
      actions={
        <>
          <Button variant="plain" onClick={onClose}>
            {t('decide.cancel')}
          </Button>
          <Button variant={decision === 'rejected' ? 'danger' : 'primary'} busy={deciding.busy} onClick={go}>
            {t(`decide.${word}`)}
          </Button>
        </>
      }
    >
      {decision !== 'approved' && open > 0 && <p className="sm">{t('decide.open', { count: open })}</p>}
      <Textarea
        label={t('decide.word')}
        hint={decision === 'approved' || open > 0 ? t('decide.wordOptional') : t('decide.wordHint')}
        value={text}
        error={tried && isNeeded ? t('decide.needed') : undefined}
        onChange={event => setText(event.target.value)}
      />
      <FailureLine failure={deciding.failure} />
    </Dialog>
  );
}
