import type { Clock } from '@cairn/base/clock.ts';
import type { Backend } from '@cairn/sync/backend.ts';
import type { Platform } from '@cairn/sync/platform.ts';
import type { TestDatabase } from './database.ts';

/** The tab a backend is made for: its database on the device, whose it is, its clock. */
export type TabPlace = { name: string; owner: string; clock: Clock };

/** Where the tests put the engine together. `npm run soak:bite` replaces a part; everywhere else they are what they are. */
export type Seams = {
  backend(backend: Backend, place: TabPlace): Backend;
  platform(platform: Platform): Platform;
  /** After a process died and before the device is opened again. */
  afterDeath(name: string): Promise<void>;
  database(db: TestDatabase): Promise<void>;
};

export const seams: Seams = {
  backend: backend => backend,
  platform: platform => platform,
  afterDeath: async () => undefined,
  database: async () => undefined,
};
