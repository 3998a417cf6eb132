import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Navigate } from '@tanstack/react-router';
import { LockGate } from '../../features/lock/lock-gate.tsx';
import { useKioskMemory } from '../../features/policies/kiosk/kiosk-memory.ts';
import { useLockPorts } from '../session/ports/use-lock-ports.ts';
import { useSession } from '../session/session-context.tsx';

/**
 * For screens outside the frame that act for whoever is signed in: whoever opens one while the app is locked meets the lock, and at a
 * kiosk the kiosk. It stays where it is in the tree when a session begins or ends, so that a screen that does so goes on.
 */
export function LockedOutside({ children }: { children: ReactNode }) {
  const session = useSession();
  const owner = session.status === 'signed_in' ? session.user.id : null;
  // Who signs in by this very screen has just shown who they are.
  const [isOpen, setIsOpen] = useState(owner === null);
  const open = useCallback(() => setIsOpen(true), []);
  return (
    <>
      {owner !== null && <Gates key={owner} owner={owner} onOpen={open} />}
      {isOpen && children}
    </>
  );
}

function Gates({ owner, onOpen }: { owner: string; onOpen: () => void }) {
  const kiosk = useKioskMemory(owner);
  const ports = useLockPorts();
  // There it stands in the place of everything.
  if (kiosk) return <Navigate to="/dashboard" replace />;
  return (
    <LockGate ports={ports} whileAsking={null}>
      <Opened onOpen={onOpen} />
    </LockGate>
  );
}

function Opened({ onOpen }: { onOpen: () => void }) {
  useEffect(onOpen, [onOpen]);
  return null;
}
