import type { Backend } from './backend.ts';
import type { SyncEngine } from './engine.ts';
import type { Platform } from './platform.ts';

/** The signed-in person as this device remembers them, so that the app opens with no network. */
export type CurrentUser = { id: string; email: string; fullName: string | null };

/** Device-wide values under their specified keys; `expiresAt` in ms since 1970. */
export type DeviceSettings = {
  auth_session: { sessionToken: string; expiresAt: number };
  selected_organization: { organizationId: string };
  selected_playbook: { playbookId: string };
  current_user: CurrentUser;
};

export interface SettingsStore {
  get<K extends keyof DeviceSettings>(key: K): Promise<DeviceSettings[K] | null>;
  set<K extends keyof DeviceSettings>(key: K, value: DeviceSettings[K]): Promise<void>;
  remove(key: keyof DeviceSettings): Promise<void>;
}

/** The storage shape supabase-js takes for its session; values lie sealed in localStorage. */
export interface SealedStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

export type EngineOptions = {
  /** The signed-in person's id; reads and sends nothing of anybody else. */
  owner: string;
  backend: Backend;
  /** Called when the server refused the token; sending goes on once it resolves. */
  refreshToken?: () => Promise<void>;
};

export interface Device {
  /** Made with the database, never reused. */
  readonly id: string;
  readonly settings: SettingsStore;
  sealedStorage(prefix: string): SealedStorage;
  engineFor(options: EngineOptions): SyncEngine;
  /** Work of a person that no server has acknowledged yet, for the question at sign-out. */
  pendingOf(owner: string): Promise<{ records: number; files: number }>;
  close(): Promise<void>;
}

export type DeviceOptions = { name?: string; platform?: Platform };

/** Opens the device's database (`cairn_mobile` unless named). */
export declare function openDevice(options?: DeviceOptions): Promise<Device>;
