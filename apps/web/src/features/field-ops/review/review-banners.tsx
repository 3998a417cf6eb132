import { useTranslation } from 'react-i18next';
import { Undo2 } from 'lucide-react';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { decidedByServer } from '@cairn/core/inspections/review-queries.ts';
import { commentsAt, openByQuestion, type RenderSyncLink, type Review } from './use-review.ts';

type SentBackProps = {
  review: Review;
  /** The name of a question that is asked, by its path; null where it is not. */
  nameOf: (path: string) => string | null;
  /** The question on the screen. */
  current: string | null;
  onOpen: (path: string) => void;
};

/** It came back: how much was said, the way to each question it was said at, and what was said of the whole. */
export function SentBackBanner({ review, nameOf, current, onOpen }: SentBackProps) {
  const { t } = useTranslation('review');
  const whole = commentsAt(review.trail, null);
  const open = openByQuestion(review.trail);
  const atQuestions = [...open.values()].reduce((sum, count) => sum + count, 0);
  const count = atQuestions + whole.filter(comment => comment.resolved_at === null).length;
  const ways = [...open.keys()].flatMap(path => {
    const name = path === current ? null : nameOf(path);
    return name === null ? [] : [{ path, name }];
  });
  return (
    <>
      <Banner
        tone="warn"
        icon={Undo2}
        title={t('sentBack.title')}
        action={
          ways.length > 0 &&
          ways.map(({ path, name }) => (
            <Button key={path} size="sm" onClick={() => onOpen(path)}>
              {name}
            </Button>
          ))
        }
      >
        {count === 0 ? t('sentBack.settled') : t('sentBack.text', { count })}
      </Banner>
      {whole.length > 0 && review.commentsOn(null, t('sentBack.whole'))}
    </>
  );
}

type LateProps = { review: Review; renderSyncLink: RenderSyncLink };

/** Work of this phone that was not added to the inspection: said, with the way to it. */
export function LateWork({ review: { pending, trail }, renderSyncLink }: LateProps) {
  const { t } = useTranslation('review');
  const { late } = pending;
  if (late === null) return null;
  // Something else may have been refused: only where it was decided on did the work come too late.
  const word = late === 'refused' && decidedByServer(trail?.events ?? []) === null ? 'elsewhere' : late;
  return (
    <Banner
      tone="warn"
      title={t(`late.${word}`)}
      action={renderSyncLink(t(late === 'refused' ? 'late.lookRefused' : 'late.look'))}
    >
      {t(`late.${word}Text`)}
    </Banner>
  );
}
