import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyScreen } from './lazy-screen.ts';
import { RouteError } from './shell/route-error.tsx';
import { Loading } from './shell/loading.tsx';
import type { SessionController } from './session/session-controller.ts';

type RouterContext = { session: SessionController };

const isSignedIn = ({ session }: RouterContext): boolean => session.snapshot().status === 'signed_in';
const home = (context: RouterContext) => redirect({ to: isSignedIn(context) ? '/dashboard' : '/auth', replace: true });

/** Where `/` leads: the sign-in, and for a signed-in person the dashboard or, before they saved anything, the first run. */
async function start(context: RouterContext) {
  const state = context.session.snapshot();
  if (state.status !== 'signed_in') return home(context);
  const { firstAddress } = await import('./first-address.ts');
  return redirect({ to: await firstAddress(state.engine), replace: true });
}

const rootRoute = createRootRouteWithContext<RouterContext>()({});

/** Only addresses of this app may be returned to after sign-in. */
function returnAddress(from: unknown): string | undefined {
  return typeof from === 'string' && /^\/(?!\/)[^\\]*$/.test(from) && !from.startsWith('/auth') ? from : undefined;
}

const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  validateSearch: (search): { from?: string } => {
    const from = returnAddress(search['from']);
    return from === undefined ? {} : { from };
  },
  beforeLoad: async ({ context, search }) => {
    if (!isSignedIn(context)) return;
    // Checked here again: the router hands on what it could not validate.
    const from = returnAddress(search.from);
    if (from !== undefined) throw redirect({ href: from, replace: true });
    throw await start(context);
  },
  component: lazyScreen(() => import('./routes/auth.tsx'), 'AuthRoute'),
});

/** Everything that asks for a signed-in person (R2.14): the address is kept through sign-in. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ context, location }) => {
    if (isSignedIn(context)) return;
    const state = context.session.snapshot();
    // Whoever left on purpose is not led back; somebody else may sign in next.
    const hasLeft = state.status === 'signed_out' && state.reason === 'left';
    const from = hasLeft ? undefined : returnAddress(location.href);
    throw redirect({ to: '/auth', search: from && from !== '/dashboard' ? { from } : {}, replace: true });
  },
  component: lazyScreen(() => import('./shell/signed-in-layout.tsx'), 'SignedInLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    throw await start(context);
  },
});

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ context }) => {
    throw home(context);
  },
});

const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  component: lazyScreen(() => import('./routes/dashboard.tsx'), 'DashboardRoute'),
});

const tasksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/tasks',
  component: lazyScreen(() => import('./routes/tasks.tsx'), 'TasksRoute'),
});

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyScreen(() => import('./routes/profile.tsx'), 'ProfileRoute'),
});

const fieldRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field',
  component: lazyScreen(() => import('./routes/field.tsx'), 'FieldRoute'),
});

const formsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field/forms',
  component: lazyScreen(() => import('./routes/forms.tsx'), 'FormsRoute'),
});

const inspectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field/$inspectionId',
  /** `start`: whoever follows the link wants a planned inspection begun, not shown. */
  validateSearch: (search): { start?: true } => (search['start'] === true ? { start: true } : {}),
  staticData: { immersive: true },
  component: lazyScreen(() => import('./routes/inspection.tsx'), 'InspectionRoute'),
});

const actionItemsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/action-items',
  component: lazyScreen(() => import('./routes/action-items.tsx'), 'ActionItemsRoute'),
});

const actionItemRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/action-items/$actionId',
  component: lazyScreen(() => import('./routes/action-item.tsx'), 'ActionItemRoute'),
});

/** The first run. `step`: the one whoever follows a link wants to see. */
const welcomeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/welcome',
  validateSearch: (search): { step?: string } => (typeof search['step'] === 'string' ? { step: search['step'] } : {}),
  component: lazyScreen(() => import('./routes/welcome.tsx'), 'WelcomeRoute'),
});

const syncRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sync',
  component: lazyScreen(() => import('./routes/sync.tsx'), 'SyncRoute'),
});

// A new screen: a file in routes/ that exports `<Name>Route`, a route like the ones above, an entry in this list, and,
// when it belongs in the navigation, one in shell/areas.ts.
const routeTree = rootRoute.addChildren([
  indexRoute,
  authRoute,
  signedInRoute.addChildren([
    dashboardRoute,
    tasksRoute,
    fieldRoute,
    formsRoute,
    inspectionRoute,
    actionItemsRoute,
    actionItemRoute,
    syncRoute,
    welcomeRoute,
    profileRoute,
  ]),
  unknownRoute,
]);

export function createAppRouter(session: SessionController) {
  return createRouter({
    routeTree,
    context: { session },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
