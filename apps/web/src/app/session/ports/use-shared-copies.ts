import { useCallback } from 'react';
import type { SharedCopies } from '@cairn/sync/files/shared-copies.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSessionController } from '../session-context.tsx';

/** Opens what others let the signed-in person see, as this device keeps it; the same function until somebody else signs in. */
export function useSharedCopies(): () => Promise<SharedCopies> {
  const controller = useSessionController();
  const { user } = useSignedIn();
  return useCallback(() => controller.opened().sharedCopies(user.id), [controller, user.id]);
}
