/** Begins the names of the locks by which windows say which build they run. */
const NAME = 'cairn-build ';

/** The lock every window with this entry holds, shared, for as long as it is open. @param entry path of the build's first script */
export const buildLock = (entry: string): string => NAME + entry;

/** The entry a lock stands for; null for any other lock. */
export const entryOf = (lock: string | undefined): string | null =>
  lock?.startsWith(NAME) ? lock.slice(NAME.length) : null;
