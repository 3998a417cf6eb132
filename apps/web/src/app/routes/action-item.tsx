import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ActionScreen } from '../../features/action-items/action-screen.tsx';
import { actions } from '../../shared/i18n/en/actions.ts';
import { field } from '../../shared/i18n/en/field.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';

addTexts('actions', actions);
// Its photos are drawn and named as in their inspection.
addTexts('field', field);

export function ActionItemRoute() {
  const { t } = useTranslation('actions');
  const { actionId } = useParams({ from: '/signed-in/action-items/$actionId' });
  return (
    <ActionScreen
      actionId={actionId}
      sourceLink={(inspectionId, title) => (
        <Link to="/field/$inspectionId" params={{ inspectionId }} className="link tap">
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
