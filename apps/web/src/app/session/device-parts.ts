import { openDevice } from '@cairn/sync/device.ts';
import { gatedBackend } from './gated-backend.ts';
import { openKeyKeeper } from './key-keeper.ts';
import { tellingFaults } from './telling-faults.ts';

export { openGateOn } from './open-gate.ts';

/** What a session needs of this device: its database, and the way to the server. */
export const openParts = async () => {
  const device = tellingFaults(await openDevice());
  return { device, backendOver: gatedBackend, keys: openKeyKeeper(device) };
};
