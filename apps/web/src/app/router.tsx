import { createRouter } from '@tanstack/react-router';
import { Failure } from '@cairn/base/failure.ts';
import { gatewayRoute, publicRoutes, rootRoute } from './public-routes.ts';
import type { SessionController } from './session/session-controller.ts';
import { Loading } from './shell/loading.tsx';
import { RouteError } from './shell/errors/route-error.tsx';
import type { wholeTree } from './signed-in-routes.ts';

const publicTree = () => rootRoute.addChildren([...publicRoutes, gatewayRoute]);

/**
 * The router with the routes of whoever is signed out. Those of the signed-in screens, most of them, come when an address
 * asks for one, or at once where first-paint.js has seen a signed-in start.
 */
export function createAppRouter(session: SessionController) {
  let growing: Promise<void> | null = null;
  const fetched = async (): Promise<void> => {
    try {
      const routes = await import('./signed-in-routes.ts');
      routes.wholeTree();
      router.setRoutes(router.buildRouteTree());
    } catch (cause) {
      growing = null;
      throw new Failure('offline', 'routes', { cause });
    }
  };
  const grow = (): Promise<void> => (growing ??= fetched());
  const router = createRouter({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it becomes: links are checked against all routes
    routeTree: publicTree() as unknown as ReturnType<typeof wholeTree>,
    context: { session, grow },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
  if ('start' in document.documentElement.dataset) {
    grow().catch(() => undefined);
    import('./routes/signed-in.ts').then(({ readStartAhead }) => readStartAhead(session)).catch(() => undefined);
  }
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
