export type Storage = {
  /** Whether the browser promised not to evict the device's data. */
  persisted: boolean;
  /** Bytes; null where the browser does not say. */
  usage: number | null;
  quota: number | null;
};

/** Asks the browser to keep the device's data when room gets short, and says how much room there is. */
export async function requestPersistence(storage: StorageManager | undefined = navigator.storage): Promise<Storage> {
  const persisted = (await storage?.persisted?.()) || ((await storage?.persist?.()) ?? false);
  const { usage, quota } = (await storage?.estimate?.()) ?? {};
  return { persisted, usage: usage ?? null, quota: quota ?? null };
}
