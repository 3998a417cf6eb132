import type { CurrentUser } from '@cairn/sync/device.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';

/**
 * Why nobody is signed in: first visit, the server refused the stored session, the person left, here or in another window, or their
 * account was deleted and nothing of them is left here.
 */
export type SignedOutReason = 'none' | 'refused' | 'left' | 'elsewhere' | 'deleted';

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed_out'; reason: SignedOutReason; email: string | null }
  /** Their account was deleted elsewhere; what they had not sent lies here until they choose. `unsent` null: being counted. */
  | { status: 'account_ended'; user: CurrentUser; pending: { records: number; files: number } | null }
  | { status: 'signed_in'; user: CurrentUser; engine: SyncEngine; verified: boolean };
