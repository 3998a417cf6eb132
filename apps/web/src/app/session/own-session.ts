import { Failure } from '@cairn/base/failure.ts';
import type { AuthGate } from './auth/auth-gate.ts';
import type { SessionState } from './device/session-state.ts';

export type RequireOwnSession = (
  opening: Promise<AuthGate>,
  here: () => SessionState,
  end: () => Promise<void>,
) => Promise<AuthGate>;

/**
 * The gate acts for whoever the browser's session is of, and that is somebody else's as soon as they sign in in another tab: nothing is
 * done in their name here, and whoever was here is out.
 *
 * @param end ends the session of whoever is here
 * @throws {Failure} `offline` when the gate cannot be opened; `signed_out` when the session is another person's
 */
export const requireOwnSession: RequireOwnSession = async (opening, here, end) => {
  const gate = await opening.catch((cause: unknown) => {
    throw new Failure('offline', 'no backend client', { cause });
  });
  const me = personOf(here());
  const holder = me && (await gate.holder());
  if (!holder || holder === me) return gate;
  if (personOf(here()) === me) await end();
  throw new Failure('signed_out', "another person's session");
};

const personOf = (state: SessionState): string | null => (state.status === 'signed_in' ? state.user.id : null);
