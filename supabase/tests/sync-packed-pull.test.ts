import { randomUUID } from 'node:crypto';
import type { Page, PullAnswer } from '@cairn/sync/transport/backend.ts';
import { idsOf, rowsOf, withPacked, type PackedAnswer } from '@cairn/sync/transport/packed-rows.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
});
afterAll(() => db.drop());

/** Rows in any order: SQL promises none inside a page. */
const sorted = ({
  now: _now,
  packed: _packed,
  pages: _none,
  ...page
}: Page & { packed?: unknown; pages?: unknown }) => ({
  ...page,
  rows: Object.fromEntries(
    Object.entries(page.rows).map(([table, rows]) => [
      table,
      rowsOf(rows)
        .map(row => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
        .toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
    ]),
  ),
  stubs: Object.fromEntries(
    Object.entries(page.stubs).map(([table, stubs]) => [table, stubs.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
  ),
});

const pull = (person: string, more: object) => db.rpc<PackedAnswer>(person, 'sync_pull', { p_cursors: {}, ...more });

describe('a packed page', () => {
  const EVERYBODY = ['manager', 'worker', 'admin', 'auditor', 'stranger'] as const;
  test.for([
    // Row by row once: who else reads them changes nothing about where a page ends.
    [1, ['worker']],
    [3, ['auditor', 'stranger']],
    [17, EVERYBODY],
    [5000, EVERYBODY],
  ] as const)('says what the plain one says, page by page of %i', async ([p_limit, people]) => {
    for (const person of people.map(each => world[each])) {
      let p_cursors: PullAnswer['scopes'] = {};
      for (let more = true; more;) {
        const plain = await pull(person, { p_cursors, p_limit });
        const packed = await pull(person, { p_cursors, p_limit, p_packed: true });
        expect(packed.rows).toEqual({});
        expect([plain.pages, packed.pages]).toEqual([[], []]);
        expect(sorted(withPacked(packed))).toEqual(sorted(plain));
        ({ scopes: p_cursors, more } = plain);
      }
    }
  });

  test('any text, JSON value and missing value comes as it is', async () => {
    const insert =
      'insert into action_items (organization_id, site_id, title, description, due_at) values ($1, $2, $3, $4, $5) returning id';
    const device = testDevice(db, world.worker);
    await device.pull();
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map(each => `${each.replaceAll('\0', '')}x`);
    const samples = fc.sample(fc.tuple(text, fc.option(text)), 40);
    for (const [title, description] of samples) {
      const due = description ? '2026-11-21T08:00:00.123Z' : null;
      await db.asAdmin(insert, [world.organization, world.north, title, description, due]);
    }
    const given = { p_cursors: device.cursors };
    const packed = withPacked(await pull(world.worker, { ...given, p_packed: true }));
    const rows = rowsOf(packed.rows.action_items ?? []);
    expect(rows).toHaveLength(samples.length);
    expect(sorted(packed)).toEqual(sorted(await pull(world.worker, given)));
    const titles = rows.map(({ title }) => String(title));
    expect(titles.toSorted()).toEqual(samples.map(([title]) => title).toSorted());
  });

  test('own work comes as stubs and what left as gone, in the same page', async () => {
    const device = testDevice(db, world.worker);
    await device.pull();
    const before = device.cursors;
    const own = randomUUID();
    const title = 'Made here';
    const place = { organization_id: world.organization, site_id: world.north };
    await device.push({ t: 'action_items', op: 'insert', id: own, patch: { title, ...place } });
    const [other] = await db.asAdmin(
      'insert into action_items (organization_id, site_id, title) values ($1, $2, $3) returning id',
      [world.organization, world.north, 'By another'],
    );
    await db.asAdmin(
      'update action_items set deleted_at = now() where id in (select id from action_items where title like $1 limit 3)',
      ['%x'],
    );
    const given = { p_cursors: before, p_device: device.id };
    const [plain, packed] = [await pull(world.worker, given), await pull(world.worker, { ...given, p_packed: true })];
    expect(packed.stubs.action_items?.map(([id]) => id)).toEqual([own]);
    expect(idsOf(withPacked(packed).rows.action_items ?? [])).toEqual([other?.['id']]);
    expect(packed.gone.length).toBeGreaterThan(0);
    expect(sorted(withPacked(packed))).toEqual(sorted(plain));
  });
});

describe('an idle device', () => {
  test('asking for nothing new reads as many pages with 20,000 rows in the space as with 100', async () => {
    const fresh = await freshDatabase();
    const small = await makeWorld(fresh);
    const fill = async (n: number) => {
      const insert =
        'insert into action_items (organization_id, site_id, title) select $1, $2, $3 from generate_series(1, $4)';
      await fresh.asAdmin(insert, [small.organization, small.north, 'x', n]);
      await fresh.asAdmin('vacuum analyze');
    };
    const pages = async () => {
      let cursors: PullAnswer['scopes'] = {};
      for (let more = true; more;) {
        ({ scopes: cursors, more } = await fresh.rpc<PullAnswer>(small.manager, 'sync_pull', {
          p_cursors: cursors,
          p_limit: 5000,
        }));
      }
      const ask = `select public.sync_pull('${JSON.stringify(cursors)}', '${randomUUID()}', 1000, true)`;
      await fresh.as(small.manager, ask);
      const [plan] = await fresh.as(small.manager, `explain (analyze, buffers, format json) ${ask}`);
      const [read] = (plan ? plan['QUERY PLAN'] : []) as { Plan: Record<string, number> }[];
      return (read?.Plan['Shared Hit Blocks'] ?? 0) + (read?.Plan['Shared Read Blocks'] ?? 0);
    };
    await fill(100);
    const before = await pages();
    await fill(20_000);
    expect(await pages()).toBeLessThanOrEqual(before * 1.5 + 20);
    await fresh.drop();
  });
});
