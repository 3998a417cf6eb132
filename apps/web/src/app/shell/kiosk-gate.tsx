import { lazy, Suspense, type ReactNode } from 'react';
import { useKioskMemory } from '../../features/policies/kiosk/kiosk-memory.ts';
import { useSignedIn } from '../../shared/session/session.ts';

const Kiosk = lazy(async () => {
  const { KioskRoute, texts } = await import('../routes/kiosk.tsx');
  await texts;
  return { default: KioskRoute };
});

/** While a kiosk is on there is nothing else of the app, whatever the address says; a reload and a second tab change nothing. */
export function KioskGate({ whileFetched, children }: { whileFetched: ReactNode; children: ReactNode }) {
  const { user } = useSignedIn();
  const memory = useKioskMemory(user.id);
  if (!memory) return children;
  return (
    <Suspense fallback={whileFetched}>
      <Kiosk owner={user.id} memory={memory} />
    </Suspense>
  );
}
