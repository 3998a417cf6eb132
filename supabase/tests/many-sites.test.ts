import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

/** Sites of the organisation, and the worker at each of them: there are that many then. */
async function fillUpTo(count: number): Promise<void> {
  await db.asAdmin(
    `with made as (
       insert into sites (organization_id, name) select $1, 'Shop ' || n
       from generate_series(1, $2 - (select count(*) from sites where organization_id = $1)::integer) n returning id)
     insert into site_members (organization_id, site_id, user_id) select $1, id, $3 from made`,
    [world.organization, count, world.worker],
  );
}

/** ms a pull of nothing takes that person, the best of three. */
async function pullTime(): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const begun = performance.now();
    const [row] = await db.as(
      world.worker,
      'select cardinality(array(select my_scopes())) > 300 as is_there, length(sync_pull(p_limit => 1)::text)',
    );
    times.push(performance.now() - begun);
    expect(row).toMatchObject({ is_there: true });
  }
  return Math.min(...times);
}

test('a pull costs by the sites a person belongs to, not by their square', async () => {
  await fillUpTo(500);
  const few = await pullTime();
  await fillUpTo(4000);
  expect(await pullTime()).toBeLessThan(12 * few);
});

test('an organisation has 5000 sites at most, and a stranger is told nothing of it', async () => {
  await fillUpTo(4999);
  const add = (person: string) =>
    testDevice(db, person)
      .push({
        t: 'sites',
        op: 'insert',
        id: randomUUID(),
        patch: { organization_id: world.organization, name: 'One more' },
      })
      .then(([result]) => result);
  expect(await add(world.admin)).toMatchObject({ st: 'applied' });
  expect(await add(world.admin)).toMatchObject({ st: 'rejected', code: '23514', msg: 'at most 5000 sites' });
  expect(await add(world.stranger)).toMatchObject({ st: 'rejected', code: '42501' });
});
