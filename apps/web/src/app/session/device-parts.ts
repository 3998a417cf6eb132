import { browserPlatform } from '@cairn/sync/transport/browser-platform.ts';
import { openDevice } from '@cairn/sync/device.ts';
import { gatedBackend } from './client/gated-backend.ts';
import { openDataKeyStore } from './device/data-key-store.ts';
import { openSessionTabs } from './device/session-tabs.ts';
import { tellingFaults } from './client/telling-faults.ts';

export { openGateOn } from './client/open-gate.ts';
export { requireOwnSession } from './own-session.ts';

/** What a session needs of this device: its database, and the way to the server. */
export const openParts = async () => {
  const device = tellingFaults(await openDevice());
  const tabs = openSessionTabs(browserPlatform().openChannel('cairn.session'));
  const storage = {
    names: () => Object.keys(localStorage),
    getItem: (name: string) => localStorage.getItem(name),
    removeItem: (name: string) => localStorage.removeItem(name),
  };
  return { device, backendOver: gatedBackend, keys: openDataKeyStore(device), tabs, storage };
};
