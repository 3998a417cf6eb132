import { createContext, useContext } from 'react';
import type { NativeAbilities } from '@cairn/base/native-abilities.ts';
import type { StoredSessionStatus } from '@cairn/sync/transport/session-rules.ts';

/** What the lock takes from the session and the machine. */
export interface LockPorts {
  readonly owner: string;
  readonly email: string;
  /** Whether the server has vouched for the person since the app was opened. */
  readonly verified: boolean;
  /** What the stored session opens while the server says nothing; null when there is none. */
  sessionStatus(): Promise<StoredSessionStatus | null>;
  /** Whether the password can be tried on this device. */
  hasKey(): Promise<boolean>;
  /** The data key; rejects with SealFailure when this is not the password. */
  open(password: string): Promise<Uint8Array>;
  /** Null in a browser. Rejects when the wrapper lacks what it should have. */
  native(): Promise<NativeAbilities | null>;
  /** How many things of this person the server does not have yet. */
  pendingCount(): Promise<number>;
  /** Leads to the sign-in; rejects when signing in is impossible now. The person's work stays. */
  signInAgain(): Promise<void>;
}

export type Lock = {
  ports: LockPorts;
  /** Unlocked by password or finger only: the server has not been asked since the session ran out. */
  isLimited: boolean;
  lockNow: () => void;
};

export const LockContext = createContext<Lock | null>(null);

/** @throws {Error} outside a protected route */
export function useLock(): Lock {
  const lock = useContext(LockContext);
  if (!lock) throw new Error('useLock outside <LockGate>');
  return lock;
}
