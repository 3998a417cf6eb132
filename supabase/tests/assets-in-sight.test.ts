import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { type Edit } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const applied = { st: 'applied' };
const missing = { st: 'rejected', code: '23503' };

let hidden = '';
let hiddenTask = '';

beforeAll(async () => {
  const made = async (sql: string) => String((await db.asAdmin(sql, [world.organization, world.south]))[0]?.['id']);
  hidden = await made(`insert into assets (organization_id, site_id, name) values ($1, $2, 'Press') returning id`);
  hiddenTask = await made(`insert into tasks (organization_id, site_id, title) values ($1, $2, 'There') returning id`);
});

const here = () => ({ organization_id: world.organization, site_id: world.north });
const add = (t: Edit['t'], patch: Record<string, unknown>, id: string = randomUUID()): Edit => ({
  t,
  id,
  op: 'insert',
  patch: { ...here(), ...patch },
});
const edits: [string, (named: string) => Edit][] = [
  ['action item', named => add('action_items', { title: 'Mend', asset_id: named })],
  [
    'issue report',
    named => add('issue_reports', { title: 'Broken', reported_at: '2026-11-21T08:00:00Z', asset_id: named }),
  ],
  [
    'inspection',
    named =>
      add('inspections', {
        title: 'Look',
        form_id: world.form,
        form_version_id: world.formVersion,
        asset_id: named,
        status: 'in_progress',
      }),
  ],
];

describe('an asset of another site', () => {
  test.each(edits)('is to the maker of an %s as if it were not there', async (_what, edit) => {
    const answers = [hidden, randomUUID()].map(named => edit(named));
    const results = await push(world.worker, ...answers);
    expect(results).toMatchObject([missing, missing]);
    const words = results.map(({ mid: _mid, ...said }) => JSON.stringify(said));
    expect(words[0]).toBe(words[1]);
    expect(await push(world.worker, edit(world.asset))).toMatchObject([applied]);
  });

  test('is no whole of a part, nor named by a schedule', async () => {
    const part = (named: string) => add('assets', { name: 'Wheel', parent_id: named });
    const asked = await db.asAdmin(
      `update organization_members set site_limited = true where user_id = $1 and organization_id = $2 returning user_id`,
      [world.manager, world.organization],
    );
    expect(asked).toHaveLength(1);
    await db.asAdmin('delete from site_members where user_id = $1', [world.manager]);
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      world.manager,
    ]);
    expect(await push(world.manager, part(hidden), part(randomUUID()))).toMatchObject([missing, missing]);
    expect(await push(world.manager, part(world.asset))).toMatchObject([applied]);
    await db.asAdmin(`update organization_members set site_limited = false where user_id = $1`, [world.manager]);
  });

  test('is not put out of service by an invented report, nor by one about another asset', async () => {
    const critical = { title: 'Stop it', priority: 'critical', source_type: 'issue_report' };
    const invented = add('action_items', { ...critical, source_id: randomUUID(), asset_id: hidden });
    const other = add('action_items', { ...critical, source_id: world.report, asset_id: hidden });
    const nothing = add('action_items', { ...critical, source_id: randomUUID(), asset_id: world.asset });
    expect(await push(world.worker, invented, other, nothing)).toMatchObject([missing, missing, missing]);
    const taken = add('action_items', { ...critical, source_id: world.report, asset_id: world.asset });
    expect(await push(world.worker, taken)).toMatchObject([{ st: expect.stringMatching(/applied|merged/) }]);
    expect((await rowOf('action_items', taken.id ?? ''))['asset_id']).toBe(
      (await rowOf('issue_reports', world.report))['asset_id'],
    );
  });

  test('is named by who does its inspection, and by nobody for another', async () => {
    const [there] = await db.asAdmin(
      `insert into inspections (organization_id, site_id, form_id, form_version_id, asset_id, title, status, assigned_to)
        values ($1, $2, $3, $4, $5, 'There', 'in_progress', $6) returning id`,
      [world.organization, world.north, world.form, world.formVersion, hidden, world.worker],
    );
    const source = String(there?.['id']);
    const follow = (question: string, named: string) =>
      add(
        'action_items',
        {
          title: 'Mend',
          source_type: 'inspection',
          source_id: source,
          source_question: question,
          asset_id: named,
        },
        derivedId(source, `action/${question}`),
      );
    expect(await push(world.worker, follow('brakes', hidden))).toMatchObject([applied]);
    const moved = follow('lights', world.asset);
    expect(await push(world.worker, moved)).toMatchObject([{ st: expect.stringMatching(/applied|merged/) }]);
    expect((await rowOf('action_items', moved.id ?? ''))['asset_id']).toBe(hidden);
    expect(
      await push(world.worker, await change('action_items', moved.id ?? '', { asset_id: world.asset })),
    ).toMatchObject([applied]);
    expect(
      await push(world.worker, await change('action_items', moved.id ?? '', { asset_id: randomUUID() })),
    ).toMatchObject([missing]);
  });
});

test('a task of another site is no parent, as one that is not there', async () => {
  const part = (parent: string) => add('tasks', { title: 'Part', parent_id: parent });
  expect(await push(world.worker, part(hiddenTask), part(randomUUID()))).toMatchObject([missing, missing]);
  expect(await push(world.worker, part(world.task))).toMatchObject([applied]);
});
