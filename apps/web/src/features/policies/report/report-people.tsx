import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Download } from 'lucide-react';
import { oneLine } from '@cairn/base/one-line.ts';
import { reportedKiosk, reportedQuiz, type ReportedPerson } from '@cairn/core/policies/acknowledgement-report.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';
import { Card, RowFace } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { kioskText } from '../acknowledge/kiosk-text.ts';
import { useQuizText } from '../quiz/quiz-text.ts';
import { useSaveCertificateOf } from '../acknowledge/use-certificate.ts';
import { exemptPerson, usePolicyCall } from '../document/use-policy-call.ts';

const FACES: Record<ReportedPerson['state'], StatusState> = {
  requested: 'open',
  opened: 'in_progress',
  overdue: 'overdue',
  acknowledged: 'done',
  declined: 'finding',
  exempt: 'waiting',
  void: 'due',
};

type Props = {
  people: readonly ReportedPerson[];
  policyId: string;
  major: number;
  /** Whether the report is of the major in force: people are exempt from nothing else. */
  isCurrent: boolean;
  onChanged: () => void;
};

/** Everybody of a report, each with where they stand. */
export function ReportPeople({ people, policyId, major, isCurrent, onChanged }: Props) {
  const { t } = useTranslation('policyAuthoring');
  const { may, world } = useSpace();
  const saving = useAction(useSaveCertificateOf(policyId, major));
  const [exempting, setExempting] = useState<ReportedPerson | null>(null);
  if (people.length === 0) return <EmptyState title={t('report.nobody')}>{t('report.nobodyText')}</EmptyState>;
  const mayExempt = isCurrent && may('policy.publish');
  return (
    <>
      <FailureLine failure={saving.failure} />
      <Card flush>
        <VirtualRows
          rows={people.map(person => ({ ...person, id: person.user_id }))}
          estimate={68}
          label={t('report.title')}
          renderRow={person => (
            <PersonRow
              person={person}
              onExempt={mayExempt ? () => setExempting(person) : undefined}
              onCertificate={world === 'company' && hasSigned(person) ? () => saving.run(person.user_id) : undefined}
            />
          )}
        />
        {exempting && (
          <ExemptSheet
            person={exempting}
            policyId={policyId}
            onClose={() => setExempting(null)}
            onDone={() => {
              setExempting(null);
              onChanged();
            }}
          />
        )}
      </Card>
    </>
  );
}

/** Also where it came too late to count. */
const hasSigned = ({ method, received_at: received }: ReportedPerson): boolean =>
  method !== undefined && received !== undefined;

type RowProps = {
  person: ReportedPerson;
  onExempt: (() => void) | undefined;
  onCertificate: (() => void) | undefined;
};

function PersonRow({ person, onExempt, onCertificate }: RowProps) {
  const { t } = useTranslation('policyAuthoring');
  const { t: tc } = useTranslation('certificate');
  const { formatDay, formatInstant } = useFormat();
  const quizText = useQuizText();
  const { name, state, version, decided_at: decided, due_at: due, reason, signed_name: signed } = person;
  const kiosk = reportedKiosk(person);
  const isOpen = state === 'requested' || state === 'opened' || state === 'overdue';
  const details = [
    decided && version ? t('report.on', { version, when: formatInstant(new Date(decided)) }) : null,
    isOpen && due ? t('report.due', { day: formatDay(new Date(due)) }) : null,
    quizText(reportedQuiz(person)),
    signed && oneLine(signed),
    kiosk && kioskText(kiosk, tc),
    reason,
  ];
  return (
    <div className="item">
      <RowFace
        start={<Avatar name={name ?? '–'} />}
        title={name ?? t('report.unnamed')}
        detail={details.filter(Boolean).join(' · ')}
        end={
          <span className="row wrap policy-row-end">
            {isOpen && onExempt && (
              <Button size="sm" variant="plain" onClick={onExempt}>
                {t('report.exemptAct')}
              </Button>
            )}
            {onCertificate && (
              <IconButton
                icon={Download}
                label={tc('saveOf', { name: name ?? t('report.unnamed') })}
                onClick={onCertificate}
              />
            )}
            <StatusChip state={FACES[state]}>{t(`report.state.${state}`)}</StatusChip>
          </span>
        }
      />
    </div>
  );
}

type ExemptProps = { person: ReportedPerson; policyId: string; onClose: () => void; onDone: () => void };

function ExemptSheet({ person, policyId, onClose, onDone }: ExemptProps) {
  const { t } = useTranslation('policyAuthoring');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const exempting = usePolicyCall(exemptPerson);
  const name = person.name ?? t('report.unnamed');
  const lacks = reason.trim() === '';
  const exempt = async () => {
    if (!(await exempting.run(policyId, person.user_id, reason))) return;
    toast({ title: t('report.exempted', { name }) });
    onDone();
  };
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('report.exemptOf', { name })}
      closeLabel={t('close')}
    >
      <form
        className="parts"
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (!lacks) void exempt();
        }}
      >
        <Textarea
          label={t('report.exemptWhy')}
          value={reason}
          maxLength={2000}
          error={tried && lacks ? t('reasonNeeded') : undefined}
          onChange={event => setReason(event.target.value)}
        />
        {exempting.problem !== null && <Banner tone="bad" title={exempting.problem} />}
        <Button type="submit" variant="primary" busy={exempting.busy}>
          {t('report.exemptAct')}
        </Button>
      </form>
    </Sheet>
  );
}
