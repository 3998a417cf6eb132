import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@cairn/ui/styles.css';
import { followDeviceTheme } from '../shared/appearance.ts';
import { readAppState } from '../shared/app-state.ts';
import { languageOf } from '../shared/i18n/languages.ts';
import { startI18n } from '../shared/i18n/start-i18n.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { openGateOn } from './session/open-gate.ts';
import { SessionController } from './session/session-controller.ts';
import { offerUpdates } from './shell/offer-updates.ts';

const root = document.querySelector('#root');
if (!root) throw new Error('index.html has no #root');

/** For whoever works on the layout: `?lng=pseudo`. In a finished build tests choose it through the app state. */
const asked = import.meta.env.DEV ? new URLSearchParams(location.search).get('lng') : null;

await startI18n(languageOf(asked ?? readAppState().systemSettings.language));
const controller: SessionController = new SessionController({
  // Beside the first paint, not before it.
  openDevice: async () => (await import('@cairn/sync/device.ts')).openDevice(),
  openGate: events => openGateOn(() => controller.opened())(events),
  whenOnline: callback => (navigator.onLine ? callback() : addEventListener('online', callback, { once: true })),
});
followDeviceTheme();

createRoot(root).render(
  <StrictMode>
    <App controller={controller} router={createAppRouter(controller)} />
  </StrictMode>,
);
void controller.start();
offerUpdates();
