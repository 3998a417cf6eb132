import { randomUUID } from 'node:crypto';
import { addRow, addSum, bucketOf, emptySum, onWire, type Sum } from '@cairn/sync/transport/row-hash.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDevice, type TestDevice } from './device.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
});
afterAll(() => db.drop());

type Digest = Record<string, { at: [string, number]; sums: Record<string, [number, string]> }>;

const tables = async () => (await db.asAdmin('select name from sync.tables')).map(row => String(row['name']));
const digestOf = async (person: string) =>
  db.rpc<Digest>(person, 'sync_digest', { p_tables: `{${(await tables()).join(',')}}` });

/** What a device holds of a table of a scope, by bucket. */
function bucketsOf(device: TestDevice, scope: string, table: string): Map<number, Sum> {
  const sums = new Map<number, Sum>();
  for (const [key, { row, scopes }] of device.rows) {
    const [name, id] = key.split('/') as [string, string];
    if (name !== table || !scopes.has(scope)) continue;
    const sum = sums.get(bucketOf(id)) ?? emptySum();
    addRow(sum, id, Number(row['version']));
    sums.set(bucketOf(id), sum);
  }
  return sums;
}

const wire = (sums: Map<number, Sum>) => Object.fromEntries([...sums].map(([bucket, sum]) => [bucket, onWire(sum)]));

function total(sums: Map<number, Sum>) {
  const all = emptySum();
  for (const sum of sums.values()) addSum(all, sum);
  return onWire(all);
}

const repair = (device: TestDevice, scope: string, table: string, more: Record<string, unknown> = {}) =>
  db.rpc<{ wrong: number; buckets: number[]; rows: Record<string, unknown>[]; at: [string, number] }>(
    world.manager,
    'sync_repair',
    { p_scope: scope, p_table: table, p_sums: wire(bucketsOf(device, scope, table)), p_device: device.id, ...more },
  );

