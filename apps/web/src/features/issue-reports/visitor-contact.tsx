import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useSpace } from '../../shared/session/space.ts';

/**
 * How a visitor may be asked back, where they said so. For whoever decides, and online only: it lies on no device, unlike the
 * report itself.
 */
export function VisitorContact({ reportId }: { reportId: string }) {
  const { may } = useSpace();
  return may('issue.triage') ? <Asked reportId={reportId} /> : null;
}

function Asked({ reportId }: { reportId: string }) {
  const { t } = useTranslation('issueReports');
  const calls = useServerCalls();
  const query = useQuery({
    queryKey: ['report-contact', reportId],
    queryFn: () =>
      calls.rows<{ name: string | null; contact: string | null }>({
        table: 'report_contacts',
        filter: { id: reportId },
        newestBy: 'created_at',
      }),
  });
  if (query.data === undefined) {
    const isAway = query.fetchStatus === 'paused' || query.status === 'error';
    return <p className="sm muted">{t(isAway ? 'contact.offline' : 'contact.loading')}</p>;
  }
  const [given] = query.data;
  if (!given) return <p className="sm muted">{t('contact.none')}</p>;
  return (
    <p className="report-text">
      <strong>{t('contact.given')}</strong> {[given.name, given.contact].filter(part => part !== null).join(', ')}
    </p>
  );
}
