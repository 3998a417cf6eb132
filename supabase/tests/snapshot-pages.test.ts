import { randomUUID } from 'node:crypto';
import { idsOf, rowsOf, withPacked, type PackedAnswer } from '@cairn/sync/transport/packed-rows.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { HISTORIES_TIMEOUT, holds } from '@cairn/testing/histories.ts';
import { makeSnapshotPages } from '@cairn/testing/snapshot-pages.ts';
import fc from 'fast-check';
import postgres from 'postgres';
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

const ALL = ['manager', 'worker', 'colleague', 'admin', 'auditor', 'stranger'] as const;

/** Asks for what is ready and takes it apart again. */
const asking = (given: object): Pick<TestDatabase, 'rpc'> => ({
  async rpc<A>(person: string | null, name: string, args: Record<string, unknown>) {
    const answer = await db.rpc<PackedAnswer>(person, name, { ...args, ...given });
    const { rows, ...page } = withPacked(answer);
    const apart = Object.entries(rows).map(([table, some]) => [table, rowsOf(some).map(bare)]);
    return { ...page, rows: Object.fromEntries(apart) } as A;
  },
});
const SNAPSHOT = { p_packed: true, p_snapshots: true, p_constant: true };
const withSnapshots = asking(SNAPSHOT);
const plain = asking({ p_packed: true });

const bare = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

const makePages = (least = 1, most = 3) => makeSnapshotPages(db, least, most);

const countOf = async (table: string) => Number((await db.asAdmin(`select count(*) as n from ${table}`))[0]?.['n']);
const pages = () => countOf('sync.snapshot_page');

async function addAction(fields: { title?: string; site?: string | null; assignee?: string | null } = {}) {
  const id = randomUUID();
  const { title = 'One', site = world.north, assignee = null } = fields;
  await db.asAdmin(
    'insert into action_items (id, organization_id, site_id, title, assignee_id) values ($1, $2, $3, $4, $5)',
    [id, world.organization, site, title, assignee],
  );
  return id;
}

const NONE = '00000000-0000-0000-0000-000000000000';
const makeOne = (scope: string, from: unknown[] = [0, '', NONE], least = 1, most = 100) =>
  db.asAdmin(`select outcome from sync.make_snapshot_page($1, $2, $3, $4, $5, $6)`, [scope, least, most, ...from]);

