import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormsScreen } from '../../features/field-ops/forms-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('field');

export function FormsRoute() {
  const { t } = useTranslation('field');
  return (
    <FormsScreen
      backLink={
        <Link to="/field" className="link tap">
          {t('formList.back')}
        </Link>
      }
    />
  );
}
