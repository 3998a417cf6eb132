import type { Device } from '@cairn/sync/device.ts';
import type { OpenGate } from '../auth/auth-gate.ts';
import { loadConfig } from './config.ts';

/** Loads supabase-js (52 kB) only once it is needed: after the first paint, or never when offline. */
export const openGateOn =
  (device: () => Device): OpenGate =>
  async events => {
    const [{ supabaseGate }, config] = await Promise.all([import('./supabase-gate.ts'), loadConfig()]);
    return supabaseGate(device(), config, events);
  };
