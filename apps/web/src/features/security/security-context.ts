import { createContext, useContext } from 'react';
import type { ReachAuth } from '../../shared/auth/auth-flows.ts';

export type SecurityParts = {
  flows: ReachAuth;
  email: string;
  /** Signs out everywhere, here last; false for whoever rather waits until their work is sent. */
  signOutEverywhere: () => Promise<boolean>;
  /** Address with origin that letters and services lead back to. */
  returnTo: string;
};

export const SecurityContext = createContext<SecurityParts | null>(null);

/** @throws {Error} outside the security screen */
export function useSecurity(): SecurityParts {
  const parts = useContext(SecurityContext);
  if (!parts) throw new Error('useSecurity outside <SecurityScreen>');
  return parts;
}
