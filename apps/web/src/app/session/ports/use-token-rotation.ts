import { useEffect } from 'react';
import { startRotation } from '@cairn/sync/transport/session-rules.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { platformBridge } from '../../native/platform-bridge.ts';
import { useSessionController } from '../session-context.tsx';

function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

/** In a native wrapper the library's own tick rests in the background; this look every 15 min does not (R4.10). */
export function useTokenRotation(): void {
  const controller = useSessionController();
  const { user } = useSignedIn();
  useEffect(() => {
    if (!platformBridge().isNative) return undefined;
    return startRotation({
      end: async () => (await controller.opened().settings.get('auth_session'))?.tokenEndsAt ?? null,
      renew: async () => (await controller.reach()).renew(),
      now: () => Date.now(),
      after,
    });
  }, [controller, user.id]);
}
