import { expect, test } from 'vitest';
import { activityFields } from '@cairn/core/comments/activity-fields.ts';
import { db, setUpWorld } from './set-up-world.ts';

setUpWorld();

/** Noted, and shown on no screen yet. */
const UNSHOWN = ['evidence'];

test('of each column whose changes are noted the list of changes has a name, and it names no others', async () => {
  const triggers = await db.asAdmin(
    `select tgrelid::regclass::text as tbl, encode(tgargs, 'escape') as columns from pg_trigger where tgname = 'y_activity'`,
  );
  const noted = triggers
    .filter(({ tbl }) => !UNSHOWN.includes(String(tbl)))
    .flatMap(({ columns }) => String(columns).split(/,|\\000/))
    .filter(column => column !== '');
  expect([...new Set(noted)].toSorted()).toEqual([...activityFields].toSorted());
});
