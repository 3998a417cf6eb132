import { useTranslation } from 'react-i18next';
import type { ReportStatus } from '@cairn/core/issue-reports/report-status.ts';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { ServerCalls } from '../../shared/server/server-calls.ts';
import { REPORT_FACES } from './report-labels.ts';

/** What the holder of a code is told, and nothing else of the report. */
export type Progress = { status: ReportStatus; answer: string | null; reportedAt: string; decidedAt: string | null };

type Answer = { status: ReportStatus; answer: string | null; reported_at: string; decided_at: string | null };

/** Null where no report has that code. @throws {Failure} `offline` */
export async function lookUpReport({ call }: Pick<ServerCalls, 'call'>, code: string): Promise<Progress | null> {
  const found = await call<Answer | null>('report_progress', { p_code: code });
  return (
    found && { status: found.status, answer: found.answer, reportedAt: found.reported_at, decidedAt: found.decided_at }
  );
}

export function ProgressCard({ progress: { status, answer, reportedAt, decidedAt } }: { progress: Progress }) {
  const { t } = useTranslation('issueReports');
  const { formatInstant } = useFormat();
  return (
    <Card className="stack" label={t('lookUp.title')}>
      <div className="row">
        <StatusChip state={REPORT_FACES[status]}>{t(`status.${status}`)}</StatusChip>
      </div>
      <p className="report-text">{answer ?? t('lookUp.noAnswer')}</p>
      <p className="sm muted">{t('lookUp.reported', { when: formatInstant(new Date(reportedAt)) })}</p>
      {decidedAt && <p className="sm muted">{t('lookUp.decided', { when: formatInstant(new Date(decidedAt)) })}</p>}
    </Card>
  );
}
