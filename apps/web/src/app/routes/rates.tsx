import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RatesScreen } from '../../features/policies/report/rates-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('rates', 'policies');

export function RatesRoute() {
  const { t } = useTranslation('policies');
  const back = (
    <Link to="/policies" className="link tap back-link policy-no-print">
      {t('back.company')}
    </Link>
  );
  return <RatesScreen backLink={back} />;
}
