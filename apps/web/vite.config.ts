import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** Where `npm run dev` finds the backend; in production app and backend share one origin. */
const BACKEND = 'http://127.0.0.1:4310';
const BACKEND_PATHS = ['/auth/v1', '/rest/v1', '/storage/v1', '/functions/v1', '/config.json', '/healthz'];

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
        runtimeCaching: [
          {
            urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname === '/config.json',
            handler: 'NetworkFirst',
            options: { cacheName: 'cairn-config', networkTimeoutSeconds: 3 },
          },
        ],
      },
    }),
  ],
  build: {
    target: 'es2023',
    // check-bundle reads which chunks the entry and each screen need.
    manifest: 'asset-manifest.json',
  },
  server: {
    proxy: {
      ...Object.fromEntries(BACKEND_PATHS.map(path => [path, BACKEND])),
      '/realtime/v1': { target: BACKEND, ws: true },
    },
  },
});
