import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { holdPendingLink } from './session/auth/pending-link.ts';
import { lazyScreen, type RouteModule } from './lazy-screen.ts';
import { fromSearch, returnAddress, rootSearch, type FromSearch } from './route-search.ts';
import type { SessionController } from './session/session-controller.ts';

export type RouterContext = {
  session: SessionController;
  /** Fetches the routes of the signed-in screens and adds them to the router. @throws {Failure} `offline` */
  grow: () => Promise<void>;
};

export const isSignedIn = ({ session }: RouterContext): boolean => session.snapshot().status === 'signed_in';
/** Where every address leads that no screen has. */
export const homeAddress = (context: RouterContext) =>
  redirect({ to: isSignedIn(context) ? '/dashboard' : '/auth', replace: true });

/** What an invitation adds to an address, whichever it is. */
const INVITED = /[?&](invitation|partner_link)_token=/;

/** Where `/` leads: the sign-in, and for a signed-in person the dashboard or, before they saved anything, the first run. */
async function start(context: RouterContext) {
  const state = context.session.snapshot();
  if (state.status !== 'signed_in') return homeAddress(context);
  // Taken apart here, the bundler would take it apart once more: bytes of the sign-in page.
  const first = await import('./first-address.ts');
  return redirect({ to: await first.firstAddress(state.engine), replace: true });
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  validateSearch: rootSearch,
  beforeLoad: ({ search, location }) => {
    const from = location.pathname;
    // A link that was opened in a page that is here already.
    if (holdPendingLink()) throw redirect({ href: window.location.pathname + window.location.search, replace: true });
    if (INVITED.test(location.href) && from !== '/invitation')
      throw redirect({ href: location.href.replace(/^[^?#]*/, '/invitation'), replace: true });
    if (search.debug && from !== '/debug') throw redirect({ to: '/debug', search: { from }, replace: true });
    if (search.minimal && from !== '/minimal') throw redirect({ to: '/minimal', replace: true });
  },
});

/** For whoever is signed out (R2.01); who signed in here goes on to where they wanted, others to the dashboard. */
const signedOutOnly = async ({
  context,
  search,
  cause,
}: {
  context: RouterContext;
  search: FromSearch;
  cause: string;
}) => {
  if (!isSignedIn(context)) return;
  // Checked here again: the router hands on what it could not validate.
  const from = returnAddress(search.from);
  if (from !== undefined) throw redirect({ href: from, replace: true });
  throw cause === 'stay' ? await start(context) : homeAddress(context);
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

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    throw await start(context);
  },
});

/** Addresses of an older wrapper (R2.05, R2.06). */
const mobileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mobile/$',
  beforeLoad: ({ params: { _splat: rest } }) => {
    throw redirect({ to: rest === 'debug' || rest === 'minimal' ? `/${rest}` : '/dashboard', replace: true });
  },
});

/** A screen for anybody; some are told where one came from, and may lead back. */
const open = <const Path extends string, Module extends RouteModule, Name extends keyof Module>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
) =>
  createRoute({ getParentRoute: () => rootRoute, path, validateSearch: fromSearch, component: lazyScreen(load, name) });

/** The routes whoever is signed out has: a page of theirs carries these and no others. */
export const publicRoutes = [
  indexRoute,
  authRoute,
  authStepRoute,
  open('/auth/return', () => import('./routes/auth-return.tsx'), 'AuthReturnRoute'),
  open('/invitation', () => import('./routes/invitation.tsx'), 'InvitationRoute'),
  // `from`: the screen that was open when the diagnostics were asked for.
  open('/debug', () => import('./routes/debug.tsx'), 'DebugRoute'),
  open('/minimal', () => import('./routes/minimal.tsx'), 'MinimalRoute'),
  mobileRoute,
  // A report by a public code; with `status` in its place, what became of one without a name.
  open('/report/$token', () => import('./routes/public-report.tsx'), 'PublicReportRoute'),
  // What a certificate is compared with, by its code.
  open('/verify/$code', () => import('./routes/verify.tsx'), 'VerifyRoute'),
  // One action item, for somebody outside the organisation, by a secret link.
  open('/guest/$token', () => import('./routes/guest.tsx'), 'GuestRoute'),
] as const;

/** Every other address, until the routes of the signed-in screens are here: then it is asked for again. */
export const gatewayRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: async ({ context, location }) => {
    // The frame comes beside its routes, not after them.
    if (isSignedIn(context)) void import('./routes/signed-in.ts').catch(() => undefined);
    await context.grow();
    throw redirect({ href: location.href, replace: true });
  },
});
