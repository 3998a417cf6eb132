import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FormsScreen } from '../../features/field-ops/forms-screen.tsx';
import { field } from '../../shared/i18n/en/field.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';

addTexts('field', field);

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
