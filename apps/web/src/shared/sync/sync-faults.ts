import type { Fault } from '@cairn/sync/transport/fault.ts';

const listeners = new Set<(fault: Fault) => void>();

/** Calls back with each fault the leading tab of this device meets from now on; returns what stops it. */
export function onSyncFault(listener: (fault: Fault) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hands a fault of the engine to whoever listens. */
export const tellSyncFault = (fault: Fault): void => listeners.forEach(listener => listener(fault));
