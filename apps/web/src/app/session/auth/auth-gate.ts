import type { Backend } from '@cairn/sync/transport/backend.ts';
import type { AuthFlows } from '../../../shared/auth/auth-flows.ts';
import type { ServerCalls } from '../../../shared/server/server-calls.ts';
import type { PushServer } from '../../../shared/server/push-server.ts';
import type { CurrentUser, DeviceSettings } from '@cairn/sync/device.ts';
import type { PresenceJoin } from './near-calls.ts';
import type { UsageAnswer, UsageBatch } from '../../../shared/analytics/usage-queue.ts';

/** Where the authentication library keeps its session, sealed. */
export const SESSION_PLACE = { prefix: 'cairn.auth.', key: 'cairn.session' } as const;

/** ms; how long somebody who leaves is given to a server that says nothing. */
export const PATIENCE_MS = 3000;

/** What a sign-in can fail with, before it is put into words. */
export type LoginFailure =
  | { kind: 'missing' | 'invalid' | 'unconfirmed' | 'network' | 'no_session' }
  /** The password was right; a second step is owed. */
  | { kind: 'second_step' }
  | { kind: 'other'; name: string; status: number | null; code: string | null; message: string };

export type StoredSession = DeviceSettings['auth_session'];

export type SignInAnswer =
  | { ok: true; user: CurrentUser; session: StoredSession }
  | { ok: false; failure: LoginFailure };

/** How far an export has come, in bytes; `size` is about what it will be. */
export type ExportProgress = { done: number; size: number };

/** Why an account was not ended, in the server's words; `names` are organisations that need the person. */
export type EndRefusal = { code: 'wrong_password' | 'too_many' | 'last_admin'; names: string };

/** A person's own account. */
export interface AccountCalls {
  /**
   * Everything about the signed-in person as a zip.
   * @throws {Failure} `signed_out`; `offline` when the server did not answer, or not to the end
   */
  exportMe(onProgress: (progress: ExportProgress) => void, signal: AbortSignal): Promise<Blob>;
  /**
   * Ends the signed-in person's account for good.
   * @returns why the server refused, or null when it is done
   * @throws {Failure} `signed_out`; `offline` when the server gave no answer: whether it was done shows at the next sign-in
   */
  endAccount(password: string): Promise<EndRefusal | null>;
}

/** What the server says of the session this device keeps. */
export type Verdict =
  | { status: 'valid'; user: CurrentUser; session: StoredSession }
  | { status: 'refused' }
  | { status: 'unreachable' };

export type GateEvents = {
  /** The library has a new token, of this person. */
  renewed(session: StoredSession, userId: string): void;
  /** The library gave the session up: the server refused to renew it, or another tab signed out. */
  lost(): void;
  /** The server said that this person's account was deleted. Comes before `lost`, where that follows. */
  ended(userId: string): void;
  /** The person's address or name changed; here, or by a letter's link. */
  updated(user: CurrentUser): void;
};

/** The authentication service behind an interface of ours; one implementation speaks supabase-js. */
export interface AuthGate extends AccountCalls {
  /** Push, pull and files with this person's token; with anybody else's session there every call fails with `auth`. */
  backendOf(owner: string): Backend;
  /** Every way in, and an account's security, beyond e-mail and password. */
  readonly flows: AuthFlows;
  signIn(email: string, password: string): Promise<SignInAnswer>;
  /** Looks at the stored session, renewing it when it has run out. Throws nothing. */
  verify(): Promise<Verdict>;
  /** Whose session the library has now, also by another tab; null where there is none, or nothing can be said. Throws nothing. */
  holder(): Promise<string | null>;
  /** Renews the token now. Throws nothing. */
  renew(): Promise<Verdict>;
  /**
   * Removes a sample organisation with everything in it, for good.
   * @throws {Failure} `not_allowed` without the permission, `offline` when the server gave no answer
   */
  removeSampleData(organizationId: string): Promise<void>;
  /** Where push messages for this browser are asked for and given up. */
  readonly push: PushServer;
  /** Who else is at a record. */
  readonly near: PresenceJoin;
  /** What is online by nature: functions, rows and services of the backend as the signed-in person. */
  readonly calls: ServerCalls;
  /** Stores how the app was used. Throws nothing. */
  storeUsage(batch: UsageBatch): Promise<UsageAnswer>;
  /** Forgets the session here; the server is told behind the scenes for `PATIENCE_MS` at most. Throws nothing. */
  signOut(): Promise<void>;
}

/** Loads the authentication library and the run-time settings on first use. */
export type OpenGate = (events: GateEvents) => Promise<AuthGate>;
