import { useState, type ReactNode } from 'react';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Download, Printer } from 'lucide-react';
import {
  figuresOf,
  type AcknowledgementReport,
  type ReportedPerson,
} from '@cairn/core/policies/acknowledgement-report.ts';
import { openedPolicy, places, type OpenedPolicy } from '@cairn/core/policies/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { TileFace } from '@cairn/ui/layout/tile.tsx';
import { AS_OF_NOW } from '../../../shared/server/query-rule.ts';
import { useFormat } from '../../../shared/format/format.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { ServerAnswer } from '../../../shared/server/server-answer.tsx';
import { useServerCalls } from '../../../shared/server/server-calls.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { ReportPeople } from './report-people.tsx';
import { useReportCsv } from './use-report-csv.ts';
import '../document/policies.css';

type Props = { policyId: string; backLink: ReactNode; allLink: ReactNode };

/** Who acknowledged a policy, who has not, and since when; worked out by the server. */
export function ReportScreen({ policyId, backLink, allLink }: Props) {
  const { t } = useTranslation('policyAuthoring');
  const { organization, userId, may } = useSpace();
  const calls = useServerCalls();
  const found = useLive(openedPolicy(policyId, { organizationId: organization.id, userId }));
  const [major, setMajor] = useState<number | null>(null);
  const opened = found.status === 'ready' ? found.answer : null;
  const isAllowed = may('policy.report');
  const report = useQuery({
    enabled: opened !== null && isAllowed,
    queryKey: ['policies', 'report', policyId, major],
    queryFn: () =>
      calls.call<AcknowledgementReport>('policy_acknowledgement_report', { p_policy: policyId, p_major: major }),
    // Asked for when it is looked at: minutes old would be wrong.
    ...AS_OF_NOW,
  });
  if (found.status === 'ready' && opened === null)
    return (
      <EmptyState level={1} title={t('missing')} action={allLink}>
        {t('missingText')}
      </EmptyState>
    );
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('report.title')}</h1>
      </div>
      {opened && <p className="muted">{opened.policy.title}</p>}
      <Answered query={report} isAllowed={isAllowed}>
        {answer => <Report key={answer.major} report={answer} opened={opened} policyId={policyId} onMajor={setMajor} />}
      </Answered>
    </div>
  );
}

type AnsweredProps = {
  query: UseQueryResult<AcknowledgementReport>;
  isAllowed: boolean;
  children: (answer: AcknowledgementReport) => ReactNode;
};

function Answered({ query, isAllowed, children }: AnsweredProps) {
  const { t } = useTranslation('policyAuthoring');
  const words = {
    loading: t('report.loading'),
    offline: t('report.offline'),
    offlineText: t('report.offlineText'),
    failed: t('report.failed'),
    failedText: t('report.failedText'),
    again: t('report.again'),
    notAllowed: t('report.notAllowed'),
    notAllowedText: t('report.notAllowedText'),
  };
  return (
    <ServerAnswer query={query} words={words} rows={5} isAllowed={isAllowed}>
      {children}
    </ServerAnswer>
  );
}

const FILTERS = ['everybody', 'overdue', 'waiting', 'acknowledged', 'declined', 'exempt'] as const;
type Filter = (typeof FILTERS)[number];

const isShown = ({ state }: ReportedPerson, filter: Filter): boolean => {
  if (filter === 'everybody') return true;
  return filter === 'waiting' ? state === 'requested' || state === 'opened' || state === 'void' : state === filter;
};

type ReportProps = {
  report: AcknowledgementReport;
  opened: OpenedPolicy | null;
  policyId: string;
  onMajor: (major: number) => void;
};

function Report({ report, opened, policyId, onMajor }: ReportProps) {
  const { t } = useTranslation('policyAuthoring');
  const queries = useQueryClient();
  const [filter, setFilter] = useState<Filter>('everybody');
  const [group, setGroup] = useState('');
  const csv = useReportCsv();
  const inGroup = report.people.filter(
    ({ sites, teams }) => group === '' || [...(sites ?? []), ...(teams ?? [])].includes(group),
  );
  const people = inGroup.filter(person => isShown(person, filter));
  const file = `${report.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${report.major}.csv`;
  return (
    <>
      {report.is_limited && <p className="muted">{t('report.limited')}</p>}
      <Figures people={inGroup} />
      <div className="policy-report-tools">
        <MajorSelect opened={opened} major={report.major} onMajor={onMajor} />
        <Select
          label={t('report.filter')}
          choices={FILTERS.map(value => ({ value, label: t(`report.${value}`) }))}
          value={filter}
          onChange={event => setFilter(FILTERS.find(each => each === event.target.value) ?? 'everybody')}
        />
        <GroupSelect value={group} onChange={setGroup} />
        <div className="row wrap policy-no-print">
          <Button icon={Download} onClick={() => saveFile(file, new Blob([csv(people)], { type: 'text/csv' }))}>
            {t('report.csv')}
          </Button>
          <Button icon={Printer} onClick={() => window.print()}>
            {t('report.print')}
          </Button>
        </div>
      </div>
      <ReportPeople
        people={people}
        policyId={policyId}
        major={report.major}
        isCurrent={report.major === opened?.policy.current_major}
        onChanged={() => void queries.invalidateQueries({ queryKey: ['policies', 'report', policyId] })}
      />
    </>
  );
}

function Figures({ people }: { people: readonly ReportedPerson[] }) {
  const { t } = useTranslation('policyAuthoring');
  const { formatNumber } = useFormat();
  const figures = figuresOf(people);
  const done = people.filter(({ owed, state }) => owed && (state === 'acknowledged' || state === 'exempt')).length;
  return (
    <>
      <section className="tiles" aria-label={t('report.title')}>
        {(['acknowledged', 'waiting', 'overdue', 'declined'] as const).map(name => (
          <div key={name} className="card tile">
            <TileFace label={t(`report.${name}`)} value={formatNumber(figures[name])} explains={null} />
          </div>
        ))}
      </section>
      <ProgressBar
        label={t('report.acknowledged')}
        figure={t('report.rate', { done: formatNumber(done), asked: formatNumber(figures.asked) })}
        value={done}
        max={figures.asked}
      />
    </>
  );
}

type MajorProps = { opened: OpenedPolicy | null; major: number; onMajor: (major: number) => void };

function MajorSelect({ opened, major, onMajor }: MajorProps) {
  const { t } = useTranslation('policyAuthoring');
  const majors = [...new Set(opened?.published.map(version => version.major ?? 1))];
  if (majors.length < 2) return null;
  return (
    <Select
      label={t('report.major')}
      choices={majors.map(value => ({ value: String(value), label: t('report.majorOf', { major: value }) }))}
      value={String(major)}
      onChange={event => onMajor(Number(event.target.value))}
    />
  );
}

function GroupSelect({ value, onChange }: { value: string; onChange: (group: string) => void }) {
  const { t } = useTranslation('policyAuthoring');
  const { organization } = useSpace();
  const known = useLive(places(organization.id));
  if (known.status === 'loading') return null;
  const groups = [...known.answer.sites, ...known.answer.teams];
  return (
    <Select
      label={t('report.group')}
      placeholder={t('report.everyGroup')}
      choices={groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}
