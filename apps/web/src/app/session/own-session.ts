import { Failure } from '@cairn/base/failure.ts';
import type { AuthGate } from './auth/auth-gate.ts';
import type { SessionState } from './device/session-state.ts';

/**
 * The gate acts for whoever the browser's session is of, and that is somebody else's as soon as they sign in in another tab: nothing is
 * done in their name here, and whoever was here is out.
 *
 * @param end ends the session of whoever is here
 * @throws {Failure} `offline` when the gate cannot be opened; `signed_out` when the session is another person's
 */
export async function requireOwnSession(
  opening: Promise<AuthGate>,
  here: () => SessionState,
  end: () => Promise<void>,
): Promise<AuthGate> {
  const gate = await opening.catch((cause: unknown) => {
    throw new Failure('offline', 'the backend client could not be loaded', { cause });
  });
  const before = here();
  if (before.status !== 'signed_in') return gate;
  const holder = await gate.holder();
  if (holder === null || holder === before.user.id) return gate;
  const now = here();
  if (now.status === 'signed_in' && now.user.id === before.user.id) await end();
  throw new Failure('signed_out', "the browser's session is another person's");
}