const held = (device: TestDevice) =>
  [...device.rows]
    .map(([key, { row, scopes }]) => [key, bare(row), [...scopes].toSorted()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

async function equalForAll(limit: number, names: readonly (typeof ALL)[number][] = ALL): Promise<void> {
  for (const person of names.map(name => world[name])) {
    const [one, other] = [testDevice(withSnapshots, person), testDevice(plain, person)];
    await equalAfter(limit, one, other);
  }
}

describe('snapshot pages', () => {
  test('whoever asks reads what they would read row by row, whatever a page may hold', async () => {
    for (let n = 0; n < 12; n += 1)
      await addAction({ assignee: n % 3 ? world.worker : null, site: n % 4 ? world.north : null });
    await makePages();
    expect(await pages()).toBeGreaterThan(20);
    await equalForAll(2, ['worker']);
    await equalForAll(7, ['manager', 'auditor']);
    for (const limit of [40, 5000]) await equalForAll(limit);
  });

  test('an answer names nobody else’s own scopes, and rows and scopes once', async () => {
    await db.asAdmin(
      `insert into action_items (organization_id, site_id, title, assignee_id, created_by) select $1, $2, 'Both', $3, $3`,
      [world.organization, world.north, world.worker],
    );
    const twice = `select 1 from action_items where cardinality(scopes) > cardinality(array(select distinct unnest(scopes)))`;
    expect(await db.asAdmin(twice)).not.toEqual([]);
    await makePages();
    for (const person of ALL.map(name => world[name])) {
      const answer = await db.rpc<PackedAnswer>(person, 'sync_pull', { p_limit: 5000, ...SNAPSHOT });
      expect(answer.pages?.length).toBeGreaterThan(0);
      const audiences = answer.pages?.flatMap(page => page.audiences.flat()) ?? [];
      for (const scopes of audiences) expect(scopes).toEqual([...new Set(scopes)]);
      const own = new Set(answer.order);
      const named = JSON.stringify(answer).match(/\b(user|member|circle|may):[^"\s]+/gu) ?? [];
      expect(named.filter(scope => !own.has(scope))).toEqual([]);
      for (const rows of Object.values(withPacked(answer).rows)) {
        const ids = rowsOf(rows).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { _s } of rowsOf(rows)) expect(_s).toEqual([...new Set(_s)]);
      }
    }
  });

  test('a change deletes the page that holds its row and no other; what is new deletes none', async () => {
    const ids = [await addAction(), await addAction(), await addAction()];
    await makePages(1, 1);
    const holding = async () =>
      (
        await db.asAdmin(`select parts -> 0 -> 'vals' -> 0 ->> 0 as id from sync.snapshot_page where scope = $1`, [
          `site:${world.north}`,
        ])
      )
        .map(({ id }) => String(id))
        .filter(id => ids.some(each => each === id))
        .toSorted();
    expect(await holding()).toEqual(ids.toSorted());
    const before = await pages();
    const later = await addAction();
    await db.asAdmin(`update action_items set title = 'Behind all pages' where id = $1`, [later]);
    expect(await pages()).toBe(before);
    await db.asAdmin(`update action_items set title = 'Other' where id = $1`, [ids[0]]);
    expect(await holding()).toEqual(ids.slice(1).toSorted());
    await db.asAdmin('update action_items set deleted_at = now() where id = $1', [ids[1]]);
    expect(await holding()).toEqual(ids.slice(2));
    await db.asAdmin('delete from action_items where id = $1', [ids[2]]);
    expect(await holding()).toEqual([]);
    expect(await pages()).toBe(before - 3);
    await equalForAll(40);
  });

  test('what is missing is made again, between what is there, in parts as large as said; too little is left', async () => {
    const own = await db.person(`${randomUUID()}@c.test`);
    const organization = randomUUID();
    await db.asAdmin('insert into organizations (id, name, slug) values ($1, $2, $3)', [
      organization,
      'Page',
      `page-${organization}`,
    ]);
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      organization,
      own,
    ]);
    const scope = `org:${organization}`;
    const add = 'insert into action_items (organization_id, title) select $1, $2 from generate_series(1, $3)';
    for (let n = 0; n < 5; n += 1) await db.asAdmin(add, [organization, `Row ${n}`, 5]);
    const sizes = async () =>
      (
        await db.asAdmin('select n from sync.snapshot_page where scope = $1 order by after_v, after_t, after_id', [
          scope,
        ])
      ).map(({ n }) => n);
    const all = Number(
      (await db.asAdmin('select count(*) as n from sync.change where scope = $1 and not gone', [scope]))[0]?.['n'],
    );
    await makePages(3, 10);
    const made = await sizes();
    expect(made.slice(0, 2)).toEqual([10, 10]);
    expect(made.reduce<number>((sum, n) => sum + Number(n), 0)).toBeGreaterThan(all - 3);
    await db.asAdmin(
      `update action_items set title = 'Moved' where id = (select id from action_items where organization_id = $1 and title = 'Row 2' limit 1)`,
      [organization],
    );
    expect(await sizes()).toHaveLength(made.length - 1);
    await makePages(3, 10);
    expect((await sizes()).reduce<number>((sum, n) => sum + Number(n), 0)).toBeGreaterThan(all - 3);
    expect(await sizes()).toContain(9);
    const device = testDevice(withSnapshots, own);
    const answers = await device.pull(12);
    expect(
      [...device.rows.values()].filter(({ row }) => row['organization_id'] === organization && row['title']),
    ).toHaveLength(25);
    for (const { rows } of answers) expect(Object.values(rows).flat().length).toBeLessThanOrEqual(12);
    // Up to a page row by row, and no further.
    await db.asAdmin(
      `update action_items set title = 'Moved' where id = (select id from action_items where organization_id = $1 and title = 'Row 2' limit 1)`,
      [organization],
    );
    const answer = await db.rpc<PackedAnswer>(own, 'sync_pull', { p_limit: 5000, ...SNAPSHOT });
    const parts = answer.pages?.flatMap(page => page.parts.filter(({ t }) => t === 'action_items')) ?? [];
    expect(parts.length).toBeGreaterThan(0);
    const ids = [answer.packed?.action_items ?? [], ...parts].flatMap(idsOf);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    expect(ids.length).toBe(25);
  });

  test('a page is not stored beside a change that was under way', async () => {
    const scope = `site:${world.south}`;
    const id = await addAction({ site: world.south });
    await db.asAdmin('delete from sync.snapshot_page');
    const sql = postgres(db.url, { max: 2, onnotice: () => {} });
    const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writer = sql.begin(async tx => {
      await tx`update action_items set title = 'Under way' where id = ${id}`;
      // As at its end: the counter is taken, the feed written.
      await tx`set constraints all immediate`;
      writing.resolve();
      await written.promise;
    });
    await writing.promise;
    const made = makeOne(scope);
    await expect
      .poll(async () =>
        Number(
          (
            await db.asAdmin(
              `select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%make_snapshot_page%'`,
            )
          )[0]?.['n'],
        ),
      )
      .toBeGreaterThan(0);
    written.resolve();
    await writer;
    expect(await made).toEqual([{ outcome: 'moved' }]);
    expect(await pages()).toBe(0);

    // One that sees nothing of what others do since it began must not leave a page it would have to delete.
    const late = sql.begin('isolation level repeatable read', async tx => {
      await tx`select 1 from action_items limit 1`;
      await makeOne(scope);
      await tx`update action_items set title = 'Late' where id = ${id}`;
    });
    await expect(late).rejects.toThrow(/could not serialize/u);
    expect(await pages()).toBe(1);
    await sql.end();
  });

  test('whoever asks for no more than a page gets on, while others keep adding in front of it', async () => {
    const scope = `site:${world.south}`;
    for (let n = 0; n < 9; n += 1) await addAction({ site: world.south });
    await makePages(4, 4);
    expect(await db.asAdmin('select 1 from sync.snapshot_page where scope = $1', [scope])).not.toEqual([]);
    const reader = testDevice(
      {
        rpc: async (...asked) => {
          await addAction({ site: null });
          return withSnapshots.rpc(...asked);
        },
      },
      world.colleague,
    );
    await reader.pull(4);
    const plainly = testDevice(plain, world.colleague);
    await plainly.pull(5000);
    expect(held(reader)).toEqual(held(plainly));
  });

  test('what went while somebody was reading is told, whatever is ready by then; who does not ask is sent no page', async () => {
    for (let n = 0; n < 6; n += 1) await addAction({ site: world.south });
    let gone = '';
    const reader = testDevice(
      {
        rpc: async (...asked) => {
          const [found] = [...reader.rows.values()].filter(({ row }) => row['site_id'] === world.south && row['title']);
          if (found && !gone) {
            gone = String(found.row['id']);
            await db.asAdmin('update action_items set deleted_at = now() where id = $1', [gone]);
            for (let n = 0; n < 3; n += 1) await addAction({ site: world.south });
            await makePages(1, 1);
          }
          return withSnapshots.rpc(...asked);
        },
      },
      world.colleague,
    );
    await reader.pull(4);
    expect(gone).not.toBe('');
    const plainly = testDevice(plain, world.colleague);
    await plainly.pull(5000);
    expect(held(reader)).toEqual(held(plainly));
    const unasked = await db.rpc<PackedAnswer>(world.colleague, 'sync_pull', { p_limit: 5000, p_packed: true });
    expect(unasked.pages).toEqual([]);
  });

  test('however many make pages at once, no two overlap, and none outlives a change', async () => {
    const scope = `site:${world.south}`;
    await db.asAdmin('delete from sync.snapshot_page');
    for (let n = 0; n < 15; n += 1) await addAction({ site: world.south });
    const feed = await db.asAdmin('select id from sync.change where scope = $1 and not gone order by version', [scope]);
    const stands = () =>
      db.asAdmin(
        'select after_v, upto_v, upto_t, upto_id from sync.snapshot_page where scope = $1 order by after_v, after_t, after_id',
        [scope],
      );
    const make = (from?: unknown[]) => makeOne(scope, from, 2, 5);
    await make();
    await make();
    // Both go, and another begins while whoever made them is about to go on behind the first.
    const [first] = await stands();
    for (const at of [3, 6, 7])
      await db.asAdmin('update action_items set title = $2 where id = $1', [feed[at]?.['id'], 'Moved']);
    expect(await stands()).toEqual([]);
    await make();
    await make([first?.['upto_v'], first?.['upto_t'], first?.['upto_id']]);
    const made = (await stands()).map(({ after_v: after, upto_v: upto }) => ({
      after: Number(after),
      upto: Number(upto),
    }));
    expect(made).toHaveLength(2);
    expect(made[1]?.after).toBeGreaterThanOrEqual(made[0]?.upto ?? Infinity);
    await db.asAdmin('update action_items set site_id = $2 where site_id = $1', [world.south, world.north]);
    expect(await stands()).toEqual([]);
    await equalForAll(5000, ['colleague']);
  });

  test('people reach pages by their pulls only; other columns leave none', async () => {
    for (const person of [world.admin, world.worker, null]) {
      await expect(db.as(person, 'select 1 from sync.snapshot_page')).rejects.toThrow(/permission denied/u);
      await expect(db.as(person, `select sync.make_snapshot_page('all', 1, 1, 0, '', '${NONE}')`)).rejects.toThrow(
        /permission denied/u,
      );
      await expect(db.as(person, 'call sync.make_snapshot_pages()')).rejects.toThrow(/permission denied/u);
    }
    await makePages();
    expect(await pages()).toBeGreaterThan(0);
    await db.asAdmin(`select sync.refresh_table('action_items')`);
    const shaped = 'select 1 from sync.snapshot_page where shape = sync.snapshot_shape()';
    expect(await db.asAdmin(shaped)).toEqual([]);
    await makePages();
    expect(await db.asAdmin(shaped)).not.toEqual([]);
    await db.asAdmin('revoke insert on action_items from authenticated');
    expect(await db.asAdmin(shaped)).toEqual([]);
    await db.asAdmin('grant insert on action_items to authenticated');
    await makePages();
    await db.asAdmin('select sync.raise_epochs()');
    expect(await pages()).toBe(0);
  });

  test('rows that not everybody in the place may read are read row by row, whatever stands around them', async () => {
    const readable = await db.asAdmin('select name from sync.tables where sync.is_read_by_scope(name) order by name');
    const names = readable.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['action_items', 'inspections', 'policies', 'organizations']));
    for (const name of ['wellness_check_ins', 'habits', 'note_keys']) expect(names).not.toContain(name);
    const hidden = await addAction();
    await db.asAdmin(`insert into sites (organization_id, name) values ($1, 'Between')`, [world.organization]);
    await addAction();
    await makePages();
    const holding = `select 1 from sync.snapshot_page, json_array_elements(parts) part
      where part ->> 't' = 'action_items' and shape = sync.snapshot_shape()`;
    expect(await db.asAdmin(holding)).not.toEqual([]);
    await db.asAdmin(
      `create policy "only the titled" on action_items as restrictive for select to authenticated using (title <> 'One')`,
    );
    try {
      // Those made before are there and are not read.
      expect(await db.asAdmin(holding)).toEqual([]);
      await equalForAll(40, ['manager', 'worker']);
      await makePages(1, 2);
      expect(await pages()).toBeGreaterThan(0);
      expect(await db.asAdmin(holding)).toEqual([]);
      await equalForAll(20);
      const { gone } = await db.rpc<PackedAnswer>(world.manager, 'sync_pull', { p_limit: 5000, p_packed: true });
      expect(gone.map(([, table, id]) => `${table} ${id}`)).toContain(`action_items ${hidden}`);
      await db.asAdmin(`alter policy "only the titled" on action_items using (title <> 'Two')`);
      expect(await db.asAdmin('select 1 from sync.snapshot_page where shape = sync.snapshot_shape()')).toEqual([]);
    } finally {
      await db.asAdmin('drop policy "only the titled" on action_items');
    }
    await equalForAll(40, ['manager']);
  });

  test('a minute’s work makes what is missing where there is much, and is not repeated where nothing changed', async () => {
    await db.asAdmin('delete from sync.snapshot_page');
    await db.asAdmin('delete from sync.snapshot_state');
    await db.asAdmin('call sync.make_snapshot_pages()');
    expect(await pages()).toBe(0);
    const add =
      'insert into action_items (organization_id, site_id, title) select $1, $2, $3 from generate_series(1, $4)';
    await db.asAdmin(add, [world.organization, world.south, 'Many', 1100]);
    await db.asAdmin('call sync.make_snapshot_pages()');
    const made = await pages();
    expect(made).toBe(3);
    await db.asAdmin(
      `update action_items set title = 'Changed' where id = (select id from action_items where title = 'Many' limit 1)`,
    );
    await db.asAdmin('call sync.make_snapshot_pages()');
    expect(await pages()).toBe(made - 1);
    await db.asAdmin(`update sync.snapshot_state set at = at - interval '11 minutes'`);
    await db.asAdmin('call sync.make_snapshot_pages()');
    expect(await pages()).toBe(made);
    await equalForAll(5000);
    // Where it does not work, it is tried again; and where nobody can wait for a page, that is said to nobody.
    await db.asAdmin(`update action_items set title = 'Changed' where title = 'Many'`);
    await db.asAdmin(`update sync.snapshot_state set at = at - interval '11 minutes'`);
    const sql = postgres(db.url, { max: 2, onnotice: () => {} });
    await sql.begin(async holding => {
      await holding`select 1 from sync.scope where id = ${`site:${world.south}`} for update`;
      const maker = await sql.reserve();
      await maker`set lock_timeout = '50ms'`;
      await maker`call sync.make_snapshot_pages()`;
      await maker`set lock_timeout = 0`;
      maker.release();
    });
    await sql.end();
    expect(await pages()).toBe(0);
    await db.asAdmin('call sync.make_snapshot_pages()');
    expect(await pages()).toBe(0);
    await db.asAdmin(`update sync.snapshot_state set at = at - interval '11 minutes'`);
    await db.asAdmin('call sync.make_snapshot_pages()');
    expect(await pages()).toBe(made);
    await db.asAdmin(`delete from action_items where title in ('Many', 'Changed')`);
  });
});

