import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, minify, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { chunkGroups } from './chunk-groups.ts';
import { manifest } from './manifest.ts';
import auth from './src/shared/i18n/en/auth.json' with { type: 'json' };

/** Where `npm run dev` finds the backend; in production app and backend share one origin. */
const BACKEND = 'http://127.0.0.1:4310';
const BACKEND_PATHS = ['/auth/v1', '/rest/v1', '/storage/v1', '/functions/v1', '/calendar', '/config.json', '/healthz'];

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

/** What a signed-in start asks for beside that; of the words those of one language, which first-paint.js knows. */
const START = {
  shell: /src\/app\/(routes\/signed-in|signed-in-routes)\.ts$/,
  en: /i18n\/first\/en\.ts$/,
  de: /i18n\/first\/de\.ts$/,
};

const linkTo = (file: string): string =>
  `<link ${file.endsWith('.css') ? 'rel=preload as=style' : 'rel=modulepreload'} crossorigin href=/${file}>`;

function linksTo(module: RegExp, bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter((each): each is Chunk => each.type === 'chunk');
  const found = chunks.filter(each => module.test(each.facadeModuleId ?? ''));
  return found
    .flatMap(each => [...filesOf(each, bundle)])
    .map(linkTo)
    .join('');
}

/** The font of every screen: known from the start, the first text is laid out once and not twice. */
const fontLinks = (bundle: Rolldown.OutputBundle): string =>
  Object.keys(bundle)
    .filter(name => /inter-latin-opsz-normal-.*\.woff2$/.test(name))
    .map(name => `<link rel=preload as=font type=font/woff2 crossorigin href=/${name}>`)
    .join('');

/** The page a signed-in start gets from the worker (decision 38): it names the files of the shell and none of the sign-in page. */
function startPageOf(html: string, bundle: Rolldown.OutputBundle): string {
  const words = (['en', 'de'] as const).map(language => ` data-${language}="${linksTo(START[language], bundle)}"`);
  return (
    html
      .replace('<html', '<html data-start=""')
      .replace(/(<script src="[^"]*first-paint[^"]*")(><\/script>)/, `$1${words.join('')}$2`)
      .replace(/<link rel="modulepreload"[^>]*assets\/auth-[^>]*>/, '')
      // All of it lies on the device: nothing is to be let past.
      .replaceAll(' fetchpriority="low"', '')
      .replace('</head>', () => `${linksTo(START.shell, bundle)}${fontLinks(bundle)}</head>`)
      .replace(FACE, '')
  );
}

const startPage: Plugin = {
  name: 'start-page',
  generateBundle: {
    // The page itself is written by Vite in the same step.
    order: 'post',
    handler(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('the build made no index.html');
      this.emitFile({ type: 'asset', fileName: 'start.html', source: startPageOf(String(page.source), bundle) });
    },
  },
};

/** Everybody waits for first-paint.js: it goes without its comments, under a name that lets it be kept like any other file. */
const FIRST_PAINT = join(import.meta.dirname, 'public/first-paint.js');
async function firstPaint(): Promise<{ fileName: string; source: string }> {
  const source = (await minify(FIRST_PAINT, await readFile(FIRST_PAINT, 'utf8'))).code;
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 7);
  return { fileName: `assets/first-paint-${hash}.js`, source };
}
const smallFirstPaint: Plugin = {
  name: 'small-first-paint',
  apply: 'build',
  async generateBundle() {
    this.emitFile({ type: 'asset', ...(await firstPaint()) });
  },
  transformIndexHtml: async html => html.replace('/first-paint.js', `/${(await firstPaint()).fileName}`),
  writeBundle: ({ dir = '' }) => rm(join(dir, 'first-paint.js')),
};

const namedInPage: Plugin = {
  name: 'named-in-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => ({
      html: behindTheFace(html),
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
const FACE = `<div class="split face"><div class="pane"></div><div class="sign-in"><div class="box">
      <p class="brand small"><span class="mark"></span><span>Cairn</span></p>
      <h1>${auth.title}</h1><p class="muted">${auth.subtitle}</p></div></div></div>`;
const signInFace: Plugin = {
  name: 'sign-in-face',
  transformIndexHtml: html => html.replace('<!-- sign-in face -->', FACE),
};

export default defineConfig({
  // React has had it itself since 18: the copy for older ones, asked for by the router's store, only weighs.
  resolve: { alias: { 'use-sync-external-store/shim': 'use-sync-external-store' } },
  plugins: [
    react(),
    namedInPage,
    signInFace,
    smallFirstPaint,
    startPage,
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
        // wasm: the reader of codes, because assets are scanned where there is no signal; mjs, pfb: the reader of PDFs and the letters
        // every PDF may name without carrying them, because policies are read there too.
        globPatterns: ['**/*.{html,js,mjs,css,woff,woff2,svg,png,webmanifest,wasm,pfb}'],
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
          groups: chunkGroups,
        },
      },
    },
  },
  // Texts are whole objects: nobody takes one of them alone, and as an object they are shorter than as text to be parsed.
  json: { namedExports: false, stringify: false },
  // The reader of forms brings the reader of old workbooks only where it meets one.
  worker: { format: 'es' },
  server: {
    proxy: {
      ...Object.fromEntries(BACKEND_PATHS.map(path => [path, BACKEND])),
      '/realtime/v1': { target: BACKEND, ws: true },
    },
  },
});
