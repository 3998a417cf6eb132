import { randomUUID } from 'node:crypto';
import type { Mutation, PushResult } from '@cairn/sync/transport/backend.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import type { Edit } from './device.ts';
import { change, place, push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** The day after a restore, in which edits wait for what other devices have yet to bring (decision 11). */
setUpWorld();
beforeEach(() => db.asAdmin('select sync.raise_epochs()'));
afterEach(() => db.asAdmin('delete from sync.restored'));
const dayIsOver = () => db.asAdmin("update sync.restored set at = at - interval '1 day'");

const summaryOf = (result: PushResult | undefined) => {
  if (result?.st === 'rejected') return result.code;
  return result?.st === 'conflict' ? result.kind : result?.st;
};
const answers = async (person: string, edits: Edit[]) => (await push(person, ...edits)).map(summaryOf);
const item = (more: Mutation['patch'] = {}): Edit => ({
  t: 'action_items',
  id: randomUUID(),
  op: 'insert',
  patch: { ...place(), title: 'Grease it', ...more },
});
/** As a device sends again what the server had acknowledged. */
const again = (edit: Edit): Edit => ({ ...edit, mid: randomUUID(), av: (edit.bv ?? 0) + 1 });

describe('a record one may not see is answered as one that is not there', () => {
  const more: Partial<Mutation>[] = [
    {},
    ...[0, 1, 2, 3, 4, 9].flatMap(bv => [{ bv }, { bv, av: bv + 1 }, { bv, av: bv, unchanged: true as const }]),
    { bv: 1, av: 9 },
    { bv: 9, av: 1 },
  ];
  const ops: Pick<Mutation, 'op' | 'patch' | 'base'>[] = [
    { op: 'update', patch: { title: 'x' }, base: { title: 'Grease it' } },
    { op: 'delete', patch: {}, base: {} },
    { op: 'resolve', patch: { title: 'x' }, base: {} },
    { op: 'resolve', patch: {}, base: {} },
  ];

  test('whatever is sent, and nothing is counted of it', async () => {
    const hidden = await addRow(db, 'action_items', { ...place(), title: 'Grease it' });
    // Another device brought a lost version, and somebody edited it since.
    await push(world.worker, again(await change('action_items', hidden, { title: 'Oil it' })));
    await push(world.worker, await change('action_items', hidden, { description: 'now' }));
    const counted = () => db.asAdmin('select * from sync.replayed where row_id = $1', [hidden]);
    const before = await counted();
    expect(before).toMatchObject([{ base: '1', steps: '1', others: '1' }]);
    // The whole answer, but for what names this very mutation.
    const asked = async (id: string) =>
      (
        await push(
          world.colleague,
          ...ops.flatMap(op => more.map(fields => ({ t: 'action_items' as const, id, ...op, ...fields }))),
        )
      ).map(result => ({ ...result, mid: null, cid: null }));
    expect(await asked(hidden)).toEqual(await asked(randomUUID()));
    expect(await counted()).toEqual(before);
  });

  test('of an organisation one left it is said at once, however far behind the server is', async () => {
    const leaver = await db.person(`${randomUUID()}@a.test`);
    await db.asAdmin('insert into organization_members (organization_id, user_id, deleted_at) values ($1, $2, now())', [
      world.organization,
      leaver,
    ]);
    const edit = await change('action_items', world.action, { title: 'x' });
    expect(await answers(leaver, [{ ...edit, bv: 9, av: 10 }, item(), again(item())])).toEqual([
      'not_a_member',
      'not_a_member',
      'not_a_member',
    ]);
  });
});

/** What each of these hangs on was there when it was acknowledged: the code it is refused with now. */
const hanging: [string, () => Promise<{ person: string; edit: Edit }>][] = [
  ['23503', async () => ({ person: world.worker, edit: item({ asset_id: randomUUID() }) })],
  ['42501', async () => ({ person: world.worker, edit: item({ site_id: world.south }) })],
  [
    '23505',
    async () => {
      const code = randomUUID();
      await addRow(db, 'assets', { organization_id: world.organization, name: 'Crane 4', code });
      const patch = { organization_id: world.organization, name: 'Crane 5', code };
      return { person: world.manager, edit: { t: 'assets', id: randomUUID(), op: 'insert', patch } };
    },
  ],
  [
    '23514',
    async () => {
      const own = { organization_id: world.organization, title: 'Check it', assignee_id: world.worker };
      const task = await addRow(db, 'tasks', own);
      const step = { organization_id: world.organization, task_id: task, title: 'All chains', required: true };
      await addRow(db, 'task_items', step);
      return { person: world.manager, edit: await change('tasks', task, { status: 'done' }) };
    },
  ],
  [
    'P0001',
    async () => {
      const [row] = await db.asAdmin(
        'select id from organization_members where organization_id = $1 and user_id = $2',
        [world.organization, world.admin],
      );
      return {
        person: world.admin,
        edit: await change('organization_members', String(row?.['id']), { role: 'member' }),
      };
    },
  ],
  [
    'missing_or_hidden',
    async () => ({
      person: world.colleague,
      edit: { t: 'action_items', id: randomUUID(), op: 'update', patch: { title: 'x' }, base: {}, bv: 0 },
    }),
  ],
];

describe('an edit that goes again', () => {
  test.for(hanging)(
    'waits where it meets %s, leaves nothing, and is judged once the day is over',
    async ([code, make]) => {
      const { person, edit } = await make();
      const sent = again(edit);
      expect(await answers(person, [sent])).toEqual(['behind']);
      for (const table of ['conflict', 'mutation'])
        expect(await db.asAdmin(`select mid from sync.${table} where mid = $1`, [sent.mid])).toEqual([]);
      await dayIsOver();
      expect(await answers(person, [sent])).toEqual([code]);
    },
  );

  test.for(hanging)('and one the server never had: %s', async ([code, make]) => {
    const { person, edit } = await make();
    // What belongs to a record waits for it, sent before or not.
    expect(await answers(person, [edit])).toEqual([code === '23503' ? 'behind' : code]);
  });

  test('is refused for what no other device will change', async () => {
    const own = item();
    await push(world.worker, own);
    const elsewhere = { ...own, patch: { title: 'Theirs' } };
    const [other] = await db.asAdmin("select id from organizations where name = 'other'");
    const taken = { ...elsewhere, patch: { ...elsewhere.patch, organization_id: other?.['id'] } };
    expect(await answers(world.stranger, [again(taken)])).toEqual(['id_collision']);
    expect(await answers(world.worker, [again(item({ due_at: 'tomorrow, says Sam' }))])).toEqual(['22007']);
  });
});

describe('what goes together', () => {
  test('waits together, beside what waits for nothing, and goes once its record is there', async () => {
    const asset = randomUUID();
    const group = randomUUID();
    const [first, second, alone] = [again(item()), again(item({ asset_id: asset })), again(item())];
    const sent = [{ ...first, group }, { ...second, group }, alone];
    expect(await push(world.worker, ...sent)).toMatchObject([
      { code: 'behind', with_group: true },
      { code: 'behind' },
      { st: 'applied' },
    ]);
    await addRow(db, 'assets', { ...place(), id: asset, name: 'Crane 4' });
    expect(await push(world.worker, ...sent)).toMatchObject([{ st: 'applied' }, { st: 'applied' }, { dup: true }]);
  });

  test('is answered as each alone', async () => {
    const run = () => [item(), item({ asset_id: randomUUID() }), item({ site_id: world.south }), item()].map(again);
    const together = await answers(world.worker, run());
    const alone: unknown[] = [];
    for (const edit of run()) alone.push(...(await answers(world.worker, [edit])));
    expect(together).toEqual(alone);
    expect(together).toEqual(['applied', 'behind', 'behind', 'applied']);
  });
});
