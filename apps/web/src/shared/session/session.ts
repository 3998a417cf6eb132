import { createContext, useContext } from 'react';
import type { CurrentUser } from '@cairn/sync/device.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';

/** The signed-in person and the engine that keeps their work. */
export type SignedInSession = {
  user: CurrentUser;
  engine: SyncEngine;
  /** False while only this device vouches for the person: the server has not been asked yet. */
  verified: boolean;
};

export const SignedInContext = createContext<SignedInSession | null>(null);

/** @throws {Error} outside a protected route */
export function useSignedIn(): SignedInSession {
  const signedIn = useContext(SignedInContext);
  if (!signedIn) throw new Error('useSignedIn outside a protected route');
  return signedIn;
}
