import { useTranslation } from 'react-i18next';
import type { ActionStatus } from '@cairn/core/action-items/action-status.ts';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';

export const STATUS_FACES: Record<ActionStatus, StatusState> = {
  open: 'open',
  assigned: 'open',
  in_progress: 'in_progress',
  ready_for_verification: 'review',
  needs_revision: 'due',
  closed: 'done',
  risk_accepted: 'done',
  duplicate: 'done',
  not_valid: 'done',
};

export function StatusPill({ status }: { status: ActionStatus }) {
  const { t } = useTranslation('actions');
  return <StatusChip state={STATUS_FACES[status]}>{t(`status.${status}`)}</StatusChip>;
}
