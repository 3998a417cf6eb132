import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDevice, type Edit } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** Ids are made on devices: whoever knows one that is still to come may send it first, into whatever is theirs. */
setUpWorld();
let elsewhere: string;
let theirForm: { form_id: string; form_version_id: string };
beforeAll(async () => {
  elsewhere = String((await db.asAdmin(`select id from organizations where name = 'other'`))[0]?.['id']);
  const [form, version] = [randomUUID(), randomUUID()];
  await db.asAdmin('insert into forms (id, organization_id, name) values ($1, $2, $3)', [form, elsewhere, 'Check']);
  await db.asAdmin(
    'insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 1, $4)',
    [version, elsewhere, form, { items: [] }],
  );
  theirForm = { form_id: form, form_version_id: version };
});

const here = () => ({ organization_id: world.organization, site_id: world.north });
const task = (id: string, patch: Record<string, unknown>): Edit => ({ t: 'action_items', id, op: 'insert', patch });
const codeOf = ({ st, ...rest }: { st: string }) => ('code' in rest ? rest.code : st);
const push = async (person: string, ...edits: Edit[]) => (await testDevice(db, person).push(...edits)).map(codeOf);

async function theirInspection(): Promise<string> {
  const id = randomUUID();
  const check = { ...theirForm, title: 'Mine', status: 'in_progress', conducted_by: world.stranger };
  const insert: Edit = { t: 'inspections', id, op: 'insert', patch: { organization_id: elsewhere, ...check } };
  expect(await push(world.stranger, insert)).toEqual(['applied']);
  return id;
}

describe('an id that follows from its record', () => {
  const answerOf = (inspection: string, question: string, id: string, organization: string): Edit => ({
    t: 'inspection_answers',
    id,
    op: 'insert',
    patch: { organization_id: organization, inspection_id: inspection, question, value: 1 },
  });

  test('is of no use to who knows the inspection: the answers of others arrive', async () => {
    const mine = await theirInspection();
    const id = derivedId(world.inspection, 'answer/brakes');
    expect(await push(world.stranger, answerOf(mine, 'brakes', id, elsewhere))).toEqual(['23514']);
    expect(await push(world.stranger, answerOf(mine, 'other', id, world.organization))).toEqual(['23514']);
    expect(await push(world.worker, answerOf(world.inspection, 'brakes', id, world.organization))).toEqual(['applied']);
  });

  test('is of no use to who knows a habit: its days stay with the person', async () => {
    const habitOf = (id: string, user: string): Edit => ({
      t: 'habits',
      id,
      op: 'insert',
      patch: { user_id: user, name: 'Walk', kind: 'yes_no', times: 1, per_days: 1, started_on: '2026-11-01' },
    });
    const dayOf = (habit: string, id: string, user: string): Edit => ({
      t: 'habit_entries',
      id,
      op: 'insert',
      patch: { user_id: user, habit_id: habit, day: '2026-11-20', value: 'done' },
    });
    const [known, own] = [randomUUID(), randomUUID()];
    expect(await push(world.worker, habitOf(known, world.worker))).toEqual(['applied']);
    expect(await push(world.stranger, habitOf(own, world.stranger))).toEqual(['applied']);
    const id = derivedId(known, 'habits/2026-11-20');
    expect(await push(world.stranger, dayOf(own, id, world.stranger))).toEqual(['23514']);
    expect(await push(world.worker, dayOf(known, id, world.worker))).toEqual(['applied']);
  });

  test('is of no use to who knows a goal: its links and pauses stay with the person', async () => {
    const goalOf = async (user: string) => {
      const id = randomUUID();
      const patch = { user_id: user, area: 'mindfulness-focus', title: 'Breathe', state: 'active' };
      expect(await push(user, { t: 'goals', id, op: 'insert', patch })).toEqual(['applied']);
      return id;
    };
    const [known, own, item] = [await goalOf(world.worker), await goalOf(world.stranger), randomUUID()];
    const link = (goal_id: string, user_id: string): Edit => ({
      t: 'goal_links',
      id: derivedId(known, `link/${item}`),
      op: 'insert',
      patch: { user_id, goal_id, kind: 'action', item_id: item },
    });
    const pause = (goal_id: string, user_id: string): Edit => ({
      t: 'goal_pauses',
      id: derivedId(known, 'pause/2026-11-20'),
      op: 'insert',
      patch: { user_id, goal_id, from_day: '2026-11-20' },
    });
    expect(await push(world.stranger, link(own, world.stranger))).toEqual(['23514']);
    expect(await push(world.stranger, pause(own, world.stranger))).toEqual(['23514']);
    expect(await push(world.worker, link(known, world.worker))).toEqual(['applied']);
    expect(await push(world.worker, pause(known, world.worker))).toEqual(['applied']);
  });

  test('is of no use to who knows a person: the settings of their check-ins stay theirs', async () => {
    const settings = (user_id: string): Edit => ({
      t: 'wellness_settings',
      id: derivedId(world.colleague, 'wellness'),
      op: 'insert',
      patch: { user_id, check_in_at: '20:00' },
    });
    expect(await push(world.stranger, settings(world.stranger))).toEqual(['23514']);
    expect(await push(world.colleague, settings(world.colleague))).toEqual(['applied']);
  });

  test('is not taken for an occurrence that is still to be planned, nor for a draft', async () => {
    const schedule = String((await db.asAdmin('select id from schedules limit 1'))[0]?.['id']);
    const check = { ...theirForm, title: 'Squat', status: 'in_progress', organization_id: elsewhere };
    const occurrence: Edit = {
      t: 'inspections',
      id: derivedId(schedule, 'occurrence/2026-12-24'),
      op: 'insert',
      patch: check,
    };
    expect(await push(world.stranger, occurrence)).toEqual(['23514']);
    const patch = { organization_id: elsewhere, form_id: theirForm.form_id, definition: {} };
    const draft: Edit = { t: 'form_drafts', id: derivedId(world.form, 'draft'), op: 'insert', patch };
    expect(await push(world.stranger, draft)).toEqual(['23514']);
  });

  test('binds people only: the server plans and seeds as before', async () => {
    const id = derivedId(world.form, 'occurrence/2026-12-25');
    const check = [id, world.organization, world.form, world.formVersion];
    await db.asService(
      `insert into inspections (id, organization_id, form_id, form_version_id, title, status) values ($1, $2, $3, $4, 'Planned', 'scheduled')`,
      check,
    );
    expect(await db.asAdmin('select title from inspections where id = $1', [id])).toEqual([{ title: 'Planned' }]);
  });

  test('lets what two devices derive alike meet in one record, as ever', async () => {
    const id = derivedId(world.inspection, 'answer/lights');
    const edit = answerOf(world.inspection, 'lights', id, world.organization);
    expect(await push(world.worker, edit)).toEqual(['applied']);
    expect(await push(world.worker, { ...edit, patch: { ...edit.patch, note: 'dim' } })).toEqual(['merged']);
  });
});

