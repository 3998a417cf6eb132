import { openDevice } from '@cairn/sync/device.ts';
import { gatedBackend } from './gated-backend.ts';

export { openGateOn } from './open-gate.ts';

/** What a session needs of this device: its database, and the way to the server. */
export const openParts = async () => ({ device: await openDevice(), backendOver: gatedBackend });
