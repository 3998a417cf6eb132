import { useMemo } from 'react';
import type { NotePorts } from '../../../features/wellness/use-private-notes.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSessionController } from '../session-context.tsx';

/** The private notes of the signed-in person on this device; the same object until somebody else signs in. */
export function useNotePorts(): NotePorts {
  const controller = useSessionController();
  const { user } = useSignedIn();
  return useMemo(() => {
    const device = controller.opened();
    return {
      owner: user.id,
      notes: () => device.privateNotes(user.id),
      knowsPassword: () => device.dataKeys.has(user.id),
      checkPassword: password => device.dataKeys.open(user.id, password),
    };
  }, [controller, user.id]);
}
