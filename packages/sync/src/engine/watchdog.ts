import { isSendable } from '../push/batch.ts';
import type { Session } from '../store/session.ts';

/** What is known of the sending: when it last began (ms since 1970), and how long it may take till the next time (ms). */
export type SendProgress = { lastAttempt: number; patience: number; isResting: boolean };

/**
 * Whether sending stands still, judged by facts and not by what the loop believes of itself: there is a network, there is
 * work that could go, nothing waits for its time, and yet nothing was tried for longer than it should take.
 */
export async function isStalled(
  session: Session,
  { lastAttempt, patience, isResting }: SendProgress,
): Promise<boolean> {
  const { platform } = session;
  if (isResting || !platform.network.online()) return false;
  // The clock may have been set back meanwhile.
  if (Math.abs(platform.clock.now() - lastAttempt) <= patience) return false;
  return isSendable(session);
}
