import type { UsageAnswer, UsageBatch } from '../../shared/analytics/usage-queue.ts';
import type { SessionController } from '../session/session-controller.ts';

/** Stores how this person used the app; somebody else's is never sent in their name. Throws nothing. */
export async function sendUsage(
  controller: SessionController,
  userId: string,
  batch: UsageBatch,
): Promise<UsageAnswer> {
  const gate = await controller.reach().catch(() => null);
  const state = controller.snapshot();
  if (!gate || state.status !== 'signed_in' || state.user.id !== userId) return 'unreachable';
  return gate.storeUsage(batch);
}
