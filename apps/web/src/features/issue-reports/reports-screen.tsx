import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Megaphone } from 'lucide-react';
import { issueReports, type ReportLists } from '@cairn/core/issue-reports/queries.ts';
import type { IssueReport } from '@cairn/core/issue-reports/report-status.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Segmented, Switch } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { SubmittedByLine } from '../../shared/records/submitted-by.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { reportedAt } from './reported-at.ts';
import { REPORT_FACES } from './report-labels.ts';
import './reports.css';

type View = 'open' | 'mine' | 'settled';
const VIEWS: readonly View[] = ['open', 'mine', 'settled'];

type Props = {
  reportLink: ReactNode;
  lookUpLink: ReactNode;
  /** To the public codes; for whoever makes them or answers for what comes by them. */
  codesLink: ReactNode;
  renderReport: (id: string, face: ReactNode) => ReactNode;
};

/** What people reported: what waits, what one reported oneself, what is settled. */
export function ReportsScreen({ reportLink, lookUpLink, codesLink, renderReport }: Props) {
  const { t } = useTranslation('issueReports');
  const { organization, userId, may } = useSpace();
  const lists = useLive(issueReports(organization.id));
  const [view, setView] = useState<View>('open');
  const rows = lists.status === 'ready' ? rowsOf(lists.answer, view, userId) : [];
  return (
    <div className="parts foot-room">
      <div className="page-head">
        <h1 className="h1">{t('title')}</h1>
        {may('issue.report') && reportLink}
      </div>
      <Segmented
        label={t('views.label')}
        value={view}
        onChange={value => setView(VIEWS.find(each => each === value) ?? 'open')}
        options={VIEWS.map(value => ({ value, label: t(`views.${value}`) }))}
      />
      {lists.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {lists.status === 'ready' && rows.length === 0 && (
        <EmptyState title={t(`empty.${view}`)}>{t(`empty.${view}Text`)}</EmptyState>
      )}
      {rows.length > 0 && (
        <Card flush>
          <VirtualRows
            key={view}
            rows={rows}
            estimate={68}
            label={t(`views.${view}`)}
            renderRow={row => renderReport(row.id, <ReportFace row={row} />)}
          />
        </Card>
      )}
      {(may('issue.code') || may('issue.triage')) && codesLink}
      {lookUpLink}
      {may('organization.manage') && <NamelessSwitch />}
    </div>
  );
}

const rowsOf = ({ open, ended }: ReportLists, view: View, userId: string): IssueReport[] => {
  if (view === 'open') return open;
  return view === 'settled' ? ended : [...open, ...ended].filter(row => row.reported_by === userId);
};

function ReportFace({ row }: { row: IssueReport }) {
  const { t } = useTranslation('issueReports');
  const { formatDay } = useFormat();
  const now = useNow();
  const isUrgent = row.severity === 'critical' || row.severity === 'high';
  return (
    <RowFace
      start={
        <RowIcon tone={isUrgent ? 'bad' : 'neutral'}>
          <Icon of={Megaphone} />
        </RowIcon>
      }
      title={row.title}
      detail={
        <>
          {[
            ...(row.source === 'public_code' ? [t('codes.viaShort')] : []),
            t(`severity.${row.severity}`),
            t(`category.${row.category}`),
            formatDay(reportedAt(row), now),
          ].join(' · ')}{' '}
          <SubmittedByLine row={row} />
        </>
      }
      end={<StatusChip state={REPORT_FACES[row.status]}>{t(`status.${row.status}`)}</StatusChip>}
    />
  );
}

/** Whether people of this organisation may leave their name out. */
function NamelessSwitch() {
  const { t } = useTranslation('issueReports');
  const { organization } = useSpace();
  const store = useStore();
  const change = useAction((allows: boolean) =>
    store.write('issue-reports.allow-anonymous', tx =>
      tx.change('organizations', organization.id, { allows_anonymous_reports: allows }),
    ),
  );
  return (
    <Card label={t('settings')} className="stack">
      <Switch label={t('allowAnonymous')} checked={organization.allows_anonymous_reports} onChange={change.run} />
      <p className="sm muted">{t('allowAnonymousText')}</p>
    </Card>
  );
}
