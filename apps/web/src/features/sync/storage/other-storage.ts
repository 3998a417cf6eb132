/** bytes on this device that are no record and no file of anybody's */
export type OtherStorage = {
  /** The files of the app itself. */
  app: number;
  /** The room kept for when the device is full, and what the browser adds for itself. */
  rest: number;
};

type Estimate = StorageEstimate & { usageDetails?: { caches?: number; serviceWorkerRegistrations?: number } };
type BrowserStorage = { storage: Pick<StorageManager, 'estimate'> | undefined; caches: CacheStorage | undefined };

const HERE = (): BrowserStorage => ({ storage: navigator.storage, caches: globalThis.caches });

/**
 * What takes room beside what people know of, counted now.
 *
 * @param known bytes of records and files, as `storageUse` weighs them
 */
export async function otherStorage(known: number, { storage, caches }: BrowserStorage = HERE()): Promise<OtherStorage> {
  const { usage, usageDetails }: Estimate = (await storage?.estimate?.()) ?? {};
  const told = usageDetails?.caches;
  // Only some browsers say what of it is which.
  const app = told === undefined ? await cachedBytes(caches) : told + (usageDetails?.serviceWorkerRegistrations ?? 0);
  return { app, rest: Math.max(0, (usage ?? 0) - app - known) };
}

async function cachedBytes(caches: CacheStorage | undefined): Promise<number> {
  let bytes = 0;
  for (const name of (await caches?.keys()) ?? []) {
    const cache = await caches?.open(name);
    for (const answer of (await cache?.matchAll()) ?? []) bytes += (await answer.blob()).size;
  }
  return bytes;
}
