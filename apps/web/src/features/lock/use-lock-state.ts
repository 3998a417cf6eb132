import { useCallback, useEffect, useState } from 'react';
import { SESSION_RULES, type StoredSessionStatus } from '@cairn/sync/transport/session-rules.ts';
import { lockMemory } from './lock-memory.ts';
import type { LockPorts } from './lock-ports.ts';

export type LockReason = 'away' | 'expired' | 'over';

/** How often the app notes that somebody is here, and looks whether the session has run out. */
const LOOK_EVERY_MS = SESSION_RULES.refreshThreshold / 10;

/** Whether the app is locked, and why; null while the device is asked, which is a few milliseconds. */
export function useLockState(ports: LockPorts) {
  const { owner, verified } = ports;
  const [away, setAway] = useState(() => lockMemory(owner).isDue(Date.now()));
  const [status, setStatus] = useState<StoredSessionStatus | null>(null);
  const [asked, setAsked] = useState(false);
  const [passed, setPassed] = useState(false);
  const look = useCallback(async () => {
    setStatus(await ports.sessionStatus());
    setAsked(true);
  }, [ports]);
  useEffect(() => {
    const first = setTimeout(() => void look(), 0);
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [look, verified]);
  usePresence(owner, away, setAway);

  const ranOut: LockReason | null =
    verified || status === 'valid' ? null : status === 'locked' ? 'expired' : status === 'over' ? 'over' : null;
  const reason: LockReason | null = away ? 'away' : ranOut === 'expired' && passed ? null : ranOut;
  return {
    isKnown: verified || asked,
    reason,
    isLimited: ranOut === 'expired' && passed,
    unlock: useCallback(() => {
      lockMemory(owner).open(Date.now());
      setAway(false);
      setPassed(true);
    }, [owner]),
    lockNow: useCallback(() => {
      lockMemory(owner).lock();
      setAway(true);
    }, [owner]),
  };
}

/** Notes when the person was last here, and locks when they come back too late. */
function usePresence(owner: string, away: boolean, setAway: (away: boolean) => void): void {
  useEffect(() => {
    if (away) return undefined;
    const memory = lockMemory(owner);
    const note = () => {
      if (document.visibilityState === 'visible' && memory.isDue(Date.now()) && memory.after() !== 0) setAway(true);
      else memory.see(Date.now());
    };
    const turned = () => {
      if (document.visibilityState === 'visible' && memory.isDue(Date.now())) setAway(true);
      else memory.see(Date.now());
    };
    memory.see(Date.now());
    const timer = setInterval(note, LOOK_EVERY_MS);
    document.addEventListener('visibilitychange', turned);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', turned);
    };
  }, [owner, away, setAway]);
}
