import { useCallback, useEffect, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import type { PublicPlace } from '@cairn/core/issue-reports/public-report.ts';
import { ServerRefusal } from '../../shared/server/server-calls.ts';
import type { OutsideCalls } from '../../shared/server/send-stored.ts';

export type PublicPlaceState =
  | { kind: 'asking' | 'offline' | 'closed' }
  /** Whose code it is, and where it hangs. */
  | { kind: 'open'; place: PublicPlace };

async function ask(token: string, calls: () => Promise<OutsideCalls>): Promise<PublicPlaceState> {
  try {
    const place = await (await calls()).call<PublicPlace | null>('public_report_place', { p_token: token });
    return place ? { kind: 'open', place } : { kind: 'closed' };
  } catch (error) {
    // Without a network the page may lack what it would ask with: no less a reason to let somebody report.
    if (error instanceof ServerRefusal) return { kind: 'closed' };
    if (error instanceof Failure || !navigator.onLine) return { kind: 'offline' };
    throw error;
  }
}

/** What a public code opens, asked again when the network returns. */
export function usePublicPlace(token: string, calls: () => Promise<OutsideCalls>) {
  const [asked, setAsked] = useState<PublicPlaceState>({ kind: 'asking' });
  const [fault, setFault] = useState<unknown>(null);
  if (fault !== null) throw fault;
  const again = useCallback(() => void ask(token, calls).then(setAsked, setFault), [token, calls]);
  useEffect(() => {
    again();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [again]);
  return { asked, again };
}
