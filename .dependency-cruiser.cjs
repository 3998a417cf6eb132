// Layers are folder names, low to high: a package may import only what stands before it (docs: README, "How data flows").
const LAYERS = ['base', 'schema', 'sync', 'core', 'ui'];
const above = layer => LAYERS.slice(LAYERS.indexOf(layer) + 1).concat('api', 'database', 'testing');
const TESTS = '\\.(test|spec)\\.tsx?$';

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
