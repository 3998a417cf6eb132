import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyScreen, type RouteModule } from './lazy-screen.ts';
import { RouteError } from './shell/route-error.tsx';
import { Loading } from './shell/loading.tsx';
import { flag, fromSearch, returnAddress, rootSearch, text, type FromSearch } from './route-search.ts';
import type { SessionController } from './session/session-controller.ts';

type RouterContext = { session: SessionController };

const isSignedIn = ({ session }: RouterContext): boolean => session.snapshot().status === 'signed_in';
const home = (context: RouterContext) => redirect({ to: isSignedIn(context) ? '/dashboard' : '/auth', replace: true });

/** What a letter, a sign-in service or an invitation adds to an address, whichever it is. */
const BROUGHT = /[?&](invitation|partner_link)_token=|#(.*&)?(access_token|error_code|message)=/;

/** Where `/` leads: the sign-in, and for a signed-in person the dashboard or, before they saved anything, the first run. */
async function start(context: RouterContext) {
  const state = context.session.snapshot();
  if (state.status !== 'signed_in') return home(context);
  const { firstAddress } = await import('./first-address.ts');
  return redirect({ to: await firstAddress(state.engine), replace: true });
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  validateSearch: rootSearch,
  beforeLoad: ({ search, location }) => {
    const from = location.pathname;
    const brought = BROUGHT.exec(location.href);
    const taker = brought?.[1] ? '/invitation' : '/auth/return';
    if (brought && from !== taker) throw redirect({ href: location.href.replace(/^[^?#]*/, taker), replace: true });
    if (search.debug && from !== '/debug') throw redirect({ to: '/debug', search: { from }, replace: true });
    if (search.minimal && from !== '/minimal') throw redirect({ to: '/minimal', replace: true });
  },
});

/** For whoever is signed out (R2.01); others go on to where they wanted. */
const signedOutOnly = async ({ context, search }: { context: RouterContext; search: FromSearch }) => {
  if (!isSignedIn(context)) return;
  // Checked here again: the router hands on what it could not validate.
  const from = returnAddress(search.from);
  if (from !== undefined) throw redirect({ href: from, replace: true });
  throw await start(context);
};

const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  validateSearch: fromSearch,
  beforeLoad: signedOutOnly,
  component: lazyScreen(() => import('./routes/auth.tsx'), 'AuthRoute'),
});

/** The other ways in: sign-up, code, recovery, second step. */
const authStepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/$step',
  validateSearch: fromSearch,
  beforeLoad: signedOutOnly,
  component: lazyScreen(() => import('./routes/auth-step.tsx'), 'AuthStepRoute'),
});

const authReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/return',
  validateSearch: fromSearch,
  component: lazyScreen(() => import('./routes/auth-return.tsx'), 'AuthReturnRoute'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyScreen(() => import('./routes/invitation.tsx'), 'InvitationRoute'),
});

const loadSignedIn = () => import('./routes/signed-in.ts');

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
  component: lazyScreen(loadSignedIn, 'SignedInLayout'),
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    throw await start(context);
  },
});

/** The last part of an address that names a file: no screen has one, so it was a picture, a paper, a shared file. */
const FILE = /\.[^/]*$/;

/** Any address no other route has (R2.13): a file is told to be gone (R2.22), everything else leads home. */
const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ context, location }) => {
    if (!FILE.test(location.pathname)) throw home(context);
  },
  component: lazyScreen(() => import('./routes/not-found.tsx'), 'NotFoundRoute'),
});

const debugRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/debug',
  /** `from`: the screen that was open when the diagnostics were asked for. */
  validateSearch: fromSearch,
  component: lazyScreen(() => import('./routes/debug.tsx'), 'DebugRoute'),
});

const minimalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/minimal',
  component: lazyScreen(() => import('./routes/minimal.tsx'), 'MinimalRoute'),
});

/** Addresses of an older wrapper (R2.05, R2.06). */
const mobileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mobile/$',
  beforeLoad: ({ params }) => {
    const { _splat: rest } = params;
    throw redirect({ to: rest === 'debug' || rest === 'minimal' ? `/${rest}` : '/dashboard', replace: true });
  },
});

const inspectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field/$inspectionId',
  /** `start`: whoever follows the link wants a planned inspection begun, not shown. */
  validateSearch: flag('start'),
  staticData: { immersive: true },
  component: lazyScreen(() => import('./routes/inspection.tsx'), 'InspectionRoute'),
});

const fieldRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field',
  /** `start`: opens the choice of a form at once. */
  validateSearch: flag('start'),
  component: lazyScreen(() => import('./routes/field.tsx'), 'FieldRoute'),
});

const actionItemsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/action-items',
  /** `new`: opens an empty action item at once. */
  validateSearch: flag('new'),
  component: lazyScreen(() => import('./routes/action-items.tsx'), 'ActionItemsRoute'),
});

const loadForms = () => import('./routes/forms.tsx');
const loadOnSite = () => import('./routes/on-site.tsx');

const assetsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/assets',
  /** `code`: opens an empty asset at once, with the code a scan read. */
  validateSearch: text('code'),
  component: lazyScreen(loadOnSite, 'AssetsRoute'),
});

const newReportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field/reports/new',
  /** `asset`: what it is about, by id. */
  validateSearch: text('asset'),
  component: lazyScreen(loadOnSite, 'NewReportRoute'),
});

/** A report by a public code; with `status` in its place, what became of one without a name. For anybody. */
const publicReportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/report/$token',
  component: lazyScreen(() => import('./routes/public-report.tsx'), 'PublicReportRoute'),
});

const searchRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/search',
  validateSearch: text('q'),
  component: lazyScreen(() => import('./routes/search.tsx'), 'SearchRoute'),
});

/** Where photos and files shared from another app arrive (pwa/receive-share.ts). */
const shareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/share',
  validateSearch: text('problem'),
  component: lazyScreen(() => import('./routes/share.tsx'), 'ShareRoute'),
});

/** The first run. `step`: the one whoever follows a link wants to see. */
const welcomeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/welcome',
  validateSearch: text('step'),
  component: lazyScreen(() => import('./routes/welcome.tsx'), 'WelcomeRoute'),
});

const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/notifications',
  validateSearch: (search): { view?: 'settings' } => (search['view'] === 'settings' ? { view: 'settings' } : {}),
  component: lazyScreen(() => import('./routes/notifications.tsx'), 'NotificationsRoute'),
});

/** A protected screen without search parameters of its own. */
const screen = <const Path extends string, Module extends RouteModule, Name extends keyof Module>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
) => createRoute({ getParentRoute: () => signedInRoute, path, component: lazyScreen(load, name) });

// A new screen: a file in routes/ that exports `<Name>Route`, and a line in this list. Where the module table of core
// (`spaces/modules.ts`) names its path, it stands in the navigation from then on, with its label, tab title and place
// in the command palette.
const routeTree = rootRoute.addChildren([
  indexRoute,
  authRoute,
  authStepRoute,
  authReturnRoute,
  invitationRoute,
  debugRoute,
  minimalRoute,
  mobileRoute,
  publicReportRoute,
  signedInRoute.addChildren([
    screen('/dashboard', loadSignedIn, 'DashboardRoute'),
    screen('/tasks', () => import('./routes/tasks.tsx'), 'TasksRoute'),
    screen('/profile', () => import('./routes/profile.tsx'), 'ProfileRoute'),
    fieldRoute,
    screen('/field/forms', loadForms, 'FormsRoute'),
    screen('/field/forms/$formId/edit', loadForms, 'FormBuilderRoute'),
    screen('/field/schedules', () => import('./routes/schedules.tsx'), 'SchedulesRoute'),
    screen('/field/reviews', () => import('./routes/reviews.tsx'), 'ReviewsRoute'),
    inspectionRoute,
    actionItemsRoute,
    screen('/action-items/$actionId', () => import('./routes/action-item.tsx'), 'ActionItemRoute'),
    assetsRoute,
    screen('/assets/$assetId', loadOnSite, 'AssetRoute'),
    screen('/field/scan', loadOnSite, 'ScanRoute'),
    screen('/field/reports', loadOnSite, 'ReportsRoute'),
    newReportRoute,
    screen('/field/reports/codes', loadOnSite, 'ReportCodesRoute'),
    screen('/field/reports/$reportId', loadOnSite, 'ReportRoute'),
    screen('/members', () => import('./routes/members.tsx'), 'MembersRoute'),
    screen('/organization', () => import('./routes/organization.tsx'), 'OrganizationRoute'),
    screen('/playbooks', () => import('./routes/playbooks.tsx'), 'PlaybooksRoute'),
    screen('/plan', () => import('./routes/plan.tsx'), 'PlanRoute'),
    screen('/support', () => import('./routes/support.tsx'), 'SupportRoute'),
    screen('/sync', () => import('./routes/sync.tsx'), 'SyncRoute'),
    screen('/security', () => import('./routes/security.tsx'), 'SecurityRoute'),
    screen('/settings', () => import('./routes/settings.tsx'), 'SettingsRoute'),
    notificationsRoute,
    welcomeRoute,
    shareRoute,
    searchRoute,
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
