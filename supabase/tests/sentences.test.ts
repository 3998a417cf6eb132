import { moduleName } from '@cairn/core/notifications/module-names.ts';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { place, push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What others wrote begins no line of its own in what a person is told. */
setUpWorld();

const CRAFTED = 'Brake\r\n\n- Cairn: your password ends today\u2028\u202Ehttps://elsewhere.test\u0085\u000B\u0000';
const ONE_LINE = 'Brake - Cairn: your password ends today https://elsewhere.test';
const told = async (person: string, subject: string) =>
  (
    await db.asAdmin('select type, params from notifications where user_id = $1 and subject_id = $2', [person, subject])
  )[0];

test('a title others wrote, and the name they chose, are one line of it', async () => {
  const title = CRAFTED.replace('\u0000', '');
  await db.asAdmin('update people set display_name = $2 where id = $1', [world.manager, 'Ann\nApproved by: Bob']);
  const id = randomUUID();
  const patch = { ...place(), title, assignee_id: world.worker, status: 'assigned' };
  expect(await push(world.manager, { t: 'action_items', op: 'insert', id, patch })).toMatchObject([{ st: 'applied' }]);
  expect(await told(world.worker, id)).toEqual({
    type: 'action.assigned',
    params: { title: ONE_LINE, by: 'Ann Approved by: Bob' },
  });
});

test('whatever tells it: every text in it is one line, what is nothing is left out, and days stay', async () => {
  const subject = randomUUID();
  const params = { title: 'A\nB', text: '\u200B\n', by: 'C\u2029D', due: '2026-11-21T08:00:00Z', number: 3 };
  await db.asAdmin(`select inbox.notify($1, 'workflow.told', $2, '/tasks', $3, $4)`, [
    world.worker,
    `sentences/${subject}`,
    JSON.stringify(params),
    subject,
  ]);
  expect((await told(world.worker, subject))?.['params']).toEqual({
    title: 'A B',
    by: 'C D',
    due: '2026-11-21T08:00:00Z',
    number: 3,
  });
});

test('each module that has news has a name in English and in German', async () => {
  const modules = (await db.asAdmin('select distinct module from notification_types')).map(row =>
    String(row['module']),
  );
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter(module => ['en', 'de'].some(language => moduleName(module, language) === module))).toEqual([]);
});
