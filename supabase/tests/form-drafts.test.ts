import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { draftId } from '@cairn/core/forms/draft/form-draft.ts';
import { type Edit, testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const by = (person: string) => testDevice(db, person);
const refusal = { st: 'rejected', code: '42501' };
const rowOf = async (table: string, id: string) => (await db.asAdmin(`select * from ${table} where id = $1`, [id]))[0];

/** A form of the organisation with its first version, published. */
async function aForm(): Promise<{ form: string; version: string }> {
  const [form, version] = [randomUUID(), randomUUID()];
  await db.asAdmin("insert into forms (id, organization_id, name, state) values ($1, $2, 'Ladders', 'published')", [
    form,
    world.organization,
  ]);
  await addVersion(form, version, 1);
  return { form, version };
}

async function addVersion(form: string, version: string, number: number): Promise<void> {
  await db.asAdmin(
    "insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, $4, '{}')",
    [version, world.organization, form, number],
  );
  await db.asAdmin('update forms set current_version_id = $2 where id = $1', [form, version]);
}

const draftOf = (form: string, more: Record<string, unknown> = {}): Edit => ({
  t: 'form_drafts',
  op: 'insert',
  id: draftId(form),
  patch: { form_id: form, definition: { items: [] }, ...more },
});

describe('a draft of a form', () => {
  test('is written by whoever manages forms, and says who did it last, whatever the device claims', async () => {
    const { form } = await aForm();
    const claimed = draftOf(form, { edited_by: world.worker, organization_id: randomUUID() });
    expect(await by(world.manager).push(claimed)).toMatchObject([{ st: 'applied' }]);
    expect(await rowOf('form_drafts', draftId(form))).toMatchObject({
      edited_by: world.manager,
      organization_id: world.organization,
    });
  });

  test('is not written by who only answers forms, nor by a stranger', async () => {
    const { form } = await aForm();
    expect(await by(world.worker).push(draftOf(form))).toMatchObject([refusal]);
    const [stranger] = await by(world.stranger).push(draftOf(form));
    expect(stranger?.st).toBe('rejected');
    expect(await rowOf('form_drafts', draftId(form))).toBeUndefined();
  });

  test('that two people began without signal is one, and their edits meet in a conflict', async () => {
    const { form } = await aForm();
    const [first, second] = [by(world.manager), by(world.manager)];
    const edit = (name: string) => draftOf(form, { definition: { items: [{ name }] } });
    expect(await first.push(edit('a'))).toMatchObject([{ st: 'applied' }]);
    expect(await second.push(edit('b'))).toMatchObject([{ st: 'conflict', fields: [{ f: 'definition' }] }]);
    expect(await rowOf('form_drafts', draftId(form))).toMatchObject({ definition: { items: [{ name: 'a' }] } });
  });

  test('stays with its form', async () => {
    const [{ form }, other] = [await aForm(), await aForm()];
    const device = by(world.manager);
    await device.push(draftOf(form));
    const move: Edit = {
      t: 'form_drafts',
      op: 'update',
      id: draftId(form),
      bv: 1,
      patch: { form_id: other.form },
      base: { form_id: form },
    };
    expect(await device.push(move)).toMatchObject([refusal]);
  });
});

test('a version says where it came from in words that are true, and keeps its line for good', async () => {
  const { form } = await aForm();
  const device = by(world.manager);
  const version = (source: string, number: number): Edit => ({
    t: 'form_versions',
    op: 'insert',
    id: randomUUID(),
    patch: { form_id: form, number, definition: {}, source, changes: 'Feet are looked at' },
  });
  const sources = ['builder', 'xlsform', 'xform', 'json'];
  const taken = await device.push(...sources.map((source, index) => version(source, index + 2)));
  expect(taken.map(({ st }) => st)).toEqual(['applied', 'applied', 'applied', 'applied']);
  expect(await device.push(version('made up', 9))).toMatchObject([{ st: 'rejected', code: '23514' }]);
  const [first] = await db.asAdmin('select id from form_versions where form_id = $1 and number = 2', [form]);
  const edit: Edit = {
    t: 'form_versions',
    op: 'update',
    id: String(first?.['id']),
    bv: 1,
    patch: { changes: 'Nothing' },
    base: { changes: 'Feet are looked at' },
  };
  const [answer] = await device.push(edit);
  expect(answer?.st).not.toBe('applied');
  expect(await rowOf('form_versions', String(first?.['id']))).toMatchObject({ changes: 'Feet are looked at' });
});

describe('an inspection under way', () => {
  async function underWay(status = 'in_progress') {
    const { form, version } = await aForm();
    const id = randomUUID();
    await db.asAdmin(
      `insert into inspections (id, organization_id, site_id, form_id, form_version_id, conducted_by, status, title)
       values ($1, $2, $3, $4, $5, $6, $7, 'Check')`,
      [id, world.organization, world.north, form, version, world.worker, status],
    );
    return { id, form, version };
  }
  const move = (id: string, from: string, to: string): Edit => ({
    t: 'inspections',
    op: 'update',
    id,
    bv: 1,
    patch: { form_version_id: to },
    base: { form_version_id: from },
  });

  test('goes on with the version its form is published in now', async () => {
    const { id, form, version } = await underWay();
    const newer = randomUUID();
    await addVersion(form, newer, 2);
    expect(await by(world.worker).push(move(id, version, newer))).toMatchObject([{ st: 'applied' }]);
    expect(await rowOf('inspections', id)).toMatchObject({ form_version_id: newer });
  });

  test('goes to no version that is not in use, and to none of another form', async () => {
    const { id, form, version } = await underWay();
    await addVersion(form, randomUUID(), 2);
    const [old, other] = [randomUUID(), await aForm()];
    await db.asAdmin(
      "insert into form_versions (id, organization_id, form_id, number, definition) values ($1, $2, $3, 3, '{}')",
      [old, world.organization, form],
    );
    expect(await by(world.worker).push(move(id, version, old))).toMatchObject([refusal]);
    const [elsewhere] = await by(world.worker).push(move(id, version, other.version));
    expect(elsewhere?.st).toBe('rejected');
  });

  test.each(['finalised', 'has_issues', 'approved'])('that is %s keeps its version', async status => {
    const { id, form, version } = await underWay(status);
    const newer = randomUUID();
    await addVersion(form, newer, 2);
    expect(await by(world.worker).push(move(id, version, newer))).toMatchObject([refusal]);
  });
});
