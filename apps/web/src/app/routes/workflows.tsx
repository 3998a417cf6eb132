import type { ReactNode } from 'react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isTemplate } from '@cairn/core/workflows/templates.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { ApprovalPanel } from '../../features/policies/authoring/approval-panel.tsx';
import { DecisionScreen } from '../../features/workflows/decision-screen.tsx';
import { DeputiesScreen } from '../../features/workflows/deputies-screen.tsx';
import { RuleScreen } from '../../features/workflows/rule-screen.tsx';
import { WorkflowsScreen } from '../../features/workflows/workflows-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';

export const texts = loadTexts('workflows', 'policies', 'failure');

const toPath = (path: string, face: ReactNode) => (
  <Link to={path} className={rowClass}>
    {face}
  </Link>
);

function AllLink() {
  const { t } = useTranslation('workflows');
  return (
    <Link to="/workflows" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function WorkflowsRoute() {
  const { t } = useTranslation('workflows');
  return (
    <WorkflowsScreen
      title={useModuleLabel('workflows')}
      links={
        <Link to="/workflows/deputies" className={buttonClass()}>
          {t('deputiesLink')}
        </Link>
      }
      renderWaiting={toPath}
      renderRule={(ruleId, face) => (
        <Link to="/workflows/$ruleId" params={{ ruleId }} className="link tap">
          {face}
        </Link>
      )}
      renderNew={(template, face) => (
        <Link
          to="/workflows/new"
          search={template === undefined ? {} : { template }}
          className={buttonClass(template === undefined ? { variant: 'primary' } : {})}
        >
          {face}
        </Link>
      )}
    />
  );
}

export function NewRuleRoute() {
  const { template } = useSearch({ from: '/signed-in/workflows/new' });
  const known = isTemplate(template) ? template : undefined;
  return <OneRule key={known ?? ''} ruleId={null} template={known} />;
}

export function RuleRoute() {
  const { ruleId } = useParams({ from: '/signed-in/workflows/$ruleId' });
  return <OneRule key={ruleId} ruleId={ruleId} template={undefined} />;
}

function OneRule(props: Pick<Parameters<typeof RuleScreen>[0], 'ruleId' | 'template'>) {
  const navigate = useNavigate();
  return (
    <RuleScreen
      {...props}
      backLink={<AllLink />}
      renderPath={toPath}
      onSaved={ruleId => void navigate({ to: '/workflows/$ruleId', params: { ruleId }, replace: true })}
      onRemoved={() => void navigate({ to: '/workflows', replace: true })}
    />
  );
}

export function WorkflowRunRoute() {
  const { runId } = useParams({ from: '/signed-in/workflows/runs/$runId' });
  return (
    <DecisionScreen
      key={runId}
      runId={runId}
      backLink={<AllLink />}
      approval={<ApprovalPanel subjectId={runId} />}
      renderPath={toPath}
    />
  );
}

export function DeputiesRoute() {
  return <DeputiesScreen backLink={<AllLink />} />;
}
