// Layers are folder names, low to high: a package may import only what stands before it (docs: README, "How data flows").
const LAYERS = ['base', 'schema', 'sync', 'core', 'ui'];
const above = layer => LAYERS.slice(LAYERS.indexOf(layer) + 1).concat('api', 'database', 'supabase-local', 'testing');
const TESTS = '\\.(test|spec)\\.tsx?$';

// Folders inside a package or a feature, low to high: a folder may import only what stands before it. What lies beside the folders is
// their door (it may import all of them), or types that all of them share.
const FLOORS = {
  'packages/sync/src': 'transport store crypto files push access pull outbox recovery engine',
  'packages/core/src':
    'roles spaces files forms/expression forms/question-types forms/definition forms/answers forms/draft workbook odk xform xlsform import occurrences media comments action-items issue-reports guests audit assets on-site inspections schedules controls markdown policies evidence offline analytics-events analytics app-state approvals dashboard findings habits goals preferences onboarding wellness insights marketplace tasks notifications profile search support-circle tiers today triad-intelligence workflows',
  'packages/ui/src': 'tokens controls layout feedback images data overlays',
  'apps/web/src/shared':
    'app-state format i18n session server sync page errors analytics auth records media files input report',
  'apps/web/src/app/session': 'auth client device account ports',
  'apps/web/src/app/shell': 'errors navigation sync-state leave not-found',
  'apps/web/src/features/field-ops': 'inspections schedules on-site answers forms review runner report form-builder',
  'apps/web/src/features/policies': 'document quiz acknowledge authoring kiosk report',
  'apps/web/src/features/sync': 'lists conflicts outbox rescue storage status',
  'packages/supabase-local/src':
    'database access limits log mail sms auth/(?!endpoints/) requests rest storage auth/endpoints realtime',
  'apps/local-server/src': 'start functions http jobs',
};
// A folder of core that stands on no floor would be held by no rule.
const { readdirSync } = require('node:fs');
const floorsOfCore = FLOORS['packages/core/src'].split(' ').map(floor => floor.split('/')[0]);
const withoutFloor = readdirSync(`${__dirname}/packages/core/src`, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !floorsOfCore.includes(entry.name))
  .map(({ name }) => name);
if (withoutFloor.length > 0) throw new Error(`packages/core/src: on no floor of FLOORS: ${withoutFloor.join(', ')}`);
const floorRules = Object.entries(FLOORS).flatMap(([scope, list]) => {
  const floors = list.split(' ').map(floor => (floor.endsWith('/)') ? floor : `${floor}/`));
  return floors.slice(0, -1).map((floor, at) => ({
    name: `${scope.split('/').slice(1).join('-')}-${floor.replaceAll(/[^a-z-]+/g, '-')}looks-down-only`,
    severity: 'error',
    from: { path: `^${scope}/${floor}`, pathNot: `${TESTS}|-for-tests` },
    to: { path: `^${scope}/(${floors.slice(at + 1).join('|')})` },
  }));
});

module.exports = {
  forbidden: [
    {
      name: 'features-do-not-know-each-other',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/(features|app)/', pathNot: '^apps/web/src/features/$1/' },
    },
    ...LAYERS.map(layer => ({
      name: `${layer}-looks-down-only`,
      severity: 'error',
      from: { path: `^packages/${layer}/`, pathNot: TESTS },
      to: { path: `^(apps/|packages/(${above(layer).join('|')})/)` },
    })),
    ...floorRules,
    {
      name: 'supabase-local-knows-no-app',
      severity: 'error',
      from: { path: '^packages/supabase-local/' },
      to: { path: '^(apps/|packages/(schema|sync|core|ui|api)/)' },
    },
    {
      name: 'ui-knows-no-area',
      severity: 'error',
      from: { path: '^packages/ui/', pathNot: TESTS },
      to: { path: '^packages/(core|sync|schema)/' },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^packages/core/', pathNot: TESTS },
      to: { path: 'node_modules/(react|@supabase|hono|idb|dexie)/' },
    },
    {
      name: 'only-sync-and-the-servers-know-supabase',
      severity: 'error',
      from: { path: '^(apps/web|packages/(base|schema|core|ui))/', pathNot: `${TESTS}|^apps/web/src/app/` },
      to: { path: 'node_modules/@supabase/' },
    },
    {
      name: 'tests-only-testing',
      severity: 'error',
      from: { pathNot: `${TESTS}|^(packages/testing|e2e|bench|tools)/` },
      to: { path: '^packages/testing/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    // TypeScript 7 has no API a tool could parse with yet; swc reads the sources instead.
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|generated)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
