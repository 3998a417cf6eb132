import { lazy, Suspense, useEffect, useRef } from 'react';
import { RouterProvider } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Toaster } from '@cairn/ui/feedback/toaster.tsx';
import type { AppRouter } from './router.tsx';
import type { SessionController } from './session/session-controller.ts';
import { SessionProvider, useSession } from './session/session-context.tsx';
import { ErrorBoundary } from './shell/errors/error-boundary.tsx';
import { Loading } from './shell/loading.tsx';

const startUpOverlay = async () => {
  const { StartUpOverlay, texts } = await import('./native/start-up-overlay.tsx');
  await texts;
  return { default: StartUpOverlay };
};

/** Only a native wrapper, which leaves this name on the page, loads it. */
const StartUpOverlay = 'Capacitor' in globalThis && lazy(startUpOverlay);

type Props = { controller: SessionController; router: AppRouter };

export function App({ controller, router }: Props) {
  const { t } = useTranslation('shell');
  return (
    <ErrorBoundary>
      <SessionProvider controller={controller}>
        <Routes router={router} />
      </SessionProvider>
      {StartUpOverlay && (
        <Suspense fallback={null}>
          <StartUpOverlay controller={controller} />
        </Suspense>
      )}
      <Toaster label={t('notifications')} closeLabel={t('dismiss')} />
    </ErrorBoundary>
  );
}

/** Routes decide by the session, so they wait until the device has said who it remembers (a few milliseconds). */
function Routes({ router }: { router: AppRouter }) {
  const { status } = useSession();
  const loadedFor = useRef<typeof status | null>(null);
  useEffect(() => {
    if (status === 'loading') return;
    // For the first one the router loads by itself, when it is drawn.
    if (loadedFor.current !== null && loadedFor.current !== status) void router.invalidate();
    loadedFor.current = status;
  }, [router, status]);
  return status === 'loading' ? <Loading /> : <RouterProvider router={router} />;
}
