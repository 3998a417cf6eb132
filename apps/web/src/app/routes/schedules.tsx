import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { SchedulesScreen } from '../../features/field-ops/schedules/schedules-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('field', 'schedules');

export function SchedulesRoute() {
  const { t } = useTranslation('schedules');
  return (
    <SchedulesScreen
      backLink={
        <Link to="/field" className={buttonClass()}>
          {t('back')}
        </Link>
      }
    />
  );
}
