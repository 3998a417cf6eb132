import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PullAnswer } from '@cairn/sync/transport/backend.ts';
import { mutation, testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What a page weighs is bounded, whatever somebody put into a few rows of a place. */
setUpWorld();

const PAGE = 10_000;

const bounded = (bytes: number) =>
  db.asAdmin(
    `create or replace function sync.page_bytes() returns integer language sql stable set search_path = '' return ${bytes}`,
  );

/** Rows of the place, each some bytes heavy; numbers that say many digits in few bytes weigh what they say. */
async function heavy(count: number, bytes: number, site: string | null = world.north): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await db.asAdmin(
    `insert into action_items (id, organization_id, site_id, title, description)
     select unnest($1::uuid[]), $2, $3, 'Heavy', repeat('a', $4)`,
    [ids, world.organization, site, bytes],
  );
  return ids;
}

const titled = (answer: PullAnswer) => (answer.rows.action_items ?? []).filter(row => row['title'] === 'Heavy');

describe('a page of a pull', () => {
  beforeEach(async () => {
    await bounded(PAGE);
    await db.asAdmin(`delete from action_items where title = 'Heavy'`);
  });

  test.each([1000, 5000])(
    'brings what fits, in order, nothing twice and nothing lost, of %i asked for',
    async limit => {
      const device = testDevice(db, world.worker);
      await device.pull();
      const ids = await heavy(5, 4000);
      const answers = await device.pull(limit);
      const pages = answers.map(answer => titled(answer).map(({ id }) => id));
      expect(pages.map(page => page.length)).toEqual([2, 2, 1]);
      expect(pages.flat().toSorted()).toEqual(ids.toSorted());
    },
  );

  test('brings one row alone that is larger than a page, and then the rest', async () => {
    const device = testDevice(db, world.worker);
    await device.pull();
    const ids = [...(await heavy(1, 100)), ...(await heavy(1, 19_000)), ...(await heavy(1, 100))];
    const answers = await device.pull(5000);
    expect(answers.map(answer => titled(answer).map(({ id }) => id))).toEqual(ids.map(id => [id]));
  });

  test('counts what compresses well, and numbers of many digits, as they are told', async () => {
    const device = testDevice(db, world.worker);
    await device.pull();
    await db.asAdmin(
      `update inspection_answers set value = '{"n": 1, "deep": null, "many": [1e4000, 1e4000]}' where id = $1`,
      [world.answer],
    );
    await heavy(1, 4000);
    expect((await device.pull(5000)).length).toBeGreaterThan(1);
    await db.asAdmin(`update inspection_answers set value = '{"n": 1, "deep": null}' where id = $1`, [world.answer]);
  });

  test('is bounded in the first pull too, and what a device wrote itself weighs nothing', async () => {
    await heavy(7, 4000);
    const whole = testDevice(db, world.worker);
    await whole.pull(5000);
    const device = testDevice(db, world.worker);
    const answers = await device.pull(5000);
    for (const answer of answers) expect(titled(answer).length).toBeLessThanOrEqual(2);
    expect([...device.rows.keys()].filter(key => key.startsWith('action_items/'))).toHaveLength(
      [...whole.rows.keys()].filter(key => key.startsWith('action_items/')).length,
    );
    const wrote = await device.push(
      ...Array.from({ length: 5 }, () => ({
        t: 'action_items' as const,
        op: 'insert' as const,
        patch: { organization_id: world.organization, title: 'Heavy', description: 'b'.repeat(4000) },
      })),
    );
    expect(wrote.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied', 'applied', 'applied']);
    expect(await device.pull(5000)).toHaveLength(1);
  });

  test('is bounded where pages are ready', async () => {
    const organization = randomUUID();
    const own = await db.person(`${randomUUID()}@c.test`);
    await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [
      organization,
      'Page',
      `page-${organization}`,
    ]);
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      organization,
      own,
    ]);
    await db.asAdmin(
      `insert into action_items (organization_id, title, description) select $1, 'Heavy', repeat('a', 3000) from generate_series(1, 12)`,
      [organization],
    );
    await db.asAdmin('call sync.make_snapshot_pages(1, 2, 500)');
    const sizes = await db.asAdmin(`select n, bytes from sync.snapshot_page where scope = 'org:' || $1`, [
      organization,
    ]);
    expect(sizes.length).toBeGreaterThan(3);
    for (const { bytes } of sizes) expect(Number(bytes)).toBeLessThanOrEqual(PAGE);
    let cursors = {};
    const seen: number[] = [];
    for (;;) {
      const answer = await db.rpc<PullAnswer & { pages: { parts: unknown }[] }>(own, 'sync_pull', {
        p_cursors: cursors,
        p_limit: 5000,
        p_packed: true,
        p_snapshots: true,
        p_constant: true,
      });
      seen.push(JSON.stringify(answer).length);
      cursors = answer.scopes;
      if (!answer.more) break;
    }
    for (const bytes of seen) expect(bytes).toBeLessThan(3 * PAGE);
  });
});

describe('what else answers with rows', () => {
  const repair = (cursor: string) => ({ p_scope: cursor, p_table: 'action_items', p_sums: {} });

  test('a repair takes as many buckets as a page may weigh, and refuses one that is far too large', async () => {
    await db.asAdmin(`delete from action_items where title = 'Heavy'`);
    await bounded(PAGE);
    await heavy(12, 4000);
    const answer = await db.rpc<{ rows: unknown[]; buckets: number[]; wrong: number }>(
      world.worker,
      'sync_repair',
      repair(`site:${world.north}`),
    );
    expect(answer.buckets.length).toBeLessThan(answer.wrong);
    expect(JSON.stringify(answer.rows).length).toBeLessThan(3 * PAGE);
    // Whichever row its first bucket has.
    await bounded(10);
    await expect(db.rpc(world.worker, 'sync_repair', repair(`site:${world.north}`))).rejects.toMatchObject({
      code: 'PT413',
    });
  });

  test('a push stops where its answer is as large as a page, and says what remains', async () => {
    await db.asAdmin(`delete from action_items where title = 'Heavy'`);
    const ids = await heavy(6, 4000);
    await bounded(PAGE);
    const stale = ids.map((id, n) =>
      mutation({ t: 'action_items', op: 'update', id, patch: { title: `Mine ${n}` }, base: { title: 'Theirs' } }),
    );
    const answer = await db.rpc<{ results: unknown[]; rest?: number }>(world.manager, 'sync_push', {
      p_device: randomUUID(),
      p_mutations: stale,
    });
    expect(answer.results.length).toBeLessThan(6);
    expect(answer.rest).toBe(6 - answer.results.length);
  });
});
