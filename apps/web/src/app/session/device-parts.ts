import { browserPlatform } from '@cairn/sync/transport/browser-platform.ts';
import { openDevice } from '@cairn/sync/device.ts';
import { gatedBackend } from './gated-backend.ts';
import { openKeyKeeper } from './key-keeper.ts';
import { openSessionTabs } from './session-tabs.ts';
import { tellingFaults } from './telling-faults.ts';

export { openGateOn } from './open-gate.ts';

/** What a session needs of this device: its database, and the way to the server. */
export const openParts = async () => {
  const device = tellingFaults(await openDevice());
  const tabs = openSessionTabs(browserPlatform().openChannel('cairn.session'));
  const storage = {
    names: () => Object.keys(localStorage),
    getItem: (name: string) => localStorage.getItem(name),
    removeItem: (name: string) => localStorage.removeItem(name),
  };
  return { device, backendOver: gatedBackend, keys: openKeyKeeper(device), tabs, storage };
};
