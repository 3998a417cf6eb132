import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvidenceTarget } from '@cairn/core/evidence/collect-evidence.ts';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { EvidenceDetail } from '../../features/evidence/evidence-detail.tsx';
import { EvidenceHere } from '../../features/evidence/evidence-here.tsx';
import { EvidenceScreen } from '../../features/evidence/evidence-screen.tsx';
import { FindingsOf } from './findings.tsx';
import { RecordLink } from './record-link.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

// Its files are drawn and named as those of an inspection.
export const texts = loadTexts('evidence', 'findings', 'field', 'capture');

const toEvidence = (evidenceId: string, face: ReactNode): ReactNode => (
  <Link to="/policies/evidence/$evidenceId" params={{ evidenceId }} className={rowClass}>
    {face}
  </Link>
);

export function EvidenceListRoute() {
  const { t } = useTranslation('evidence');
  const { new: isAdding } = useSearch({ from: '/signed-in/policies/evidence' });
  return (
    <EvidenceScreen
      isAdding={isAdding ?? false}
      renderEvidence={toEvidence}
      backLink={
        <Link to="/policies" className="link tap back-link">
          {t('backPolicies')}
        </Link>
      }
    />
  );
}

export function EvidenceRoute() {
  const { t } = useTranslation('evidence');
  const { evidenceId } = useParams({ from: '/signed-in/policies/evidence/$evidenceId' });
  return (
    <>
      <EvidenceDetail
        key={evidenceId}
        evidenceId={evidenceId}
        renderEvidence={toEvidence}
        renderRecord={(record, face) => <RecordLink record={record}>{face}</RecordLink>}
        backLink={
          <Link to="/policies/evidence" className="link tap back-link">
            {t('back')}
          </Link>
        }
      />
      <FindingsOf target={{ table: 'evidence', id: evidenceId }} />
    </>
  );
}

/** Evidence about a record, on that record's own screen. */
export const EvidenceOf = ({ target }: { target: EvidenceTarget }) => (
  <EvidenceHere target={target} renderEvidence={toEvidence} />
);
