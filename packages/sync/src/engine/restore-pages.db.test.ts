import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import {
  addMember,
  anOrganization,
  counted,
  drain,
  leaveNothing,
  openTab,
  pass,
  restored,
  type Tab,
} from '@cairn/testing/device-on-sql.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import '../pull/digest.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const WHOLE = 5000;
const SMALL = 12;

type World = Awaited<ReturnType<typeof aWorld>>;

/** A member of two sites with one device, and four records of somebody else's. */
async function aWorld() {
  const { organization, person: admin } = await anOrganization(db);
  const person = await db.person(`${newId()}@example.test`);
  await addMember(db, { organization, person, role: 'member' });
  const sites = [newId(), newId()] as const;
  for (const id of sites) {
    await db.asAdmin('insert into sites (id, organization_id, name) values ($1, $2, $3)', [id, organization, id]);
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      organization,
      id,
      person,
    ]);
  }
  const paging = { most: WHOLE };
  const backend = sqlBackend(db, person, { most: () => paging.most, isReady: false });
  const tab = await openTab({ person, backend: counted(backend) });
  const ids = Array.from({ length: 7 }, () => newId());
  return { organization, admin, person, sites, ids, tab, paging };
}

const rowOf = ({ ids }: World, record: number): string => ids[record] ?? '';

type Step =
  | { kind: 'move' | 'add' | 'make'; record: number; site: number | null }
  | { kind: 'assign'; record: number; isMine: boolean }
  | { kind: 'remove' | 'edit'; record: number }
  | { kind: 'site'; site: number }
  | { kind: 'sync'; most: number };

/** The first four are there from the beginning, two somebody else may make, the last this device. */
const record = fc.constantFrom(0, 0, 1, 2, 3, 4, 5, 6);
const site = fc.nat(1);
const place = fc.option(site, { freq: 4 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), record, site: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assign' as const), record, isMine: fc.boolean() }) },
  fc.record({ kind: fc.constant('add' as const), record: fc.constantFrom(4, 5), site: place }),
  fc.record({ kind: fc.constant('make' as const), record: fc.constant(6), site: place }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'edit' as const), record }),
  fc.record({ kind: fc.constant('site' as const), site }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sync' as const), most: fc.constantFrom(WHOLE, SMALL, 25) }) },
);

const siteOf = ({ sites }: World, site: number | null): string | null => (site === null ? null : (sites[site] ?? null));

/** What somebody else does, straight on the server. */
async function rule(world: World, step: Step): Promise<void> {
  const { organization, admin, person } = world;
  if (step.kind === 'site')
    await db.asAdmin(
      `update site_members set deleted_at = case when deleted_at is null then now() end
       where site_id = $1 and user_id = $2`,
      [siteOf(world, step.site), person],
    );
  if (!('record' in step)) return;
  const id = rowOf(world, step.record);
  if (step.kind === 'move')
    await db.asAdmin('update action_items set site_id = $2 where id = $1', [id, siteOf(world, step.site)]);
  if (step.kind === 'assign')
    await db.asAdmin('update action_items set assignee_id = $2 where id = $1', [id, step.isMine ? person : admin]);
  if (step.kind === 'remove') await db.asAdmin('update action_items set deleted_at = now() where id = $1', [id]);
  if (step.kind === 'add')
    await db.asAdmin(
      `insert into action_items (id, organization_id, site_id, title, assignee_id) values ($1, $2, $3, 'old', $4)
       on conflict do nothing`,
      [id, organization, siteOf(world, step.site), step.record % 2 === 0 ? person : admin],
    );
}

/** What this device does. */
async function act(world: World, step: Step): Promise<void> {
  const { tab, paging } = world;
  if (step.kind === 'sync') {
    paging.most = step.most;
    await drain(tab, Number.MAX_SAFE_INTEGER);
  }
  if (step.kind !== 'edit' && step.kind !== 'make') return;
  const id = rowOf(world, step.record);
  await tab.engine.store.write('test', async tx => {
    const row = await tx.get('action_items', id);
    if (step.kind === 'edit' && row) await tx.change('action_items', id, { title: newId() });
    if (step.kind === 'make' && !row)
      await tx.put('action_items', {
        id,
        organization_id: world.organization,
        site_id: siteOf(world, step.site),
        title: 'made',
      });
  });
}

async function play(world: World, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await rule(world, step);
    await act(world, step);
  }
}

type Line = { id: string; version: number; title: unknown; site: unknown; scopes: string[] };

