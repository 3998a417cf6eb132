import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
let person: string;
beforeAll(async () => {
  person = await db.person(`${randomUUID()}@a.test`);
  await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
    world.organization,
    person,
  ]);
});

const place = () =>
  db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
    world.organization,
    world.north,
    person,
  ]);

test('somebody taken off a site is put back with a new row, and is never there twice', async () => {
  await place();
  await expect(place()).rejects.toThrow(/site_members_person/);
  await db.asAdmin('update site_members set deleted_at = now() where site_id = $1 and user_id = $2', [
    world.north,
    person,
  ]);
  await place();
  const rows = await db.asAdmin(
    'select deleted_at is null as counts from site_members where site_id = $1 and user_id = $2',
    [world.north, person],
  );
  expect(rows.filter(({ counts }) => counts === true)).toHaveLength(1);
});
