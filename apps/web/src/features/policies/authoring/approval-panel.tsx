import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  approvalOf,
  decideApproval,
  needed,
  type ApprovalDecision,
  type OpenedApproval,
} from '@cairn/core/approvals/approvals.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useSavedToast } from '../../../shared/sync/use-saved-toast.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import '../document/policies.css';

const FACES: Record<OpenedApproval['request']['state'], StatusState> = {
  pending: 'review',
  approved: 'done',
  rejected: 'finding',
  change_requested: 'finding',
  withdrawn: 'waiting',
};

/** Who decides on something, what they said, and, for whoever is asked, the decision. */
export function ApprovalPanel({ subjectId }: { subjectId: string }) {
  const { t } = useTranslation('policies');
  const { formatDay } = useFormat();
  const { userId } = useSpace();
  const [now] = useState(() => new Date().toISOString());
  const live = useLive(approvalOf({ subjectId, userId, now }));
  const opened = live.status === 'ready' ? live.answer : null;
  if (!opened) return null;
  const { request, requesterName, parts } = opened;
  const asked = { name: requesterName ?? t('approval.somebody'), when: formatDay(new Date(request.requested_at)) };
  return (
    <Card label={t('approval.title')} className="stack">
      <div className="row between wrap">
        <h2 className="h2">{t('approval.title')}</h2>
        <StatusChip state={FACES[request.state]}>{t(`approval.${request.state}`)}</StatusChip>
      </div>
      <p className="sm muted">
        {request.subject_table === 'workflow_runs' ? t('approval.askedByRule', asked) : t('approval.askedBy', asked)}
      </p>
      {request.note !== null && <p className="sm policy-words">{request.note}</p>}
      <Stages opened={opened} />
      {parts.map(({ approverId, name }) => (
        <DecisionForm
          key={`${request.stage}/${approverId}`}
          requestId={request.id}
          approverId={approverId}
          absent={approverId === userId ? null : (name ?? t('approval.somebody'))}
        />
      ))}
    </Card>
  );
}

function Stages({ opened: { request, stages, decisions, names } }: { opened: OpenedApproval }) {
  const { t } = useTranslation('policies');
  return (
    <ol className="policy-stages">
      {stages.map((stage, index) => {
        const here = decisions.filter(row => row.stage === index + 1);
        const yes = here.filter(row => row.decision === 'approve' && row.counted_at !== null).length;
        const silent = stage.people.filter(id => !here.some(row => row.approver_id === id));
        const name = stage.name || t('approval.stageNumber', { number: index + 1 });
        const isOpen = request.state === 'pending' && request.stage === index + 1;
        return (
          <li key={index}>
            <p className="strong sm">{t('approval.stageOf', { name, yes, needed: needed(stage) })}</p>
            <ul>
              {here.map(row => (
                <DecisionLine key={row.id} row={row} />
              ))}
              {isOpen &&
                silent.map(id => (
                  <li key={id} className="sm muted">
                    {names.get(id) || t('approval.somebody')}: {t('approval.waits')}
                  </li>
                ))}
            </ul>
          </li>
        );
      })}
    </ol>
  );
}

function DecisionLine({ row }: { row: OpenedApproval['decisions'][number] }) {
  const { t } = useTranslation('policies');
  const { formatInstant } = useFormat();
  const name = row.deciderName ?? t('approval.somebody');
  const stoodIn = row.approver_id !== row.decided_by;
  return (
    <li className="sm">
      {stoodIn
        ? t(`approval.lineFor.${row.decision}`, { name, absent: row.approverName ?? t('approval.somebody') })
        : t(`approval.line.${row.decision}`, { name })}
      {row.reason !== null && <span className="policy-words">: {row.reason}</span>}{' '}
      <span className="muted num">
        {row.counted_at === null ? t('approval.notCounted') : formatInstant(new Date(row.counted_at))}
      </span>
    </li>
  );
}

type FormProps = {
  requestId: string;
  approverId: string;
  /** In whose name, where it is not one's own. */ absent: string | null;
};

function DecisionForm({ requestId, approverId, absent }: FormProps) {
  const { t } = useTranslation('policies');
  const { userId } = useSpace();
  const store = useStore();
  const savedToast = useSavedToast('approval_decisions');
  const [reason, setReason] = useState('');
  const [lacks, setLacks] = useState(false);
  const deciding = useAction(async (decision: ApprovalDecision['decision']) => {
    const at = new Date().toISOString();
    const id = await store.write('approvals.decide', tx =>
      decideApproval(tx, { requestId, approverId, decision, reason, by: userId, at }),
    );
    savedToast(id, { waits: t('approval.kept'), received: t('approval.received') });
  });
  const decide = (decision: ApprovalDecision['decision']) => {
    const isMute = decision !== 'approve' && reason.trim() === '';
    setLacks(isMute);
    if (!isMute) deciding.run(decision);
  };
  return (
    <div className="parts policy-decide">
      {absent !== null && <Banner title={t('approval.as', { name: absent })} />}
      <Textarea
        label={t('approval.reason')}
        hint={t('approval.reasonHint')}
        value={reason}
        maxLength={2000}
        error={lacks ? t('approval.reasonNeeded') : undefined}
        onChange={event => setReason(event.target.value)}
      />
      <FailureLine failure={deciding.failure} />
      <div className="row wrap">
        <Button variant="primary" busy={deciding.busy} onClick={() => decide('approve')}>
          {t('approval.approve')}
        </Button>
        <Button busy={deciding.busy} onClick={() => decide('request_change')}>
          {t('approval.request_change')}
        </Button>
        <Button busy={deciding.busy} onClick={() => decide('reject')}>
          {t('approval.reject')}
        </Button>
      </div>
    </div>
  );
}
