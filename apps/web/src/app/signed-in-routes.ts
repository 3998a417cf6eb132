import { createRoute, redirect, type StaticDataRouteOption } from '@tanstack/react-router';
import { lazyScreen, type RouteModule } from './lazy-screen.ts';
import { homeAddress, isSignedIn, publicRoutes, rootRoute } from './public-routes.ts';
import { flag, returnAddress, text } from './route-search.ts';
import { FrameError } from './shell/errors/frame-error.tsx';

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
  errorComponent: FrameError,
});

/** The last part of an address that names a file: no screen has one, so it was a picture, a paper, a shared file. */
const FILE = /\.[^/]*$/;

/** Any address no other route has (R2.13): a file is told to be gone (R2.22), everything else leads home. */
const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ context, location }) => {
    if (!FILE.test(location.pathname)) throw homeAddress(context);
  },
  component: lazyScreen(() => import('./routes/not-found.tsx'), 'NotFoundRoute'),
});

const inspectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/field/$inspectionId',
  /** `start`: whoever follows the link wants a planned inspection begun, not shown. */
  validateSearch: flag('start'),
  staticData: { immersive: true },
  component: lazyScreen(() => import('./routes/inspection.tsx'), 'InspectionRoute'),
});

const loadForms = () => import('./routes/forms.tsx');
const loadOnSite = () => import('./routes/on-site.tsx');

const loadProfile = () => import('./routes/profile.tsx');
const loadTasks = () => import('./routes/tasks.tsx');
const loadGrowth = () => import('./routes/growth.tsx');
const loadSecurity = () => import('./routes/security.tsx');
const loadControls = () => import('./routes/controls.tsx');
const loadEvidence = () => import('./routes/evidence.tsx');
const loadFindings = () => import('./routes/findings.tsx');
const loadMarketplace = () => import('./routes/marketplace.tsx');
const loadRates = () => import('./routes/rates.tsx');
const loadPolicies = () => import('./routes/policies.tsx');
const loadWorkflows = () => import('./routes/workflows.tsx');

const notificationsView = ({ view }: Record<string, unknown>): { view?: 'settings' } =>
  view === 'settings' ? { view } : {};

/** A protected screen without search parameters of its own; `record`: what it shows, where it belongs to one world alone. */
const screen = <const Path extends string, Module extends RouteModule, Name extends keyof Module>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
  record?: StaticDataRouteOption['record'],
) =>
  createRoute({
    getParentRoute: () => signedInRoute,
    path,
    staticData: record ? { record } : {},
    component: lazyScreen(load, name),
  });

const PACK = { table: 'policy_packs' } as const;

/** A protected screen with search parameters of its own. */
const asked = <const Path extends string, Search extends object, Module extends RouteModule, Name extends keyof Module>(
  path: Path,
  validateSearch: (search: Record<string, unknown>) => Search,
  load: () => Promise<Module>,
  name: Name,
) => createRoute({ getParentRoute: () => signedInRoute, path, validateSearch, component: lazyScreen(load, name) });

const loadNotBuilt = () => import('./routes/not-built.tsx');

/** An area that is not built yet: its address says so, and the navigation leaves it out. */
const notBuilt = <const Path extends string>(path: Path) =>
  createRoute({
    getParentRoute: () => signedInRoute,
    path,
    staticData: { notBuilt: true },
    component: lazyScreen(loadNotBuilt, 'NotBuiltRoute'),
  });

/** A module whose screen has an address of another name. */
const alias = <const Path extends string>(path: Path, to: '/assets' | '/settings') =>
  createRoute({
    getParentRoute: () => signedInRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  });

