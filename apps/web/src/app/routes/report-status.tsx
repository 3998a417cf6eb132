import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { LookUpScreen, type Progress } from '../../features/issue-reports/look-up-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { loadConfig } from '../session/config.ts';

export const texts = loadTexts('issueReports');

type Answer = { status: Progress['status']; answer: string | null; reported_at: string; decided_at: string | null };

/** Asked as nobody: the code alone says what may be seen, and who looks is nobody's business. */
async function lookUp(code: string): Promise<Progress | null> {
  const { backendUrl, publishableKey } = await loadConfig();
  const response = await fetch(`${backendUrl}/rest/v1/rpc/report_progress`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ p_code: code }),
  });
  if (!response.ok) throw new Failure('offline', `report_progress: ${response.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own function answers
  const found = (await response.json()) as Answer | null;
  return (
    found && { status: found.status, answer: found.answer, reportedAt: found.reported_at, decidedAt: found.decided_at }
  );
}

/** `/report/status`, outside the frame of a signed-in person. */
export function ReportStatusRoute() {
  const { t } = useTranslation('issueReports');
  return (
    <main className="public-page">
      <LookUpScreen
        backLink={
          <Link to="/" className="link tap back-link">
            {t('lookUp.home')}
          </Link>
        }
        lookUp={lookUp}
      />
    </main>
  );
}