type Step =
  | { kind: 'add'; site: number; assignee: number }
  | { kind: 'edit' | 'delete' | 'restore'; row: number }
  | { kind: 'move' | 'assign'; row: number; to: number }
  | { kind: 'member'; site: number; is: boolean }
  | { kind: 'pages'; most: number }
  | { kind: 'pull'; limit: number }
  | { kind: 'epochs' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), site: fc.nat(2), assignee: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'delete' as const, 'restore' as const),
      row: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('move' as const, 'assign' as const), row: fc.nat(9), to: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('member' as const), site: fc.nat(1), is: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pages' as const), most: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pull' as const), limit: fc.constantFrom(3, 20, 60, 5000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('epochs' as const) }) },
);

async function carryOut(given: Step, rows: string[]): Promise<void> {
  const sites = [world.north, world.south, null];
  const people = [world.worker, world.colleague, null];
  if (given.kind === 'add')
    rows.push(await addAction({ site: sites[given.site] ?? null, assignee: people[given.assignee] ?? null }));
  if (given.kind === 'pages') await makePages(1, given.most);
  if (given.kind === 'epochs') await db.asAdmin('select sync.raise_epochs()');
  if (given.kind === 'member') {
    const site = sites[given.site];
    if (given.is)
      await db.asAdmin(
        `insert into site_members (organization_id, site_id, user_id) select $1, $2, $3
         where not exists (select from site_members where site_id = $2 and user_id = $3 and deleted_at is null)`,
        [world.organization, site, world.worker],
      );
    else
      await db.asAdmin('update site_members set deleted_at = now() where site_id = $1 and user_id = $2', [
        site,
        world.worker,
      ]);
  }
  if (!('row' in given)) return;
  const id = rows[given.row % Math.max(rows.length, 1)] ?? '';
  if (!id) return;
  if (given.kind === 'edit') await db.asAdmin('update action_items set title = $2 where id = $1', [id, randomUUID()]);
  if (given.kind === 'delete') await db.asAdmin('update action_items set deleted_at = now() where id = $1', [id]);
  if (given.kind === 'restore') await db.asAdmin('update action_items set deleted_at = null where id = $1', [id]);
  if (given.kind === 'move')
    await db.asAdmin('update action_items set site_id = $2 where id = $1', [id, sites[given.to] ?? null]);
  if (given.kind === 'assign')
    await db.asAdmin('update action_items set assignee_id = $2 where id = $1', [id, people[given.to] ?? null]);
}

async function equalAfter(limit: number, one: TestDevice, other: TestDevice): Promise<void> {
  await one.pull(limit);
  await other.pull(limit);
  expect(held(one)).toEqual(held(other));
}

test(
  'I1 I2 a device that takes what is ready holds at every moment what one holds that reads row by row',
  { timeout: HISTORIES_TIMEOUT },
  async () => {
    const history = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 16 }),
      fc.constantFrom('worker', 'manager', 'auditor'),
      async (steps, name) => {
        const person = world[name as 'worker'];
        const [one, other] = [testDevice(withSnapshots, person), testDevice(plain, person)];
        const rows: string[] = [];
        for (const given of [...steps, { kind: 'pull', limit: 5000 } as const]) {
          if (given.kind === 'pull') await equalAfter(given.limit, one, other);
          else await carryOut(given, rows);
        }
        const [fresh, apart] = [testDevice(withSnapshots, person), testDevice(plain, person)];
        await fresh.pull(60);
        await apart.pull(5000);
        expect(held(fresh)).toEqual(held(apart));
      },
    );
    await holds('ready_pages', 10, history);
  },
);
