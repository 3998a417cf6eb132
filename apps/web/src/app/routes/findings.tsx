import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SEVERITIES, findingMoves, type FindingState } from '@cairn/core/findings/finding-states.ts';
import type { FindingTarget } from '@cairn/core/findings/raise-finding.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { StatusPill } from '../../features/action-items/status-pill.tsx';
import { ActivityCard } from '../../features/comments/activity-card.tsx';
import { RecordComments } from '../../features/comments/record-comments.tsx';
import { AuditorPage } from '../../features/findings/auditor-page.tsx';
import { FindingScreen } from '../../features/findings/finding-screen.tsx';
import { FindingsHere } from '../../features/findings/findings-here.tsx';
import { AuditorLink } from '../../features/spaces/auditor-link.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { RecordLink } from './record-link.tsx';

export const texts = loadTexts('findings', 'actions', 'comments', 'spaces');

const toFinding = (findingId: string, face: ReactNode): ReactNode => (
  <Link to="/policies/findings/$findingId" params={{ findingId }} className={rowClass}>
    {face}
  </Link>
);

/** Findings about a record, on that record's own screen. */
export const FindingsOf = ({ target }: { target: FindingTarget }) => (
  <FindingsHere key={target.id} target={target} renderFinding={toFinding} />
);

export function AuditorRoute() {
  const { t } = useTranslation('findings');
  return (
    <AuditorPage
      renderFinding={toFinding}
      invite={<AuditorLink />}
      ways={
        <>
          <Link to="/policies/frameworks" className={buttonClass()}>
            {t('room.frameworks')}
          </Link>
          <Link to="/policies/evidence" className={buttonClass()}>
            {t('room.evidence')}
          </Link>
          <Link to="/policies" className={buttonClass()}>
            {t('room.policies')}
          </Link>
        </>
      }
      backLink={
        <Link to="/policies" className="link tap back-link">
          {t('backPolicies')}
        </Link>
      }
    />
  );
}

export function FindingRoute() {
  const { t } = useTranslation('findings');
  const { findingId } = useParams({ from: '/signed-in/policies/findings/$findingId' });
  const navigate = useNavigate();
  return (
    <>
      <FindingScreen
        key={findingId}
        findingId={findingId}
        renderRecord={(about, face) => <RecordLink record={about}>{face}</RecordLink>}
        renderAction={(actionId, face) => (
          <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
            {face}
          </Link>
        )}
        renderActionState={status => <StatusPill status={status} />}
        onRemoved={() => void navigate({ to: '/policies/findings', replace: true })}
        backLink={
          <Link to="/policies/findings" className="link tap back-link">
            {t('back')}
          </Link>
        }
      />
      <FindingTalk key={`talk ${findingId}`} id={findingId} />
    </>
  );
}

const isState = (value: string): value is FindingState => Object.hasOwn(findingMoves, value);

/** What is said about a finding, and what changed on it. */
function FindingTalk({ id }: { id: string }) {
  const { t } = useTranslation('findings');
  const subject = { table: 'findings', id } as const;
  const wordOf = (field: string, value: string): string | null => {
    if (field === 'state' && isState(value)) return t(`state.${value}`);
    const severity = SEVERITIES.find(each => field === 'severity' && each === value);
    return severity ? t(`severity.${severity}`) : null;
  };
  return (
    <div className="parts columns record-talk">
      <RecordComments subject={subject} mayWrite takesFiles={false} />
      <ActivityCard subject={subject} wordOf={wordOf} />
    </div>
  );
}
