import { systemClock } from '@cairn/base/clock.ts';
import type { Store } from '@cairn/sync/store.ts';
import { readAhead } from '@cairn/sync/use-live.ts';
import { inspectionRecord, versionOfInspection } from './inspection-queries.ts';

/** ms for which what was read waits for its screen. */
const KEPT_MS = 10_000;

/**
 * Reads an inspection while its screen is fetched and put together. Its form is compiled while the device still reads the answers,
 * of which there may be thousands.
 */
export function readInspectionAhead(store: Store, inspectionId: string): void {
  systemClock.after(KEPT_MS, readAhead(store, inspectionRecord(inspectionId)));
  // A help only: the screen reads for itself, and says what cannot be read.
  compileAhead(store, inspectionId).catch(() => undefined);
}

async function compileAhead(store: Store, inspectionId: string): Promise<void> {
  const [version, { compiledVersion }] = await Promise.all([
    store.read(versionOfInspection(inspectionId)),
    import('./compiled-version.ts'),
  ]);
  compiledVersion(version);
}
