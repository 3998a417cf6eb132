import { useTranslation } from 'react-i18next';
import type { Finding, FindingRights, Severity } from '@cairn/core/findings/finding-states.ts';
import { Pill, StatusChip, type StatusState, type Tone } from '@cairn/ui/feedback/pill.tsx';
import { RowFace } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSpace } from '../../shared/session/space.ts';

const FACES: Record<Finding['state'], StatusState> = {
  open: 'finding',
  reopened: 'finding',
  answered: 'review',
  closed: 'done',
};
const TONES: Record<Severity, Tone> = { critical: 'bad', major: 'warn', minor: 'neutral', observation: 'line' };

export function FindingChip({ state }: Pick<Finding, 'state'>) {
  const { t } = useTranslation('findings');
  return <StatusChip state={FACES[state]}>{t(`state.${state}`)}</StatusChip>;
}

export function SeverityPill({ severity }: Pick<Finding, 'severity'>) {
  const { t } = useTranslation('findings');
  return <Pill tone={TONES[severity]}>{t(`severity.${severity}`)}</Pill>;
}

/** One finding in a list. */
export function FindingFace({ finding }: { finding: Finding }) {
  const { t } = useTranslation('findings');
  const { formatDate } = useFormat();
  const facts = [t(`severity.${finding.severity}`), finding.requirement, formatDate(new Date(finding.raised_at))];
  return (
    <RowFace
      title={finding.title}
      detail={facts.filter(Boolean).join(' · ')}
      end={<FindingChip state={finding.state} />}
    />
  );
}

/** Who this person is to findings here. */
export function useFindingRights(): FindingRights {
  const { may, userId } = useSpace();
  return { raises: may('finding.raise'), answers: may('finding.answer'), userId };
}