const ordered = (lines: Line[]) =>
  lines.map(line => ({ ...line, scopes: line.scopes.toSorted() })).toSorted((a, b) => a.id.localeCompare(b.id));

/** What nothing waits for, with the audiences it is held through. */
async function onDevice({ name }: Tab): Promise<{ records: Line[]; dirtyKeys: Set<string> }> {
  const held = await openDatabase(name);
  const tx = await held.transaction(['tasks', 'sync_queue'], 'readonly');
  const [records, queue] = await Promise.all([tx.objectStore('tasks').getAll(), tx.objectStore('sync_queue').getAll()]);
  held.close();
  const dirtyKeys = new Set(queue.map(({ dataId }) => dataId));
  const lines = records
    .filter(({ type, id }) => type === 'action_items' && !dirtyKeys.has(id))
    .map(({ id, version, data, scopes }) => ({
      id,
      version,
      title: data['title'],
      site: data['site_id'] ?? null,
      scopes,
    }));
  return { records: ordered(lines), dirtyKeys };
}

async function onServer({ person, ids }: World): Promise<Line[]> {
  const visible = (await db.as(
    person,
    'select id::text, version::int, title, site_id as site from action_items',
  )) as Omit<Line, 'scopes'>[];
  const audiences = await db.asAdmin('select id::text, scopes from action_items where id = any($1)', [ids]);
  const mine = new Set((await db.as(person, 'select my_scopes() as scope')).map(({ scope }) => String(scope)));
  const lines = visible.map(row => {
    const scopes = audiences.find(({ id }) => id === row.id)?.['scopes'] as string[] | undefined;
    return { ...row, scopes: [...new Set(scopes)].filter(scope => mine.has(scope)) };
  });
  return ordered(lines);
}

test(
  'I4 read a few changes at a time, a device comes to what its person may see, also after a restore',
  async () => {
    const some = (maxLength: number) => fc.array(step, { maxLength });
    const property = fc.asyncProperty(
      some(6),
      some(12),
      some(4),
      fc.boolean(),
      async (before, since, after, isLost) => {
        const world = await aWorld();
        for (const record of [0, 1, 2, 3])
          await db.asAdmin(
            "insert into action_items (id, organization_id, site_id, title, assignee_id) values ($1, $2, $3, 'old', $4)",
            [
              rowOf(world, record),
              world.organization,
              world.sites[record % 2],
              record < 2 ? world.person : world.admin,
            ],
          );
        await play(world, [...before, { kind: 'sync', most: WHOLE }]);
        if (isLost) await db.backup();
        await play(world, since);
        if (isLost) await restored(db);
        world.paging.most = SMALL;
        await play(world, after);
        // What waits for another's edit asks again each minute.
        for (let turn = 0; turn < 2; turn += 1) {
          await world.tab.sleep(90_000);
          await drain(world.tab, Number.MAX_SAFE_INTEGER);
        }
        const { records, dirtyKeys } = await onDevice(world.tab);
        const theirs = (await onServer(world)).filter(({ id }) => !dirtyKeys.has(id));
        expect(records).toEqual(theirs);
        await leaveNothing(db, [world.tab], world.ids);
      },
    );
    await holds('restore-pages', 6, property);
  },
  HISTORIES_TIMEOUT,
);

test.each([WHOLE, SMALL])(
  'a record that moved in the lost hour keeps no device from pulling (pages of %i)',
  async most => {
    const world = await aWorld();
    const { tab, sites, person, organization } = world;
    const id = rowOf(world, 0);
    await db.asAdmin(
      "insert into action_items (id, organization_id, site_id, title, assignee_id) values ($1, $2, $3, 'mine', $4)",
      [id, organization, sites[0], person],
    );
    world.paging.most = most;
    await drain(tab);
    await db.backup();
    await db.asAdmin('update action_items set site_id = $2 where id = $1', [id, sites[1]]);
    await drain(tab);
    await restored(db);
    tab.engine.syncNow();
    const from = tab.clock.now();
    await pass(tab, () => (tab.seen.status?.lastPullAt ?? 0) > from || tab.clock.now() > from + 600_000);
    const site = await tab.engine.store.read({
      key: id,
      tables: ['action_items'],
      read: async tx => (await tx.get('action_items', id))?.site_id,
    });
    expect({ isPulled: (tab.seen.status?.lastPullAt ?? 0) > from, site }).toEqual({ isPulled: true, site: sites[0] });
    await leaveNothing(db, [tab], world.ids);
  },
);
