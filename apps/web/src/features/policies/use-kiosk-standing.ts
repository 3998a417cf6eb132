import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import type { KioskStanding } from '@cairn/core/policies/kiosk.ts';
import { ServerRefusal, useServerCalls } from '../../shared/server-calls.ts';
import { kioskMemory, type KioskMemory } from './kiosk-memory.ts';

/** Asks the server who said something and who has a PIN, and keeps it for when it cannot be asked. */
export function useKioskStanding(owner: string, memory: KioskMemory) {
  const calls = useServerCalls();
  const [isOffline, setOffline] = useState(!navigator.onLine);
  const { organizationId, policyId, placeId } = memory;
  const refresh = useCallback(async () => {
    try {
      // Asked without a network, the browser would complain.
      if (!navigator.onLine) throw new Failure('offline', 'kiosk_standing: no network');
      const standing = await calls.call<KioskStanding>('kiosk_standing', { p_policy: policyId });
      kioskMemory(owner).keep({ organizationId, policyId, placeId, standing });
      setOffline(false);
    } catch (error) {
      if (!(error instanceof Failure || error instanceof ServerRefusal)) throw error;
      setOffline(true);
    }
  }, [calls, owner, organizationId, policyId, placeId]);
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
  return { isOffline, refresh };
}
