import { deleteDB, openDB } from 'idb';

/**
 * Makes Chromium begin a new log under the device database, and drop the one it found.
 *
 * A browser that is killed while it writes leaves half a record at the end of LevelDB's log. The next start reads over it, but
 * writes on behind it, and the start after that takes the database for broken and deletes it, all unsent work with it
 * (https://github.com/google/leveldb/issues/1287). Deleting any database of the same origin compacts the log away: a few ms.
 * Other browsers keep IndexedDB otherwise; there this does nothing of use and no harm.
 *
 * @param name of the device database; the one made and deleted is beside it
 */
export async function beginFreshLog(name: string): Promise<void> {
  const passing = `${name}_fresh_log`;
  try {
    const made = await openDB(passing, 1);
    made.close();
    await deleteDB(passing);
  } catch (error) {
    // A full storage makes no database. The work on the device matters more than the log under it.
    if (!(error instanceof DOMException)) throw error;
  }
}
