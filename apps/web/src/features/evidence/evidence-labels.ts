import { useTranslation } from 'react-i18next';
import { type Evidence, type EvidenceState, expiryOf } from '@cairn/core/evidence/evidence-states.ts';
import type { StatusState } from '@cairn/ui/feedback/pill.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useToday } from '../../shared/format/use-today.ts';

const FACES: Record<EvidenceState, StatusState> = {
  collected: 'waiting',
  sent_back: 'finding',
  accepted: 'done',
  superseded: 'open',
  withdrawn: 'open',
};

/** Where a piece stands, as a chip: what is accepted says whether it still holds. */
export function faceOf(evidence: Evidence, today: string): StatusState {
  if (evidence.state !== 'accepted') return FACES[evidence.state];
  const { kind } = expiryOf(evidence, today);
  if (kind === 'expired') return 'overdue';
  return kind === 'soon' ? 'due' : 'done';
}

/** "Runs out in 6 days", "Holds until 11 October 2027". */
export function useExpiryLabel(): (evidence: Evidence) => string {
  const { t } = useTranslation('evidence');
  const { formatDay } = useFormat();
  const today = useToday();
  return evidence => {
    const expiry = expiryOf(evidence, today);
    if (expiry.kind === 'none') return t('expiry.none');
    if (expiry.kind === 'soon') return expiry.days === 0 ? t('expiry.today') : t('expiry.soon', { count: expiry.days });
    return t(`expiry.${expiry.kind}`, { day: formatDay(new Date(`${evidence.expires_on}T12:00:00`)) });
  };
}
