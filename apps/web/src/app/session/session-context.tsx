import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import type { SessionController } from './session-controller.ts';
import type { SessionState } from './device/session-state.ts';

const ControllerContext = createContext<SessionController | null>(null);

export function useSessionController(): SessionController {
  const controller = useContext(ControllerContext);
  if (!controller) throw new Error('useSessionController outside <SessionProvider>');
  return controller;
}

export function useSession(): SessionState {
  const controller = useSessionController();
  return useSyncExternalStore(controller.subscribe, controller.snapshot);
}

/** Hands the session, and the signed-in person's store, to everything inside. */
export function SessionProvider({ controller, children }: { controller: SessionController; children: ReactNode }) {
  const state = useSyncExternalStore(controller.subscribe, controller.snapshot);
  const signedIn = useMemo(
    () => (state.status === 'signed_in' ? { user: state.user, engine: state.engine, verified: state.verified } : null),
    [state],
  );
  return (
    <ControllerContext.Provider value={controller}>
      <SignedInContext.Provider value={signedIn}>
        <StoreContext.Provider value={signedIn?.engine.store ?? null}>{children}</StoreContext.Provider>
      </SignedInContext.Provider>
    </ControllerContext.Provider>
  );
}
