import { useTranslation } from 'react-i18next';
import type { Brief } from '@cairn/core/triad-intelligence/queries.ts';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';

const CHIPS: Record<Brief['state'], StatusState> = {
  review: 'review',
  approval: 'waiting',
  sent: 'done',
  kept: 'open',
  withdrawn: 'open',
};

/** How far a brief is. */
export function StatePill({ state }: { state: Brief['state'] }) {
  const { t } = useTranslation('triad');
  return <StatusChip state={CHIPS[state]}>{t(`state.${state}`)}</StatusChip>;
}
