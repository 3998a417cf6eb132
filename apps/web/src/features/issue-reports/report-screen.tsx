import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { textsIn } from '@cairn/base/texts-in.ts';
import { issueReport, type OpenedReport } from '@cairn/core/issue-reports/queries.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { isEnded } from '@cairn/core/action-items/action-status.ts';
import { Pill, StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, List, RowFace } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { PhotoView } from '../../shared/media/photo-view.tsx';
import { RecordPage } from '../../shared/records/record-page.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { VisitorContact } from './visitor-contact.tsx';
import { TriagePart } from './triage-part.tsx';
import { isDayOnly, reportedAt } from './reported-at.ts';
import { REPORT_FACES, SEVERITY_TONES } from './report-labels.ts';
import './reports.css';

type Props = {
  reportId: string;
  backLink: ReactNode;
  renderAction: (id: string, face: ReactNode) => ReactNode;
  renderAsset: (id: string, name: string) => ReactNode;
};

/** One issue report: what was said, what was decided, and the work that came from it. */
export function ReportScreen(props: Props) {
  const { t } = useTranslation('issueReports');
  const found = useLive(issueReport(props.reportId));
  const words = { loading: t('loading'), missing: t('missing'), missingText: t('missingText') };
  return (
    <RecordPage found={found} words={words} backLink={props.backLink} recordOf={({ report }) => report}>
      {opened => <Loaded key={props.reportId} {...props} opened={opened} />}
    </RecordPage>
  );
}

function Loaded({ opened, renderAction, renderAsset }: Props & { opened: OpenedReport }) {
  const { t } = useTranslation('issueReports');
  const { may } = useSpace();
  const { report } = opened;
  return (
    <>
      <header className="stack">
        <h1 className="h1">{report.title}</h1>
        <div className="row wrap">
          <StatusChip state={REPORT_FACES[report.status]}>{t(`status.${report.status}`)}</StatusChip>
          <Pill tone={SEVERITY_TONES[report.severity]}>{t(`severity.${report.severity}`)}</Pill>
          <Pill tone="line">{t(`category.${report.category}`)}</Pill>
        </div>
      </header>
      <div className="parts columns first-wide">
        <div className="parts">
          <ReportText opened={opened} renderAsset={renderAsset} />
          <Work opened={opened} renderAction={renderAction} />
        </div>
        <div className="parts">
          {report.answer && (
            <Card label={t('answer')} className="stack">
              <h2 className="h2">{t('answer')}</h2>
              <p className="report-text">{report.answer}</p>
            </Card>
          )}
          {may('issue.triage') && <TriagePart report={report} hasOpenWork={opened.actions.some(isOpen)} />}
        </div>
      </div>
    </>
  );
}

const isOpen = ({ status }: Row<'action_items'>): boolean => !isEnded(status);

function ReportText({ opened, renderAsset }: { opened: OpenedReport; renderAsset: Props['renderAsset'] }) {
  const { t } = useTranslation('issueReports');
  const { formatDate, formatInstant } = useFormat();
  const { report, site, asset } = opened;
  const who = useLive(personName(report.reported_by));
  const name = who.status === 'ready' ? who.answer : null;
  const photos = textsIn(report.media_ids);
  return (
    <Card label={t('said')} className="stack">
      <h2 className="h2">{t('said')}</h2>
      <p className="report-text">{report.description ?? t('noDescription')}</p>
      {photos.length > 0 && (
        <div className="photo-grid">
          {photos.map((id, index) => (
            <PhotoView key={id} mediaId={id} label={t('photo.of', { number: index + 1 })} />
          ))}
        </div>
      )}
      {(site !== null || report.location !== null) && (
        <p className="sm muted">{[site?.name, report.location].filter(Boolean).join(' · ')}</p>
      )}
      {asset && renderAsset(asset.id, asset.name)}
      <p className="sm muted">
        {t(wayOf(report), {
          name: name ?? t('somebody'),
          when: (isDayOnly(report) ? formatDate : formatInstant)(reportedAt(report)),
        })}
      </p>
      {report.reference !== null && <p className="sm muted">{t('reference', { reference: report.reference })}</p>}
      {report.source === 'public_code' && <VisitorContact reportId={report.id} />}
    </Card>
  );
}

const wayOf = ({ source, reported_by: by }: OpenedReport['report']) => {
  if (source === 'public_code') return 'reportedByCode' as const;
  return by === null ? ('reportedNameless' as const) : ('reportedBy' as const);
};

const personName = (id: string | null): Query<string | null> => ({
  key: `issue-reports/person/${id ?? ''}`,
  tables: ['people'],
  read: async tx => (id === null ? null : ((await tx.get('people', id))?.display_name ?? null)),
});

function Work({ opened: { actions }, renderAction }: { opened: OpenedReport; renderAction: Props['renderAction'] }) {
  const { t } = useTranslation('issueReports');
  if (actions.length === 0) return null;
  return (
    <Card flush label={t('work')}>
      <h2 className="h2 report-card-title">{t('work')}</h2>
      <List>
        {actions.map(action => (
          <li key={action.id}>
            {renderAction(
              action.id,
              <RowFace
                title={action.title}
                end={
                  <StatusChip state={isOpen(action) ? 'in_progress' : 'done'}>
                    {t(isOpen(action) ? 'workOpen' : 'workEnded')}
                  </StatusChip>
                }
              />,
            )}
          </li>
        ))}
      </List>
    </Card>
  );
}
