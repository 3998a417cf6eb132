import { afterAll, beforeAll } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { makeWorld, type World } from './world.ts';

/** The database of the test file that asked for it, and who and what is in it; there before its own `beforeAll`. */
export let db: TestDatabase;
export let world: World;

/** Gives a test file a database with the world in it, and takes it away at the end. */
export function setUpWorld(): void {
  beforeAll(async () => {
    db = await freshDatabase();
    world = await makeWorld(db);
  });
  afterAll(() => db.drop());
}
