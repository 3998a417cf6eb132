import { useMemo } from 'react';
import { useRouter } from '@tanstack/react-router';
import { storedSessionStatus } from '@cairn/sync/transport/session-rules.ts';
import type { LockPorts } from '../../../features/lock/lock-ports.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { platformBridge } from '../../native/platform-bridge.ts';
import { pendingWork } from '../pending-work.ts';
import { useSessionController } from '../session-context.tsx';

/** The session and the machine as the lock needs them. */
export function useLockPorts(): LockPorts {
  const controller = useSessionController();
  const { user, verified } = useSignedIn();
  const router = useRouter();
  return useMemo(() => {
    const device = controller.opened();
    return {
      owner: user.id,
      email: user.email,
      verified,
      async sessionStatus() {
        const [stored, person] = await Promise.all([
          device.settings.get('auth_session'),
          device.settings.get('current_user'),
        ]);
        return stored && person ? storedSessionStatus(stored.expiresAt, Date.now()) : null;
      },
      hasKey: () => device.dataKeys.has(user.id),
      open: password => device.dataKeys.open(user.id, password),
      native: async () => (await import('../../native/native-abilities.ts')).nativeAbilities(platformBridge()),
      async pendingCount() {
        const { records, files } = await pendingWork(controller);
        return records + files;
      },
      async signInAgain() {
        if (!navigator.onLine) throw new Error('nobody can sign in without a network');
        await controller.reach();
        await controller.signOut();
        await router.navigate({ to: '/auth', replace: true });
      },
    };
  }, [controller, router, user.email, user.id, verified]);
}
