import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { LockContext, type LockPorts } from './lock-ports.ts';
import { useLockState } from './use-lock-state.ts';

const LockScreen = lazy(async () => {
  const { LockScreen, texts } = await import('./lock-screen.tsx');
  await texts;
  return { default: LockScreen };
});

type Props = { ports: LockPorts; whileAsking: ReactNode; children: ReactNode };

/**
 * Keeps the app behind the lock screen while it is locked. What was open before stays as it is below it, so that nobody
 * loses what they had typed.
 */
export function LockGate({ ports, whileAsking, children }: Props) {
  const { isKnown, reason, isLimited, unlock, lockNow } = useLockState(ports);
  const [wasOpen, setWasOpen] = useState(false);
  const lock = useMemo(() => ({ ports, isLimited, lockNow }), [ports, isLimited, lockNow]);
  if (!isKnown) return whileAsking;
  if (reason === null && !wasOpen) setWasOpen(true);
  return (
    <LockContext.Provider value={lock}>
      {wasOpen && children}
      {reason && (
        <Suspense fallback={wasOpen ? <div className="lock-cover" /> : whileAsking}>
          <LockScreen reason={reason} ports={ports} onUnlock={unlock} />
        </Suspense>
      )}
    </LockContext.Provider>
  );
}
