import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { mutation, testDevice, type TestDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
let worker: TestDevice;

beforeAll(async () => {
  worker = testDevice(db, world.worker);
});

const ROWS = 5;
const TITLE = 'Loose rail';

/** One thing a device did, on the nth record. `stale` edits were made before somebody else's. */
type Act = { n: number } & (
  | { op: 'insert'; flaw: 'none' | 'place' | 'title' | 'column' | 'known' }
  | { op: 'update'; flaw: 'none' | 'title' | 'missing' | 'column'; fields: ('title' | 'priority')[]; stale: boolean }
  | { op: 'delete' }
);

const acts = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        n: fc.nat(ROWS - 1),
        op: fc.constant('insert' as const),
        flaw: mostlyNone('place', 'title', 'column', 'known'),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        n: fc.nat(ROWS - 1),
        op: fc.constant('update' as const),
        flaw: mostlyNone('title', 'missing', 'column'),
        fields: fc.subarray<'title' | 'priority'>(['title', 'priority']),
        stale: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ n: fc.nat(ROWS - 1), op: fc.constant('delete' as const) }) },
  ),
  { minLength: 2, maxLength: 12 },
);

function mostlyNone<F extends string>(...flaws: F[]) {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...flaws) },
  );
}

/** Records that all begin alike; every other one was changed by the manager meanwhile. */
async function records(): Promise<string[]> {
  const ids = Array.from({ length: ROWS }, () => randomUUID());
  const made = ids.map(id => ({
    t: 'action_items' as const,
    id,
    op: 'insert' as const,
    patch: { organization_id: world.organization, site_id: world.north, title: TITLE },
  }));
  await worker.push(...made);
  const changed = ids.filter((_, n) => n % 2 === 1);
  await db.asAdmin(`update action_items set title = 'Theirs' where id = any ($1)`, [changed]);
  return ids;
}

function asMutation(act: Act, at: number, ids: readonly string[]) {
  const id = ids[act.n] ?? '';
  if (act.op === 'delete') return mutation({ t: 'action_items', id, op: 'delete', bv: 1 });
  if (act.op === 'insert') {
    const patch = {
      organization_id: world.organization,
      site_id: act.flaw === 'place' ? world.south : world.north,
      title: act.flaw === 'title' ? null : `New ${at}`,
    };
    return mutation({
      t: 'action_items' as const,
      id: act.flaw === 'known' ? id : randomUUID(),
      op: 'insert',
      patch: { ...patch, ...(act.flaw === 'column' && { colour: 'red' }) },
    });
  }
  const wanted = { title: act.flaw === 'title' ? null : `Mine ${at}`, priority: 'high' };
  const patch = Object.fromEntries(act.fields.map(field => [field, wanted[field]]));
  const seen = { title: act.stale ? TITLE : act.n % 2 === 1 ? 'Theirs' : TITLE, priority: 'medium' };
  return mutation({
    t: 'action_items' as const,
    id: act.flaw === 'missing' ? randomUUID() : id,
    op: 'update',
    patch: { ...patch, ...(act.flaw === 'column' && { colour: 'red' }) },
    base: Object.fromEntries(act.fields.map(field => [field, seen[field]])),
    bv: act.stale || act.n % 2 === 0 ? 1 : 2,
  });
}

/** Without what two runs cannot share: ids and moments. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      ['mid', 'id', 'cid', 'created_at', 'updated_at', 'deleted_at', 'scopes'].includes(key) ? undefined : inner,
    ),
  );

const rowsOf = (ids: readonly string[]) =>
  db.asAdmin(
    `select title, priority, version, deleted_at is null as stands from action_items where id = any ($1) order by array_position($1, id)`,
    [ids],
  );

test(
  'mutations pushed together end as each pushed alone: same results, same rows',
  async () => {
    const property = fc.asyncProperty(acts, async list => {
      const [together, apart] = [await records(), await records()];
      const answered = await worker.push(...list.map((act, at) => asMutation(act, at, together)));
      const alone = [];
      for (const [at, act] of list.entries()) alone.push(...(await worker.push(asMutation(act, at, apart))));
      expect(comparable(answered)).toEqual(comparable(alone));
      expect(await rowsOf(together)).toEqual(await rowsOf(apart));
    });
    await holds('push-runs', 60, property);
  },
  HISTORIES_TIMEOUT,
);
