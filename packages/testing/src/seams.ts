import type { Clock } from '@cairn/base/clock.ts';
import type { Backend } from '@cairn/sync/transport/backend.ts';
import type { Platform } from '@cairn/sync/transport/platform.ts';

/** The tab a backend is made for: its database on the device, whose it is, its clock. */
export type TabPlace = { name: string; owner: string; clock: Clock };

/** A database of a test, as far as a bite rewrites it. */
export type RewritableDatabase = { asAdmin(text: string, params?: unknown[]): Promise<Record<string, unknown>[]> };

/** Where the tests put the engine together. `npm run soak:mutants` replaces a part; everywhere else they are what they are. */
export type Seams = {
  backend(backend: Backend, place: TabPlace): Backend;
  platform(platform: Platform): Platform;
  /** After a process died and before the device is opened again. */
  afterDeath(name: string): Promise<void>;
  database(db: RewritableDatabase): Promise<void>;
};

export const seams: Seams = {
  backend: backend => backend,
  platform: platform => platform,
  afterDeath: async () => undefined,
  database: async () => undefined,
};