// A new screen: a file in routes/ that exports `<Name>Route`, and a line in this list. Where the module table of core
// (`spaces/modules.ts`) names its path, it stands in the navigation from then on, with its label, tab title and place
// in the command palette.
const screens = signedInRoute.addChildren([
  screen('/dashboard', loadSignedIn, 'DashboardRoute'),
  // `new`: the line that makes a task has the keyboard at once.
  asked('/tasks', search => ({ ...text('view')(search), ...flag('new')(search) }), loadTasks, 'TasksRoute'),
  screen('/tasks/$taskId', loadTasks, 'TaskRoute'),
  screen('/profile', loadProfile, 'ProfileRoute'),
  screen('/profile/$personId', loadProfile, 'PersonProfileRoute'),
  // `start`: opens the choice of a form at once.
  asked('/field', flag('start'), () => import('./routes/field.tsx'), 'FieldRoute'),
  screen('/field/forms', loadForms, 'FormsRoute'),
  screen('/field/forms/$formId/edit', loadForms, 'FormBuilderRoute'),
  screen('/field/schedules', () => import('./routes/schedules.tsx'), 'SchedulesRoute'),
  screen('/field/reviews', () => import('./routes/reviews.tsx'), 'ReviewsRoute'),
  inspectionRoute,
  // `new`: opens an empty action item at once.
  asked('/action-items', flag('new'), loadTasks, 'ActionItemsRoute'),
  screen('/action-items/$actionId', loadTasks, 'ActionItemRoute'),
  // `scanned`: opens an empty asset at once, with the code a scan read. (`code` is what a sign-in service brings.)
  asked('/assets', text('scanned'), loadOnSite, 'AssetsRoute'),
  screen('/assets/$assetId', loadOnSite, 'AssetRoute', { table: 'assets' }),
  screen('/field/scan', loadOnSite, 'ScanRoute'),
  screen('/field/reports', loadOnSite, 'ReportsRoute'),
  // `asset`: what it is about, by id.
  asked('/field/reports/new', text('asset'), loadOnSite, 'NewReportRoute'),
  screen('/field/reports/codes', loadOnSite, 'ReportCodesRoute'),
  screen('/field/reports/$reportId', loadOnSite, 'ReportRoute'),
  // `continue`: takes up the check-in that was begun on the dashboard.
  asked('/wellness', flag('continue'), loadGrowth, 'WellnessRoute'),
  screen('/support-circle', loadGrowth, 'CircleRoute'),
  // `token`: the invitation of a link.
  asked('/support-circle/join', text('token'), loadGrowth, 'JoinCircleRoute'),
  screen('/support-circle/$relationshipId', loadGrowth, 'PersonRoute'),
  screen('/wellness/organisation', loadGrowth, 'EmployerRoute'),
  screen('/wellness/habits', loadGrowth, 'HabitsRoute'),
  screen('/wellness/habits/$habitId', loadGrowth, 'HabitRoute'),
  screen('/insights', loadGrowth, 'InsightsRoute'),
  screen('/triad-intelligence', loadGrowth, 'TriadRoute'),
  screen('/goals', loadGrowth, 'GoalRoute'),
  screen('/goals/$goalId', loadGrowth, 'GoalRoute', { table: 'goals' }),
  screen('/workflows', loadWorkflows, 'WorkflowsRoute'),
  screen('/workflows/deputies', loadWorkflows, 'DeputiesRoute'),
  // `template`: the ready rule it begins as.
  asked('/workflows/new', text('template'), loadWorkflows, 'NewRuleRoute'),
  screen('/workflows/runs/$runId', loadWorkflows, 'WorkflowRunRoute', { table: 'approval_requests', by: 'subject' }),
  screen('/workflows/$ruleId', loadWorkflows, 'RuleRoute', { table: 'workflow_rules' }),
  // `view`: which of them is open first.
  asked('/policies', text('view'), loadPolicies, 'PoliciesRoute'),
  screen('/policies/rates', loadRates, 'RatesRoute'),
  screen('/policies/kiosk', () => import('./routes/kiosk.tsx'), 'KioskStartRoute'),
  screen('/policies/frameworks', loadControls, 'FrameworksRoute'),
  screen('/policies/frameworks/$frameworkId', loadControls, 'FrameworkRoute'),
  screen('/policies/controls/$controlId', loadControls, 'ControlRoute'),
  // `new`: opens a sheet to add a piece at once.
  asked('/policies/evidence', flag('new'), loadEvidence, 'EvidenceListRoute'),
  screen('/policies/evidence/$evidenceId', loadEvidence, 'EvidenceRoute'),
  screen('/policies/findings', loadFindings, 'AuditorRoute'),
  screen('/policies/findings/$findingId', loadFindings, 'FindingRoute'),
  screen('/policies/$policyId', loadPolicies, 'PolicyRoute'),
  screen('/policies/$policyId/versions/$versionId', loadPolicies, 'PolicyVersionRoute'),
  screen('/policies/$policyId/edit', loadPolicies, 'PolicyEditRoute'),
  screen('/policies/$policyId/report', loadPolicies, 'PolicyReportRoute'),
  screen('/policy-marketplace', loadMarketplace, 'MarketplaceRoute'),
  screen('/policy-marketplace/$packId', loadMarketplace, 'PackRoute', PACK),
  screen('/policy-marketplace/$packId/update', loadMarketplace, 'PackUpdateRoute', PACK),
  screen('/policy-marketplace/$packId/edit', loadMarketplace, 'PackWriteRoute', PACK),
  // `member`: whose sheet is open at once, by the id of the person.
  asked('/members', text('member'), () => import('./routes/members.tsx'), 'MembersRoute'),
  screen('/organization', () => import('./routes/organization.tsx'), 'OrganizationRoute'),
  screen('/playbooks', () => import('./routes/playbooks.tsx'), 'PlaybooksRoute'),
  screen('/plan', () => import('./routes/plan.tsx'), 'PlanRoute'),
  screen('/support', () => import('./routes/support.tsx'), 'SupportRoute'),
  screen('/sync', () => import('./routes/sync.tsx'), 'SyncRoute'),
  screen('/security', loadSecurity, 'SecurityRoute'),
  screen('/security/audit', loadSecurity, 'AuditRoute'),
  screen('/settings', () => import('./routes/settings.tsx'), 'SettingsRoute'),
  asked('/notifications', notificationsView, () => import('./routes/notifications.tsx'), 'NotificationsRoute'),
  // The first run. `step`: the one whoever follows a link wants to see.
  asked('/welcome', text('step'), () => import('./routes/welcome.tsx'), 'WelcomeRoute'),
  // Where photos and files shared from another app arrive (pwa/receive-share.ts).
  asked('/share', text('problem'), () => import('./routes/share.tsx'), 'ShareRoute'),
  asked('/search', text('q'), () => import('./routes/search.tsx'), 'SearchRoute'),
  alias('/asset-management', '/assets'),
  alias('/user-preferences', '/settings'),
  notBuilt('/learning'),
  notBuilt('/learning-hub'),
  notBuilt('/lms'),
  notBuilt('/ai'),
  notBuilt('/analytics'),
  notBuilt('/collaboration'),
  notBuilt('/contracts'),
  notBuilt('/logistics'),
]);

/** Every route there is. Hung up anew each time: the root has other children before. */
export const wholeTree = () => rootRoute.addChildren([...publicRoutes, screens, unknownRoute]);
