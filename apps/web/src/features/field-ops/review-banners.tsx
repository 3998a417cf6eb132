import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Undo2 } from 'lucide-react';
import { Banner } from '@cairn/ui/banner.tsx';
import { commentsAt, openByQuestion, type Review, type Unsent } from './use-review.ts';

/** It came back: how much was said, and what was said of the whole. */
export function SentBackBanner({ review }: { review: Review }) {
  const { t } = useTranslation('review');
  const whole = commentsAt(review.trail, null);
  const atQuestions = [...openByQuestion(review.trail).values()].reduce((sum, count) => sum + count, 0);
  const count = atQuestions + whole.filter(comment => comment.resolved_at === null).length;
  return (
    <>
      <Banner tone="warn" icon={Undo2} title={t('sentBack.title')}>
        {count === 0 ? t('sentBack.settled') : t('sentBack.text', { count })}
      </Banner>
      {whole.length > 0 && review.commentsOn(null, t('sentBack.whole'))}
    </>
  );
}

/** Work of this phone that was not added to the inspection: said, with the way to it. */
export function LateWork({ late, syncLink }: { late: Unsent['late']; syncLink: ReactNode }) {
  const { t } = useTranslation('review');
  if (late === null) return null;
  return (
    <Banner tone="warn" title={t(`late.${late}`)} action={syncLink}>
      {t(`late.${late}Text`)}
    </Banner>
  );
}
