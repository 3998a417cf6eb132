import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { oneLine } from '@cairn/base/one-line.ts';
import {
  reportCsv,
  reportedQuiz,
  type ReportColumn,
  type ReportedPerson,
} from '@cairn/core/policies/acknowledgement-report.ts';
import { isPassed, type QuizResult } from '@cairn/core/policies/quiz.ts';
import { places } from '@cairn/core/policies/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../../shared/session/space.ts';

/** Writes people of a report as CSV, in the words of the screen; instants as the server has them, in UTC. */
export function useReportCsv(): (people: readonly ReportedPerson[]) => string {
  const { t } = useTranslation('policyAuthoring');
  const { t: tQuiz } = useTranslation('quiz');
  const { t: tCertificate } = useTranslation('certificate');
  const { organization } = useSpace();
  const known = useLive(places(organization.id));
  const groups = known.status === 'ready' ? [...known.answer.sites, ...known.answer.teams] : [];
  const names = (ids: readonly string[] = []) =>
    ids.map(id => groups.find(each => each.id === id)?.name ?? id).join('; ');
  const column = (name: ColumnName, value: ReportColumn['value']): ReportColumn => ({
    title: t(`report.column.${name}`),
    value,
  });
  const columns = [
    column('person', person => person.name ?? t('report.unnamed')),
    column('role', person => person.role ?? ''),
    column('groups', person => names([...(person.sites ?? []), ...(person.teams ?? [])])),
    column('state', person => t(`report.state.${person.state}`)),
    column('version', person => person.version ?? ''),
    column('due', person => person.due_at ?? ''),
    column('opened', person => person.opened_at ?? ''),
    column('decided', person => person.decided_at ?? ''),
    column('received', person => person.received_at ?? ''),
    column('signed', person => oneLine(person.signed_name ?? '')),
    column('read', person => (person.sections ? `${person.sections_read ?? 0}/${person.sections}` : '')),
    column('reason', person => person.reason ?? ''),
    column('hash', person => person.content_hash ?? ''),
    ...quizColumns(tQuiz),
    ...kioskColumns(tCertificate),
  ];
  return people => reportCsv(people, columns);
}

/** Empty where somebody answered no quiz. */
function quizColumns(t: TFunction<'quiz'>): ReportColumn[] {
  const column = (title: string, value: (result: QuizResult) => string): ReportColumn => ({
    title,
    value: person => {
      const result = reportedQuiz(person);
      return result ? value(result) : '';
    },
  });
  return [
    column(t('column.right'), ({ right, of }) => `${right}/${of}`),
    column(t('column.needed'), ({ needed }) => String(needed ?? '')),
    column(t('column.attempts'), ({ attempts }) => String(attempts)),
    column(t('column.passed'), result => t(isPassed(result) ? 'yes' : 'no')),
  ];
}

/** Empty where somebody said it on their own device. */
const kioskColumns = (t: TFunction<'certificate'>): ReportColumn[] => [
  { title: t('kiosk.column'), value: ({ proof, witness }) => (proof ? witness || t('kiosk.left') : '') },
  {
    title: t('kiosk.proof'),
    value: ({ proof }) => (proof ? t(proof === 'pin' ? 'kiosk.byPin' : 'kiosk.byWitness') : ''),
  },
];

type ColumnName =
  | 'person'
  | 'role'
  | 'groups'
  | 'state'
  | 'version'
  | 'due'
  | 'opened'
  | 'decided'
  | 'received'
  | 'signed'
  | 'read'
  | 'reason'
  | 'hash';
