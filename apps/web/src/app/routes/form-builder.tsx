import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/button.tsx';
import { BuilderScreen } from '../../features/field-ops/builder-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('field', 'builder', 'review');

export function FormBuilderRoute() {
  const { t } = useTranslation('builder');
  const { formId } = useParams({ from: '/signed-in/field/forms/$formId/edit' });
  const navigate = useNavigate();
  return (
    <BuilderScreen
      formId={formId}
      onClose={() => void navigate({ to: '/field/forms' })}
      backLink={
        <Link to="/field/forms" className={buttonClass()}>
          {t('toForms')}
        </Link>
      }
    />
  );
}
