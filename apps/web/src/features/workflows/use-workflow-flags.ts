import { subscription, workflowFlags, type WorkflowFlags } from '@cairn/core/tiers/subscription.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSpace } from '../../shared/space.ts';

/** Which workflows are open to the person here (R6.27); null until the tier is read. */
export function useWorkflowFlags(): WorkflowFlags | null {
  const { userId, world, organization } = useSpace();
  const own = useLive(subscription(userId));
  if (own.status !== 'ready') return null;
  return workflowFlags(world, own.answer.tier, organization.plan);
}
