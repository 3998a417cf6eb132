import type { TestDatabase } from './database.ts';

/** Makes every place's pages, of so many changes each: as the scheduler does where a place has many. */
export async function makeSnapshotPages(db: TestDatabase, least: number, most: number): Promise<void> {
  await db.asAdmin('delete from sync.snapshot_state');
  await db.asAdmin(`call sync.make_snapshot_pages(0, ${least}, ${most})`);
}
