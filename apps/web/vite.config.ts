import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, minify, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { manifest } from './manifest.ts';
import { auth } from './src/shared/i18n/en/auth.ts';

/** Where `npm run dev` finds the backend; in production app and backend share one origin. */
const BACKEND = 'http://127.0.0.1:4310';
const BACKEND_PATHS = ['/auth/v1', '/rest/v1', '/storage/v1', '/functions/v1', '/config.json', '/healthz'];

/** What the first paint of every page needs: the libraries of the frame, and our own few modules around them. */
const FRAME = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|@tanstack/(react-router|router-core|history|store|react-store)|i18next|react-i18next|use-sync-external-store)/',
    'node_modules/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared)',
    'node_modules/lucide-react/dist/esm/icons/(eye|eye-off|info|circle-check|triangle-alert|chevron-down)\\.',
    'node_modules/lucide-react/dist/esm/icons/triangle-exclamation',
    'apps/web/src/(app/session/session-[cs]|shared/(use-idle|app-state\\.ts|appearance|session|i18n/(start-i18n|languages|en/(shell-first|failure|auth\\.))))',
    'apps/web/src/features/auth/(auth-frame|sign-in-art)',
    'packages/ui/src/(button|icon|stone|toast|toaster|empty-state|banner|field)\\.tsx?$',
    'apps/web/src/app/(public-routes|lazy-screen|route-search|shell/(loading|error-boundary|error-screen|route-error))',
    'packages/(base/src/failure|sync/src/store-context)\\.ts$',
  ].join('|'),
);

/**
 * This device's database and the engine over it: opened on every page, so it must not draw the shell in. With it what looks
 * words up and keeps the app state: also for what comes late on the sign-in page. What the engine itself asks for late (rescue
 * files, kept work, private notes) stays out.
 */
const DEVICE = new RegExp(
  [
    'node_modules/(idb|uuid)/',
    'apps/web/src/app/session/(device-parts|gated-backend|open-gate|config)',
    'packages/base/src/(clock|id)\\.ts$',
    'packages/schema/src/',
    'packages/sync/src/(?!supabase-backend|use-live|store-context|shared-files|request-persistence|young-tokens|rescue(?!-when)|kept-work|large-files|private-notes)',
    'apps/web/src/shared/(app-state-store|error-text|recent-errors|report-error|analytics/used-feature|i18n/(load-texts|language-names))',
    'packages/core/src/app-state/',
    'packages/base/src/friendly-error',
    'packages/ui/src/text-link',
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
    'apps/web/src/app/shell/(signed-in-layout|navigation|side-link|sidebar-groups|module-|use-|sync-|switcher-button|no-space|not-in-playbook|notification-bell|command-key|sign-out-button)',
    'apps/web/src/app/(space/|query-client|commands/(use-commands|use-command-list|use-shortcuts|use-place|use-setting|key-sequence))',
    'apps/web/src/shared/(format|space|preferences|use-sync-status|use-now|use-action)',
    'packages/core/src/(spaces|preferences|onboarding/(first-run|queries|growth-areas)|analytics/|today/|action-items/|field-ops/(inspection-rows|answers\\.))',
    'packages/ui/src/(avatar|kbd|tile|choice|progress|dialog|skeleton|surface|pill|sync-badge|badge|state-block)\\.tsx?$',
    // The key stands on the sign-in page too.
    'node_modules/lucide-react/dist/esm/icons/(?!key-round)',
  ].join('|'),
);

/**
 * Chunks of which a start runs most: Chromium compiles all of such a file beside the page's own thread while it arrives. Else it
 * compiles function by function on that thread, at each start anew: what a service worker hands out has no code kept by it.
 */
const RUN_AT_ONCE = new Set(['frame', 'device', 'shell', 'signed-in-routes']);
const COMPILE_ALL = '//# allFunctionsCalledOnLoad\n';
const compiledAhead: Plugin = {
  name: 'compiled-ahead',
  augmentChunkHash: ({ name }) => (RUN_AT_ONCE.has(name) ? COMPILE_ALL : undefined),
  // The first line counts only, so it comes after Vite has put its own there.
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const each of Object.values(bundle))
        if (each.type === 'chunk' && RUN_AT_ONCE.has(each.name)) each.code = COMPILE_ALL + each.code;
    },
  },
};

/** What opens first after sign-in asks for all its files at once; the table of names for that weighs on the sign-in page. */
const FIRST_SCREENS = /(^|\/)(auth-(?!step|return|extras)|shell-|signed-in-|device-parts-|supabase-gate-)/;
/** Styles every page has in its head. */
const PAGE_STYLES = /(^|\/)(frame|index)-[^/]*\.css$/;
/** What is asked for beside a screen's own file: its styles. A screen without any of its own is just asked for. */
function preloaded(file: string, files: string[], host: 'html' | 'js'): string[] {
  if (host === 'html' || FIRST_SCREENS.test(file)) return files;
  const styles = files.filter(each => each.endsWith('.css') && !PAGE_STYLES.test(each));
  return styles.length > 0 ? [file, ...styles] : [];
}

/** Chunks the page names, or its entry imports. */
const IN_PAGE = new Set(['frame', 'device', 'rolldown-runtime']);

