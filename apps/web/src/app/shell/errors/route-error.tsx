import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { ErrorScreen } from './error-screen.tsx';

/** A screen broke, the shell stands: Try Again or Go to Dashboard. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation('shell');
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const way = (
    <Link to="/dashboard" className={buttonClass()} onClick={reset}>
      {t('error.dashboard')}
    </Link>
  );
  return <ErrorScreen error={error} onRetry={retry} way={way} />;
}
