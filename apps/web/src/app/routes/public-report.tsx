import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LookUpScreen } from '../../features/issue-reports/look-up-screen.tsx';
import { lookUpReport } from '../../features/issue-reports/progress.tsx';
import { PublicReportScreen } from '../../features/issue-reports/public-report-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import type { ServerCalls } from '../../shared/server-calls.ts';
import { loadConfig } from '../session/config.ts';

export const texts = loadTexts('issueReports');

/** Asked as nobody: a code alone says what may be seen and done, and who asks is nobody's business. */
async function openCalls(): Promise<ServerCalls> {
  const { callsOfNobody } = await import('../session/supabase-gate.ts');
  return callsOfNobody(await loadConfig());
}

const opened: { calls?: Promise<ServerCalls> } = {};

/** One client for the page: the library warns of a second one. What could not be loaded is tried again. */
async function calls(): Promise<ServerCalls> {
  try {
    return await (opened.calls ??= openCalls());
  } catch (error) {
    delete opened.calls;
    throw error;
  }
}

const lookUp = async (code: string) => lookUpReport(await calls(), code);

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
          calls={calls}
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
