import type { TestDatabase } from './database.ts';

/** Makes every place's pages, of so many changes each: as the scheduler does where a place has many. */
export async function makeReadyPages(db: TestDatabase, least: number, most: number): Promise<void> {
  await db.asAdmin(`do $$ declare place text; begin
    for place in select id from sync.scope where id !~ '^(user|member):' order by id loop
      while sync.make_page_of(place, ${least}, ${most}) <> 'whole' loop null; end loop;
    end loop;
  end $$`);
}
