import type { ManifestOptions } from 'vite-plugin-pwa';

/** The web app manifest. Names stay English: the browser reads it before anybody has chosen a language. */
export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Cairn',
  short_name: 'Cairn',
  description: 'Inspections, tasks and personal growth in one app, online and offline.',
  lang: 'en',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  orientation: 'any',
  background_color: '#f7f9fb',
  theme_color: '#f7f9fb',
  categories: ['business', 'productivity', 'lifestyle'],
  launch_handler: { client_mode: 'navigate-existing' },
  icons: [
    { src: '/icons/cairn-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/cairn-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/cairn-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    {
      name: 'New inspection',
      url: '/field?start=true',
      icons: [{ src: '/icons/cairn-192.png', sizes: '192x192', type: 'image/png' }],
    },
    {
      name: 'New corrective action',
      url: '/action-items?new=true',
      icons: [{ src: '/icons/cairn-192.png', sizes: '192x192', type: 'image/png' }],
    },
  ],
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { title: 'title', text: 'text', files: [{ name: 'files', accept: ['image/*', 'application/pdf'] }] },
  },
};
