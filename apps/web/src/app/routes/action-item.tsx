import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionScreen } from '../../features/action-items/action-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

// Its photos are drawn and named as in their inspection.
export const texts = loadTexts('actions', 'field', 'capture');

export function ActionItemRoute() {
  const { t } = useTranslation('actions');
  const { actionId } = useParams({ from: '/signed-in/action-items/$actionId' });
  return (
    <ActionScreen
      actionId={actionId}
      renderSource={(inspectionId, title) => (
        <Link to="/field/$inspectionId" params={{ inspectionId }} className="link tap">
          {title}
        </Link>
      )}
      renderReport={(reportId, title) => (
        <Link to="/field/reports/$reportId" params={{ reportId }} className="link tap">
          {title}
        </Link>
      )}
      backLink={
        <Link to="/action-items" className="link tap back-link">
          {t('back')}
        </Link>
      }
    />
  );
}
