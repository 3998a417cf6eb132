import { workflowFlags, type WorkflowFlags } from '@cairn/core/tiers/subscription.ts';
import { useSpace } from '../../shared/session/space.ts';

/** Which workflows are open in the space (R6.27). */
export function useWorkflowFlags(): WorkflowFlags {
  const { world, organization } = useSpace();
  return workflowFlags(world, organization.plan);
}
