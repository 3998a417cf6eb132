import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ActionStatus,
  isEnded,
  isOthersDecision,
  mayMove,
  mayReopen,
  transitions,
} from '@cairn/core/action-items/action-status.ts';
import { mustLeaveCheck, mustLeaveEnd } from '@cairn/core/action-items/another-verifies.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Onward } from '@cairn/ui/overlays/onward.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import type { Action } from './action-screen-queries.ts';
import { ReviseSheet } from './revise-sheet.tsx';
import { RiskSheet } from './risk-sheet.tsx';
import { useChangeAction } from './use-change-action.ts';

/** The usual way on from each state; the rest is in the menu. */
const ONWARD: Record<ActionStatus, readonly ActionStatus[]> = {
  open: ['in_progress'],
  assigned: ['in_progress'],
  in_progress: ['ready_for_verification'],
  ready_for_verification: ['closed', 'needs_revision'],
  needs_revision: ['in_progress'],
  closed: [],
  risk_accepted: [],
  duplicate: [],
  not_valid: [],
};

/** What another says of work that is ready: it is not the next step of whoever did it. */
const ANOTHERS_WORD: ReadonlySet<ActionStatus> = new Set(['closed', 'needs_revision']);

/** States that are reached with words. */
type StatusWithReason = 'risk_accepted' | 'needs_revision';
const isAsked = (status: ActionStatus): status is StatusWithReason =>
  status === 'risk_accepted' || status === 'needs_revision';

/** What can be done with an action item in its present state. */
export function ActionMoves({ item }: { item: Action }) {
  const { t } = useTranslation('actions');
  const change = useChangeAction(item.id);
  const move = (status: ActionStatus) =>
    change.run({ status }, t('moved', { status: t(`status.${status}`) }), mayMove(status, item.status));
  const { userId, may } = useSpace();
  const manages = may('action.manage');
  const isLocked = isEnded(item.status) && !mayReopen(item, userId, manages);
  const leave = useLive(mustLeaveCheck(item, userId));
  const leaveEnd = useLive(mustLeaveEnd(item, userId, manages));
  const [asking, setAsking] = useState<StatusWithReason | null>(null);
  // Until the device has said who may, nobody closes; who did it never does where somebody else can.
  const isLeft = leave.status !== 'ready' || leave.answer;
  const isEndLeft = leaveEnd.status !== 'ready' || leaveEnd.answer;
  const onward = ONWARD[item.status].filter(
    // Giving it back to oneself is no way on.
    status => !isLeft || !ANOTHERS_WORD.has(status),
  );
  // Assigning is done by choosing a person.
  const others = transitions[item.status].filter(
    status =>
      status !== 'assigned' &&
      status !== 'closed' &&
      !onward.includes(status) &&
      !isLocked &&
      !(isEndLeft && isOthersDecision(status)),
  );
  const wayTo = (status: ActionStatus) => ({
    id: status,
    label: t(`move.${status}`),
    onSelect: () => (isAsked(status) ? setAsking(status) : move(status)),
  });
  return (
    <>
      <Onward moves={onward.map(wayTo)} others={others.map(wayTo)} more={t('more')} busy={change.busy} />
      {item.status === 'ready_for_verification' && leave.status === 'ready' && leave.answer && (
        <Banner title={t('leftToOthers')}>{t('leftToOthersText')}</Banner>
      )}
      {asking === 'risk_accepted' && <RiskSheet item={item} onClose={() => setAsking(null)} />}
      {asking === 'needs_revision' && <ReviseSheet item={item} onClose={() => setAsking(null)} />}
      {item.evidence_required && <p className="sm muted">{t('evidence.asked')}</p>}
      <FailureLine failure={change.failure} invalid={t('evidence.missing')} />
    </>
  );
}