/** What every page asks for in any case, or nearly: named in the page itself, it comes beside the frame, not after it. */
const SOON = /src\/app\/(session\/device-parts|routes\/auth)\.tsx?$/;

/**
 * The page's own style and font come before its code: what is seen first needs only them, and a slow line carries little at
 * once. Chromium asks for modules as urgently as for style unless told otherwise.
 */
const behindTheFace = (html: string): string =>
  html.replaceAll(/(?<=<script type="module"|<link rel="modulepreload")/g, ' fetchpriority="low"');

type Chunk = Extract<Rolldown.OutputBundle[string], { type: 'chunk' }>;

/** A chunk and what it imports, with their styles; what the page names in any case is left out. */
function filesOf(chunk: Chunk, bundle: Rolldown.OutputBundle, seen = new Set<string>()): Set<string> {
  if (seen.has(chunk.fileName) || chunk.isEntry || IN_PAGE.has(chunk.name)) return seen;
  seen.add(chunk.fileName);
  for (const css of chunk.viteMetadata?.importedCss ?? []) seen.add(css);
  for (const name of chunk.imports) {
    const each = bundle[name];
    if (each?.type === 'chunk') filesOf(each, bundle, seen);
  }
  return seen;
}

/** What a signed-in start asks for beside that, by the names under which first-paint.js finds it. */
const START = {
  shell: /src\/app\/(routes\/signed-in|signed-in-routes)\.ts$/,
  en: /i18n\/first\/en\.ts$/,
  de: /i18n\/first\/de\.ts$/,
};

const linkTo = (file: string): string =>
  `<link ${file.endsWith('.css') ? 'rel=preload as=style' : 'rel=modulepreload'} crossorigin href=/${file}>`;

/** Hands first-paint.js the links to the files of a start, as attributes of its tag: the page allows no script within. */
function namesForStart(html: string, bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter((each): each is Chunk => each.type === 'chunk');
  const attributes = Object.entries(START).map(([name, module]) => {
    const found = chunks.filter(each => module.test(each.facadeModuleId ?? ''));
    const files = found.flatMap(each => [...filesOf(each, bundle)]);
    return ` data-${name}="${files.map(linkTo).join('')}"`;
  });
  return html.replace('<script src="/first-paint.js"', `$&${attributes.join('')}`);
}

/** Everybody waits for first-paint.js: it goes without its comments. */
const smallFirstPaint: Plugin = {
  name: 'small-first-paint',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const file = join(dir, 'first-paint.js');
    await writeFile(file, (await minify(file, await readFile(file, 'utf8'))).code);
  },
};

const namedInPage: Plugin = {
  name: 'named-in-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => ({
      html: namesForStart(behindTheFace(html), bundle),
      tags: Object.values(bundle)
        .filter(each => each.type === 'chunk' && (each.name === 'device' || SOON.test(each.facadeModuleId ?? '')))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', fetchpriority: 'low', crossorigin: '', href: `/${fileName}` },
          injectTo: 'head',
        })),
    }),
  },
};

/**
 * The head of the sign-in page as plain markup, seen while the app is still on its way; sign-in.css hides it as soon as
 * the real page stands. `first-paint.js` asks for it, where a visitor reads English.
 */
const signInFace: Plugin = {
  name: 'sign-in-face',
  transformIndexHtml: html =>
    html.replace(
      '<!-- sign-in face -->',
      `<div class="split face"><div class="pane"></div><div class="sign-in"><div class="box">
      <p class="brand small"><span class="mark"></span><span>Cairn</span></p>
      <h1>${auth.title}</h1><p class="muted">${auth.subtitle}</p></div></div></div>`,
    ),
};

export default defineConfig({
  // React has had it itself since 18: the copy for older ones, asked for by the router's store, only weighs.
  resolve: { alias: { 'use-sync-external-store/shim': 'use-sync-external-store' } },
  plugins: [
    react(),
    namedInPage,
    signInFace,
    smallFirstPaint,
    compiledAhead,
    VitePWA({
      registerType: 'prompt',
      injectRegister: false,
      manifest,
      strategies: 'injectManifest',
      srcDir: 'src/app/pwa',
      // Its name is kept: devices that have the app look for /sw.js.
      filename: 'sw.ts',
      injectManifest: {
        // wasm: the reader of codes, because assets are scanned where there is no signal.
        globPatterns: ['**/*.{html,js,css,woff,woff2,svg,png,webmanifest,wasm}'],
        // Shown by the shop window of an installer only.
        globIgnores: ['screenshots/**', 'push-worker.js'],
        maximumFileSizeToCacheInBytes: 4_000_000,
      },
    }),
  ],
  build: {
    target: 'es2023',
    // check-bundle reads which chunks the entry and each screen need.
    manifest: 'asset-manifest.json',
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, files, { hostType }) => preloaded(file, files, hostType),
    },
    rolldownOptions: {
      output: {
        // Seven letters are enough (the least there may be): the entry names every file of every screen, and each letter weighs on the sign-in page.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        // One file for what every page needs: many small ones compress worse and cost a request each.
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME, priority: 3 },
            { name: 'device', test: DEVICE, priority: 2 },
            { name: 'shell', test: SHELL, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(BACKEND_PATHS.map(path => [path, BACKEND])),
      '/realtime/v1': { target: BACKEND, ws: true },
    },
  },
});
