import { useNavigate } from '@tanstack/react-router';
import type { SearchHit } from '@cairn/core/search/search-index.ts';
import type { SearchKind } from '@cairn/core/search/search-record.ts';
import { useSpace } from '../../shared/session/space.ts';

/** Where a link wants to be opened: another organisation or playbook becomes the open one. */
type OrganizationAndPlaybook = { organization?: string; playbook?: string };
type RecordOpener = (recordId: string, search: OrganizationAndPlaybook) => void;

/** Opens a record where it belongs. */
export function useOpenHit(): (hit: SearchHit) => void {
  const { organization, playbook } = useSpace();
  const leads = useLeads();
  return ({ kind, recordId, organizationId, playbookId }) =>
    leads[kind](recordId, {
      ...(organizationId !== null && organizationId !== organization.id && { organization: organizationId }),
      ...(playbookId !== null && playbookId !== playbook?.id && { playbook: playbookId }),
    });
}

function useLeads(): Record<SearchKind, RecordOpener> {
  const go = useNavigate();
  return {
    ...useGovernedLeads(),
    ...useOwnLeads(),
    inspection: (inspectionId, search) => void go({ to: '/field/$inspectionId', params: { inspectionId }, search }),
    action: (actionId, search) => void go({ to: '/action-items/$actionId', params: { actionId }, search }),
    task: (taskId, search) => void go({ to: '/tasks/$taskId', params: { taskId }, search }),
    asset: (assetId, search) => void go({ to: '/assets/$assetId', params: { assetId }, search }),
    report: (reportId, search) => void go({ to: '/field/reports/$reportId', params: { reportId }, search }),
    form: (_, search) => void go({ to: '/field/forms', search }),
  };
}

function useGovernedLeads() {
  const go = useNavigate();
  return {
    policy: (policyId, search) => void go({ to: '/policies/$policyId', params: { policyId }, search }),
    evidence: (evidenceId, search) => void go({ to: '/policies/evidence/$evidenceId', params: { evidenceId }, search }),
    finding: (findingId, search) => void go({ to: '/policies/findings/$findingId', params: { findingId }, search }),
    framework: (frameworkId, search) =>
      void go({ to: '/policies/frameworks/$frameworkId', params: { frameworkId }, search }),
    control: (controlId, search) => void go({ to: '/policies/controls/$controlId', params: { controlId }, search }),
    rule: (ruleId, search) => void go({ to: '/workflows/$ruleId', params: { ruleId }, search }),
    member: (personId, search) => void go({ to: '/profile/$personId', params: { personId }, search }),
  } satisfies Partial<Record<SearchKind, RecordOpener>>;
}

function useOwnLeads() {
  const go = useNavigate();
  return {
    goal: (goalId, search) => void go({ to: '/goals/$goalId', params: { goalId }, search }),
    habit: (habitId, search) => void go({ to: '/wellness/habits/$habitId', params: { habitId }, search }),
    helper: (relationshipId, search) =>
      void go({ to: '/support-circle/$relationshipId', params: { relationshipId }, search }),
  } satisfies Partial<Record<SearchKind, RecordOpener>>;
}
