import { useTranslation } from 'react-i18next';
import { type ActionStatus, isEnded } from '@cairn/core/action-items/action-status.ts';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';

const UNDER_WAY: Partial<Record<ActionStatus, StatusState>> = {
  in_progress: 'in_progress',
  ready_for_verification: 'review',
  needs_revision: 'due',
};

/** Where an action item about a control, or of a plan, stands. */
export function ActionChip({ status }: { status: ActionStatus }) {
  const { t } = useTranslation('actions');
  const state = isEnded(status) ? 'done' : (UNDER_WAY[status] ?? 'open');
  return <StatusChip state={state}>{t(`status.${status}`)}</StatusChip>;
}
