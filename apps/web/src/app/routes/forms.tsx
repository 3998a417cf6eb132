import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormsScreen } from '../../features/field-ops/forms-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('field');

export function FormsRoute() {
  const { t } = useTranslation('field');
  const navigate = useNavigate();
  return (
    <FormsScreen
      backLink={
        <Link to="/field" className="link tap">
          {t('formList.back')}
        </Link>
      }
      renderEdit={(formId, face) => (
        <Link to="/field/forms/$formId/edit" params={{ formId }} className="link">
          {face}
        </Link>
      )}
      onBuilt={formId => void navigate({ to: '/field/forms/$formId/edit', params: { formId } })}
    />
  );
}
