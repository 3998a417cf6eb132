import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LookUpScreen } from '../../features/issue-reports/look-up-screen.tsx';
import { lookUpReport } from '../../features/issue-reports/progress.tsx';
import { PublicReportScreen } from '../../features/issue-reports/public-report-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { visitorCalls } from '../session/client/visitor-calls.ts';
import '../../shared/page/public-page.css';

export const texts = loadTexts('issueReports');

const lookUp = async (code: string) => lookUpReport(await visitorCalls(), code);

/**
 * `/report/<token>` and `/report/status`, outside the frame of a signed-in person. One address for both, because each costs the
 * sign-in page its name.
 */
export function PublicReportRoute() {
  const { t } = useTranslation('issueReports');
  const { token } = useParams({ from: '/report/$token' });
  return (
    <main className="public-page">
      {token === 'status' ? (
        <LookUpScreen
          backLink={
            <Link to="/" className="link tap back-link">
              {t('lookUp.home')}
            </Link>
          }
          lookUp={lookUp}
        />
      ) : (
        <PublicReportScreen
          key={token}
          token={token}
          calls={visitorCalls}
          lookUpLink={
            <Link to="/report/$token" params={{ token: 'status' }} className="link tap back-link">
              {t('lookUp.link')}
            </Link>
          }
        />
      )}
    </main>
  );
}
