import { lazy, Suspense } from 'react';
import { useSession } from '../../session/session-context.tsx';

const BottomDock = lazy(async () => {
  const { BottomDock: Dock, texts } = await import('./bottom-dock.tsx');
  await texts;
  return { default: Dock };
});

/** The bottom navigation on the screens that stand outside the frame and open signed in or out (R2.17). */
export function NavigationOutside() {
  const { status } = useSession();
  if (status !== 'signed_in') return null;
  return (
    <Suspense fallback={null}>
      <BottomDock />
    </Suspense>
  );
}
