/** What the first paint of every page needs: the libraries of the frame, and our own few modules around them. */
const FRAME = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|@tanstack/(react-router|router-core|history|store|react-store)|i18next|react-i18next|use-sync-external-store)/',
    'node_modules/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared)',
    'node_modules/lucide-react/dist/esm/icons/(eye|eye-off|info|circle-check|triangle-alert)\\.',
    'node_modules/lucide-react/dist/esm/icons/triangle-exclamation',
    'apps/web/src/(app/session/(device/)?session-[cs]|shared/(page/use-idle|app-state/(app-state\\.ts|appearance)|session/session\\.|i18n/(start-i18n|languages|en/(shell-first|failure|auth\\.))))',
    'apps/web/src/features/auth/(auth-frame|sign-in-art)',
    'packages/ui/src/(controls/(button|icon|field)|feedback/(stone|toast|toaster|empty-state|banner))\\.tsx?$',
    'apps/web/src/app/(public-routes|lazy-screen|route-search|shell/(loading|errors/(error-boundary|error-screen|route-error)))',
    'packages/(base/src/failure|sync/src/store-context)\\.ts$',
  ].join('|'),
);

/**
 * This device's database and the engine over it: opened on every page, so it must not draw the shell in. With it what looks
 * words up and keeps the app state: also for what comes late on the sign-in page. What the engine itself asks for late (rescue
 * files, sealed outbox, private notes) stays out.
 */
const DEVICE = new RegExp(
  [
    'node_modules/(idb|uuid)/',
    'apps/web/src/app/session/(device-parts|own-session|client/(gated-backend|open-gate|config))',
    'packages/base/src/(clock|id)\\.ts$',
    'packages/schema/src/',
    'packages/sync/src/(?!(?:\\w+/)?(?:supabase-backend|use-live|store-context|shared-files|request-persistence|young-tokens|rescue|sealed-outbox|(?:sealed-)?snapshot|large-files|private-notes))',
    'apps/web/src/shared/(app-state/app-state-store|errors/(error-text|recent-errors|report-error)|analytics/used-feature|i18n/(load-texts|language-names))',
    'packages/core/src/app-state/',
    'packages/base/src/friendly-error',
    'packages/ui/src/controls/text-link',
  ].join('|'),
);

/**
 * The frame around every screen of a signed-in person, and the dashboard, which opens first: one file, because the first
 * page names each file of it.
 */
const SHELL = new RegExp(
  [
    'apps/web/src/features/dashboard/(?!customise|widget-order|compliance-chart)',
    'apps/web/src/features/welcome/(journey-card|growth-card|use-first-run|welcome\\.css)',
    'packages/core/src/dashboard/',
    'packages/sync/src/use-live\\.ts$',
    'apps/web/src/app/routes/(signed-in|dashboard|read-ahead)\\.',
    'apps/web/src/app/shell/(signed-in-layout|use-|navigation/(bottom-dock|navigation(?!-outside)|side-link|sidebar-groups|module-|use-|switcher-button|notification-bell|command-key)|sync-state/(sync-|use-)|leave/(use-|sign-out-button)|not-found/(no-space|not-in-playbook))',
    'apps/web/src/app/(space/|query-client|commands/(use-commands|use-command-list|use-shortcuts|use-place|use-setting|key-sequence))',
    'apps/web/src/shared/(format/(format|use-now)|session/(space|preferences)|sync/use-sync-status|errors/use-action)',
    'packages/core/src/(spaces|preferences|assets/service-status|onboarding/(first-run|queries)|goals/growth-areas|analytics/|today/|action-items/|inspections/inspection-rows|forms/answers/answers\\.)',
    'packages/ui/src/(images/avatar|data/kbd|layout/(tile|surface)|controls/choice|overlays/dialog|feedback/(progress|skeleton|pill|sync-badge|badge|state-block))\\.tsx?$',
    // The key stands on the sign-in page too, the list's arrow on pages for visitors.
    'node_modules/lucide-react/dist/esm/icons/(?!key-round|chevron-down)',
  ].join('|'),
);

/** What pages for somebody who is not signed in share with each other and with screens: they must not draw in the parts of these. */
const OUTSIDE = new RegExp(
  [
    'packages/base/src/',
    'packages/core/src/(issue-reports/|media/|offline/|policies/certificate-code|guests/)',
    'packages/ui/src/(controls/(password-input|pick-tile|select\\.|textarea)|data/facts)',
    'node_modules/lucide-react/dist/esm/icons/chevron-down\\.',
    'apps/web/src/features/(auth/|guests/|issue-reports/|policies/acknowledge/verify)',
    'apps/web/src/app/session/',
    'apps/web/src/shared/(auth/(auth-flows|use-auth-call|provider-name|refusal-banner|token-claims)|server/(visitor-store|use-sending|server-calls)|media/(captured-photo|picture-facts|photo-wishes))',
    'node_modules/@noble/hashes/',
  ].join('|'),
);

/** What comes after the dashboard's first picture (reminders, the cards of the personal half): it must not draw them in either. */
const DASHBOARD_PARTS = new RegExp(
  [
    'packages/core/src/(habits/(habit-days|queries|strength|save-habit)|support-circle/(grants|queries|shared-view|visibility)|goals/(goal|momentum|progress|queries)|tasks/queries)\\.',
    'packages/core/src/(notifications/|wellness/(queries|wellness-settings|check-in|note-keys))',
    'packages/ui/src/(data/day-dots|controls/(mood-stones|number-input|parse-number)|overlays/return-focus)',
    'apps/web/src/features/notifications/(browser-push|hours|notification-row|use-incoming-notifications|use-reminders)',
    'apps/web/src/features/(goals/(goal-face|goal-labels|momentum-dots|use-goals-at)|wellness/(level-choice|quiet-offer|use-check-in|use-todays-check-in|wellness-labels)|habits/(amount-sheet|habit-row|use-say-day|use-week-of))',
    'apps/web/src/shared/(format/use-today|errors/(failure-line|failure-text)|server/push-server)',
  ].join('|'),
);

/** What many screens are made of: one file for all of them, because a screen of sixty files waits for each. */
const PARTS = new RegExp(
  [
    // What compiles a form draws in the engine for patterns, which only screens of forms need.
    'packages/core/src/(?!forms/(expression/expression|definition/compiled-form|draft/form-(draft|problems)))',
    'packages/ui/src/',
    'apps/web/src/(shared/(?!i18n)|features/(?!field-ops/inspections/compiled-version))',
    'node_modules/(@radix-ui|@floating-ui|@tanstack|lucide-react|@dnd-kit|react-remove-scroll|aria-hidden|use-|tslib)',
  ].join('|'),
);

/** Which modules stand in one file, the first that fits: many small ones compress worse and cost a request each (decision 38). */
export const chunkGroups = [
  { name: 'frame', test: FRAME, priority: 3 },
  { name: 'device', test: DEVICE, priority: 2 },
  { name: 'shell', test: SHELL, priority: 1 },
  { name: 'outside', test: OUTSIDE, minShareCount: 2, priority: 1 },
  { name: 'patterns', test: /node_modules\/re2js\/|forms\/expression\/expression-pattern\./, priority: 2 },
  { name: 'shapes', test: /packages\/core\/src\/shapes\.|node_modules\/zod\//, priority: 2 },
  { name: 'dashboard-parts', test: DASHBOARD_PARTS, minShareCount: 2, priority: 1 },
  { name: 'parts', test: PARTS, minShareCount: 4, maxModuleSize: 20_000 },
];
