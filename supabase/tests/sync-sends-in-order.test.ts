import '@cairn/testing/fake-storage.ts';
import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import { addStep, tickStep } from '@cairn/core/tasks/steps.ts';
import type { Draft } from '@cairn/schema';
import { BackendError } from '@cairn/sync/transport/backend.ts';
import { contact, counted, drain, openTab, pass, restored, type Tab } from '@cairn/testing/device-on-sql.ts';
import { sqlBackend } from '@cairn/testing/sql-backend.ts';
import { expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

/** `pushes`: how many calls get an answer; one more arrives and its answer is lost. */
async function aPhone(person: string) {
  const line = { pushes: Infinity };
  const real = sqlBackend(db, person);
  const push: typeof real.push = async (...given) => {
    if (line.pushes < 0) throw new BackendError('network', 'no signal');
    const answer = await real.push(...given);
    line.pushes -= 1;
    if (line.pushes < 0) throw new BackendError('network', 'answer lost');
    return answer;
  };
  const tab = await openTab({ person, backend: counted({ ...real, push }) });
  await drain(tab);
  return { tab, line };
}

const now = () => new Date().toISOString();
/** Each said at a moment of its own. */
async function say(tab: Tab, work: Parameters<Tab['engine']['store']['write']>[1]) {
  tab.clock.advance(20);
  await tab.engine.store.write('said', work);
}
const writeOn = async (tab: Tab, work: Parameters<Tab['engine']['store']['write']>[1]) => {
  await say(tab, work);
  await drain(tab);
};
/** As often as it takes: what waits is asked for each minute. */
async function contacts(tab: Tab) {
  for (let n = 0; n < 5; n += 1) {
    tab.clock.advance(60_000);
    await contact(tab);
  }
}
const left = ({ seen }: Tab) => ({
  left: seen.outbox.map(({ table, lastError, detail }) => [table, lastError, detail]),
  conflicts: seen.conflicts.map(({ kind }) => kind),
});
const NOTHING_LEFT = { left: [], conflicts: [] };

async function aTask(by: string): Promise<string> {
  const task = randomUUID();
  await db.asAdmin(
    `insert into tasks (id, organization_id, site_id, title, created_by, assignee_id) values ($1, $2, $3, 'Round', $4, $5)`,
    [task, world.organization, world.north, by, world.worker],
  );
  return task;
}
const done = (tab: Tab, task: string) =>
  say(tab, tx => tx.change('tasks', task, { status: 'done', ended_at: now(), ended_by: world.worker }));
const stateOf = async (task: string) => {
  const [row] = await db.asAdmin(
    `select t.status, jsonb_agg(jsonb_build_array(i.title, i.done_at is not null)) as steps
       from tasks t join task_items i on i.task_id = t.id and i.deleted_at is null where t.id = $1 group by t.id`,
    [task],
  );
  return row;
};

/** The task stands as it was acknowledged, and so it does once its one device has had contact with a restored server. */
async function comesBack(tab: Tab, task: string, acknowledged: object) {
  expect(await stateOf(task)).toEqual(acknowledged);
  await restored(db);
  await contacts(tab);
  expect(await stateOf(task)).toEqual(acknowledged);
  expect(left(tab)).toEqual(NOTHING_LEFT);
  await tab.close();
}

test('I3 a step whose answer was lost, changed with no signal before its task was done, arrives as it was written', async () => {
  const task = await aTask(world.manager);
  const { tab, line } = await aPhone(world.worker);
  const id = randomUUID();
  line.pushes = 0;
  await say(tab, tx => addStep(tx, { id, taskId: task, title: 'Bring a rope', required: false, by: world.worker }));
  tab.engine.syncNow();
  await pass(tab, () => line.pushes < 0);
  await tab.stopSyncing();
  await say(tab, tx => tx.change('task_items', id, { title: 'Bring a rope of 30 m' }));
  await done(tab, task);
  line.pushes = Infinity;
  await contact(tab);
  await contact(tab);
  expect(await stateOf(task)).toEqual({ status: 'done', steps: [['Bring a rope of 30 m', false]] });
  expect(left(tab)).toEqual(NOTHING_LEFT);
  await tab.close();
});

test('I14 a task that was done in the lost hour is done again, though its step was ticked twice before', async () => {
  const task = await aTask(world.worker);
  const step = randomUUID();
  await db.asAdmin(
    `insert into task_items (id, organization_id, task_id, title, required, position, created_by) values ($1, $2, $3, 'Look', true, 0, $4)`,
    [step, world.organization, task, world.worker],
  );
  const { tab } = await aPhone(world.worker);
  await db.backup();
  for (const isDone of [true, false, true])
    await writeOn(tab, tx => tickStep(tx, { id: step, done: isDone, by: world.worker, at: now() }));
  await done(tab, task);
  await drain(tab);
  await comesBack(tab, task, { status: 'done', steps: [['Look', true]] });
});

test("I14 words of a step that were changed before somebody else's task was done come back", async () => {
  const task = await aTask(world.manager);
  const { tab } = await aPhone(world.worker);
  await db.backup();
  const id = randomUUID();
  await writeOn(tab, tx => addStep(tx, { id, taskId: task, title: 'Bring a rope', required: false, by: world.worker }));
  for (const title of ['Bring a rope of 20 m', 'Bring a rope of 30 m'])
    await writeOn(tab, tx => tx.change('task_items', id, { title }));
  await done(tab, task);
  await drain(tab);
  await comesBack(tab, task, { status: 'done', steps: [['Bring a rope of 30 m', false]] });
});

test('I14 answers of the lost hour come back, also where the reviewer has contact before the phone is through', async () => {
  const inspection = randomUUID();
  await db.asAdmin(
    `insert into inspections (id, organization_id, site_id, form_id, form_version_id, title, status, conducted_by) values ($1, $2, $3, $4, $5, 'Check', 'in_progress', $6)`,
    [inspection, world.organization, world.north, world.form, world.formVersion, world.worker],
  );
  const { tab: phone, line } = await aPhone(world.worker);
  const { tab: desktop } = await aPhone(world.manager);
  await db.backup();
  const id = derivedId(inspection, 'answer/a');
  const whose = { organization_id: world.organization, inspection_id: inspection, answered_by: world.worker };
  const answer: Draft<'inspection_answers'> = { id, ...whose, question: 'a', value: 1, answered_at: now() };
  await writeOn(phone, tx => tx.put('inspection_answers', answer));
  for (const value of [2, 3])
    await writeOn(phone, tx => tx.change('inspection_answers', id, { value, answered_at: now() }));
  await writeOn(phone, tx => tx.change('inspections', inspection, { status: 'finalised', finished_at: now() }));
  await drain(desktop);
  await writeOn(desktop, tx => tx.change('inspections', inspection, { status: 'approved', reviewed_at: now() }));
  const row = () =>
    db.asAdmin(
      'select i.status, a.value from inspections i join inspection_answers a on a.inspection_id = i.id where i.id = $1',
      [inspection],
    );
  expect(await row()).toEqual([{ status: 'approved', value: 3 }]);
  await restored(db);
  line.pushes = 0;
  phone.engine.syncNow();
  await pass(phone, () => line.pushes < 0);
  await contacts(desktop);
  line.pushes = Infinity;
  await contacts(phone);
  await contacts(desktop);
  expect(await row()).toEqual([{ status: 'approved', value: 3 }]);
  expect(left(phone)).toEqual(NOTHING_LEFT);
  await Promise.all([phone.close(), desktop.close()]);
});
