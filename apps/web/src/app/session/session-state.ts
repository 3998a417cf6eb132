import type { CurrentUser } from '@cairn/sync/device.ts';
import type { SyncEngine } from '@cairn/sync/engine.ts';

/** Why nobody is signed in: first visit, the server refused the stored session, or the person left, here or in another window. */
export type SignedOutReason = 'none' | 'refused' | 'left' | 'elsewhere';

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed_out'; reason: SignedOutReason; email: string | null }
  | { status: 'signed_in'; user: CurrentUser; engine: SyncEngine; verified: boolean };
