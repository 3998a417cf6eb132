import type { TestDatabase } from './database.ts';

/** Makes every place's pages, of so many changes each: as the scheduler does where a place has many. */
export async function makeReadyPages(db: TestDatabase, least: number, most: number): Promise<void> {
  await db.asAdmin('delete from sync.ready_state');
  await db.asAdmin(`call sync.make_ready_pages(0, ${least}, ${most})`);
}
