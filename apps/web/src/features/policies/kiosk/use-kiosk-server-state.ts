import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import type { KioskServerState } from '@cairn/core/policies/kiosk.ts';
import { ServerRefusal, useServerCalls } from '../../../shared/server/server-calls.ts';
import { kioskMemory, type KioskMemory } from './kiosk-memory.ts';

/** A code of the database: whoever is signed in may not, or there is no such policy for them. */
const MAY_NOT = '42501';

/** Asks the server who said something and who has a PIN, and keeps it for when it cannot be asked. */
export function useKioskServerState(owner: string, { policyId }: Pick<KioskMemory, 'policyId'>) {
  const calls = useServerCalls();
  const [isOffline, setOffline] = useState(!navigator.onLine);
  const [isRefused, setRefused] = useState(false);
  const refresh = useCallback(async () => {
    try {
      // Asked without a network, the browser would complain.
      if (!navigator.onLine) throw new Failure('offline', 'kiosk_state: no network');
      const serverState = await calls.call<KioskServerState>('kiosk_state', { p_policy: policyId });
      kioskMemory(owner).keepServerState(policyId, serverState);
      setOffline(false);
      setRefused(false);
    } catch (error) {
      if (!(error instanceof Failure || error instanceof ServerRefusal)) throw error;
      const mayNot = error instanceof ServerRefusal && error.code === MAY_NOT;
      if (mayNot) setRefused(true);
      setOffline(!mayNot);
    }
  }, [calls, owner, policyId]);
  useEffect(() => {
    const ask = () => void refresh().catch(reportError);
    ask();
    addEventListener('online', ask);
    addEventListener('offline', ask);
    return () => {
      removeEventListener('online', ask);
      removeEventListener('offline', ask);
    };
  }, [refresh]);
  return { isOffline, isRefused, refresh };
}
