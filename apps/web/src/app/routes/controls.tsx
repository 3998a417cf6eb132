import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { recordHere, type RecordName } from '@cairn/core/record-here.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { ControlScreen } from '../../features/controls/control-screen.tsx';
import { FrameworkScreen } from '../../features/controls/framework-screen.tsx';
import { FrameworksScreen } from '../../features/controls/frameworks-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { EvidenceOf } from './evidence.tsx';
import { FindingsOf } from './findings.tsx';

export const texts = loadTexts('controls', 'evidence', 'findings', 'actions');

/** Coverage is worked out of evidence: to whoever does not see it, it would call gaps what is proven. */
function ForReaders({ children }: { children: ReactNode }) {
  const { may } = useSpace();
  return may('evidence.read') ? children : <NotForYou />;
}

type ForReadersOfProps = { record: RecordName; children: ReactNode };

/** As `ForReaders`; of a record that is not here, `children` say so to everybody. */
function ForReadersOf({ record, children }: ForReadersOfProps) {
  const { may } = useSpace();
  const here = useLive(recordHere(record));
  if (may('evidence.read')) return children;
  if (here.status === 'loading') return null;
  return here.answer ? <NotForYou /> : children;
}

function NotForYou() {
  const { t } = useTranslation('controls');
  return (
    <StateBlock state="not-allowed" title={t('notAllowed')} level={1}>
      {t('notAllowedText')}
    </StateBlock>
  );
}

const toAction = (actionId: string, face: ReactNode): ReactNode => (
  <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
    {face}
  </Link>
);

function AllLink() {
  const { t } = useTranslation('controls');
  return (
    <Link to="/policies/frameworks" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function FrameworksRoute() {
  const { t } = useTranslation('controls');
  return (
    <ForReaders>
      <FrameworksScreen
        renderAction={toAction}
        renderFramework={(frameworkId, face) => (
          <Link to="/policies/frameworks/$frameworkId" params={{ frameworkId }} className={rowClass}>
            {face}
          </Link>
        )}
        backLink={
          <Link to="/policies" className="link tap back-link">
            {t('backPolicies')}
          </Link>
        }
      />
    </ForReaders>
  );
}

export function FrameworkRoute() {
  const navigate = useNavigate();
  const { frameworkId } = useParams({ from: '/signed-in/policies/frameworks/$frameworkId' });
  return (
    <ForReadersOf record={{ table: 'frameworks', id: frameworkId }}>
      <FrameworkScreen
        frameworkId={frameworkId}
        backLink={<AllLink />}
        onRemoved={() => void navigate({ to: '/policies/frameworks', replace: true })}
        renderControl={(controlId, face) => (
          <Link to="/policies/controls/$controlId" params={{ controlId }} className={rowClass}>
            {face}
          </Link>
        )}
      />
    </ForReadersOf>
  );
}

export function ControlRoute() {
  const { t } = useTranslation('controls');
  const { controlId } = useParams({ from: '/signed-in/policies/controls/$controlId' });
  return (
    <ForReadersOf record={{ table: 'controls', id: controlId }}>
      <ControlScreen
        controlId={controlId}
        renderAction={toAction}
        evidence={
          <>
            <EvidenceOf target={{ table: 'controls', id: controlId }} />
            <FindingsOf target={{ table: 'controls', id: controlId }} />
          </>
        }
        renderBack={frameworkId =>
          frameworkId === null ? (
            <AllLink />
          ) : (
            <Link to="/policies/frameworks/$frameworkId" params={{ frameworkId }} className="link tap back-link">
              {t('backFramework')}
            </Link>
          )
        }
        renderPolicy={(policyId, face) => (
          <Link to="/policies/$policyId" params={{ policyId }} className="link tap">
            {face}
          </Link>
        )}
      />
    </ForReadersOf>
  );
}
