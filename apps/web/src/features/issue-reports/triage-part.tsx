import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { actOnReport } from '@cairn/core/issue-reports/act-on-report.ts';
import { decideReport } from '@cairn/core/issue-reports/decide-report.ts';
import {
  isEnded,
  needsAnswer,
  reportMoves,
  type IssueReport,
  type ReportStatus,
} from '@cairn/core/issue-reports/report-status.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { emptied } from '../../shared/input/emptied.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { CATEGORIES, categoryFrom, SEVERITIES, severityFrom } from './report-labels.ts';

/** The moves a person makes here. */
const BY_HAND = ['triaged', 'resolved', 'closed', 'dismissed'] as const satisfies readonly ReportStatus[];

type Props = { report: IssueReport; hasOpenWork: boolean };

/** What whoever triages does with a report: judge it, make work of it, tell its author, settle it. */
export function TriagePart({ report, hasOpenWork }: Props) {
  const { t } = useTranslation('issueReports');
  const { userId } = useSpace();
  const store = useStore();
  const [answer, setAnswer] = useState(report.answer ?? '');
  const [missing, setMissing] = useState(false);
  type Decision = { status?: ReportStatus; severity?: IssueReport['severity']; category?: IssueReport['category'] };
  const deciding = useAction(async (decision: Decision) => {
    const reply = decision.status === undefined ? {} : { answer };
    const at = new Date().toISOString();
    await store.write('issue-reports.decide', tx =>
      decideReport(tx, { id: report.id, ...decision, ...reply, by: userId, at }),
    );
    if (decision.status) toast({ title: t('moved', { status: t(`status.${decision.status}`) }) });
  });
  const move = (status: ReportStatus) => {
    const lacks = needsAnswer(status) && answer.trim() === '';
    setMissing(lacks);
    if (!lacks) deciding.run({ status });
  };
  // Work is made by its own form; the state follows.
  const moves = BY_HAND.filter(status => reportMoves[report.status].includes(status));
  return (
    <Card label={t('triage')} className="stack">
      <h2 className="h2">{t('triage')}</h2>
      {!isEnded(report.status) && (
        <>
          <Select
            label={t('field.severity')}
            choices={SEVERITIES.map(value => ({ value, label: t(`severity.${value}`) }))}
            value={report.severity}
            onChange={event => deciding.run({ severity: severityFrom(event.target.value) })}
          />
          <Select
            label={t('field.category')}
            choices={CATEGORIES.map(value => ({ value, label: t(`category.${value}`) }))}
            value={report.category}
            onChange={event => deciding.run({ category: categoryFrom(event.target.value) })}
          />
          <Textarea
            label={t('field.answer')}
            hint={t('field.answerHint')}
            value={answer}
            maxLength={4000}
            error={missing ? t('field.answerNeeded') : undefined}
            onChange={event => setAnswer(event.target.value)}
          />
        </>
      )}
      {hasOpenWork && <p className="sm muted">{t('openWork')}</p>}
      <FailureLine failure={deciding.failure} />
      <div className="row wrap">
        {moves
          .filter(status => !(status === 'resolved' && hasOpenWork))
          .map(status => (
            <Button key={status} busy={deciding.busy} onClick={() => move(status)}>
              {t(`move.${status}`)}
            </Button>
          ))}
      </div>
      {!isEnded(report.status) && <MakeWork report={report} />}
    </Card>
  );
}

function MakeWork({ report }: { report: IssueReport }) {
  const { t } = useTranslation('issueReports');
  const { userId, may } = useSpace();
  const store = useStore();
  const [title, setTitle] = useState('');
  const [missing, setMissing] = useState(false);
  const making = useAction(async () => {
    await store.write('issue-reports.act', tx =>
      actOnReport(tx, {
        reportId: report.id,
        actionId: newId(),
        title,
        assigneeId: null,
        dueAt: null,
        by: userId,
        at: new Date().toISOString(),
      }),
    );
    setTitle(emptied(title));
    toast({ title: t('workMade') });
  });
  if (!may('action.create')) return null;
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault();
        const lacks = title.trim() === '';
        setMissing(lacks);
        if (!lacks) making.run();
      }}
    >
      <Input
        label={t('field.work')}
        hint={t('field.workHint')}
        value={title}
        maxLength={200}
        error={missing ? t('field.titleNeeded') : undefined}
        onChange={event => setTitle(event.target.value)}
      />
      <FailureLine failure={making.failure} />
      <Button type="submit" variant="primary" busy={making.busy}>
        {t('makeWork')}
      </Button>
    </form>
  );
}