describe('the digest', () => {
  test('the hash of a row is the same on both sides, for any id and version', async () => {
    const rows = fc.sample(fc.tuple(fc.uuid(), fc.maxSafeNat()), 300);
    const [answer] = await db.asAdmin(
      `select array_agg(sync.hex(sync.row_hash(i, v)) order by n) as hashes
       from unnest($1::text::uuid[], $2::text::bigint[]) with ordinality as r (i, v, n)`,
      [`{${rows.map(([id]) => id).join(',')}}`, `{${rows.map(([, version]) => version).join(',')}}`],
    );
    const mine = rows.map(([id, version]) => {
      const sum = emptySum();
      addRow(sum, id, version);
      return onWire(sum)[1];
    });
    expect(answer?.['hashes']).toEqual(mine);
  });

  test('a device that pulled everything holds what the digest says, scope by scope and table by table', async () => {
    for (const person of [world.manager, world.worker, world.admin, world.auditor, world.stranger]) {
      const device = testDevice(db, person);
      await device.pull();
      const digest = await digestOf(person);
      expect(Object.keys(digest).toSorted()).toEqual(Object.keys(device.cursors).toSorted());
      for (const [scope, { at, sums }] of Object.entries(digest)) {
        expect(device.cursors[scope]?.slice(0, 2)).toEqual([expect.stringContaining(at[0]), at[1]]);
        for (const table of await tables())
          expect([scope, table, total(bucketsOf(device, scope, table))]).toEqual([
            scope,
            table,
            sums[table] ?? [0, '0'.repeat(16)],
          ]);
      }
    }
  });

  test('it follows inserts, edits, moves, soft and hard deletes, alone and many at once', async () => {
    const insert =
      'insert into action_items (organization_id, site_id, title) select $1, $2, n::text from generate_series(1, $3) n returning id';
    const ids = (await db.asAdmin(insert, [world.organization, world.north, 40])).map(row => String(row['id']));
    await db.asAdmin('update action_items set title = title || $2 where id = any($1)', [ids.slice(0, 20), '!']);
    await db.asAdmin('update action_items set site_id = $2 where id = any($1)', [ids.slice(10, 25), world.south]);
    await db.asAdmin('update action_items set deleted_at = now() where id = any($1)', [ids.slice(20, 30)]);
    await db.asAdmin('delete from action_items where id = any($1)', [ids.slice(28, 34)]);
    const device = testDevice(db, world.manager);
    await device.pull();
    const digest = await digestOf(world.manager);
    for (const scope of [`site:${world.north}`, `site:${world.south}`])
      expect(digest[scope]?.sums['action_items']).toEqual(total(bucketsOf(device, scope, 'action_items')));
  });

  test('asking costs as much with 20,000 rows in the space as with 100', async () => {
    const fresh = await freshDatabase();
    const small = await makeWorld(fresh);
    const fill = (n: number) =>
      fresh.asAdmin(
        'insert into action_items (organization_id, site_id, title) select $1, $2, $3 from generate_series(1, $4)',
        [small.organization, small.north, 'x', n],
      );
    const pages = async () => {
      const calls = `select public.sync_digest(array['action_items','inspections'])`;
      await fresh.as(small.manager, calls);
      const [plan] = await fresh.as(small.manager, `explain (analyze, buffers, format json) ${calls}`);
      const [read] = (plan ? plan['QUERY PLAN'] : []) as { Plan: Record<string, number> }[];
      return (read?.Plan['Shared Hit Blocks'] ?? 0) + (read?.Plan['Shared Read Blocks'] ?? 0);
    };
    await fill(100);
    await fresh.asAdmin('vacuum analyze');
    const before = await pages();
    await fill(20_000);
    await fresh.asAdmin('vacuum analyze');
    expect(await pages()).toBeLessThanOrEqual(before * 1.5 + 20);
    await fresh.drop();
  });

  test('nobody is told of scopes that are not theirs, and a visitor of none', async () => {
    const digest = await digestOf(world.worker);
    expect(Object.keys(digest)).not.toContain(`site:${world.south}`);
    await expect(db.rpc(null, 'sync_digest', { p_tables: '{sites}' })).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the repair', () => {
  test('a device without differences gets nothing, and nothing is noted', async () => {
    const device = testDevice(db, world.manager);
    await device.pull();
    expect(await repair(device, `site:${world.north}`, 'action_items')).toMatchObject({ wrong: 0, rows: [] });
    expect(await db.asAdmin('select * from sync.mismatch where device = $1', [device.id])).toEqual([]);
  });

  test('a missing, an outdated and a surplus row are found by their buckets, and it is noted', async () => {
    const device = testDevice(db, world.manager);
    await device.pull();
    const scope = `site:${world.north}`;
    const own = [...device.rows].filter(([key, { scopes }]) => key.startsWith('action_items/') && scopes.has(scope));
    const [[missing] = [''], [, outdated] = ['', { row: {} as Record<string, unknown> }]] = own;
    device.rows.delete(missing);
    outdated.row['version'] = 99;
    const surplus = randomUUID();
    device.rows.set(`action_items/${surplus}`, { row: { version: 1 }, scopes: new Set([scope]) });
    const wanted = new Set([missing.slice(-2), String(outdated.row['id']).slice(-2), surplus.slice(-2)]);
    const answer = await repair(device, scope, 'action_items');
    expect(answer.wrong).toBe(wanted.size);
    expect(new Set(answer.buckets)).toEqual(new Set([...wanted].map(byte => Number.parseInt(byte, 16))));
    const ids = answer.rows.map(row => row['id']);
    expect(ids).toContain(missing.split('/')[1]);
    expect(ids).toContain(outdated.row['id']);
    expect(ids).not.toContain(surplus);
    expect(answer.rows[0]).toHaveProperty('_s');
    const noted = await db.asAdmin('select user_id, scope, tbl, times, buckets from sync.mismatch where device = $1', [
      device.id,
    ]);
    expect(noted).toEqual([{ user_id: world.manager, scope, tbl: 'action_items', times: 1, buckets: wanted.size }]);
  });

  test('many differences come in parts of whole buckets', async () => {
    const empty = testDevice(db, world.manager);
    const scope = `site:${world.north}`;
    const answer = await repair(empty, scope, 'action_items', { p_limit: 5 });
    expect(answer.buckets.length).toBeLessThan(answer.wrong);
    expect(answer.rows.length).toBeGreaterThan(0);
  });

  test("somebody else's scope, an unknown table and sums that are none give no row", async () => {
    const sums = { p_scope: `site:${world.south}`, p_table: 'action_items', p_sums: {} };
    expect(await db.rpc(world.worker, 'sync_repair', sums)).toMatchObject({ rows: [], wrong: 0 });
    for (const wrong of [{ p_table: 'pg_class' }, { p_sums: '[]' }, { p_limit: 0 }])
      await expect(db.rpc(world.worker, 'sync_repair', { ...sums, ...wrong })).rejects.toMatchObject({ code: '22023' });
    await expect(db.rpc(null, 'sync_repair', sums)).rejects.toMatchObject({ code: '42501' });
  });
});
