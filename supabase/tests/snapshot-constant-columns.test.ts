import { randomUUID } from 'node:crypto';
import { rowsOf, withPacked, type PackedAnswer } from '@cairn/sync/transport/packed-rows.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { makeSnapshotPages } from '@cairn/testing/snapshot-pages.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
const ids = [randomUUID(), randomUUID(), randomUUID()];
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
  for (const [n, id] of ids.entries()) {
    const due = n === 1 ? null : '2026-11-27T09:00:00Z';
    await db.asAdmin(
      `insert into action_items (id, organization_id, site_id, title, due_at) values ($1, $2, $3, 'Same', $4)`,
      [id, world.organization, world.north, due],
    );
  }
});
afterAll(() => db.drop());

const pull = (given: object) =>
  db.rpc<PackedAnswer>(world.manager, 'sync_pull', { p_limit: 5000, p_packed: true, ...given });

/** The parts that hold these actions, as columns by their names. */
async function parts() {
  const { pages } = await pull({ p_snapshots: true, p_constant: true });
  return (pages ?? [])
    .flatMap(page => page.parts)
    .map(({ cols, vals }) => Object.fromEntries(cols.map((name, at) => [name, vals[at]])))
    .filter(({ id }) => ids.some(each => (id as string[]).includes(each)));
}

test('a column that says the same of every row of a snapshot page says it once; ids and what only some have stand one by one', async () => {
  await makeSnapshotPages(db, 3, 100);
  const [three] = await parts();
  expect(three).toMatchObject({
    organization_id: { constant: world.organization },
    title: expect.arrayContaining(['Same']),
    media_ids: { constant: [] },
    version: { constant: 1 },
    closed_at: null,
  });
  const [found, due] = [three?.['id'] as string[], three?.['due_at'] as (string | null)[]];
  expect(ids.map(id => due[found.indexOf(id)] !== null)).toEqual([true, false, true]);

  await db.asAdmin('update action_items set version = version where id = any ($1)', [ids]);
  await makeSnapshotPages(db, 1, 1);
  const alone = (await parts()).map(({ id }) => id as string[]);
  expect(alone).toHaveLength(3);
  expect(alone.flat().toSorted()).toEqual(ids.toSorted());
});

test('who does not know such columns gets no snapshot pages, and reads the same rows', async () => {
  await makeSnapshotPages(db, 1, 3);
  const sorted = (answer: PackedAnswer) =>
    Object.entries(withPacked(answer).rows).map(([table, rows]) => [
      table,
      rowsOf(rows)
        .map(row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
        .toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
    ]);
  const [old, now] = [await pull({ p_snapshots: true }), await pull({ p_snapshots: true, p_constant: true })];
  expect([old.pages?.length, (now.pages?.length ?? 0) > 0]).toEqual([0, true]);
  expect(Object.fromEntries(sorted(old))).toEqual(Object.fromEntries(sorted(now)));
});
