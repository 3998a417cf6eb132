import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@cairn/ui/styles.css';
import { followDeviceTheme } from '../shared/app-state/appearance.ts';
import { readAppState } from '../shared/app-state/app-state.ts';
import { languageOf } from '../shared/i18n/languages.ts';
import { startI18n } from '../shared/i18n/start-i18n.ts';
import { whenIdle } from '../shared/page/use-idle.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { holdPendingLink } from './session/auth/pending-link.ts';
import { SessionController } from './session/session-controller.ts';

// Before anything else can read, keep or send the address.
holdPendingLink();

/** Beside the first paint, not before it. Without a network it may not be here yet; the console has the error then. */
const inBackground = (task: (loaded: typeof import('./background.ts')) => unknown) =>
  void import('./background.ts').then(task).catch(() => undefined);
for (const type of ['error', 'unhandledrejection', 'beforeinstallprompt']) {
  addEventListener(type, event => {
    const hear = () => inBackground(({ hear }) => hear(event));
    // The browser's own offer to install would come at a moment of its choosing; ours waits on the dashboard.
    if (type === 'beforeinstallprompt') {
      event.preventDefault();
      whenIdle(hear);
    } else hear();
  });
}
const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');

/** For whoever works on the layout: `?lng=pseudo`. In a finished build tests choose it through the app state. */
const asked = import.meta.env.DEV ? new URLSearchParams(location.search).get('lng') : null;

await startI18n(languageOf(asked ?? readAppState().systemSettings.language));
// Beside the first paint, not before it.
const later = () => import('./session/device-parts.ts');
const whenOnline = (callback: () => void) =>
  navigator.onLine ? callback() : addEventListener('online', callback, { once: true });
const controller: SessionController = new SessionController({
  openDevice: async () => (await later()).openParts(),
  openGate: async events => (await later()).openGateOn(() => controller.opened())(events),
  requireOwnSession: async (...asked) => (await later()).requireOwnSession(...asked),
  whenOnline,
});
followDeviceTheme();
// Before the page is drawn: the device's database opens in another process meanwhile.
void controller.start();

// first-paint.js has asked for these files where they are kept on this device: they run while the database is being opened.
if ('start' in document.documentElement.dataset) void import('./routes/signed-in.ts').catch(() => undefined);

const page = createRoot(root, {
  onCaughtError(error, { componentStack }) {
    inBackground(({ keepCaught }) => keepCaught(error));
    // oxlint-disable-next-line no-console -- what React does by itself where it is not asked to tell
    console.error(error, componentStack);
  },
});
// In small pieces, so that a slow processor answers a tap in between.
startTransition(() =>
  page.render(
    <StrictMode>
      <App controller={controller} router={createAppRouter(controller)} />
    </StrictMode>,
  ),
);

// After the page, which needs the network and the processor more; a signal lost in between only delays it.
const keepOffline = () => whenIdle(() => whenOnline(() => inBackground(({ keepOffline }) => keepOffline())));
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  if (document.readyState === 'complete') keepOffline();
  else addEventListener('load', keepOffline, { once: true });
}
