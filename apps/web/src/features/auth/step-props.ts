import type { AuthResult, ReachAuth } from '../../shared/auth/auth-flows.ts';

/** What every step before sign-in works with. */
export type StepProps = {
  flows: ReachAuth;
  /** Address in this app, with origin, that a letter's link leads back to. */
  returnTo: string;
  /** Who is known by now. */
  email: string;
  /** The server let somebody in; `recovery`: they still choose a new password. */
  onSignedIn: (result: AuthResult, recovery?: boolean) => Promise<void>;
};
