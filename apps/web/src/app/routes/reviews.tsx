import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { ReviewsScreen } from '../../features/field-ops/review/reviews-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('field', 'review', 'capture');

export function ReviewsRoute() {
  const { t } = useTranslation('review');
  return (
    <ReviewsScreen
      renderInspection={(inspectionId, face) => (
        <Link to="/field/$inspectionId" params={{ inspectionId }} className={rowClass}>
          {face}
        </Link>
      )}
      backLink={
        <Link to="/field" className={buttonClass()}>
          {t('queue.back')}
        </Link>
      }
    />
  );
}
