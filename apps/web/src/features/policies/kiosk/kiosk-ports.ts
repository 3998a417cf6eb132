import type { ReactNode } from 'react';
import type { Kiosk, KioskPerson, KioskServerState } from '@cairn/core/policies/kiosk.ts';
import type { Json } from '@cairn/schema';

/** What a kiosk takes from the session and from other features; given by the route. */
export type KioskPorts = {
  /** Whoever is signed in. */
  witness: { id: string; name: string };
  /** What this device calls itself. */
  device: string;
  /** Whether the password of whoever is signed in can be tried on this device. */
  hasPassword: () => Promise<boolean>;
  isPassword: (password: string) => Promise<boolean>;
  /** Leads to the sign-in; rejects where nobody can sign in now. */
  signInAgain: () => Promise<void>;
  renderSignature: (value: Json, onChange: (drawn: Json) => void, error: string | undefined) => ReactNode;
};

/** One person at the kiosk, and the version as it was when they came. */
export type KioskVisit = Pick<Kiosk, 'policy' | 'version'> & { person: KioskPerson; serverState: KioskServerState };