describe('a random id that stands for another record', () => {
  test('is answered `id_collision`, not as a conflict, whatever stands behind it', async () => {
    const [id, colleagues] = [randomUUID(), randomUUID()];
    await push(world.stranger, task(id, { organization_id: elsewhere, title: 'First' }));
    await push(
      world.colleague,
      task(colleagues, { organization_id: world.organization, site_id: world.south, title: 'First' }),
    );
    const mine = (each: string) => task(each, { ...here(), title: 'Mine' });
    expect(await push(world.worker, mine(id), mine(colleagues), mine(randomUUID()))).toEqual([
      'id_collision',
      'id_collision',
      'applied',
    ]);
  });

  test('is no reason to think that somebody was removed, and nobody is told of a refusal', async () => {
    const person = await db.person(`${randomUUID()}@a.test`);
    for (const [organization, ended] of [
      [world.organization, null],
      [elsewhere, '2026-11-20T00:00:00Z'],
    ])
      await db.asAdmin('insert into organization_members (organization_id, user_id, deleted_at) values ($1, $2, $3)', [
        organization,
        person,
        ended,
      ]);
    const id = randomUUID();
    await push(world.stranger, task(id, { organization_id: elsewhere, title: 'First' }));
    expect(await push(person, task(id, { organization_id: world.organization, title: 'Mine' }))).toEqual([
      'id_collision',
    ]);
    expect(
      await db.asAdmin(`select 1 from notifications where user_id = $1 and type = 'sync.refused'`, [person]),
    ).toEqual([]);
  });

  test('takes nothing of it into the record of another organisation that the same person sees', async () => {
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      elsewhere,
      world.worker,
    ]);
    const id = randomUUID();
    await push(world.stranger, task(id, { organization_id: elsewhere, title: 'First' }));
    expect(await push(world.worker, task(id, { ...here(), title: 'Mine', description: 'Secret' }))).toEqual([
      'id_collision',
    ]);
    expect(await db.asAdmin('select title, description from action_items where id = $1', [id])).toEqual([
      { title: 'First', description: null },
    ]);
  });

  test('tells a group which of it is at fault', async () => {
    const [taken, group] = [randomUUID(), randomUUID()];
    await push(world.stranger, task(taken, { organization_id: elsewhere, title: 'First' }));
    const both = [randomUUID(), taken].map(id => ({ ...task(id, { ...here(), title: 'Mine' }), group }));
    expect(await testDevice(db, world.worker).push(...both)).toMatchObject([
      { st: 'rejected', code: '23505', with_group: true },
      { st: 'rejected', code: 'id_collision' },
    ]);
  });

  test("one's own record that was moved out of sight is still one's own", async () => {
    const id = randomUUID();
    expect(await push(world.worker, task(id, { ...here(), title: 'Mine' }))).toEqual(['applied']);
    await db.asAdmin('update action_items set site_id = $2, created_by = null where id = $1', [id, world.south]);
    expect(await push(world.worker, task(id, { ...here(), title: 'Mine again' }))).toEqual(['conflict']);
  });
});
