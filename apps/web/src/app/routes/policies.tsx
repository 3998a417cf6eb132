import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { SignatureDrawing } from '../../features/field-ops/answers/signature-drawing.tsx';
import { SignatureField } from '../../features/field-ops/answers/signature-pad.tsx';
import { EditScreen } from '../../features/policies/authoring/edit-screen.tsx';
import { PoliciesScreen } from '../../features/policies/policies-screen.tsx';
import type { PolicyLinks } from '../../features/policies/document/policy-links.ts';
import { PolicyScreen } from '../../features/policies/policy-screen.tsx';
import { ReportScreen } from '../../features/policies/report/report-screen.tsx';
import { CountersignCard } from '../../features/support-circle/countersign-card.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { EvidenceOf } from './evidence.tsx';
import { countersignPorts } from './countersign-ports.tsx';
import { FindingsOf } from './findings.tsx';
import { ProvenanceOf } from './provenance.tsx';
import { VersionTalk } from './record-talk.tsx';

// The field to sign in speaks as in an inspection.
export const texts = loadTexts(
  'policies',
  'policyAuthoring',
  'policyFiles',
  'quiz',
  'certificate',
  'countersign',
  'failure',
  'field',
  'evidence',
  'controls',
  'findings',
  'comments',
  'marketplace',
  'kiosk',
  'rates',
);

export function PoliciesRoute() {
  const { view } = useSearch({ from: '/signed-in/policies' });
  const navigate = useNavigate();
  return (
    <PoliciesScreen
      key={view}
      title={useModuleLabel('policies')}
      opened={view}
      links={<CompanyLinks />}
      onBegun={policyId => void navigate({ to: '/policies/$policyId/edit', params: { policyId } })}
      renderPolicy={(policyId, versionId, face) => (
        <VersionLink policyId={policyId} versionId={versionId} className={rowClass}>
          {face}
        </VersionLink>
      )}
    />
  );
}

/** Evidence and frameworks belong to companies; whoever may neither see nor add evidence has no way there. */
function CompanyLinks() {
  const { t } = useTranslation('evidence');
  const { t: tControls } = useTranslation('controls');
  const { t: tFindings } = useTranslation('findings');
  const { t: tKiosk } = useTranslation('kiosk');
  const { t: tRates } = useTranslation('rates');
  const { world, may } = useSpace();
  if (world === 'personal') return null;
  return (
    <>
      {may('policy.witness') && (
        <Link to="/policies/kiosk" className={buttonClass()}>
          {tKiosk('link')}
        </Link>
      )}
      {may('policy.report') && (
        <Link to="/policies/rates" className={buttonClass()}>
          {tRates('link')}
        </Link>
      )}
      {(may('evidence.read') || may('evidence.add')) && (
        <Link to="/policies/evidence" className={buttonClass()}>
          {t('link')}
        </Link>
      )}
      {may('evidence.read') && (
        <Link to="/policies/frameworks" className={buttonClass()}>
          {tControls('link')}
        </Link>
      )}
      {may('evidence.read') && (
        <Link to="/policies/findings" className={buttonClass()}>
          {tFindings('link')}
        </Link>
      )}
    </>
  );
}

function CircleLink() {
  const { t } = useTranslation('countersign');
  return (
    <Link to="/support-circle" className={buttonClass()}>
      {t('circleLink')}
    </Link>
  );
}

type VersionLinkProps = { policyId: string; versionId: string | null; className: string; children: ReactNode };

/** To one version of a policy; without one, to what is in force. */
function VersionLink({ policyId, versionId, className, children }: VersionLinkProps) {
  return versionId === null ? (
    <Link to="/policies/$policyId" params={{ policyId }} className={className}>
      {children}
    </Link>
  ) : (
    <Link to="/policies/$policyId/versions/$versionId" params={{ policyId, versionId }} className={className}>
      {children}
    </Link>
  );
}

function AllLink() {
  const { t } = useTranslation('policies');
  const { world } = useSpace();
  return (
    <Link to="/policies" className="link tap back-link">
      {t(`back.${world}`)}
    </Link>
  );
}

function usePolicyLinks(policyId: string): PolicyLinks {
  const navigate = useNavigate();
  return {
    backLink: <AllLink />,
    renderTalk: versionId => <VersionTalk id={versionId} />,
    renderVersion: (versionId, face, isRow) => (
      <VersionLink policyId={policyId} versionId={versionId} className={isRow ? rowClass : 'link tap'}>
        {face}
      </VersionLink>
    ),
    renderEdit: face => (
      <Link to="/policies/$policyId/edit" params={{ policyId }} className={buttonClass()}>
        {face}
      </Link>
    ),
    renderReport: face => (
      <Link to="/policies/$policyId/report" params={{ policyId }} className={buttonClass()}>
        {face}
      </Link>
    ),
    renderSignature: (value, onChange, error) => (
      <SignatureField value={value as Signature | null} onChange={drawn => onChange(drawn)} error={error} />
    ),
    renderDrawing: (value, label) => <SignatureDrawing value={value} label={label} />,
    renderCountersign: (version, acknowledgement) => (
      <CountersignCard
        version={version}
        acknowledgement={acknowledgement}
        circleLink={<CircleLink />}
        {...countersignPorts}
      />
    ),
    onEdit: () => void navigate({ to: '/policies/$policyId/edit', params: { policyId } }),
    onRemoved: () => void navigate({ to: '/policies', replace: true }),
  };
}

export function PolicyRoute() {
  const { policyId } = useParams({ from: '/signed-in/policies/$policyId' });
  return (
    <>
      <PolicyScreen policyId={policyId} versionId={undefined} {...usePolicyLinks(policyId)} />
      <ProvenanceOf targetId={policyId} />
      <EvidenceOf target={{ table: 'policies', id: policyId }} />
      <FindingsOf target={{ table: 'policies', id: policyId }} />
    </>
  );
}

export function PolicyVersionRoute() {
  const { policyId, versionId } = useParams({ from: '/signed-in/policies/$policyId/versions/$versionId' });
  return (
    <>
      <PolicyScreen policyId={policyId} versionId={versionId} {...usePolicyLinks(policyId)} />
      <ProvenanceOf targetId={policyId} />
    </>
  );
}

function BackLink({ policyId }: { policyId: string }) {
  const { t } = useTranslation('policyAuthoring');
  return (
    <Link to="/policies/$policyId" params={{ policyId }} className="link tap back-link">
      {t('report.back')}
    </Link>
  );
}

export function PolicyEditRoute() {
  const { policyId } = useParams({ from: '/signed-in/policies/$policyId/edit' });
  const navigate = useNavigate();
  return (
    <EditScreen
      policyId={policyId}
      backLink={<AllLink />}
      onDone={versionId =>
        void navigate({ to: '/policies/$policyId/versions/$versionId', params: { policyId, versionId } })
      }
    />
  );
}

export function PolicyReportRoute() {
  const { policyId } = useParams({ from: '/signed-in/policies/$policyId/report' });
  return <ReportScreen policyId={policyId} backLink={<BackLink policyId={policyId} />} allLink={<AllLink />} />;
}
