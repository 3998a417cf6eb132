import { useEffect, useState } from 'react';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { useSignedIn } from '../session/session.ts';

/** The engine's figures, now and on each change; null in the moment before the first one. */
export function useSyncStatus(): SyncStatus | null {
  const { engine } = useSignedIn();
  const [status, setStatus] = useState<SyncStatus | null>(null);
  useEffect(() => engine.watchStatus(setStatus), [engine]);
  return status;
}
