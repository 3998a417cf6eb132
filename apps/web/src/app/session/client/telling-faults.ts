import type { Device } from '@cairn/sync/device.ts';
import { tellSyncFault } from '../../../shared/sync/sync-faults.ts';

/** The device, whose engines tell their faults to whoever counts them. */
export const tellingFaults = <D extends Pick<Device, 'engineFor'>>(device: D): D => ({
  ...device,
  engineFor: options => device.engineFor({ onFault: tellSyncFault, ...options }),
});
