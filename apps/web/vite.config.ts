import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

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
    'apps/web/src/(app/session/(session-|gated|login)|shared/(app-state\\.ts|appearance|session|i18n/(start-i18n|languages|en/(shell-first|failure))))',
    'packages/ui/src/(button|icon|stone|toast|toaster|empty-state|banner|field)\\.tsx?$',
    'packages/(base/src/failure|sync/src/(backend|use-live))\\.ts$',
  ].join('|'),
);

/** What opens first after sign-in asks for all its files at once; the table of names for that weighs on the sign-in page. */
const FIRST_SCREENS = /(^|\/)(auth|signed-in-layout|dashboard|device|supabase-gate)-/;
const preloaded = (file: string, files: string[]): string[] =>
  FIRST_SCREENS.test(file) ? files : files.filter(each => each.endsWith('.css') || each === file);

export default defineConfig({
  plugins: [
    react(),
    VitePWA({
      registerType: 'prompt',
      injectRegister: false,
      manifest: {
        id: '/',
        name: 'Cairn',
        short_name: 'Cairn',
        description: 'Inspections, tasks and your own growth: marked, kept and shown, with or without signal.',
        start_url: '/',
        display: 'standalone',
        background_color: '#f7f9fb',
        theme_color: '#f7f9fb',
        icons: [
          { src: '/icons/cairn-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icons/cairn-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icons/cairn-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      workbox: {
        globPatterns: ['**/*.{html,js,css,woff2,svg,png,webmanifest}'],
        maximumFileSizeToCacheInBytes: 4_000_000,
        // The first visit is enough: the worker takes the page it was loaded from.
        clientsClaim: true,
        cleanupOutdatedCaches: true,
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/(auth|rest|storage|functions|realtime)\/v1(\/|$)/, /^\/(healthz|config\.json)$/],
      },
    }),
  ],
  build: {
    target: 'es2023',
    // check-bundle reads which chunks the entry and each screen need.
    manifest: 'asset-manifest.json',
    modulePreload: { polyfill: false, resolveDependencies: (file, files) => preloaded(file, files) },
    rolldownOptions: {
      output: {
        // One file for what every page needs: many small ones compress worse and cost a request each.
        codeSplitting: { groups: [{ name: 'frame', test: FRAME }] },
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
